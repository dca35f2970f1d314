"""No fix is shown that `fix` would refuse, and none that it would apply is left out."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint.config import Config
from seqlint.engine import check, fix, guarded, offers
from seqlint.model import Contract, Edit, Finding, Levels, LoadedRule
from seqlint.sources import Source
from tests.engine.rules import loaded, renames, replaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Facts


def shown(text: str, *rules: LoadedRule) -> list[tuple[str, int]]:
    """The findings that are shown, with the number of their fixes."""
    source = Source("example.py", text)
    checked = guarded(check(source, rules, Config.default()), rules, Config.default())
    return [(found.code, len(found.fixes)) for found in checked.diagnostics]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        pytest.param("use(a)\n", "(a", "((a", id="it breaks the syntax"),
        pytest.param("use(a)\n", "use(a)\n", "if a:\n    # nothing\n", id="a block holds a comment alone"),
        pytest.param("use(a)\n", "a", "a + a", id="the finding stays"),
        pytest.param("use(a)\n", "a", "a", id="it changes nothing"),
        pytest.param("one()  # why\ntwo()\n", "one()  # why\n", "", id="a comment goes"),
        pytest.param("# on one\none()\ntwo()\n", "one()\ntwo()\n", "two()\none()\n", id="a comment changes its code"),
        pytest.param("x = 1\n# on one\n\none()\ntwo()\n", "one()\ntwo()\n", "two()\none()\n", id="with a gap between"),
    ],
)
def test_a_fix_that_is_refused_is_not_shown(text: str, old: str, new: str) -> None:
    rules = (replaces("SEQ901", old, new), renames("SEQ902", "b", "c"))
    assert shown(f"{text}keep(b)\n", *rules) == [("SEQ901", 0), ("SEQ902", 1)]
    assert fix(Source("example.py", f"{text}keep(b)\n"), rules, Config.default()).refused


def advises(code: str, old: str, new: str) -> LoadedRule:
    """The same as `renames`, as advice."""
    loaded = renames(code, old, new)
    return LoadedRule.of(
        replace(loaded.rule, levels=Levels.everywhere("advice")), loaded.check, loaded.doc, loaded.path
    )


def test_a_fix_that_makes_something_worse_is_not_shown() -> None:
    worse = renames("SEQ900", "b", "c")
    assert shown("use(a)\n", advises("SEQ901", "a", "b"), worse) == [("SEQ901", 0)]
    assert shown("use(a, b)\n", advises("SEQ901", "a", "b"), worse) == [("SEQ901", 1), ("SEQ900", 1)]


def either(code: str, old: str, *news: str) -> LoadedRule:
    """A rule with several fixes for a piece of text."""

    def check(facts: Facts) -> Iterator[Finding]:
        for start in (found.start() for found in re.finditer(re.escape(old), facts.source.text)):
            finding = Finding(start, start + 1, "this is wrong")
            for new in news:
                finding = finding.fixed_by(f"Write {new}", Edit(start, start + len(old), new))
            yield finding

    return loaded(code, "several", check, Contract())


def test_where_the_first_fix_is_refused_the_next_is_shown_and_applied() -> None:
    rule = either("SEQ901", "bad", "((", "(bad)", "good")
    assert shown("use(bad)\n", rule) == [("SEQ901", 1)]
    assert fix(Source("example.py", "use(bad)\n"), (rule,), Config.default()).source.text == "use(good)\n"


def breaks_some(facts: Facts) -> Iterator[Finding]:
    """A finding for each `bad`; the fix of `bad1` breaks the syntax."""
    for found in re.finditer("bad(1?)", facts.source.text):
        new = "((" if found[1] else "good"
        yield Finding(found.start(), found.end(), "this is wrong").fixed_by("Replace it", Edit(*found.span(), new))


@pytest.mark.parametrize("number", [1, offers.FEW, offers.FEW + 1, 50])
@pytest.mark.parametrize("broken", [(), (0,), (0, 7), (17, 18)])
def test_among_many_fixes_those_that_are_refused_are_left_out_alone(number: int, broken: tuple[int, ...]) -> None:
    text = "".join(f"use(bad{'1' if place in broken else ''})\n" for place in range(number))
    found = shown(text, loaded("SEQ901", "broken", breaks_some, Contract()))
    assert found == [("SEQ901", 0 if place in broken else 1) for place in range(number)]


def test_hundreds_of_fixes_do_not_check_a_text_hundreds_of_times() -> None:
    asked: list[int] = []

    def counted(number: int) -> int:
        rule = either("SEQ901", "bad", "good")

        def check_once(facts: Facts) -> Iterator[Finding]:
            asked.append(number)
            yield from rule.check(facts)

        asked.clear()
        shown("use(bad)\n" * number, LoadedRule.of(rule.rule, check_once, rule.doc, rule.path))
        return len(asked)

    assert counted(800) == counted(50) < 5
