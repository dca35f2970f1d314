"""Edits of calls of a run: a call gives way to its argument, an expression goes into a call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.run import Call
    from seqlint.run.run import Run


def argument_instead(run: Run, call: Call) -> tuple[Edit, ...]:
    """The edits that leave of a call its only argument; nothing where it has others, or a comment would go with it."""
    node = call.node
    if not run.is_here(call.context) or not isinstance(node, ast.Call) or node.keywords or len(node.args) != 1:
        return ()
    (start, end), inner = run.span(node), run.span(node.args[0])
    if not isinstance(node.args[0], (ast.Name, ast.Attribute, ast.Call)) or run.has_comment(start, end):
        return ()
    return (Edit(start, inner[0], ""), Edit(inner[1], end, ""))


def wrapped(run: Run, node: ast.AST, function: str, after: str = "") -> tuple[Edit, ...]:
    """The edits that put an expression into a call of a function.

    Args:
        after: what closes a call around that call: ")" for "dict(enumerate".
    """
    start, end = run.span(node)
    return (Edit(start, start, f"{function}("), Edit(end, end, f"){after}"))
