"""The attributes that a method touches, in the order in which it runs."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

FEED = """
import keras


class Base(keras.utils.PyDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows


class Feed(Base):
    def __init__(self, rows, shuffle=True):
        super().__init__(rows)
        self._open()
        self.shuffle = shuffle
        if rows:
            self.late = self.early
        self.last = self.size

    def _open(self):
        self.early = 1

    @property
    def size(self):
        return len(self.rows)

    def switched(self):
        if self.shuffle:
            self.on = 1
        if self.early:
            return
        self.behind = 1
        later = lambda: self.never
"""


def told(name: str) -> list[tuple[str, str, int, int]]:
    facts = facts_of(FEED)
    events = facts.setups.run(facts.classes[-1], name)
    return [(event.touch.name, event.touch.kind, event.doubt, len(event.calls)) for event in events]


def test_helpers_bases_and_properties_run_where_they_are_called() -> None:
    assert told("__init__") == [
        ("rows", "assign", -1, 1),
        ("early", "assign", -1, 1),
        ("shuffle", "assign", -1, 0),
        ("early", "read", 0, 0),
        ("late", "assign", 0, 0),
        ("size", "read", -1, 0),
        ("rows", "read", -1, 1),
        ("last", "assign", -1, 0),
    ]


def test_a_switch_that_is_on_by_default_leaves_no_doubt() -> None:
    assert told("switched") == [
        ("shuffle", "read", -1, 0),
        ("on", "assign", -1, 0),
        ("early", "read", -1, 0),
        ("behind", "assign", 0, 0),
    ]


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("self.rows = rows", True),
        ("super().__init__(); print(self, len(self)); self.rows = rows", True),
        ("keras.utils.PyDataset.__init__(self)", True),
        ("setattr(self, 'rows', rows)", True),
        ("setattr(self, rows, 1)", False),
        ("vars(self).update(rows)", False),
        ("self.__dict__.update(rows)", False),
        ("set_up(self)", False),
        ("feed = self", False),
    ],
)
def test_what_sets_attributes_out_of_sight(body: str, seen: bool) -> None:
    facts = facts_of(
        f"import keras\nclass Feed(keras.utils.PyDataset):\n    def __init__(self, rows):\n        {body}\n"
    )
    assert facts.setups.is_seen(facts.classes[0]) is seen


@pytest.mark.parametrize("base", ["keras.utils.PyDataset, Mixin", "keras.preprocessing.image.Iterator"])
def test_bases_out_of_sight_may_set_anything(base: str) -> None:
    facts = facts_of(f"import keras\nfrom ours import Mixin\nclass Feed({base}):\n    pass\n")
    assert not facts.setups.is_seen(facts.classes[0])
