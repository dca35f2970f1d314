"""Methods of models and metrics that Keras 3 lost, written as what it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.models.heads import Heads
from seqlint.model import Edit
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import replace

if TYPE_CHECKING:
    from seqlint.domains.models.lost_members import LostMember
    from seqlint.facts import Facts

_VERBOSE = 2
"""The place of `verbose` in `predict`, after `x` and `batch_size`."""


def member_instead(facts: Facts, one: LostMember, node: cst.Attribute) -> tuple[str, tuple[Edit, ...]]:
    """The title and the edits of a fix; no edits where it is for a person to decide.

    Args:
        node: the attribute that is lost.
    """
    if one.member.startswith("KerasTensor."):
        return _of_shape(facts, one, node)
    call = facts.tree.parents.get(node)
    if not isinstance(call, cst.Call) or call.func is not node or any(each.star for each in call.args):
        return "", ()
    if one.member == "metrics.Metric.reset_states":
        return "Write `reset_state`", (replace(facts, node.attr, "reset_state"),)
    if one.name == "predict_proba":
        return "Write `predict`", (replace(facts, node.attr, "predict"), *_quiet(facts, call))
    return _classes(facts, one, node, call) if one.name == "predict_classes" else ("", ())


def _of_shape(facts: Facts, one: LostMember, node: cst.Attribute) -> tuple[str, tuple[Edit, ...]]:
    """`list(x.shape)` for `x.shape.as_list()` and `x.get_shape().as_list()`, `len(x.shape)` for `x.shape.ndims`: so on every line."""
    if one.name in ("ndims", "rank"):
        return f"Write `len({facts.text(node.value)})`", (replace(facts, node, f"len({facts.text(node.value)})"),)
    call = facts.tree.parents.get(node)
    if not isinstance(call, cst.Call) or call.func is not node or call.args:
        return "", ()
    if one.name == "as_list":
        return f"Write `list({facts.text(node.value)})`", (replace(facts, call, f"list({facts.text(node.value)})"),)
    if one.name != "get_shape":
        return "", ()
    text = f"{facts.text(node.value)}.shape"
    asked = facts.tree.parents.get(call)
    listed = (
        facts.tree.parents.get(asked) if isinstance(asked, cst.Attribute) and asked.attr.value == "as_list" else None
    )
    if isinstance(listed, cst.Call) and listed.func is asked and not listed.args:
        return f"Write `list({text})`", (replace(facts, listed, f"list({text})"),)
    plain = not isinstance(asked, cst.Attribute)
    return (f"Write `{text}`", (replace(facts, call, text),)) if plain else ("", ())


def _classes(facts: Facts, one: LostMember, node: cst.Attribute, call: cst.Call) -> tuple[str, tuple[Edit, ...]]:
    """`np.argmax(model.predict(x), axis=-1)` where the model gives a number for each class, a comparison where it gives one."""
    head = facts.run.domain(Heads).of(one.owner, one.context)
    if head is None or head.units is None or head.activation not in ("softmax", "sigmoid"):
        return "", ()
    start, end = facts.span(call)
    edits = (replace(facts, node.attr, "predict"), *_quiet(facts, call))
    if head.units == 1:
        compared = (Edit(start, start, "("), Edit(end, end, ' > 0.5).astype("int32")'))
        return "Compare the output of `predict` with 0.5", (*edits, *compared)
    spelling = name_for(facts, "numpy.argmax", call)
    taken = (Edit(start, start, f"{spelling.text}("), Edit(end, end, ", axis=-1)"), *spelling.edits)
    return "Take `argmax` of the output of `predict`", (*edits, *taken)


def _quiet(facts: Facts, call: cst.Call) -> tuple[Edit, ...]:
    """`verbose=0`, which the old methods had as their default."""
    named = {each.keyword.value for each in call.args if each.keyword is not None}
    if not call.args or "verbose" in named or len(call.args) - len(named) > _VERBOSE:
        return ()
    _, end = facts.span(call.args[-1].value)
    return (Edit(end, end, ", verbose=0"),)
