"""Methods that a base in another file calls, as pieces of its own."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from seqlint.facts import Facts
from seqlint.facts.keras import KerasInUse
from seqlint.facts.project import Project
from seqlint.facts.shown.overview import overview
from seqlint.sources import Source
from seqlint.trees import grow
from tests.facts.projects import write

if TYPE_CHECKING:
    from pathlib import Path

BASE = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __getitem__(self, index):
        return np.stack([self.load(row) for row in self.order[index]]), self.kinds(self.order[index])

    def on_epoch_end(self):
        self.refresh()


class Batches(keras.utils.PyDataset):
    def __getitem__(self, index):
        return self.make(self.order[index])


class Plain:
    def __getitem__(self, index):
        return self.make(self.order[index])
"""


def facts_beside(folder: Path, text: str) -> Facts:
    """The facts of a file beside `base.py`."""
    write(folder, {"base.py": BASE, "data.py": text})
    path = folder / "data.py"
    source = Source(str(path), dedent(text))
    return Facts(source, grow(source), KerasInUse(), Project(folder).at(path))


def pieces(facts: Facts, name: str, hook: str = "__getitem__") -> list[str]:
    owner = next(owner for owner in facts.classes if owner.name == name)
    return [piece.called for piece in owner.template_methods(hook)]


def test_the_methods_that_an_inherited_one_calls(tmp_path: Path) -> None:
    facts = facts_beside(
        tmp_path,
        """
        from base import Rows

        class Tides(Rows):
            def load(self, row):
                return self._read(row)
            def _read(self, row): ...
            def unasked(self): ...
            def refresh(self): ...

        class Waves(Tides):
            def load(self, row): ...
            def kinds(self, rows): ...
        """,
    )
    assert pieces(facts, "Tides") == ["Tides.load"]
    assert pieces(facts, "Tides", "on_epoch_end") == ["Tides.refresh"]
    assert sorted(pieces(facts, "Waves")) == ["Waves.kinds", "Waves.load"]
    tides = facts.classes[0]
    paths = [reached.path for reached in tides.reachable("__getitem__")]
    assert paths == [("__getitem__", "load"), ("__getitem__", "load", "_read")]
    assert all(
        reached.template_method is tides.template_methods("__getitem__")[0]
        for reached in tides.reachable("__getitem__")
    )
    assert [hook.called for hook in facts.hooks.filled] == ["Tides.refresh"]
    ways = overview(facts).classes[0].ways
    assert [way.path for way in ways] == [*paths, ("on_epoch_end", "refresh")]


@pytest.mark.parametrize(
    "text",
    [
        "from base import Plain\nclass Tides(Plain):\n    def make(self, rows): ...\n",
        "from base import Batches\nclass Tides(Batches):\n    def make(self, rows): ...\n    def __getitem__(self, index): ...\n",
        "from base import Batches\nfrom other import Mixed\nclass Tides(Mixed, Batches):\n    def make(self, rows): ...\n",
        "from base import Batches\n@renewed\nclass Tides(Batches):\n    def make(self, rows): ...\n",
        "from base import Batches\nclass Tides(Batches):\n    @cached\n    def make(self, rows): ...\n",
        "from base import Batches\nclass Tides(Batches):\n    async def make(self, rows): ...\n",
        "from base import Batches\nclass Tides(Batches):\n    def load(self, rows): ...\n",
    ],
)
def test_what_is_no_piece(tmp_path: Path, text: str) -> None:
    facts = facts_beside(tmp_path, text)
    assert pieces(facts, "Tides") == []
    assert [maker for maker in facts.batches.makers if maker.template_method is not None] == []


def test_a_piece_makes_batches_where_it_is_all_of_them(tmp_path: Path) -> None:
    facts = facts_beside(
        tmp_path,
        """
        from base import Batches, Rows

        class Tides(Rows):
            def load(self, row):
                return row

        class Waves(Batches):
            def make(self, rows):
                return rows, rows
        """,
    )
    found = {
        maker.function.name.value: len(facts.batches.of(maker)) for maker in facts.batches.makers if maker.of_sequence
    }
    assert found == {"load": 0, "make": 1}
    assert [owner.name for owner in facts.batches.sequences] == ["Tides", "Waves"]


def test_a_method_that_goes_on_to_that_of_the_base(tmp_path: Path) -> None:
    facts = facts_beside(
        tmp_path,
        """
        from base import Batches, Rows

        class Scaled(Rows):
            def __getitem__(self, index):
                x, y = super().__getitem__(index)
                return x / 2, y
            def load(self, row): ...

        class Told(Batches):
            def __getitem__(self, index):
                print(index)
                return super().__getitem__(index)
            def make(self, rows): ...

        class Other(Batches):
            def __getitem__(self, index):
                return super().__getitem__(self.shifted(index))
            def make(self, rows): ...

        class AtTimes(Rows):
            def __getitem__(self, index):
                return super().__getitem__(index) if index else None
            def load(self, row): ...
        """,
    )
    assert pieces(facts, "Scaled") == ["Scaled.load"]
    assert pieces(facts, "AtTimes") == []
    scaled, told, other, at_times = facts.classes
    assert scaled.template_methods("__getitem__")[0].asked.result_use == "open"
    assert told.template_methods("__getitem__")[0].asked.result_use == "batch"
    assert told.template_methods("__getitem__")[0].varying
    assert not other.template_methods("__getitem__")[0].varying
    assert "print" in told.template_methods("__getitem__")[0].asked.words
    assert at_times.is_used_externally("order")
    assert not at_times.is_used_externally("depth")
