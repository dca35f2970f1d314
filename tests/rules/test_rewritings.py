"""However a program says what it does, with types, bases, variables, keywords or branches of its own: the rules find the same."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import check
from seqlint.sources import Source
from tests.configs import undeclared
from tests.rules import rewritings

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = registry.load()
PROGRAMS = tuple((example.before, example.keras) for loaded in RULES for example in loaded.rule.examples)
WAYS = (
    rewritings.with_types,
    rewritings.methods_reversed,
    rewritings.behind_a_base,
    rewritings.abstract,
    rewritings.generic,
    rewritings.results_named,
    rewritings.data_named,
    rewritings.slices_named,
    rewritings.numbers_named,
    rewritings.histories_kept,
    rewritings.by_keyword,
    rewritings.choices_spelled_out,
)


@cache
def found(text: str, keras: str) -> Counter[tuple[str, str]]:
    """Code and level of all findings."""
    checked = check(Source("example.py", text), RULES, undeclared(keras))
    assert not checked.broken, checked.diagnostics
    return Counter((diagnostic.code, diagnostic.level) for diagnostic in checked.diagnostics)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_same_is_found_in_other_words(way: Callable[[ast.Module], bool]) -> None:
    changed, differ = 0, []
    for text, keras in PROGRAMS:
        varied = rewritings.rewritten(text, way)
        if varied is None:
            continue
        changed += 1
        compile(varied, "example.py", "exec")
        before, after = found(ast.unparse(ast.parse(text)), keras), found(varied, keras)
        if before != after:
            differ.append(f"{varied}\n# before: {dict(before)}, after: {dict(after)}\n")
    assert changed > 10
    assert not differ, "\n".join(differ)
