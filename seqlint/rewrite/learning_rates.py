"""`learning_rate` in the place of `lr`, with what Keras 2 could do with its variable and Keras 3 can't."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.augmented import spelled_out
from seqlint.rewrite.layout.statements import replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, Rate

_GET, _SET = ("keras.backend.get_value", "keras.backend.eval"), "keras.backend.set_value"
_OTHER_KIND = frozenset(
    {"assign_add", "assign_sub", "eval", "initializer", "initialized_value", "op", "read_value", "value"}
)


def by_its_name(facts: Facts, rate: Rate) -> tuple[Edit, ...]:
    """The learning rate read or set as `learning_rate`; none where more depends on what `lr` was."""
    node, parent = rate.node, facts.tree.parents[rate.node]
    if isinstance(parent, cst.AugAssign) and rate.use == "augment":  # a variable of TensorFlow refuses `*=`
        return (spelled_out(facts, parent, _named(facts, node)),)
    if isinstance(parent, cst.Arg) and isinstance(call := facts.tree.parents[parent], cst.Call):
        return _as_argument(facts, node, call)
    is_called = isinstance(parent, cst.Call)
    if is_called or (isinstance(parent, cst.Attribute) and parent.attr.value in _OTHER_KIND):
        return ()
    return (replace(facts, node.attr, "learning_rate"),)


def _named(facts: Facts, node: cst.Attribute) -> str:
    return f"{facts.text(node.value)}.learning_rate"


def _as_argument(facts: Facts, node: cst.Attribute, call: cst.Call) -> tuple[Edit, ...]:
    """`float(o.lr)` and the functions of `keras.backend` that Keras 3 lost."""
    name = facts.qualified(call.func)
    rate = _named(facts, node)
    if name == _SET:
        return _set_value(facts, rate, call)
    if name in _GET:
        return (replace(facts, call, f"{rate}.numpy()"),) if len(call.args) == 1 else ()
    if name == "builtins.isinstance":
        return ()
    return (replace(facts, node, f"{rate}.numpy()" if name == "builtins.float" else rate),)


def _set_value(facts: Facts, rate: str, call: cst.Call) -> tuple[Edit, ...]:
    """`K.set_value(o.lr, value)` as an assignment, where it is a statement of its own."""
    if (
        not isinstance(facts.tree.parents[call], cst.Expr)
        or len(call.args) != 2
        or any(argument.star for argument in call.args)
    ):
        return ()
    start, end = facts.tree.outer_span(call.args[1].value)
    value = facts.source.slice(start, end)
    open_ = "\n" in value and not call.args[1].value.lpar
    return (
        Edit(facts.span(call)[0], start, f"{rate} = {'(' if open_ else ''}"),
        Edit(end, facts.span(call)[1], ")" if open_ else ""),
    )
