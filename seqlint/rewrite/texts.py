"""Names inside of texts that a program writes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts
    from seqlint.run import Call

_PLACES_BEFORE_MODE = 4
"""Of EarlyStopping and ReduceLROnPlateau; ModelCheckpoint has one more."""


def renamed(facts: Facts, node: ast.AST | None, old: str, new: str) -> Edit | None:
    """One text in place of another inside of a text that is written out; None where it is made in another way, or says it twice.

    Args:
        node: the text, in the tree of the run.
    """
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not old or not new:
        return None
    start, end = facts.run.span(node)
    text = facts.run.slice(start, end)
    if text.count(old) != 1:
        return None
    first = start + len(text[: text.index(old)].encode())
    return Edit(first, first + len(old.encode()), new)


def mode_edit(facts: Facts, call: Call, mode: str) -> Edit | None:
    """`mode="max"` in a call of this file: in the place of another mode, else after its last argument; None where it hides arguments."""
    node = call.node
    if not facts.run.is_here(call.context) or not isinstance(node, ast.Call):
        return None
    if any(keyword.arg is None for keyword in node.keywords) or any(
        isinstance(each, ast.Starred) for each in node.args
    ):
        return None
    written = next((keyword.value for keyword in node.keywords if keyword.arg == "mode"), None)
    if written is not None:
        return Edit(*facts.run.span(written), f'"{mode}"') if isinstance(written, ast.Constant) else None
    watched = [keyword.value for keyword in node.keywords if keyword.arg == "monitor"]
    last = (watched or node.args)[-1] if watched or node.args else None
    if last is None or len(node.args) > _PLACES_BEFORE_MODE:
        return None
    start, end = facts.run.span(last)
    before, after = facts.run.slice(0, start).rstrip()[-1:], facts.run.slice(end, facts.run.size).lstrip()[:1]
    is_plain = before in ("=", ",") or (before == "(" and last in node.args[:1])
    return Edit(end, end, f', mode="{mode}"') if is_plain and after in (",", ")") else None
