"""Statements at the start of a loop that the program writes itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit
from seqlint.rewrite.layout.statements import indent_unit

if TYPE_CHECKING:
    from seqlint.facts import Facts


def first_in_loop(facts: Facts, loop: ast.For | ast.While, read: ast.AST, call: str) -> tuple[Edit, ...]:
    """An edit that puts `metric.reset_state()` first into a loop; none where the name may mean something else there.

    Args:
        read: a call of a method of the same object, within the loop: `metric.result()`.
        call: what follows the name: ".reset_state()".
    """
    if not isinstance(read, ast.Call) or not isinstance(read.func, ast.Attribute) or read not in {*ast.walk(loop)}:
        return ()
    text, first = facts.run.text(read.func.value), loop.body[0]
    root = text.partition(".")[0]
    if (
        not text.replace(".", "").isidentifier()
        or first.lineno == loop.lineno
        or getattr(first, "decorator_list", None)
    ):
        return ()
    scopes = (
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.Lambda,
        ast.ListComp,
        ast.GeneratorExp,
        ast.DictComp,
        ast.SetComp,
    )
    nested = [each for each in ast.walk(loop) if isinstance(each, scopes) and read in {*ast.walk(each)}]
    stored = [
        each
        for each in ast.walk(loop)
        if isinstance(each, ast.Name) and each.id == root and isinstance(each.ctx, ast.Store)
    ]
    if nested or stored:
        return ()
    start = facts.run.span(first)[0]
    indent = facts.run.slice(start - first.col_offset, start)
    return (Edit(start, start, f"{text}{call}{facts.source.newline}{indent}"),)


def for_ever(facts: Facts, function: ast.FunctionDef) -> tuple[Edit, ...]:
    """Edits that put the whole body of a generator into `while True:`; none where a second pass would not be like the first."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    texts = (each for part in body for each in ast.walk(part) if isinstance(each, (ast.Constant, ast.JoinedStr)))
    if (
        not body
        or any((each.end_lineno or each.lineno) > each.lineno for each in texts)
        or not _is_the_same_again(function, body)
    ):
        return ()
    start, unit = facts.run.span(body[0])[0], indent_unit(facts)
    indent = facts.run.slice(start - body[0].col_offset, start)
    edits = [Edit(start, start, f"while True:{facts.source.newline}{indent}{unit}")]
    for line in range(body[0].lineno + 1, (body[-1].end_lineno or body[-1].lineno) + 1):
        at = facts.source.line_starts[line - 1]
        if facts.run.slice(at, at + 1) not in ("\n", "\r", ""):
            edits.append(Edit(at, at, unit))
    return tuple(edits) if body[0].lineno > function.lineno else ()


def _is_the_same_again(function: ast.FunctionDef, body: list[ast.stmt]) -> bool:
    """Whether no pass changes what the next begins with: parameters, names from outside, and names that are worked out of themselves."""
    own = function.args
    kept = {each.arg for each in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
    nodes = [each for part in body for each in ast.walk(part)]
    stored = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    leaves = (ast.Return, ast.Global, ast.Nonlocal, ast.Raise, ast.While, ast.Lambda, ast.FunctionDef, ast.YieldFrom)
    return stored.isdisjoint(kept) and not any(isinstance(each, leaves) for each in nodes)
