"""Branches: whether one object gives both values, and the batch decides which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts.feed import generator, sequence

if TYPE_CHECKING:
    from seqlint.facts import Facts

BOTH = {
    "by the index": "if index < 3:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))",
    "else": "if index < 3:\n    return np.zeros((4, 1))\nelse:\n    return np.zeros((4, 2))",
    "by a draw": "return np.zeros((4, 1)) if np.random.rand() < 0.5 else np.zeros((4, 2))",
    "by what is read": "x = np.load(self.paths[index])\nif x.ndim == 3:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))",
    "by what is filled in": (
        "x = np.zeros((4, 1))\nx[0] = self.read(index)\nif x.max() > 1:\n    return np.zeros((4, 2))\nreturn x"
    ),
    "rebound": "x = np.zeros((4, 1))\nif index > 2:\n    x = np.zeros((4, 2))\nreturn x",
    "in one mode": "if self.train:\n    if index < 3:\n        return np.zeros((4, 1))\nreturn np.zeros((4, 2))",
    "by None for some": (
        "y = None\nif index < 3:\n    y = self.y[index]\nif y is None:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))"
    ),
}  # fmt: skip
ONE = {
    "by an attribute": "if self.train:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))",
    "by an attribute, and the index inside": (
        "if self.train:\n    if index < 3:\n        return np.zeros((4, 1))\n    return np.ones((4, 1))\nreturn np.zeros((4, 2))"
    ),
    "by None for an attribute": (
        "y = None\nif self.y is not None:\n    y = self.y[index]\nif y is None:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))"
    ),
    "by the kind of an attribute": "return np.zeros((4, 1)) if self.classes == 2 else np.zeros((4, 2))",
    "by the kind of the data": (
        "x = self.x[index]\nif isinstance(x, list):\n    return np.zeros((4, 1))\nif x.dtype == bool:\n    return np.zeros((4, 3))\nreturn np.zeros((4, 2))"
    ),
    "by the rank of a slice": "x = self.x[index * 4 : index * 4 + 4]\nif x.ndim == 1:\n    return np.zeros((4, 1))\nreturn np.zeros((4, 2))",
    "in a handler": "try:\n    return np.zeros((4, 1))\nexcept OSError:\n    return np.zeros((4, 2))",
}  # fmt: skip


def differ(facts: Facts) -> list[tuple[str, str]]:
    """Where batches differ in size: the two places as text."""
    found = [variant for variant in facts.variants.all if variant.way == "size"]
    return [(facts.text(v.first.node), facts.text(v.second.node)) for v in found if v.first.node and v.second.node]


@pytest.mark.parametrize("body", BOTH.values(), ids=BOTH)
def test_one_object_gives_both(body: str) -> None:
    assert len(differ(sequence(body))) == 1


@pytest.mark.parametrize("body", ONE.values(), ids=ONE)
def test_one_object_gives_one_of_them(body: str) -> None:
    assert differ(sequence(body)) == []


def test_a_helper_is_called_with_the_index() -> None:
    helper = "def make(self, number):\n    return np.zeros((4, 1)) if number > 2 else np.zeros((4, 2))"
    assert differ(sequence("return self.make(index)", helper)) == [("np.zeros((4, 1))", "np.zeros((4, 2))")]
    assert differ(sequence("return self.make(self.mode)", helper)) == []


def test_a_generator_counts() -> None:
    loop = "while True:\n    for start in range(8):\n        yield {}, labels"
    assert len(differ(generator(loop.format("np.zeros((4, 1)) if start > 2 else np.zeros((4, 2))")))) == 1
    assert differ(generator(loop.format("np.zeros((4, 1)) if size else np.zeros((4, 2))"))) == []


def test_the_first_difference_of_a_statement_is_told() -> None:
    facts = sequence(
        "if index > 2:\n    return np.zeros((4, 1)), np.zeros(4)\nreturn np.zeros((4, 2), int), np.zeros((4, 1))"
    )
    assert [(variant.way, variant.position) for variant in facts.variants.all] == [("size", 0)]
