"""What Python calls of the program's own objects, and the fields of tuples and copies."""

from __future__ import annotations

import textwrap

import pytest

from tests.run.programs import ran, said


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("def __getitem__(self, n):\n    return self.rows[n]", ["A()[1]", "6"]),
        ("def __iter__(self):\n    yield from self.rows", ["[*A()][0]", "5"]),
        ("def __iter__(self):\n    return iter(self.rows)", ["[n for n in A()][1]", "6"]),
        ("def __enter__(self):\n    return 7\ndef __exit__(self, *error):\n    pass", ["entered(A())", "7"]),
        ("def __getattr__(self, name):\n    return self.rows[0]", ["A().other", "5"]),
        ("def __or__(self, other):\n    return other", ["A() | 3", "3"]),
        (
            "@property\ndef n(self):\n    return self.m\n@n.setter\ndef n(self, n):\n    self.m = n * 2",
            ["changed(A())", "8"],
        ),
    ],
)
def test_methods_that_python_calls(program: str, expected: list[str]) -> None:
    asked, answer = expected
    given = f"""
class A:
    def __init__(self):
        self.rows = [5, 6]
{textwrap.indent(program, "    ")}
def entered(a):
    with a as b:
        return b
def changed(a):
    a.n = 4
    return a.n
print({asked})
"""
    assert said(ran(given)) == [answer]


def test_fields_of_tuples_and_copies() -> None:
    program = """
    import copy
    from collections import namedtuple
    from dataclasses import dataclass, replace
    from typing import NamedTuple

    class Pair(NamedTuple):
        x: int
        y: int = 2

    Other = namedtuple("Other", "x y")

    @dataclass
    class Settings:
        size: int
        rate: int = 3

    a, b = Pair(1)
    print(b)
    print(Other(4, y=5)[1])
    c, d = Other(6, 7)
    print(d)
    first = Settings(8)
    second = replace(first, rate=9)
    third = copy.copy(second)
    third.size = 0
    print(second.size)
    print(third.rate)
    """
    assert said(ran(program)) == ["2", "5", "7", "8", "9"]
