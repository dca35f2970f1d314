"""Edits of pipelines: a step of a chain of tf.data moves to another place in it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.run import Result, Run


def step_before(run: Run, step: Result, other: Result) -> tuple[Edit, ...]:
    """Edits that move a step right before an earlier one of the same chain.

    The chain is one expression, or a row of statements such as `data = data.cache()` in one block.

    Returns: nothing where the steps are written in another way, or a comment is in between.
    """
    found, target = step.node, other.node
    if not isinstance(found, ast.Call) or not isinstance(target, ast.Call):
        return ()
    if target in _receivers(found):
        return _within_chain(run, found, target)
    return _by_statements(run, found, target)


def step_removed(run: Run, step: Result) -> tuple[Edit, ...]:
    """The edit that leaves out a step of a chain, with the dot before it; nothing where a comment would go with it."""
    found = step.node
    if not isinstance(found, ast.Call) or not isinstance(found.func, ast.Attribute):
        return ()
    alone = next((block for block in _blocks(run.tree) for one in block if _step_of(one) is found), None)
    if alone is not None:
        statement = next(one for one in alone if _step_of(one) is found)
        start, end = run.lines(statement)
        plain = run.slice(start, end).strip() == run.slice(*run.span(statement)).strip()
        return (Edit(start, end, ""),) if plain and len(alone) > 1 else ()
    start, end = run.span(found.func.value)[1], run.span(found)[1]
    return () if "#" in run.slice(start, end) else (Edit(start, end, ""),)


def _receivers(node: ast.expr) -> Iterator[ast.expr]:
    """What a chain of calls is made of, from its end to its start."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
        yield node


def _within_chain(run: Run, found: ast.Call, target: ast.Call) -> tuple[Edit, ...]:
    if not isinstance(found.func, ast.Attribute) or not isinstance(target.func, ast.Attribute):
        return ()
    start, end = run.span(found.func.value)[1], run.span(found)[1]
    place, after = run.span(target.func.value)[1], run.span(target.func)[1]
    if "#" in run.slice(start, end) or "#" in run.slice(place, after):
        return ()
    end += len(_comment(run, end).encode()) if run.slice(place, after).lstrip(" \t")[:1] in ("\r", "\n") else 0
    return (Edit(place, place, run.slice(start, end)), Edit(start, end, ""))


def _comment(run: Run, end: int) -> str:
    """The comment on the rest of a line, with the space before it."""
    rest = run.slice(end, run.size).split("\n", 1)[0].rstrip("\r")
    return rest if rest.lstrip().startswith("#") else ""


# -- statements ---------------------------------------------------------------------------------------------------------


def _by_statements(run: Run, found: ast.Call, target: ast.Call) -> tuple[Edit, ...]:
    """`data = data.cache()` moves above the statement of the other step, if all in between are steps of the same name."""
    for block in _blocks(run.tree):
        last = next((number for number, one in enumerate(block) if _step_of(one) is found), None)
        if last is None:
            continue
        name = _name(block[last])
        first = next((number for number in range(last) if target in _calls(block[number])), None)
        if name is None or first is None or not all(_only_steps(one, name) for one in block[first:last]):
            return ()
        return _moved(run, block[first], block[last], block[last - 1])
    return ()


def _moved(run: Run, first: ast.stmt, last: ast.stmt, before: ast.stmt) -> tuple[Edit, ...]:
    """The lines of a statement go above another one of the same block."""
    start, end = run.lines(last)
    if run.lines(before)[1] > start or ";" in run.slice(run.span(last)[1], end):
        return ()
    place = run.lines(first)[0]
    return (Edit(place, place, run.slice(start, end)), Edit(start, end, ""))


def _blocks(tree: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _step_of(one: ast.stmt) -> ast.Call | None:
    """The call of `data = data.cache()`, which has one step."""
    name = _name(one)
    value = one.value if isinstance(one, ast.Assign) else None
    if name is None or not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return None
    return value if _is_named(value.func.value, name) else None


def _name(one: ast.stmt) -> str | None:
    if not isinstance(one, ast.Assign) or len(one.targets) != 1 or not isinstance(one.targets[0], ast.Name):
        return None
    return one.targets[0].id


def _only_steps(one: ast.stmt, name: str) -> bool:
    """Whether a statement does nothing but add steps to the dataset of a name, or chooses whether it does."""
    if isinstance(one, ast.If):
        return all(_only_steps(inner, name) for inner in (*one.body, *one.orelse))
    if _name(one) != name or not isinstance(one, ast.Assign):
        return False
    chain = list(_receivers(one.value))
    return bool(chain) and _is_named(chain[-1], name)


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _calls(one: ast.stmt) -> Iterator[ast.AST]:
    return (node for node in ast.walk(one) if isinstance(node, ast.Call))
