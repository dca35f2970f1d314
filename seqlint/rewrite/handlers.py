"""What an `except` does, in other words: raise with a name and the cause, catch less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.statements import indent_of, indent_unit, insert_after, replace

if TYPE_CHECKING:
    from seqlint.facts import Facts
    from seqlint.facts.handlers import Handler

_TAKEN = tuple(f"error{number}" for number in range(2, 100))


def raise_from(facts: Facts, handler: Handler, call: str) -> tuple[Edit, ...]:
    """Make a handler raise, with the error that it caught as the cause.

    Args:
        call: what is raised, such as `RuntimeError(f"could not load {path}")`.
    """
    name = handler.node.name
    bound = name.name.value if name is not None and isinstance(name.name, cst.Name) else _fresh(facts, handler)
    text = f"raise {call} from {bound}"
    head = () if name is not None else (_bind(facts, handler, bound),)
    return (*head, _end_with(facts, handler, text))


def _fresh(facts: Facts, handler: Handler) -> str:
    """`error`, or with a number where the function uses that name."""
    function = facts.tree.function(handler.node) or facts.module
    used = {node.value for node in facts.tree.inside(function, cst.Name) if not facts.tree.is_label(node)}
    return next(name for name in ("error", *_TAKEN) if name not in used)


def _bind(facts: Facts, handler: Handler, name: str) -> Edit:
    caught = handler.node.type
    if caught is None:
        start = facts.span(handler.node)[0]
        return Edit(start, start + len("except"), f"except Exception as {name}")
    end = facts.tree.outer_span(caught)[1]
    return Edit(end, end, f" as {name}")


def _end_with(facts: Facts, handler: Handler, text: str) -> Edit:
    """The statement in the place of the one that ends the handler, or behind the last one where it runs off its end."""
    if handler.last is None:
        line = handler.node.body.body[-1]
        if isinstance(line, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return insert_after(facts, line, text)
        end = facts.span(line)[1]
        return Edit(end, end, f"; {text}")
    if isinstance(handler.node.body, cst.SimpleStatementSuite) and len(handler.node.body.body) == 1:
        colon = _colon(facts, handler)
        indent = indent_of(facts, handler.guarded) + indent_unit(facts)
        return Edit(colon + 1, facts.span(handler.last)[1], f"{facts.source.newline}{indent}{text}")
    return replace(facts, handler.last, text)


def _colon(facts: Facts, handler: Handler) -> int:
    """Where the head of a one-line handler ends."""
    node = handler.node
    if node.name is not None:
        start = facts.span(node.name)[1]
    elif node.type is not None:
        start = facts.tree.outer_span(node.type)[1]
    else:
        start = facts.span(node)[0]
    return facts.source.utf8.index(b":", start)


def catch_instead(facts: Facts, handler: Handler, what: str) -> Edit:
    """Make a handler catch something else."""
    caught = handler.node.type
    if caught is None:
        start = facts.span(handler.node)[0]
        return Edit(start, start + len("except"), f"except {what}")
    return Edit(*facts.tree.outer_span(caught), what)
