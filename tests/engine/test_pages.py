"""What rules find in a page, and what their fixes make of it: the same as in Python files, block by block."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint import check_source, fix_source, registry
from seqlint.config import Config
from seqlint.runner import text
from seqlint.sources import Source
from tests.pages import MARKDOWN, REST, lines

if TYPE_CHECKING:
    from seqlint.model import Example

KNOWN = registry.load(())
EXAMPLES = [
    (loaded.rule.code, example)
    for loaded in KNOWN
    for example in loaded.rule.examples
    if example.after is not None and ">>>" not in example.before
]
WAYS = [*((f"md {name}", write, "guide.md") for name, write in MARKDOWN.items() if name != "shell"),
        *((f"rst {name}", write, "guide.rst") for name, write in REST.items())]  # fmt: skip


def config(code: str, example: Example) -> Config:
    return replace(Config.default(), select=(code,), keras=example.keras, unsafe=True)


def full(page: str) -> str:
    """A page without its empty lines: those of new code are left out of a session."""
    return "".join(line for line in lines(page) if line.strip(" .>\n"))


@pytest.mark.parametrize("number", range(len(WAYS)))
def test_a_fix_makes_the_same_of_a_block_as_of_a_file(number: int) -> None:
    _, write, path = WAYS[number]
    code, example = EXAMPLES[number * len(EXAMPLES) // len(WAYS)]
    settings = config(code, example)
    before = example.before.strip("\n") + "\n"
    alone = text.fix(Source("<file>", before), settings)
    page = f"Text.\n\n{write(before)}\nMore `text`.\n"
    fixed = text.fix(Source(path, page), settings)
    assert full(fixed.source.text) == full(f"Text.\n\n{write(alone.source.text)}\nMore `text`.\n")
    assert [one.code for one in fixed.applied] == [one.code for one in alone.applied]
    for one, other in zip(fixed.applied, alone.applied, strict=True):
        assert _spelled(page, one.start.line) == _spelled(before, other.start.line)


def _spelled(page: str, number: int) -> str:
    return lines(page)[number - 1].strip().lstrip(">. ")


FEED = "import keras\n\nclass Feed(keras.utils.PyDataset):\n    def __init__(self):\n        self.x = 1\n    def __len__(self):\n        return 1\n"


class TestPages:
    def test_a_page_is_known_by_its_name(self) -> None:
        page = f"# Feeds\n\n```python\n{FEED}```\n"
        (found,) = check_source(page, path="guide.md", keras=">=3.10", select=["SEQ221"]).diagnostics
        assert (found.start.line, found.start.column) == (7, 5)
        fixed = fix_source(page, path="guide.md", keras=">=3.10", select=["SEQ221"])
        assert "super().__init__(**kwargs)" in fixed.source.text
        assert fixed.before.text == page
        assert not fixed.checked.diagnostics

    def test_fixes_are_edits_of_the_page(self) -> None:
        page = f"1. Feeds\n\n   ```python\n{''.join('   ' + line for line in lines(FEED) if line.strip())}   ```\n"
        (found,) = check_source(page, path="guide.md", keras=">=3.10", select=["SEQ221"]).diagnostics
        data = page.encode()
        for edit in sorted(found.fixes[0].edits, key=lambda edit: -edit.start):
            data = data[: edit.start] + edit.text.encode() + data[edit.end :]
        assert data.decode() == fix_source(page, path="guide.md", keras=">=3.10", select=["SEQ221"]).source.text

    def test_one_fix_can_be_tried_alone(self) -> None:
        page = f"```python\n{FEED}```\n\n> ```python\n{''.join('> ' + line for line in lines(FEED))}> ```\n"
        settings = replace(Config.default(), select=("SEQ221",), keras=">=3.10")
        checked = text.check(Source("guide.md", page), settings)
        diagnostic = checked.diagnostics[1]
        after, reason = text.attempt(checked, diagnostic, diagnostic.fixes[0], settings)
        assert reason is None
        assert after.diagnostics == checked.diagnostics[:1]
        assert after.source.text.startswith(page[: page.index(">")])
        assert text.alone(Source("guide.md", page), settings) == ()

    def test_deep_code_is_skipped_like_code_that_does_not_parse(self) -> None:
        page = f"```python\nimport keras\nx = {'-' * 1500}1\n```\n\n```python\n{FEED}```\n"
        checked = check_source(page, path="guide.md", keras=">=3.10", select=["SEQ"])
        assert [found.code for found in checked.diagnostics] == ["SEQ221"]
        assert not checked.broken
