"""Statements that go to the end of a function, and parameters that go."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import insert_last, keep_parameters, move_last, remove_parameter
from tests.facts.reading import facts_of


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f():\n    x = 1\n", "def f():\n    x = 1\n    g()\n"),
        ("def f():\n    x = 1\n    # the end\n\n\ny = 2\n", "def f():\n    x = 1\n    # the end\n    g()\n\n\ny = 2\n"),
        ("def f():\n    if x:\n        y = 1\n# other\n", "def f():\n    if x:\n        y = 1\n    g()\n# other\n"),
        ("def f():\n\tx = 1  # one", "def f():\n\tx = 1  # one\n\tg()"),
        ("def f():\r\n    x = 1\r\n", "def f():\r\n    x = 1\r\n    g()\r\n"),
    ],
)
def test_a_line_at_the_end(before: str, after: str) -> None:
    facts = facts_of(before)
    function = facts.tree.all(cst.FunctionDef)[0]
    assert apply(facts.source.utf8, [insert_last(facts, function, "g()")]) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f():\n    g()\n    x = 1\n", "def f():\n    x = 1\n    g()\n"),
        (
            "def f():\n    a = 1\n\n    # why\n    g()  # so\n\n    x = 1\n",
            "def f():\n    a = 1\n\n    x = 1\n    # why\n    g()  # so\n",
        ),
        ("def f():\n    a = 1\n\n    g()\n    x = 1", "def f():\n    a = 1\n\n    x = 1\n    g()"),
        ("def f():\n    g(\n        1,\n    )\n    x = 1\n", "def f():\n    x = 1\n    g(\n        1,\n    )\n"),
    ],
)
def test_a_statement_moves_to_the_end(before: str, after: str) -> None:
    facts = facts_of(before)
    function = facts.tree.all(cst.FunctionDef)[0]
    call = next(call for call in facts.tree.all(cst.Call) if facts.text(call.func) == "g")
    assert apply(facts.source.utf8, list(move_last(facts, facts.tree.statement(call), function))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(self, a, b=1): pass", "def f(self): pass"),
        ("def f(self, *, a): pass", "def f(self): pass"),
        ("def f(self, a, *b, **c) -> None: pass", "def f(self) -> None: pass"),
        ("def f(\n    self,\n    a,\n): pass", "def f(\n    self): pass"),
        ("def f(self, a: int = (1)): pass", "def f(self): pass"),
    ],
)
def test_the_first_parameter_is_kept(before: str, after: str) -> None:
    facts = facts_of(before)
    edit = keep_parameters(facts, facts.tree.all(cst.FunctionDef)[0], 1)
    assert apply(facts.source.utf8, [edit]) == after


def test_one_parameter_goes() -> None:
    facts = facts_of("def f(self, a: int, b=1): pass")
    function = facts.tree.all(cst.FunctionDef)[0]
    edit = remove_parameter(facts, function, function.params.params[1])
    assert apply(facts.source.utf8, [edit]) == "def f(self, b=1): pass"
