"""What the bases of a class do with its attributes that stand in other files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.project import Project
from seqlint.facts.project.bases import Bases, bases_of

if TYPE_CHECKING:
    from pathlib import Path

FIRST = """
import keras


class First(keras.utils.PyDataset):
    size = 8

    def __init__(self):
        super().__init__()
        self.on_epoch_end()
"""
BASE = """
from first import First


class Base(First):
    def __init__(self, rows):
        self.rows = rows
        super().__init__()

    def on_epoch_end(self):
        self.order = sorted(self.rows)
"""


def bases(folder: Path, base: str = BASE, first: str = FIRST) -> Bases | None:
    (folder / "first.py").write_text(first, encoding="utf-8")
    (folder / "base.py").write_text(base, encoding="utf-8")
    return bases_of(Project(folder), "base.Base")


def test_where_attributes_are_set(tmp_path: Path) -> None:
    found = bases(tmp_path)
    assert found is not None
    assert found.setting("rows") == {"__init__"}
    assert found.setting("order") == {"on_epoch_end"}
    assert found.setting("size") == {""}
    assert found.setting("other") == set()


def test_whether_the_constructor_runs_a_hook(tmp_path: Path) -> None:
    found = bases(tmp_path)
    assert found is not None
    assert found.speaks_of("on_epoch_end")
    assert found.init_runs("on_epoch_end")
    assert not found.init_runs("on_epoch_begin")
    at_times = FIRST.replace("        self.on_epoch_end()", "        if self.size:\n            self.on_epoch_end()")
    maybe = bases(tmp_path, first=at_times)
    assert maybe is not None
    assert maybe.speaks_of("on_epoch_end")
    assert not maybe.init_runs("on_epoch_end")


@pytest.mark.parametrize(
    "line", ["setattr(self, rows, 1)", "self.__dict__.update(rows)", "prepare(self)", "rows.attach(feed=self)"]
)
def test_what_sets_unseen_leaves_all_open(tmp_path: Path, line: str) -> None:
    assert bases(tmp_path, BASE.replace("self.rows = rows", line)) is None


def test_a_base_out_of_sight(tmp_path: Path) -> None:
    assert bases(tmp_path, first=FIRST.replace("keras.utils.PyDataset", "Unknown")) is None
    assert bases(tmp_path, BASE.replace("(First)", "(First, Other)")) is None
