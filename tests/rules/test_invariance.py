"""However a program is named, ordered, wrapped or formatted: the rules say the same about it, at the same words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from seqlint import registry
from seqlint.engine import check
from seqlint.sources import Source
from tests.configs import undeclared
from tests.rules import variations
from tests.rules.variations import Variation, words

if TYPE_CHECKING:
    from seqlint.model import Example

RULES = registry.load()
PROGRAMS = tuple((loaded.rule.code, example) for loaded in RULES for example in loaded.rule.examples)
DRAWN = settings(max_examples=60, derandomize=True)
IDENTIFIERS = st.sampled_from(("x1", "thing", "_private", "the_value", "Größe", "model_2", "data", "seq"))
Found = Counter[tuple[str, str, int]]
programs = st.sampled_from(PROGRAMS)


@cache
def found(text: str, keras: str) -> Found:
    """Code, level and place of all findings."""
    checked = check(Source("example.py", text), RULES, undeclared(keras))
    assert not checked.broken, checked.diagnostics
    places = words(text)
    return Counter(
        (
            diagnostic.code,
            diagnostic.level,
            sum(place < (diagnostic.start.line, diagnostic.start.column - 1) for place in places),
        )
        for diagnostic in checked.diagnostics
    )


def same(example: Example, variation: Variation) -> None:
    """Assert that all findings have moved with their words, and that none has come or gone."""
    before = found(example.before, example.keras)
    compile(variation.text, "example.py", "exec")
    moved = Counter({(code, level, variation.moved(place)): many for (code, level, place), many in before.items()})
    assert found(variation.text, example.keras) == moved, variation.text


@given(programs, st.data(), IDENTIFIERS)
@DRAWN
def test_the_name_of_a_local_changes_nothing(program: tuple[str, Example], data: st.DataObject, wish: str) -> None:
    _, example = program
    found_locals = variations.locals_of(example.before)
    assume(found_locals)
    local = data.draw(st.sampled_from(found_locals))
    same(example, variations.renamed(example.before, local, variations.fresh(example.before, wish)))


@given(programs, st.data())
@DRAWN
def test_the_order_of_imports_changes_nothing(program: tuple[str, Example], data: st.DataObject) -> None:
    _, example = program
    _, length = variations.import_block(example.before)
    assume(length > 1)
    same(example, variations.reordered(example.before, data.draw(st.permutations(range(length)))))


@given(programs, st.data(), IDENTIFIERS)
@DRAWN
def test_an_alias_changes_nothing(program: tuple[str, Example], data: st.DataObject, wish: str) -> None:
    _, example = program
    names = variations.nameable(example.before)
    assume(names)
    name = data.draw(st.sampled_from(names))
    same(example, variations.aliased(example.before, name, variations.fresh(example.before, wish)))


@given(programs, st.sampled_from(("main", "run", "train")))
@DRAWN
def test_a_function_round_the_program_changes_nothing(program: tuple[str, Example], wish: str) -> None:
    _, example = program
    if (why := variations.why_not_wrapped(example.before)) is not None:
        event(f"left out: {why}")
        return
    same(example, variations.wrapped(example.before, variations.fresh(example.before, wish)))


@given(programs, st.sampled_from(("  ", "   ", "        ", "\t")), st.sets(st.integers(0, 12)), st.booleans())
@DRAWN
def test_layout_changes_nothing(program: tuple[str, Example], unit: str, lines: set[int], brackets: bool) -> None:
    _, example = program
    text = variations.spread(example.before, sorted(lines), "# a remark").text
    text = variations.indented(text, unit).text
    same(example, variations.in_brackets(text) if brackets else Variation(text))


@given(programs, st.integers(40, 140), st.booleans())
@DRAWN
def test_a_formatter_changes_nothing(program: tuple[str, Example], width: int, commas: bool) -> None:
    black = pytest.importorskip("black")
    _, example = program
    mode = black.Mode(line_length=width, magic_trailing_comma=commas)
    same(example, Variation(str(black.format_str(example.before, mode=mode))))


FROM_THEMSELVES = (
    "{}", "{} + 1", "{} / 2", "-{}", "[{}]", "({}, {})", "{'a': {}}", "{}[0]", "np.array({})", "list(zip({}, {}))", "[one for one in {}]",
    "{}.astype('float32')", "len({})", "{} if {} else 0", "{}.map({})", "open({})",
)  # fmt: skip


@given(programs, st.sampled_from(FROM_THEMSELVES))
@DRAWN
def test_a_variable_that_is_made_from_itself_is_followed_to_no_end(program: tuple[str, Example], made: str) -> None:
    _, example = program
    text = variations.made_from_themselves(example.before, made)
    checked = check(Source("example.py", text), RULES, undeclared(example.keras))
    assert not checked.broken, checked.diagnostics


SMALL = """
import math
import os.path
from collections import OrderedDict as Ordered

def area(radius):
    factor = math.pi
    return factor * radius ** 2

class Shape:
    side = 3

    def areas(self):
        found = Ordered((r, area(r)) for r in range(self.side))
        total = sum(value for value in found.values())
        return found, total

shape = Shape()
result = shape.areas()
out.append((result, os.path.join("a", "b")))
"""


def ran(text: str) -> list[object]:
    out: list[object] = []
    exec(compile(text, "small.py", "exec"), {"out": out})
    return out


VARIATIONS = {
    **{
        f"renamed {name}": variations.renamed(SMALL, (number, name), "x1")
        for number, name in variations.locals_of(SMALL)
    },
    **{f"aliased {name}": variations.aliased(SMALL, name, "x1") for name in variations.nameable(SMALL)},
    "reordered": variations.reordered(SMALL, (2, 0, 1)),
    "wrapped": variations.wrapped(SMALL, "main"),
    "indented": variations.indented(SMALL, "\t"),
    "spread": variations.spread(SMALL, (0, 2, 4), "# a remark"),
    "in brackets": variations.in_brackets(SMALL),
}


@pytest.mark.parametrize("way", VARIATIONS)
def test_a_variation_does_the_same_and_knows_where_words_went(way: str) -> None:
    variation = VARIATIONS[way]
    assert variation.text != SMALL
    assert ran(variation.text) == ran(SMALL)
    before, after = word_texts(SMALL), word_texts(variation.text)
    old = way.split()[1] if way.startswith(("renamed", "aliased")) else ""
    for number, word in enumerate(before):
        assert after[variation.moved(number)] in ({word, "x1"} if word == old else {word})


def word_texts(text: str) -> list[str]:
    lines = text.split("\n")
    return [re.match(r"\w+", lines[line - 1][column:])[0] for line, column in words(text)]  # type: ignore[index]


def test_the_variables_of_a_program_are_known() -> None:
    assert {name for _, name in variations.locals_of(SMALL)} == {"factor", "found", "total", "shape", "result"}
    assert set(variations.nameable(SMALL)) == {"math", "os", "Ordered", "area", "Shape"}
