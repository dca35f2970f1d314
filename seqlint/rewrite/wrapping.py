"""Edits of calls of a run: a step of a chain is left out, a call gives way to its argument, an expression goes into a call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.run import Call
    from seqlint.run.run import Run


def step_left_out(run: Run, call: Call) -> tuple[Edit, ...]:
    """The edit that takes a step out of its chain, with the dot before it.

    Returns: nothing where the step is the whole right side of `data = data.batch(8)`, or a comment would go with it.
    """
    node = call.node
    if not run.is_here(call.context) or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ()
    start, end = run.span(node.func.value)[1], run.span(node)[1]
    if _is_bound_again(run, node.func.value, node) or run.has_comment(start, end):
        return ()
    return (Edit(start, end, ""),)


def _is_bound_again(run: Run, receiver: ast.expr, node: ast.Call) -> bool:
    """Whether nothing but `data = data` would be left of a statement."""
    if not isinstance(receiver, (ast.Name, ast.Attribute, ast.Subscript)):
        return False
    statements = (each for each in ast.walk(run.machine.main.tree) if isinstance(each, (ast.Assign, ast.AnnAssign)))
    return any(each.value is node for each in statements)


def argument_instead(run: Run, call: Call) -> tuple[Edit, ...]:
    """The edits that leave of a call its only argument; nothing where it has others, or a comment would go with it."""
    node = call.node
    if not run.is_here(call.context) or not isinstance(node, ast.Call) or node.keywords or len(node.args) != 1:
        return ()
    (start, end), inner = run.span(node), run.span(node.args[0])
    if not isinstance(node.args[0], (ast.Name, ast.Attribute, ast.Call)) or run.has_comment(start, end):
        return ()
    return (Edit(start, inner[0], ""), Edit(inner[1], end, ""))


def wrapped(run: Run, node: ast.AST, function: str) -> tuple[Edit, ...]:
    """The edits that put an expression into a call of a function."""
    start, end = run.span(node)
    return (Edit(start, start, f"{function}("), Edit(end, end, ")"))
