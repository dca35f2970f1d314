from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING

import pytest

from tests.rules.casebook import pages
from tests.rules.checks import RULES, checked, checked_case
from tests.rules.wording import complaints, stilted, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import Diagnostic, LoadedRule

CASES = {page[0].code: page for page in pages()}


@pytest.mark.parametrize("code", RULES)
def test_findings_are_short_plain_and_complete(code: str) -> None:
    assert not [line for found in _findings(code) for line in complaints(found, RULES[code])]


@pytest.mark.parametrize("loaded", RULES.values(), ids=RULES)
def test_the_page_of_a_rule_is_in_plain_words(loaded: LoadedRule) -> None:
    assert not stilted(cleandoc(loaded.doc))


def test_code_counts_as_one_word() -> None:
    assert words("`fit(x, workers=2)` takes no `workers`") == 4


def test_turns_that_sound_translated_are_seen_outside_of_code() -> None:
    assert stilted("a batch hangs on it; `heirs` is a name; x is no dataset") == ["hangs on", "is no dataset"]


def _findings(code: str) -> Iterator[Diagnostic]:
    for example in RULES[code].rule.examples:
        if not example.silent:
            yield from checked(code, example.before, example.keras).diagnostics
    for case in CASES.get(code, ()):
        yield from (found for found in checked_case(case).diagnostics if found.code == code)
