"""Calls that mean something else on Keras 3, written so that they mean the same on every line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.keras_replacements import TENSORFLOW_OPS
from seqlint.rewrite.layout.arguments import name_argument, remove_argument
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import replace
from seqlint.rewrite.lost_names import renamed_arguments

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.domains.models.changed_calls import ChangedCall
    from seqlint.facts import Facts
    from seqlint.model import Edit

_COMPILE = ("optimizer", "loss", "metrics", "loss_weights", "weighted_metrics", "run_eagerly", "steps_per_execution")
_ADD_WEIGHT = ("name", "shape", "dtype", "initializer", "regularizer", "trainable", "constraint")
_OF_METRIC = ("name", "shape", "aggregation", "synchronization", "initializer", "dtype")
_WITHOUT_EFFECT = frozenset({"jit_compile", "adaptive_epsilon"})


def by_name(facts: Facts, call: cst.Call, change: str, *, of_metric: bool = False) -> tuple[Edit, ...]:
    """The arguments under the names that their places had on Keras 2; nothing where there are more, or a star."""
    order = _COMPILE if change == "compile" else _OF_METRIC if of_metric else _ADD_WEIGHT
    first = 2 if change == "compile" else 0
    placed = [each for each in call.args if each.keyword is None]
    if any(each.star for each in call.args) or len(placed) > len(order):
        return ()
    return tuple(name_argument(facts, each, order[at]) for at, each in enumerate(placed) if at >= first)


def without_argument(facts: Facts, call: cst.Call, name: str) -> tuple[Edit, ...]:
    """The call without an argument that changes no result; nothing for others."""
    given = next((each for each in call.args if each.keyword is not None and each.keyword.value == name), None)
    return remove_argument(facts, call, given) if given is not None and name in _WITHOUT_EFFECT else ()


def on_symbolic(facts: Facts, one: ChangedCall, call: cst.Call) -> tuple[str, tuple[Edit, ...]]:
    """`keras.ops.sum(x)` for `tf.reduce_sum(x)`: the name and the edits; no edits where the arguments don't fit."""
    name, _, listed = TENSORFLOW_OPS[one.name].partition("(")
    arguments = renamed_arguments(facts, call, listed.rstrip(")")) if listed else None
    if arguments is None:
        return name, ()
    spelling = name_for(facts, f"keras.{name}", call)
    return spelling.text, (replace(facts, call.func, spelling.text), *arguments, *spelling.edits)
