"""Where to point at a step that may be in another file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.run import Call, Result, Run


def place(run: Run, step: Result, *causes: Result) -> ast.AST | None:
    """The step in this file, or the call that leads to it in another one.

    Args:
        causes: what makes it wrong. Where all of it is in another file, that file shows the finding by itself: None.
    """
    call = run.call_of[step]
    if run.is_here(call.context):
        return call.node
    return run.place(call) if any(run.is_here(run.call_of[cause].context) for cause in causes) else None


def callee(run: Run, call: Call) -> str:
    """What is called, as this file spells it; its last name where it is in another file."""
    if run.is_here(call.context) and isinstance(call.node, ast.Call):
        return " ".join(run.text(call.node.func).split())
    return call.result.method


def argument_place(run: Run, call: Call, name: str) -> ast.AST | None:
    """Where a call of this file gives an argument; the call where it is in `**settings`; None where the call is in another file."""
    if not run.is_here(call.context) or not isinstance(call.node, ast.Call):
        return None
    return next((keyword.value for keyword in call.node.keywords if keyword.arg == name), call.node.func)
