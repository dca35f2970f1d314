"""Generators: how many parts each of their batches has."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from tests.facts.asking import asked

if TYPE_CHECKING:
    from collections.abc import Set

START = "import numpy as np\nimport keras\nmodel = keras.Sequential([])\n"


def widths(body: str, more: str = "use(rows(1))", head: str = "def rows(paths):") -> Set[int | None]:
    facts, (node,) = asked(f"{START}{head}\n{indent(body, '    ')}\n{more}")
    return facts.generators.widths(node)


@pytest.mark.parametrize(
    ("value", "width"),
    [
        ("x, y", 2),
        ("(x, y, w)", 3),
        ("{'a': x}, y", 2),
        ("pair", 2),
        ("[x, y]", None),
        ("x", None),
        ("(x, *rest)", None),
        ("load(x)", None),
    ],
)
def test_what_is_yielded(value: str, width: int | None) -> None:
    assert widths(f"pair = (x, y)\nyield {value}") == {width}


def test_what_another_generator_yields_counts() -> None:
    program = "class G:\n    def all(self):\n        yield from self._one()\n    def _one(self):\n        yield x, y\nuse(G().all())"
    facts, (node,) = asked(program)
    assert facts.generators.widths(node) == {2}


def test_each_yield_counts() -> None:
    assert widths("while True:\n    yield x, y\n    yield x, y, w") == {2, 3}


def test_inner_functions_yield_for_themselves() -> None:
    assert widths("def inner():\n    yield 1, 2, 3\nyield 1, 2") == {2}
    assert widths("def inner():\n    yield 1, 2, 3\nreturn inner()") == {3}


@pytest.mark.parametrize(
    "more", ["use(x for x in [1])", "use(rows)", "use(list(rows(1)))", "use(rows(1) if flag else data)"]
)
def test_what_may_be_something_else_has_no_width(more: str) -> None:
    assert widths("yield 1, 2", more) == frozenset()


def test_a_decorated_generator_may_be_something_else() -> None:
    assert widths("yield 1, 2", head="@threadsafe\ndef rows(paths):") == frozenset()


def test_generators_that_call_each_other_are_survived() -> None:
    assert (
        widths("yield from other(paths)", "def other(paths):\n    yield from rows(paths)\nuse(rows(1))") == frozenset()
    )
