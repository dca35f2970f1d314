"""Rewrites an `except`: raise with a name and the cause, or catch less."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.comments import comment_behind
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import indent_of, indent_unit, insert_after, lines_of, reindent, replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, MissedError
    from seqlint.facts.flow.handlers import Handler

_MANY_LINES = re.compile(r"\"\"\"|'''|\\\r?\n")


def raise_from(facts: Facts, handler: Handler, call: str) -> tuple[Edit, ...]:
    """Make a handler raise, with the caught error as the cause.

    Args:
        call: what is raised, such as `RuntimeError(f"could not load {path}")`.
    """
    name = handler.node.name
    bound = (
        name.name.value
        if name is not None and isinstance(name.name, cst.Name)
        else free_name(facts, facts.tree.function(handler.node), "error")
    )
    text = f"raise {call} from {bound}"
    head = (_bind(facts, handler, bound),) if name is None else _exception(facts, handler)
    return (*head, end_with(facts, handler.node, handler.last, text))


def _exception(facts: Facts, handler: Handler) -> tuple[Edit, ...]:
    """`Exception` for `BaseException`: a program that the user stops does not fail."""
    caught = handler.node.type
    wide = caught is not None and facts.qualified(caught) == "builtins.BaseException"
    return (catch_instead(facts, handler, "Exception"),) if wide else ()


def _bind(facts: Facts, handler: Handler, name: str) -> Edit:
    caught = handler.node.type
    if caught is None:
        start = facts.span(handler.node)[0]
        return Edit(start, start + len("except"), f"except Exception as {name}")
    start, end = facts.tree.outer_span(caught)
    if facts.qualified(caught) == "builtins.BaseException":
        return Edit(start, end, f"Exception as {name}")
    return Edit(end, end, f" as {name}")


def end_with(facts: Facts, node: cst.ExceptHandler, last: cst.BaseSmallStatement | None, text: str) -> Edit:
    """End a handler with a statement.

    Args:
        last: the statement that ends it now and is replaced; None: the new one is added at the end.
    """
    if isinstance(node.body, cst.SimpleStatementSuite):
        return _end_one_line(facts, node, node.body, last, text)
    line = node.body.body[-1]
    if last is not None:
        return replace(facts, last, text)
    assert isinstance(line, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return insert_after(facts, line, text)


def _end_one_line(
    facts: Facts,
    node: cst.ExceptHandler,
    body: cst.SimpleStatementSuite,
    last: cst.BaseSmallStatement | None,
    text: str,
) -> Edit:
    """A handler on one line becomes one on several, unless a comment at its end would then be next to other code."""
    end = facts.span(body.body[-1])[1]
    if last is None and comment_behind(facts, body):
        return Edit(end, end, f"; {text}")
    kept = [facts.text(statement).rstrip("; ") for statement in body.body if statement is not last]
    lead = facts.source.newline + indent_of(facts, facts.tree.parents[node]) + indent_unit(facts)
    return Edit(_colon(facts, node) + 1, end, "".join(lead + line for line in (*kept, text)))


def _colon(facts: Facts, node: cst.ExceptHandler) -> int:
    """Where the head of a one-line handler ends."""
    if node.name is not None:
        start = facts.span(node.name)[1]
    elif node.type is not None:
        start = facts.tree.outer_span(node.type)[1]
    else:
        start = facts.span(node)[0]
    return facts.source.utf8.index(b":", start)


def catch_instead(facts: Facts, handler: Handler, what: str) -> Edit:
    """Make a handler catch something else."""
    return catch_only(facts, handler.node, what)


def catch_only(facts: Facts, node: cst.ExceptHandler, what: str) -> Edit:
    """The same for an `except` node."""
    caught = node.type
    if caught is None:
        start = facts.span(node)[0]
        return Edit(start, start + len("except"), f"except {what}")
    return Edit(*facts.tree.outer_span(caught), what)


def unwrap(facts: Facts, node: cst.ExceptHandler) -> Edit | None:
    """Remove a `try` and keep what it holds; None where it is more than a plain block, or a comment would be lost."""
    guarded = facts.tree.parents[node]
    if not isinstance(guarded, cst.Try) or len(guarded.handlers) != 1 or guarded.orelse or guarded.finalbody:
        return None
    if not isinstance(guarded.body, cst.IndentedBlock):
        return None
    start, end = facts.span(guarded)
    first = facts.source.utf8.find(b"\n", start) + 1
    if not first:
        return None
    last = lines_of(facts, _whole(guarded.body.body[-1]))[1]
    below = lines_of(facts, guarded)[1]
    head, body, tail = (facts.source.slice(*span) for span in ((start, first), (first, last), (last, below)))
    if "#" in head or "#" in tail or _MANY_LINES.search(body):
        return None
    lead = indent_of(facts, guarded)
    text = reindent(body.replace("\r\n", "\n"), lead).removeprefix(lead)
    return Edit(start, end, text.replace("\n", facts.source.newline))


def _whole(statement: cst.BaseStatement) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    assert isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return statement


def also_catch(facts: Facts, missed: MissedError, name: str) -> tuple[Edit, ...]:
    """Make a handler catch one more error, by its canonical name."""
    spelled = name_for(facts, name, missed.handler)
    caught = missed.handler.type
    assert caught is not None
    if isinstance(caught, cst.Tuple):
        end = facts.span(caught.elements[-1].value)[1]
        return (*spelled.edits, Edit(end, end, f", {spelled.text}"))
    return (*spelled.edits, Edit(*facts.tree.outer_span(caught), f"({facts.text(caught)}, {spelled.text})"))
