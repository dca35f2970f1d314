"""The attributes of `self` that methods read, assign and change."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts

START = """
import heapq
import random

import numpy as np


def fill(buffer, value):
    buffer[:] = value


def look(buffer):
    return buffer[0]


def fill_both(first, second):
    fill(second, 1)
"""


def method(body: str) -> tuple[Facts, list[tuple[str, str]]]:
    facts = facts_of(f"{START}\nclass Feed:\n    def step(self, index):\n{indent(body, ' ' * 8)}")
    touches = facts.attributes.of(facts.classes[0].methods["step"])
    return facts, [(touch.name, touch.kind) for touch in touches]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return self.rows[index]", [("rows", "read")]),
        ("self.rows = index", [("rows", "assign")]),
        ("self.a, self.b = index", [("a", "assign"), ("b", "assign")]),
        ("self.rows: list = []", [("rows", "assign")]),
        ("for self.row in index: pass", [("row", "assign")]),
        ("with open(index) as self.file: pass", [("file", "assign")]),
        ("self.count += 1", [("count", "augment")]),
        ("del self.rows", [("rows", "delete")]),
        ("self.rows.append(1)", [("rows", "change")]),
        ("self.rows[index] = 1", [("rows", "change")]),
        ("self.rows[0][1:] = 1", [("rows", "change")]),
        ("self.rows[index] += 1", [("rows", "change")]),
        ("del self.rows[index]", [("rows", "change")]),
        ("self.a[0], self.b[0] = 1, 2", [("a", "change"), ("b", "change")]),
        ("self.state.count = 1", [("state", "change")]),
        ("self.state.rows.append(1)", [("state", "change")]),
        ("np.random.shuffle(self.order)", [("order", "change")]),
        ("random.shuffle(self.order)", [("order", "change")]),
        ("self.rng.shuffle(self.order)", [("rng", "read"), ("order", "change")]),
        ("np.random.shuffle(self.order[:index])", [("order", "change")]),
        ("heapq.heappush(self.heap, 1)", [("heap", "change")]),
        ("np.add(self.a, 1, out=self.buffer)", [("a", "read"), ("buffer", "change")]),
        ("np.copyto(self.buffer, self.a)", [("buffer", "change"), ("a", "read")]),
        ("fill(self.buffer, 1)", [("buffer", "change")]),
        ("fill_both(self.a, self.buffer)", [("a", "read"), ("buffer", "change")]),
        ("look(self.buffer)", [("buffer", "read")]),
        ("return next(self.stream)", [("stream", "advance")]),
        ("return self.stream.get_next()", [("stream", "advance")]),
        ("setattr(self, 'rows', 1)", [("rows", "assign")]),
        ("rows = self.rows\nrows.append(1)", [("rows", "read"), ("rows", "change")]),
        ("view = self.buffer[:2]\nview[0] = 1", [("buffer", "read"), ("buffer", "change")]),
        ("it = self.stream\nreturn next(it)", [("stream", "read"), ("stream", "advance")]),
        ("rows = self.rows\nrows = []\nrows.append(1)", [("rows", "read")]),
        ("rows = list(self.rows)\nrows.append(1)", [("rows", "read")]),
        ("rows = self.rows.copy()\nrows[0] = 1", [("rows", "read")]),
        ("return sorted(self.rows)", [("rows", "read")]),
        ("index.rows.append(1)", []),
        ("self.step(1)", []),
        ("def inner():\n    self.count += 1\ninner()", [("count", "augment")]),
        ("return [self.load(i) for i in self.order]", [("order", "read"), ("load", "read")]),
    ],
)
def test_what_a_method_does(body: str, expected: list[tuple[str, str]]) -> None:
    _, found = method(body)
    assert sorted(found) == sorted(expected)


CLASS = """
from functools import cached_property

class Base:
    limit = 3

    def __init__(self, rows):
        self.rows = rows
        self.order = []


class Feed(Base):
    def __getitem__(self, index):
        self.seen.append(index)
        return self.__load(index) + self.size

    def __load(self, index):
        self.last = index
        return self.rows[self.order[index]]

    @property
    def size(self):
        return len(self.names)

    @cached_property
    def total(self):
        return sum(self.rows)
"""


def test_helpers_and_properties_are_a_part_of_the_method() -> None:
    facts = facts_of(CLASS)
    feed = facts.classes[1]
    assert facts.attributes.read(feed, "__getitem__") == {"seen", "rows", "order", "size", "names"}
    assert facts.attributes.assigned(feed, "__getitem__") == {"last"}
    assert facts.attributes.mutated(feed, "__getitem__") == {"seen"}
    assert set(facts.attributes.properties(feed)) == {"size", "total"}
    paths = {touch.name: reached.path for reached, touch in facts.attributes.on(feed, "__getitem__")}
    assert paths["last"] == ("__getitem__", "__load")


@pytest.mark.parametrize(
    ("name", "more", "answer"),
    [
        ("rows", "", "yes"),
        ("limit", "", "yes"),
        ("size", "", "yes"),
        ("names", "", "no"),
        ("names", "feed = Feed(1)\nfeed.names = []", "unknown"),
        ("names", "class Feed2(Feed):\n    def more(self, key):\n        setattr(self, key, 1)", "no"),
    ],
)
def test_whether_an_instance_can_have_an_attribute(name: str, more: str, answer: str) -> None:
    facts = facts_of(CLASS + more)
    assert facts.attributes.has(facts.classes[1], name) == answer


@pytest.mark.parametrize(
    "body",
    [
        "def fill(self, key):\n        setattr(self, key, 1)",
        "def fill(self, values):\n        self.__dict__.update(values)",
        "def fill(self, values):\n        vars(self).update(values)",
        "def __getattr__(self, name):\n        return 1",
    ],
)
def test_attributes_can_be_set_out_of_sight(body: str) -> None:
    facts = facts_of(f"class Feed:\n    {body}")
    assert facts.attributes.has(facts.classes[0], "names") == "unknown"


def test_a_base_from_elsewhere_may_set_anything() -> None:
    facts = facts_of("from other import Base\nclass Feed(Base):\n    pass")
    assert facts.attributes.has(facts.classes[0], "names") == "unknown"


def test_the_self_of_a_class_in_a_method_is_another() -> None:
    _, found = method("class Inner:\n    def run(self):\n        self.x = 1\nself.y = Inner()")
    assert found == [("y", "assign")]
