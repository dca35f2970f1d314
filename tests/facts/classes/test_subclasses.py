"""Whether classes are made from a Sequence, and whether it can do without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts import Facts
from seqlint.facts.keras import KerasInUse
from seqlint.sources import Source
from seqlint.trees import grow
from tests.facts.projects import module
from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from pathlib import Path

ROWS = """
import keras


class Rows(keras.utils.PyDataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.load(index)

    def load(self, index):
        {load}
"""
OTHER = "from pkg.mod import Rows\nimport pkg.mod as mod\nfrom pkg.mod import Rows as Base\n\n\n"


@pytest.mark.parametrize(
    ("load", "whole"),
    [
        ("return index", True),
        ("raise NotImplementedError", False),
        ('"""A row."""\n        raise NotImplementedError("load")', False),
        ("...", False),
        ("pass", False),
        ("raise IndexError(index)", True),
    ],
)
def test_a_base_demands_a_method(load: str, whole: bool) -> None:
    facts = facts_of(ROWS.format(load=load))
    assert facts.subclasses.is_whole(facts.sequences[0]) is whole


def test_without_a_length_or_batches_it_is_a_base() -> None:
    facts = facts_of(
        """
        import keras

        class Rows(keras.utils.PyDataset):
            def __len__(self):
                return 2

        class Endless(keras.utils.PyDataset):
            @property
            def num_batches(self):
                return None

            def __getitem__(self, index):
                return index

        class Counted(Rows):
            def __getitem__(self, index):
                return index
        """
    )
    assert {owner.name: facts.subclasses.is_whole(owner) for owner in facts.sequences} == {
        "Rows": False,
        "Endless": True,
        "Counted": True,
    }
    assert [owner.name for owner in facts.sequences if facts.subclasses.here(owner)] == ["Rows"]


@pytest.mark.parametrize(
    ("line", "inherits"),
    [
        ("class Feed(Rows): ...", True),
        ("class Feed(mod.Rows, metaclass=Kept): ...", True),
        ("class Feed(\n    Base,\n): ...", True),
        ("feed = Rows()", False),
        ("class Feed(RowsOf): ...", False),
        ("class Feed:\n    rows = (Rows,)", False),
    ],
)
def test_classes_of_other_files(tmp_path: Path, line: str, inherits: bool) -> None:
    text = ROWS.format(load="return index")
    project = module(tmp_path, text, {"pkg/other.py": OTHER + line + "\n"})
    source = Source(str(tmp_path / "pkg" / "mod.py"), text)
    facts = Facts(source, grow(source), KerasInUse(), project)
    assert facts.subclasses.external(facts.sequences[0]) is inherits
