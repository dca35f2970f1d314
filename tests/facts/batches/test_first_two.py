"""Batches 0 and 1: where they surely differ in size, the axis is free, and nothing is said."""

from __future__ import annotations

import pytest

from tests.facts.batches.test_varying import differ
from tests.facts.feed import generator, sequence

APART = [
    "index % 2",
    "index == 0",
    "not index",
    "index > 0",
    "index & 1",
    "(index + 1) % 2",
    "0 < index < 3",
    "index // 1 == 1 or index == 3",
]
ALIKE = [
    "index > 2",
    "index == 5",
    "index % 8 == 2",
    "index == len(self) - 1",
    "index >= self.first",
    "index in self.odd",
]


@pytest.mark.parametrize("test", APART)
def test_batches_0_and_1_differ(test: str) -> None:
    assert differ(sequence(f"if {test}:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))")) == []


@pytest.mark.parametrize("test", ALIKE)
def test_batches_0_and_1_are_alike_or_nobody_knows(test: str) -> None:
    assert len(differ(sequence(f"if {test}:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))"))) == 1


@pytest.mark.parametrize("made", ["index + first", "first % 2 + index"])
def test_what_is_made_of_itself_tells_no_batch(made: str) -> None:
    body = f"first = {made}\nif first == 0:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))"
    assert len(differ(sequence(body))) == 1


def test_two_of_three_sizes_make_the_axis_free() -> None:
    three = "if index == {}:\n    return np.zeros((4, 1))\nelif index == {}:\n    return np.zeros((4, 2))\nreturn np.zeros((4, 3))"
    assert differ(sequence(three.format(0, 1))) == []
    assert len(differ(sequence(three.format(4, 5)))) > 0


def test_a_difference_of_structure_is_told_as_one_at_once() -> None:
    body = "if index {}:\n    return np.zeros((4, 1)), np.zeros(4)\nreturn np.zeros((4, 1))"
    assert [v.at_once for v in sequence(body.format("% 2")).variants.all] == [True]
    assert [v.at_once for v in sequence(body.format("> 2")).variants.all] == [False]


def test_a_range_round_the_yield_counts_in_its_steps() -> None:
    loop = "while True:\n    for start in range(0, 32, 4):\n        yield np.zeros((4, 1)) if {} else np.zeros((4, 2)), labels"
    assert differ(generator(loop.format("start == 4"))) == []
    assert len(differ(generator(loop.format("start == 8")))) == 1
    several = "for row in range(8):\n    for start in range(0, 32, 4):\n        yield np.zeros((4, 1)) if row else np.zeros((4, 2)), labels"
    assert len(differ(generator(several))) == 1


def test_whole_numbers_after_floats_lose_nothing() -> None:
    body = "if index {}:\n    return np.zeros((4, 1), int)\nreturn np.zeros((4, 1))"
    assert [v.way for v in sequence(body.format("== 0")).variants.all] == ["type"]
    assert [v.way for v in sequence(body.format("> 0")).variants.all] == []
