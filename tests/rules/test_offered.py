"""What a check shows as a fix can be applied, without any other fix: in a file, in a notebook and in a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.runner import text
from seqlint.sources import Source
from tests.notebooks import written
from tests.pages import fence
from tests.rules.casebook import pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.model import Rule

RULES = {loaded.rule.code: loaded.rule for loaded in registry.load()}
PLACES: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "file": ("<example.py>", str.encode),
    "notebook": ("<example>.ipynb", written),
    "page": ("<example>.md", lambda program: fence(program.strip("\n") + "\n").encode()),
}
FIXABLE = [
    pytest.param(rule, number, id=f"{rule.code}-{number}")
    for rule in RULES.values()
    for number, example in enumerate(rule.examples)
    if example.after is not None
]


def fixed_alone(source: Source, config: Config) -> set[str]:
    """Apply the first fix of each finding to the text as it is; the codes of those that have one."""
    checked = text.check(source, config)
    found = [diagnostic for diagnostic in checked.diagnostics if diagnostic.fixes]
    for diagnostic in found:
        tried = text.attempt(checked, diagnostic, diagnostic.fixes[0], config)
        assert tried.reason is None, (
            f"{diagnostic.code} at {diagnostic.start}: {diagnostic.fixes[0].title}: {tried.reason}"
        )
        assert tried.after.source.whole != source.whole
    return {diagnostic.code for diagnostic in found}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("rule", "number"), FIXABLE)
def test_each_fix_of_an_example_can_be_applied_alone(rule: Rule, number: int, place: str) -> None:
    example, (path, write) = rule.examples[number], PLACES[place]
    source = Source.from_bytes(write(example.before), path)
    config = replace(Config.default(), keras=example.keras, docs=True, extend_select=(rule.code,))
    codes = fixed_alone(source, config)
    assert rule.code in codes or place == "notebook"  # where some rules are silent, and fixes must stay in a cell


@pytest.mark.parametrize("code", RULES)
def test_each_fix_of_a_case_can_be_applied_alone(code: str) -> None:
    cases = [case for page in pages() for case in page if case.code == code and case.found and not case.others]
    for case in cases:
        fixed_alone(Source("<case.py>", case.plain), replace(Config.default(), keras=case.keras))
