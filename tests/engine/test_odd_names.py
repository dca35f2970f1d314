"""Names that are declared and never bound, as in half-finished code, stop no rule."""

from __future__ import annotations

import pytest

import seqlint

PROGRAM = """
import keras


class Songs(keras.utils.PyDataset):
    def __init__(self, songs, size):
        super().__init__()
        self.songs, self.size = songs, size
        {0}

    def __len__(self):
        return len(self.songs)

    def __getitem__(self, index):
        return batch_of(self, index)


def batch_of(feed, index):
    {1}
    rows = slice(index * feed.size, (index + 1) * feed.size)
    return feed.songs[rows], feed.songs[rows]
"""
DECLARED = [
    ("global x", "pass"),
    ("pass", "global size"),
    ("self.held = [x for x in songs]; global y", "global x; x.a = 1"),
]


@pytest.mark.parametrize(("first", "second"), DECLARED)
def test_a_global_that_nothing_binds_stops_no_rule(first: str, second: str) -> None:
    text = PROGRAM.replace("{0}", first).replace("{1}", second)
    compile(text, "a.py", "exec")
    found = seqlint.check_source(text, select=["ALL"])
    assert [each.code for each in found.diagnostics] == ["SEQ220"]
