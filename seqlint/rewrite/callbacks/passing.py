"""Passes a callback, or a list of them, to the one `fit` that can get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.callbacks.kinds import monitored
from seqlint.model import KERAS_LINES, Edit
from seqlint.rewrite.callbacks.callbacks import add_callbacks
from seqlint.rewrite.layout.arguments import add_argument
from seqlint.run import Result

if TYPE_CHECKING:
    import ast

    from seqlint.domains.callbacks.unused import UnusedCallback
    from seqlint.facts import Facts, TrainerCall

_FITS = ("fit", "fit_generator")
_WORK = frozenset(
    f"keras.callbacks.{name}"
    for name in ("EarlyStopping", "ModelCheckpoint", "CSVLogger", "TensorBoard", "TerminateOnNaN")
)
"""Callbacks that work in every training once they are made; those that decide by a value need it to be logged."""


def pass_callbacks(facts: Facts, unused: UnusedCallback) -> Edit | str:
    """Give what holds unused callbacks to the `fit` of its function; a text says why that can't be done."""
    fits = [call for call in facts.training.calls if call.method in _FITS]
    span = facts.run.span(unused.node)
    made = next((node for node in facts.tree.in_order({cst.Call, cst.List}) if facts.span(node) == span), None)
    if len(fits) != 1 or made is None or not unused.name.isidentifier():
        return "several calls could get it"
    fit = fits[0]
    why = _why_not_held(facts, made, unused.name) or _why_not_given(facts, fit, made) or _why_not_sure(facts, unused)
    if why:
        return why
    if unused.is_list and fit.value("callbacks") is None:
        return add_argument(facts, fit.node, f"callbacks={unused.name}")
    text = f"*{unused.name}" if unused.is_list else unused.name
    edit = add_callbacks(facts, fit, (text,), facts.tree.statement(made))
    return edit if edit is not None else "the callbacks of the call can't be edited"


def _why_not_held(facts: Facts, made: cst.CSTNode, name: str) -> str:
    line = facts.tree.statement(made)
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(small, cst.Assign) or small.value is not made or facts.text(small.targets[0].target) != name:
        return "no variable holds it"
    binds = [node for node in facts.tree.all(cst.Name) if node.value == name and facts.tree.is_target(node)]
    return "" if len(binds) == 1 else "its name holds other things, too"


def _why_not_given(facts: Facts, fit: TrainerCall, made: cst.CSTNode) -> str:
    if fit.model != "yes" or any(argument.star for argument in fit.node.args):
        return "the call may be that of something else, or hide an argument"
    line, below = facts.tree.statement(made), facts.tree.statement(fit.node)
    together = facts.tree.block(line) is facts.tree.block(below) and facts.tree.order.precedes(line, below)
    return "" if together else "another block trains"


def _why_not_sure(facts: Facts, unused: UnusedCallback) -> str:
    """Why passing it may break the training: it is no callback of Keras, or decides by what this may not log."""
    logs = facts.run.domain(FitLogs)
    for callback in unused.callbacks:
        if not isinstance(callback, Result) or callback.name not in _WORK:
            return "nobody knows that the training bears it"
        name = monitored(callback)
        known = name is None or all(
            logs.of(fit, line).has(str(name)) == "yes" for fit in logs.fits for line in KERAS_LINES
        )
        if not known or not logs.fits:
            return "nobody knows that what it decides by is logged"
    return ""


def without_result(facts: Facts, lost: ast.Call) -> Edit | str:
    """`hooks.append(early)` in place of `hooks = hooks.append(early)`; a text says why it is no such statement."""
    call = facts.call_node(lost)
    line = facts.tree.statement(call) if call is not None else None
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if call is None or not isinstance(small, cst.Assign) or small.value is not call or len(small.targets) != 1:
        return "the result is used where the call is"
    return Edit(facts.span(small)[0], facts.tree.outer_span(call)[0], "")
