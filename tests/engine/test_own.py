"""What seqlint says of itself is as short and plain as what its rules say."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING

import pytest

from seqlint.config import Config
from seqlint.engine import check
from seqlint.engine.own import OWN
from seqlint.sources import Source
from tests.engine.rules import crashes
from tests.rules.wording import complaints, stilted

if TYPE_CHECKING:
    from seqlint.model import LoadedRule


@pytest.mark.parametrize("own", OWN, ids=lambda own: own.rule.code)
def test_its_pages_are_in_plain_words(own: LoadedRule) -> None:
    assert not stilted(cleandoc(own.doc))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("use(a)\n", "SEQ002"),
        ("use(b)  # seqlint: ignore[SEQ902]\n", "SEQ003"),
        ("use(a)  # seqlint: ingore[SEQ901]\n", "SEQ004"),
    ],
)
def test_its_findings_are_short_plain_and_complete(text: str, code: str) -> None:
    rules = (crashes("SEQ900"), crashes("SEQ902"))
    checked = check(Source("example.py", text), rules, Config.default())
    own = {loaded.rule.code: loaded for loaded in OWN}
    found = [diagnostic for diagnostic in checked.diagnostics if diagnostic.code == code]
    assert found
    assert not [line for diagnostic in found for line in complaints(diagnostic, own[code])]


def test_a_crash_says_which_seqlint_it_is_and_what_to_do() -> None:
    checked = check(Source("example.py", "use(a)\n"), (crashes("SEQ900"),), Config.default())
    (found,) = checked.diagnostics
    assert "SEQ900" in found.message
    assert found.note.startswith("this is seqlint ")
    assert "report it" in found.help
