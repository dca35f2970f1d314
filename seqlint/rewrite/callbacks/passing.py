"""Passes a callback, or a list of them, to the one `fit` that can get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.rewrite.callbacks.callbacks import add_callbacks
from seqlint.rewrite.layout.arguments import add_argument

if TYPE_CHECKING:
    from seqlint.facts import Facts, TrainerCall
    from seqlint.model import Edit

_FITS = ("fit", "fit_generator")


def pass_callbacks(facts: Facts, span: tuple[int, int], name: str, *, are_listed: bool) -> Edit | str:
    """Give a variable to the `fit` of its function; a text says why that can't be done.

    Args:
        span: what the variable holds, where it is made, in bytes.
        are_listed: whether it is a list of callbacks.
    """
    fits = [call for call in facts.training.calls if call.method in _FITS]
    made = next(
        (node for node in facts.tree.in_order({cst.Call, cst.List, cst.Tuple}) if facts.span(node) == span), None
    )
    if len(fits) != 1 or made is None:
        return "several calls could get it"
    fit = fits[0]
    why = _why_not(facts, fit, made, name)
    if why:
        return why
    if are_listed and fit.value("callbacks") is None:
        return add_argument(facts, fit.node, f"callbacks={name}")
    edit = add_callbacks(facts, fit, (f"*{name}" if are_listed else name,), facts.tree.statement(made))
    return edit if edit is not None else "the callbacks of the call can't be edited"


def _why_not(facts: Facts, fit: TrainerCall, made: cst.CSTNode, name: str) -> str:
    line = facts.tree.statement(made)
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(small, cst.Assign) or small.value is not made or facts.text(small.targets[0].target) != name:
        return "no variable holds it"
    binds = [node for node in facts.tree.all(cst.Name) if node.value == name and facts.tree.is_target(node)]
    if not name.isidentifier() or len(binds) != 1:
        return "its name holds other things, too"
    if fit.model != "yes" or any(argument.star for argument in fit.node.args):
        return "the call may be that of something else, or hide an argument"
    together = facts.tree.block(line) is facts.tree.block(facts.tree.statement(fit.node))
    return "" if together and facts.tree.order.precedes(line, fit.node) else "another block trains"
