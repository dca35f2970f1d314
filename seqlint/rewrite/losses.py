"""Edits of losses: whether they take logits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.models.objectives import compile_place
from seqlint.knowledge.losses import WITH_LOGITS_FIRST
from seqlint.model import Edit
from seqlint.rewrite.layout.arguments import add_argument
from seqlint.rewrite.layout.imports import name_for

if TYPE_CHECKING:
    from seqlint.domains.models.objectives import Measure, Objective
    from seqlint.facts import Facts
    from seqlint.run import Result

_CLASSES = {
    "categorical_crossentropy": "CategoricalCrossentropy",
    "sparse_categorical_crossentropy": "SparseCategoricalCrossentropy",
}
_PAIRS = {
    "categorical_crossentropy": "sparse_categorical_crossentropy",
    "CategoricalCrossentropy": "SparseCategoricalCrossentropy",
}
_OTHER = _PAIRS | {sparse: other for other, sparse in _PAIRS.items()}


def with_logits(facts: Facts, compiled: Objective) -> tuple[Edit, ...]:
    """The edits after which the loss of a model takes logits; nothing where it is not plain how it is written."""
    loss, written = compiled.loss, compile_place(facts.run, compiled, "loss")
    name = _CLASSES.get(loss.name) if loss is not None else None
    if loss is None or name is None or written is None:
        return ()
    if loss.made is None:
        node = _node(facts, written, cst.SimpleString) if isinstance(written, ast.Constant) else None
        if node is None:
            return ()
        spelled = name_for(facts, f"keras.losses.{name}", node)
        return (*spelled.edits, Edit(*facts.run.span(written), f"{spelled.text}(from_logits=True)"))
    call = _own_call(facts, loss)
    node = _node(facts, call, cst.Call) if call is not None else None
    if call is None or not isinstance(node, cst.Call) or call.args or loss.made.method not in WITH_LOGITS_FIRST:
        return ()
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "from_logits"), None)
    if given is not None:
        return (Edit(*facts.run.span(given), "True"),) if isinstance(given, ast.Constant) else ()
    return (add_argument(facts, node, "from_logits=True"),)


def without_logits(facts: Facts, loss: Measure) -> tuple[Edit, ...]:
    """The edit after which a loss takes probabilities; nothing where the argument is not written out."""
    call = _own_call(facts, loss)
    if call is None or loss.made is None:
        return ()
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "from_logits"), None)
    if given is None and call.args and loss.made.method in WITH_LOGITS_FIRST:
        given = call.args[0]
    return (Edit(*facts.run.span(given), "False"),) if isinstance(given, ast.Constant) else ()


def other_loss(facts: Facts, compiled: Objective) -> tuple[Edit, ...]:
    """The edit that makes a sparse loss of a categorical one, or the other way; nothing where that is more than another name."""
    loss, written = compiled.loss, compile_place(facts.run, compiled, "loss")
    if loss is None or any(
        metric.name not in ("accuracy", "acc") or metric.made is not None for metric in compiled.metrics
    ):
        return ()
    if loss.made is None:
        name = written.value if isinstance(written, ast.Constant) else None
        other = _OTHER.get(name) if isinstance(name, str) else None
        node = _node(facts, written, cst.SimpleString) if written is not None else None
        text = facts.text(node) if node is not None else ""
        return (
            (Edit(*facts.run.span(written), text.replace(str(name), other)),) if other and written is not None else ()
        )
    call = _own_call(facts, loss)
    func = call.func if call is not None else None
    if call is None or not isinstance(func, ast.Attribute) or call.args or func.attr not in _OTHER:
        return ()
    if any(keyword.arg != "from_logits" for keyword in call.keywords):
        return ()
    end = facts.run.span(func)[1]
    return (Edit(end - len(func.attr), end, _OTHER[func.attr]),)


def threshold_zero(facts: Facts, written: ast.AST, name: str) -> tuple[Edit, ...]:
    """The edits after which an accuracy counts logits above 0; nothing where it is not written as text or as a call without arguments."""
    if isinstance(written, ast.Constant):
        node = _node(facts, written, cst.SimpleString)
        if node is None:
            return ()
        spelled = name_for(facts, "keras.metrics.BinaryAccuracy", node)
        text = f'{spelled.text}(name="{name}", threshold=0.0)'
        return (*spelled.edits, Edit(*facts.run.span(written), text))
    if not isinstance(written, ast.Call) or written.args or any(keyword.arg is None for keyword in written.keywords):
        return ()
    call = _node(facts, written, cst.Call)
    return (add_argument(facts, call, "threshold=0.0"),) if isinstance(call, cst.Call) else ()


def as_wide_as(facts: Facts, count: int | None, *made: Result) -> tuple[Edit, ...]:
    """The edits that give calls of `to_categorical` the number of classes; nothing where one of them is in another file."""
    edits: dict[Edit, None] = {}
    for each in made:
        node = each.node
        call = _node(facts, node, cst.Call) if node is not None and facts.run.is_own(node) else None
        if not isinstance(call, cst.Call) or count is None:
            return ()
        edits.setdefault(add_argument(facts, call, f"num_classes={count}"))
    return tuple(edits)


def _own_call(facts: Facts, loss: Measure) -> ast.Call | None:
    """The call of this file that makes a loss."""
    node = loss.made.node if loss.made is not None else None
    return node if isinstance(node, ast.Call) and facts.run.is_own(node) else None


def _node(facts: Facts, written: ast.AST, kind: type[cst.CSTNode]) -> cst.CSTNode | None:
    span = facts.run.span(written)
    return next((node for node in facts.tree.all(kind) if facts.span(node) == span), None)
