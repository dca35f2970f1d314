"""Frames: a value is followed back through the helpers that one batch runs, and no further than there is something to follow."""

from __future__ import annotations

import pytest

from seqlint.facts.flow.call_frames import Flow, Frame, Traced
from tests.facts.feed import sequence
from tests.facts.reading import last


def traced(body: str, rest: str = "") -> list[str | None]:
    """What the last `found` of `__getitem__` is made by."""
    facts = sequence(body, rest)
    (maker,) = facts.batches.makers
    names = [
        traced for traced in facts.batches.of(maker) if facts.text(traced.value.node or last(facts, "found")) == "found"
    ]
    ends = facts.batches.flow.trace(names[-1].value)
    return [None if end.node is None else facts.text(end.node) for end in ends]


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ("found = self.x[index]\nreturn found", ["self.x[index]"]),
        ("found = self.x[index]\nfound /= 255\nreturn found", ["self.x[index]"]),
        ("(one, found), two = (self.x[index], self.y[index]), 3\nreturn found", ["self.y[index]"]),
        ("found = self.a(index) if index else self.b(index)\nreturn found", ["self.a(index)", "self.b(index)"]),
        ("found = 1\nif index:\n    found = 2\nreturn found", ["2", "1"]),
        ("for found in self.x:\n    pass\nreturn found", ["found"]),
        ("pair = self.start()\nwhile index:\n    pair, found = pair\nreturn found", ["found"]),
        ("found = self.x\nfor _ in self.y:\n    found = found\nreturn found", ["self.x"]),
    ],
)
def test_a_value_is_followed_in_one_function(body: str, ends: list[str]) -> None:
    assert traced(body) == ends


HELPERS = """
def both(self, rows):
    return self.x[rows], self.twice(rows)

def twice(self, rows):
    return double(self.y[rows])

def maybe(self, rows):
    if rows:
        return rows

def again(self, rows):
    return self.again(rows)

@staticmethod
def same(found):
    return found
"""


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ("one, found = self.both(index)\nreturn found", ["double(self.y[rows])"]),
        ("found = self.maybe(self.z)\nreturn found", ["self.z", None]),
        ("found = self.same(self.z)\nreturn found", ["self.z"]),
        ("found = Feed.same(found=self.z)\nreturn found", ["self.z"]),
        ("found = self.again(index)\nreturn found", ["self.again(rows)"]),
        ("found = self.missing(index)\nreturn found", ["self.missing(index)"]),
    ],
)
def test_a_value_is_followed_through_helpers(body: str, ends: list[str | None]) -> None:
    assert traced(body, HELPERS) == ends


def test_two_calls_of_a_helper_are_two_frames() -> None:
    facts = sequence("return self.read(self.x), self.read(self.y)", "def read(self, part):\n    return part")
    flow: Flow = facts.batches.flow
    (maker,) = facts.batches.makers
    frames = [frame for frame in facts.batches.frames(maker) if frame is not maker.frame]
    assert len(frames) == 2
    part = last(facts, "part")
    assert sorted(facts.text(end.node) for frame in frames for end in flow.trace(Traced(part, frame)) if end.node) == [
        "self.x",
        "self.y",
    ]


def test_many_branches_cost_no_more_than_they_are() -> None:
    body = "found = self.x\n" + "if index:\n    found += 1\n" * 40 + "return found"
    assert traced(body) == ["self.x"]


def test_an_inner_function_sees_the_names_around_it() -> None:
    body = "def load():\n    return part\npart = self.x\nfound = load()\nreturn found"
    assert traced(body) == ["self.x"]


def test_the_outermost_frame_has_no_caller() -> None:
    facts = sequence("return self.x")
    frame: Frame = facts.batches.makers[0].frame
    assert frame.depth == 0
    assert frame.caller is None
