"""Rows that are taken past a shuffled index, in spellings that need a run of the program; and those that follow it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from seqlint.domains.rows.wrong_rows import RowTakers
from tests.run.programs import ran

if TYPE_CHECKING:
    from pathlib import Path

START = """
import os
import random
import keras
import numpy as np
{extra}

class Feed(keras.utils.PyDataset):
    def __init__(self, tokens, tags):
        super().__init__()
        self.tokens, self.tags = tokens, {tags}
        self.order = np.arange(len(tokens))

    def __len__(self):
        return len(self.order) // 4

    def _span(self, index):
        return slice(index * 4, index * 4 + 4)

    def __getitem__(self, index):
{batch}

    def on_epoch_end(self):
{hook}

feed = Feed(np.load("x.npy"), np.load("y.npy"))
"""
SHUFFLE = "np.random.shuffle(self.order)"
COUNTED = "x = np.empty((4, 8))\ny = np.empty(4)\nfor n, row in enumerate(self.order[self._span(index)]):\n    x[n] = self.tokens[row]\n"
HELPERS = "def cut(rows, index):\n    return rows[index * 4 : index * 4 + 4]\n"


def feed(batch: str, hook: str = SHUFFLE, tags: str = "tags", extra: str = "") -> str:
    def inside(text: str) -> str:
        return textwrap.indent(text, "        ")

    return START.format(batch=inside(batch), hook=inside(hook), tags=tags, extra=extra)


def places(text: str, folder: Path | None = None, files: dict[str, str] | None = None) -> list[str]:
    run = ran(text, folder, files)
    return [f"{each.how}: {run.text(each.node)}" for each in run.domain(RowTakers).all]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[self._span(index)]"),
                     "past the index: self.tags[self._span(index)]", id="a method gives the span"),
        pytest.param(feed("me = self\nrows = me.order[me._span(index)]\nreturn me.tokens[rows], me.tags[me._span(index)]"),
                     "past the index: me.tags[me._span(index)]", id="me"),
        pytest.param(feed("return self.tokens[cut(self.order, index)], cut(self.tags, index)", extra=HELPERS),
                     "past the index: rows[index * 4 : index * 4 + 4]", id="a helper slices"),
        pytest.param(feed(COUNTED + "    y[n] = self.tags[index * 4 + n]\nreturn x, y"), "past the index: self.tags[index * 4 + n]", id="place in all rows"),
        pytest.param(feed(COUNTED.replace("self.tokens", "self.tags") + "    y[n] = self.tokens[n]\nreturn x, y").replace("tokens", "labels"),
                     "by the counter: self.labels[n]", id="counter"),
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[rows]", tags="named(tags)",
                          extra="def named(folder):\n    return sorted(os.listdir(folder))\n"),
                     "list by array: self.tags[rows]", id="a list from a helper"),
    ],
)  # fmt: skip
def test_rows_do_not_follow_the_index(text: str, place: str) -> None:
    assert places(text) == [place]


def test_the_helper_of_another_file_gives_the_list(tmp_path: Path) -> None:
    text = feed(
        "rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[rows]",
        tags="named(tags)",
        extra="from files import named",
    )
    given = "import numpy as np\ndef named(rows):\n    return {}\n"
    assert places(text, tmp_path, {"files.py": given.format("rows.tolist()")}) == ["list by array: self.tags[rows]"]
    assert places(text, tmp_path, {"files.py": given.format("np.array(rows.tolist())")}) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[rows]"), id="both through it"),
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[self._span(index + 1)]"), id="other rows"),
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[self._span(index)]",
                          SHUFFLE + "\nself.tags = self.tags[self.order]"), id="targets that the hook moves"),
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[self._span(index)]", "pass"), id="no shuffle"),
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[rows[0]]", tags="list(tags)"), id="one row"),
        pytest.param(feed("rows = self.order[self._span(index)]\nreturn self.tokens[rows], self.tags[rows]",
                          tags="np.array(tags) if len(tags) > 4 else list(tags)"), id="an array at times"),
        pytest.param(feed(COUNTED + "    y[n] = self.tags[self.order[index * 4 + n]]\nreturn x, y"), id="through the order, one by one"),
        pytest.param(feed(COUNTED + "    y[n] = self.tags[n]\nreturn x, y"), id="a part that need not be the target"),
    ],
)  # fmt: skip
def test_rows_follow_the_index(text: str) -> None:
    assert places(text) == []
