"""A rule says some things only where somebody has selected it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint.config import Config
from seqlint.engine import check
from seqlint.sources import Source
from tests.engine.rules import loaded, renames

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Facts
    from seqlint.model import Finding, LoadedRule

TEXT = "loud = quiet = 1\n"


def talks() -> LoadedRule:
    """A rule with a finding for everybody, and one for those who ask."""
    loud, quiet = renames("SEQ101", "loud", "x"), renames("SEQ101", "quiet", "x")

    def both(facts: Facts) -> Iterator[Finding]:
        yield from loud.check(facts)
        yield from (replace(finding, default=False) for finding in quiet.check(facts))

    return loaded("SEQ101", "talks", both, loud.rule.contract)


def said(config: Config, text: str = TEXT) -> list[str]:
    return [found.message for found in check(Source("a.py", text), [talks()], config).diagnostics]


@pytest.mark.parametrize("selector", ["SEQ101", "talks", "SEQ1", "ALL"])
@pytest.mark.parametrize("setting", ["select", "extend_select"])
def test_who_selects_the_rule_hears_all(setting: str, selector: str) -> None:
    config = replace(Config.default(), **{setting: (selector,)})  # type: ignore[arg-type]
    assert said(config) == ["`loud` is wrong", "`quiet` is wrong"]


def test_others_hear_the_rest() -> None:
    assert said(Config.default()) == ["`loud` is wrong"]
    assert said(replace(Config.default(), extend_select=("SEQ2",))) == ["`loud` is wrong"]


def test_its_suppression_is_not_dead() -> None:
    quiet = "quiet = 1  # seqlint: ignore[SEQ101]\n"
    assert said(Config.default(), quiet) == []
