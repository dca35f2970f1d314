"""What rules find in a page, and what their fixes make of it: the same as in Python files, block by block."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint import check_source, fix_source, registry
from seqlint.config import Config
from seqlint.runner import text
from seqlint.sources import Source
from seqlint.sources.pages import programs
from tests.pages import MARKDOWN, REST, fence, lines

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
        tried = text.attempt(checked, diagnostic, diagnostic.fixes[0], settings)
        assert tried.reason is None
        assert tried.after.diagnostics == checked.diagnostics[:1]
        assert tried.after.source.text.startswith(page[: page.index(">")])
        assert text.alone(Source("guide.md", page), settings) == ()

    def test_deep_code_is_skipped_like_code_that_does_not_parse(self) -> None:
        page = f"```python\nimport keras\nx = {'-' * 1500}1\n```\n\n```python\n{FEED}```\n"
        checked = check_source(page, path="guide.md", keras=">=3.10", select=["SEQ"])
        assert [found.code for found in checked.diagnostics] == ["SEQ221"]
        assert not checked.broken


FITS = FEED + "    def __getitem__(self, index):\n        return x[:4], y[:4]\nmodel.fit([Feed(), Feed()])\n"
OTHER_FITS = (
    FITS.replace("Feed", "Rows").replace("keras", "tk").replace("import tk", "from tensorflow import keras as tk")
)
OWN_CLASS = "class ChainedSequence:\n    pass\nprint(ChainedSequence())\n"
MORE_FITS = "model.fit([Feed(), Feed()], epochs=2)\n"


def blocks(*codes: str) -> str:
    return "\nText.\n\n".join(fence(code) for code in codes)


class TestBlocksThatGoTogether:
    """The fix of SEQ601 writes a class of one name into each program."""

    def fixed(self, *codes: str) -> tuple[Source, Source, list[str]]:
        """The page, the page after the fixes, and why findings are left."""
        fixed = fix_source(blocks(*codes), path="guide.md", keras=">=3.10", select=["SEQ601"], unsafe=True)
        return fixed.before, fixed.source, [found.no_fix for found in fixed.checked.diagnostics]

    def test_programs_of_their_own_get_a_class_each(self) -> None:
        _, after, left = self.fixed(FITS, OTHER_FITS)
        assert [program.text.count("class ChainedSequence") for program in programs(after)] == [1, 1]
        assert left == []

    def test_a_block_keeps_the_class_of_its_program(self) -> None:
        before, after, left = self.fixed(FITS, OTHER_FITS, MORE_FITS)
        assert len(programs(after)) == len(programs(before)) == 2
        first, second = programs(after)
        assert first.text.count("fit(ChainedSequence(") == 2
        assert second.text == programs(before)[1].text
        (why,) = left
        assert "which blocks go together" in why

    def test_no_block_gets_the_class_of_another_program(self) -> None:
        before, after, left = self.fixed(FITS, OWN_CLASS, MORE_FITS)
        assert [program.text for program in programs(after)][1:] == [OWN_CLASS]
        assert after.text.endswith(before.text[before.text.index(OWN_CLASS) :])
        assert len(left) == 1
