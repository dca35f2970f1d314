from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import check
from seqlint.sources import Source
from tests.rules.casebook import pages
from tests.rules.test_cases import project
from tests.rules.test_examples import config
from tests.rules.wording import complaints, stilted, words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from seqlint.model import Diagnostic, LoadedRule

RULES = [pytest.param(loaded, id=loaded.rule.code) for loaded in registry.load()]
CASES = {page[0].code: page for page in pages()}


@pytest.mark.parametrize("loaded", RULES)
def test_findings_are_short_plain_and_complete(loaded: LoadedRule, tmp_path: Path) -> None:
    assert not [line for found in _findings(loaded, tmp_path) for line in complaints(found, loaded)]


@pytest.mark.parametrize("loaded", RULES)
def test_the_page_of_a_rule_is_in_plain_words(loaded: LoadedRule) -> None:
    assert not stilted(cleandoc(loaded.doc))


def test_code_counts_as_one_word() -> None:
    assert words("`fit(x, workers=2)` takes no `workers`") == 4


def test_turns_that_sound_translated_are_seen_outside_of_code() -> None:
    assert stilted("a batch hangs on it; `heirs` is a name; x is no dataset") == ["hangs on", "is no dataset"]


def _findings(loaded: LoadedRule, folder: Path) -> Iterator[Diagnostic]:
    for example in loaded.rule.examples:
        if not example.silent:
            yield from check(Source("example.py", example.before), [loaded], config(example)).diagnostics
    for number, case in enumerate(CASES.get(loaded.rule.code, ())):
        place = folder / str(number)
        place.mkdir()
        source, settings = project(place, case)
        yield from check(source, [loaded], settings).diagnostics
