"""Places that no call comes to both of."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.facts.code.path_conditions import never_both
from tests.facts.reading import facts_of


@pytest.mark.parametrize(
    "body",
    [
        "if a:\n        one\n    else:\n        two",
        "if a:\n        return one\n    two",
        "one if a else 0\n    if not a:\n        two",
        "one if a is None else 0\n    if a is not None:\n        two",
        "if a and b:\n        one\n    if not b:\n        two",
        "if b:\n        two\n    if a or b:\n        raise E\n    one",
        "if a:\n        x = 1\n    else:\n        return two\n    one",
        "if draw():\n        return one\n    two",
        "if a == 1:\n        one\n    elif a != 1:\n        two",
    ],
)
def test_no_call_comes_to_both(body: str) -> None:
    assert _never(body)


@pytest.mark.parametrize(
    "body",
    [
        "one\n    two",
        "if a:\n        one\n    two",
        "two\n    if a:\n        return one",
        "if a:\n        one\n    if b:\n        two",
        "if a or b:\n        one\n    if not b:\n        two",
        "if draw():\n        one\n    if not draw():\n        two",
        "if a:\n        one\n    a = b\n    if not a:\n        two",
        "one if a else 0\n    if two:\n        pass",
    ],
)
def test_a_call_may_come_to_both(body: str) -> None:
    assert not _never(body)


def _never(body: str) -> bool:
    facts = facts_of(f"def f(a, b):\n    {body}\n")
    places = {node.value: node for node in facts.tree.all(cst.Name) if node.value in ("one", "two")}
    assert never_both(facts.names, places["one"], places["two"]) is never_both(
        facts.names, places["two"], places["one"]
    )
    return never_both(facts.names, places["one"], places["two"])
