"""Passes the data that a hook evaluates on to `fit` as `validation_data`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.statements import small
from seqlint.model import Contract, Edit, Fix
from seqlint.rewrite.callbacks.handover import is_seen, value_of
from seqlint.rewrite.layout.arguments import add_argument

if TYPE_CHECKING:
    from seqlint.facts import Cut, Facts, FitBinding, Hook, TrainerCall

_QUIET = frozenset({"x", "y", "verbose", "return_dict"})


def validation_fix(
    facts: Facts, hook: Hook, cut: Cut, run: TrainerCall, fits: tuple[FitBinding, ...], removed: tuple[Edit, ...]
) -> Fix | None:
    """Remove the evaluation and pass its data to every fit; None where the cut does more than evaluate and print.

    Args:
        removed: the edits that take the statements out of the hook.
    """
    if run.method != "evaluate" or hook.name != "on_epoch_end" or cut.methods or cut.started or cut.changes:
        return None
    if not all(_is_evaluation(step, run) or _is_print(facts, step) for step in cut.steps):
        return None
    if not set(run.arguments) <= _QUIET or "#" in "".join(facts.source.slice(e.start, e.end) for e in removed):
        return None
    edits = [_at_fit(facts, hook, run, fit) for fit in fits]
    given = tuple(edit for edit in edits if edit is not None)
    if len(given) < len(edits):
        return None
    contract = Contract(frozenset({"history", "hooks", "output"}))
    return Fix("Pass the data to `fit` as `validation_data`", (*removed, *given), contract)


def _is_evaluation(step: cst.CSTNode, run: TrainerCall) -> bool:
    line = small(step)
    return isinstance(line, (cst.Expr, cst.Assign)) and line.value is run.node


def _is_print(facts: Facts, step: cst.CSTNode) -> bool:
    line = small(step)
    call = line.value if isinstance(line, cst.Expr) else None
    return isinstance(call, cst.Call) and facts.qualified(call.func) == "builtins.print"


def _at_fit(facts: Facts, hook: Hook, run: TrainerCall, fit: FitBinding) -> Edit | None:
    call = fit.call
    unpacks = any(argument.star for argument in call.node.args)
    if unpacks or len(fit.parts) != 1 or "validation_data" in call.arguments or "validation_split" in call.arguments:
        return None
    if not facts.fit_bindings.same_variable(run.receiver, call.receiver):
        return None
    text = _data(facts, hook, run, fit)
    return add_argument(facts, call.node, f"validation_data={text}") if text is not None else None


def _data(facts: Facts, hook: Hook, run: TrainerCall, fit: FitBinding) -> str | None:
    """The evaluated data, as an expression at the fit."""
    starred = [argument for argument in run.node.args if argument.star]
    x, y = run.value("x"), run.value("y")
    if starred:
        alone = len(starred) == 1 and starred[0].star == "*" and x is None and y is None
        return _text(facts, hook, starred[0].value, fit) if alone else None
    if x is None:
        return None
    first = _text(facts, hook, x, fit)
    if y is None:
        return first if facts.input_kinds.kind(x) in ("sequence", "dataset") else None
    second = _text(facts, hook, y, fit)
    return f"({first}, {second})" if first is not None and second is not None else None


def _text(facts: Facts, hook: Hook, node: cst.BaseExpression, fit: FitBinding) -> str | None:
    if isinstance(node, cst.Name):
        return node.value if is_seen(facts, node, fit.call.node) else None
    if not isinstance(node, cst.Attribute) or facts.values.self_class(node.value) is None:
        return None
    return value_of(facts, hook.owner, fit.parts[0], node.attr.value, fit, by_name=False)
