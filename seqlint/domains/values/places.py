"""Where to point at a step that may be in another file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import Constant

if TYPE_CHECKING:
    from seqlint.run import Call, Result, Run, Value


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


def keyword_place(run: Run, call: Call, name: str) -> ast.AST | None:
    """Where this file writes a keyword argument: at the call, or at one that leads to it and hands its keywords on.

    Returns: the call where it is written in neither; None where that is in another file.
    """
    for node in (call.node, *reversed(call.context.stack)):
        written = (
            next((each for each in node.keywords if each.arg == name), None) if isinstance(node, ast.Call) else None
        )
        if written is not None and run.is_own(node):
            return written.value
    return argument_place(run, call, name)


def dict_value(run: Run, value: Value | None, key: str) -> ast.expr | None:
    """The constant of this file that a dict holds under a key, where the dict is written out: `{"save_freq": 5}`, `dict(save_freq=5)`."""
    only = value.only if value is not None else None
    origin = only.origin if isinstance(only, Constant) else None
    for node in ast.walk(run.tree) if isinstance(origin, ast.AST) else ():
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            found = any(part is origin and isinstance(name, ast.Constant) and name.value == key for name, part in pairs)
        else:
            found = isinstance(node, ast.keyword) and node.arg == key and node.value is origin
        if found and isinstance(origin, ast.expr):
            return origin
    return None
