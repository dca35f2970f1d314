"""Numbers by which a program decides or counts: where a run was cut short, what they do later is not seen."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.run import Run

_COUNTING = frozenset(
    {"range", "islice", "take", "skip", "repeat", "min", "max", "minimum", "maximum", "clip", "clip_by_value", "clip_by_norm",
     "clip_by_global_norm"}
)  # fmt: skip
_ENDED = "the program was ended after"


def unseen(before: str, after: str, runs: tuple[Run, ...]) -> str:
    """Why a change may do more than a run has shown; empty where nothing was cut, or no such number is another."""
    if not any(map(_was_cut, runs)):
        return ""
    one, other = _numbers(before), _numbers(after)
    if one is None or other is None or one == other:
        return ""
    names = [*sorted((one - other).elements()), *sorted((other - one).elements())]
    return f"a smoke run may be too short for the numbers that change: {', '.join(names[:4])}"


def _was_cut(run: Run) -> bool:
    if run.recording is None:
        return False
    return any(fit["cut"] for fit in run.recording["fits"]) or any(
        note.startswith(_ENDED) for note in run.recording["notes"]
    )


def _numbers(text: str) -> Counter[str] | None:
    """Each number that something is compared with, divided by or counted to; None where the text is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    return Counter(_shown(number) for node in ast.walk(tree) for part in _deciding(node) for number in _constants(part))


def _deciding(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.FloorDiv)):
        yield node.right
    elif isinstance(node, ast.Call) and _name(node.func) in _COUNTING:
        yield from node.args


def _constants(node: ast.AST) -> Iterator[float]:
    """The numbers that stand in an expression, but for those in a deciding part of its own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        yield node.value
    elif not any(True for _ in _deciding(node)):
        for child in ast.iter_child_nodes(node):
            yield from _constants(child)


def _shown(number: float) -> str:
    return f"{number:g}"


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
