"""The code blocks of the documentation, and the project that their commands run in."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from tests.cli.conftest import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")))
PROGRAM = "fixtures/programs/evaluation_in_epoch_hook/program.py"
_NOT_RUN = re.compile(r"<!-- not run: \S.* -->")
_TENSORFLOW = re.compile(r"seqlint verify |--verify")


@dataclass(frozen=True)
class Block:
    """A fence of a page.

    Attributes:
        line: of its first line of code, from 1.
        run: whether nothing before it says that it is not run.
    """

    page: Path
    line: int
    language: str
    text: str
    run: bool

    @property
    def tensorflow(self) -> bool:
        """Whether its commands need TensorFlow."""
        return bool(_TENSORFLOW.search(self.text))

    @property
    def commands(self) -> list[Command]:
        """What stands after `$`, each with the output that is shown."""
        _, *parts = re.split(r"^\$ ", self.text, flags=re.MULTILINE)
        return [Command(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


@dataclass(frozen=True)
class Command:
    """A command line, and what the page shows of its output; empty where it shows nothing."""

    line: str
    shown: str


def blocks(page: Path) -> Iterator[Block]:
    """All fences of a page."""
    before = ""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence":
            assert token.map is not None
            run = not _NOT_RUN.fullmatch(before.strip())
            yield Block(page, token.map[0] + 2, token.info.strip(), token.content, run)
        before = token.content if token.type == "html_block" else ""


def project(folder: Path) -> None:
    """The project that pages speak of: a program, a notebook and a page with findings. Next to it `house`, with rules of its own."""
    program = (ROOT / PROGRAM).read_text(encoding="utf-8")
    (folder / PROGRAM).parent.mkdir(parents=True)
    (folder / PROGRAM).write_text(program)
    shutil.copy(ROOT / "fixtures/programs/requirements.txt", folder)
    (folder / "train.py").write_text(program)
    (folder / "apples.ipynb").write_text(_notebook(program))
    shutil.copy(ROOT / "fixtures/pages/photos.md", folder / "guide.md")
    house = folder.parent / "house"
    (house / "rules").mkdir(parents=True)
    (house / "seqlint.toml").write_text('rules = ["rules"]\nexclude = ["rules/"]\n')
    (house / "model.py").write_text("import keras\n\nkeras.utils.seed(0)\n")
    (house / "rules/tst101_seed_set.py").write_text(RULES["tst101_seed_set.py"])


def _notebook(program: str) -> str:
    head, start, rest = program.partition("\nclass ")
    sources = (head, start.lstrip("\n") + rest)
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": text.splitlines(keepends=True),
        }
        for text in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"
