"""What comes before what in a file."""

from __future__ import annotations

import random

import libcst as cst

from seqlint.facts.code.control_flow import ways_out
from tests.facts.reading import facts_of


def test_what_is_written_first_precedes() -> None:
    tree = facts_of("first = 1\nfor item in rows:\n    second(first)\n").tree
    (loop,), (call,) = tree.all(cst.For), tree.all(cst.Call)
    first, *_, again = (name for name in tree.all(cst.Name) if name.value == "first")
    assert tree.order.precedes(first, loop)
    assert tree.order.precedes(loop, call)  # a node precedes what lies inside it
    assert tree.order.precedes(call, again)
    assert not tree.order.precedes(again, call)
    assert not tree.order.precedes(call, call)


def test_mixed_nodes_are_sorted_as_they_are_read() -> None:
    tree = facts_of("".join(f"call_{number}(x)\n" for number in range(9))).tree
    calls = list(tree.all(cst.Call))
    mixed = random.Random(3).sample(calls, 9)
    assert list(tree.order.sorted(mixed)) == calls
    assert list(tree.order.sorted(map(tree.text, mixed), lambda text: calls[int(text[5])])) == list(
        map(tree.text, calls)
    )
    assert tree.order.first(mixed) is calls[0]
    assert tree.order.first([]) is None
    assert tree.order.since(calls[6], calls) == calls[6:]


def test_the_ways_out_of_a_function_before_a_node() -> None:
    tree = facts_of("def run(x):\n    if x:\n        return 0\n    return use(x)\n    raise ValueError\n").tree
    (function,), (call,) = tree.all(cst.FunctionDef), tree.all(cst.Call)
    assert [tree.text(end) for end in ways_out(tree, function, call)] == ["return 0"]
