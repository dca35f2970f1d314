"""Lines that end in lone carriage returns and in line feeds, in one file: found as ever, and left as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.runner import text
from seqlint.sources import Source
from tests.configs import undeclared

if TYPE_CHECKING:
    from collections.abc import Callable

MIXED: dict[str, Callable[[str], str]] = {
    "one line feed at the end": lambda code: code.replace("\n", "\r") + "# end\n",
    "one line feed at the start": lambda code: "# start\n" + code.replace("\n", "\r"),
    "a block of a page": lambda code: "\n```python\n" + code.replace("\n", "\r").rstrip("\r") + "\n```\n",
}
EXAMPLES = [
    (loaded.rule.code, example.before, example.keras)
    for loaded in registry.load()
    for example in loaded.rule.examples[:1]
    if example.before is not None and example.after is not None
]


@pytest.mark.parametrize("made", MIXED.values(), ids=MIXED)
def test_what_is_found_is_found_and_nothing_is_written(made: Callable[[str], str]) -> None:
    missed = []
    for code, before, keras in EXAMPLES:
        config = replace(undeclared(keras), select=("ALL",))  # those that are off by default, too
        source = Source.from_text(made(before), "page.md" if "```" in made("") else "example.py")
        checked = text.check(source, config)
        assert not checked.broken
        missed += [code] if code not in {found.code for found in checked.diagnostics} else []
        assert not [found for found in checked.diagnostics if found.fixes]
        assert text.fix(source, config).source.whole == source.whole
    assert not missed


def test_a_finding_says_why_it_has_no_fix() -> None:
    code = "import keras\rkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ102]\r# end\n"
    (found,) = text.check(Source.from_text(code, "example.py"), undeclared()).diagnostics
    assert found.no_fix == "some lines of the file end in a lone carriage return, and others do not"
    assert text.check(Source.from_text(code.replace("\n", "\r"), "example.py"), undeclared()).diagnostics[0].fixes
