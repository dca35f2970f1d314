"""Edits of the steps of a tf.data pipeline: their arguments, and the order that they come in."""

from __future__ import annotations

import ast
import itertools
from types import MappingProxyType
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.pipelines.pipelines import Pipelines, parameters
from seqlint.model import Edit
from seqlint.rewrite.layout.arguments import add_argument, remove_argument

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.facts import Facts
    from seqlint.run import Call, Result


_NONE: Mapping[Result, str] = MappingProxyType({})


def set_argument(facts: Facts, step: Result, name: str, text: str) -> tuple[Edit, ...]:
    """Give an argument of a step another value, or add it by its name; nothing where stars hide the arguments."""
    call = _call(facts, step)
    if (
        call is None
        or any(isinstance(arg, ast.Starred) for arg in call.args)
        or any(k.arg is None for k in call.keywords)
    ):
        return ()
    value = _value(call, step, name)
    if value is not None:
        return (Edit(*facts.run.span(value), text),)
    node = _node(facts, call)
    return (add_argument(facts, node, f"{name}={text}"),) if node is not None else ()


def rename_keyword(facts: Facts, call: Call, name: str, new: str) -> tuple[Edit, ...]:
    """Give a keyword argument another name; nothing where this file does not write it at the call."""
    value = facts.run.written(call, name)
    found = (
        next((each for each in getattr(call.node, "keywords", ()) if each.value is value), None)
        if value is not None
        else None
    )
    if found is None:
        return ()
    start = facts.run.span(found)[0]
    return (Edit(start, start + len(name.encode()), new),)


def drop_argument(facts: Facts, step: Result, name: str, default: str) -> tuple[Edit, ...]:
    """Leave an argument of a step out; its default is written where it is given by its place."""
    call = _call(facts, step)
    node = _node(facts, call) if call is not None else None
    if call is None or node is None:
        return ()
    argument = next((arg for arg in node.args if arg.keyword is not None and arg.keyword.value == name), None)
    return remove_argument(facts, node, argument) if argument is not None else set_argument(facts, step, name, default)


def times(facts: Facts, step: Result, name: str, other: Result, factor: str) -> dict[Result, str]:
    """How a step is written with an argument multiplied by one of another step; as it is where the argument is the length of something."""
    piece, call, others = _piece(facts, step), _call(facts, step), _call(facts, other)
    value = _value(call, step, name) if call is not None else None
    by = _value(others, other, factor) if others is not None else None
    if piece is None or value is None or by is None or any(isinstance(part, ast.Call) for part in ast.walk(value)):
        return {}
    start, end = facts.run.span(value)
    product = f"{_operand(facts, value)} * {_operand(facts, by)}"
    return {step: facts.source.slice(piece[0], start) + product + facts.source.slice(end, piece[1])}


def _operand(facts: Facts, node: ast.expr) -> str:
    text = facts.run.text(node)
    return text if isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({text})"


def reordered(
    facts: Facts, steps: Sequence[Result], order: Sequence[Result], texts: Mapping[Result, str] = _NONE
) -> tuple[Edit, ...]:
    """Steps that follow one another, in another order: each piece of text, such as `.batch(8)`, takes the place of another.

    Args:
        steps: a part of a chain, the first step first.
        order: the same steps as they should be.
        texts: what a step is written like afterwards, where that changes.

    Returns:
        nothing where something else uses what is in between, or where a step would say something else at its new place.
    """
    if not _is_one_chain(facts, steps):
        return ()
    bare = [_piece(facts, step) for step in steps]
    pieces = [
        (piece[0], piece[1] + len((_comment(facts, piece[1]) or "").encode())) for piece in bare if piece is not None
    ]
    found = dict(zip(steps, pieces, strict=False))
    if len(found) < len(steps) or not _can_move(facts, [piece for piece in bare if piece is not None]):
        return ()
    edits = []
    for step, wanted in zip(steps, order, strict=True):
        text = _text(facts, wanted, found[wanted], texts)
        if wanted is not step or wanted in texts:
            edits.append(Edit(*found[step], text))
    return tuple(edits)


def _text(facts: Facts, step: Result, piece: tuple[int, int], texts: Mapping[Result, str]) -> str:
    """How a step is written afterwards, with the comment on its line."""
    bare = _piece(facts, step)
    if step not in texts or bare is None:
        return facts.source.slice(*piece)
    return texts[step] + facts.source.slice(bare[1], piece[1])


def _can_move(facts: Facts, pieces: Sequence[tuple[int, int]]) -> bool:
    """Whether comments can go with their steps: each step ends its line, or none has a comment."""
    rests = [_comment(facts, end) for _, end in pieces]
    return all(rest is not None for rest in rests) or not any(rests)


def _comment(facts: Facts, end: int) -> str | None:
    """The comment on the line after an offset, with the space before it; None where code comes after it."""
    line = facts.source.utf8[end:].split(b"\n", 1)[0].rstrip().decode()
    return line if not line or line.lstrip().startswith("#") else None


def _is_one_chain(facts: Facts, steps: Sequence[Result]) -> bool:
    """Whether steps of this file are made one from the other, once each, and nothing else uses what is in between."""
    run = facts.run
    pipelines = run.domain(Pipelines)
    calls = [run.call_of[step] for step in steps]
    first = calls[0].context
    if any(not run.is_here(call.context) for call in calls):
        return False
    if any((call.context.stack, call.context.guards) != (first.stack, first.guards) for call in calls):
        return False
    if any(other.receiver is not step for step, other in itertools.pairwise(steps)):
        return False
    for step in steps[:-1]:
        if len({child.node for child in pipelines.children(step)}) > 1 or pipelines.readings_of(step):
            return False
    nodes = [call.node for call in calls]
    return not (_names(nodes) & {*_bound_between(facts, nodes)}) and not _is_stored(facts, steps[:-1])


def _is_stored(facts: Facts, steps: Sequence[Result]) -> bool:
    """Whether an attribute or item keeps what is in between."""
    inner = set(steps)
    return any(store.value.only in inner for store in facts.run.stores if store.owner is not None)


def _names(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that the arguments of calls read."""
    arguments = [part for node in nodes if isinstance(node, ast.Call) for part in (*node.args, *node.keywords)]
    return {name.id for part in arguments for name in ast.walk(part) if isinstance(name, ast.Name)}


def _bound_between(facts: Facts, nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names that are bound from the first statement to the last, if there are several."""
    lines = [node.end_lineno for node in nodes if isinstance(node, ast.expr)]
    if len({line for line in lines if line}) < 2 or _are_one_expression(nodes):
        return
    start, end = min(line for line in lines if line), max(line for line in lines if line)
    for node in ast.walk(facts.run.machine.main.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and start <= node.lineno <= end:
            yield node.id


def _are_one_expression(nodes: Sequence[ast.AST]) -> bool:
    return set(nodes) <= set(ast.walk(nodes[-1]))


def _piece(facts: Facts, step: Result) -> tuple[int, int] | None:
    """Where a step is written, from the dot before its name to its bracket."""
    call = _call(facts, step)
    if call is None or not isinstance(call.func, ast.Attribute):
        return None
    start, end = facts.run.step_span(call)
    return (start - 1, end) if facts.source.utf8[start - 1 : start] == b"." else None


def _call(facts: Facts, step: Result) -> ast.Call | None:
    call = facts.run.call_of.get(step)
    if call is None or not facts.run.is_here(call.context) or not isinstance(call.node, ast.Call):
        return None
    return call.node


def _value(call: ast.Call, step: Result, name: str) -> ast.expr | None:
    found = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    names = parameters(step)
    place = names.index(name) if name in names else -1
    return found or (call.args[place] if 0 <= place < len(call.args) else None)


def _node(facts: Facts, call: ast.Call) -> cst.Call | None:
    """The node that the builders of edits know."""
    span = facts.run.span(call)
    return next((node for node in facts.tree.all(cst.Call) if facts.span(node) == span), None)
