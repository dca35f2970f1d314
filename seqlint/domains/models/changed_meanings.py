"""What both lines of Keras have under one name, and what means another thing on Keras 3."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.keras_models import KerasModels
from seqlint.domains.models.symbolic import Symbolic
from seqlint.run import External, Instance, Result
from seqlint.run.attributes import lineage, lookup
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Run, Value
    from seqlint.run.trace import Store

Kind = Literal["add_loss", "pool_size", "reduction", "metrics_names", "variable", "batch_loss", "default", "slope"]
_LAYERS = frozenset({"keras.layers.Layer", "keras.Layer", "keras.Model", "keras.Sequential"})
_POOLS = frozenset({f"keras.layers.{name}{size}D" for name in ("AveragePooling", "AvgPool") for size in (1, 2, 3)})
_CONV_LSTM = frozenset({f"keras.layers.ConvLSTM{size}D" for size in (1, 2, 3)})
_ACTIVATIONS = frozenset({"activation", "recurrent_activation"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
DEFAULTS: dict[str, tuple[tuple[str, str], ...]] = {
    "keras.regularizers.l1_l2": (("l1", "0.01"), ("l2", "0.01")),
    "keras.optimizers.Lion": (("learning_rate", "0.0001"),),
}
"""What has another default on Keras 2: its arguments in order, with the defaults that they had."""


@dataclass(frozen=True, eq=False)
class ChangedMeaning:
    """One place that means something else on Keras 3.

    Attributes:
        kind: in what way.
        name: the function, argument or attribute that it is about.
    """

    kind: Kind
    node: ast.AST
    name: str = ""
    call: Call | None = None


class ChangedMeanings:
    """The places of a run that mean something else on Keras 3."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[ChangedMeaning, ...]:
        """Each place of this file once."""
        found: dict[ast.AST, ChangedMeaning] = {}
        for one in (*self._of_calls(), *self._of_names(), *self._variables()):
            found.setdefault(one.node, one)
        return tuple(found.values())

    def _of_calls(self) -> Iterator[ChangedMeaning]:
        for call in self._run.calls:
            if isinstance(call.node, ast.Call) and self._run.is_here(call.context):
                kind, name = self._kind(call, call.node)
                if kind is not None:
                    yield ChangedMeaning(kind, call.node, name, call)

    def _kind(self, call: Call, node: ast.Call) -> tuple[Kind | None, str]:
        name, method = call.name, call.result.method
        if method == "add_loss" and self._adds_symbolic(call):
            return "add_loss", ""
        if method == "train_on_batch" and self._is_summed_up(call, node):
            return "batch_loss", ""
        if _hides(node):
            return None, ""
        if name in _POOLS and not node.args and not _names(node, "pool_size"):
            return "pool_size", ""
        if name.startswith("keras.losses.") and _is_text(call.result.keyword("reduction"), "auto"):
            return "reduction", ""
        if name in DEFAULTS and (left := _left_out(node, DEFAULTS[name])):
            return "default", left
        return ("slope", slope) if (slope := _slope(call, node)) else (None, "")

    def _adds_symbolic(self, call: Call) -> bool:
        """Whether a functional model, or a layer outside of its `call`, gets a loss."""
        owner = call.result.receiver
        if not isinstance(owner, Result) or not call.result.args:
            return False
        functional = owner.name == "keras.Model" and len(owner.args) + len(owner.keywords) > 1
        layer = type_of(owner).startswith("keras.layers.")
        return functional or (layer and self._run.domain(Symbolic).holds(call.result.args[0]))

    def _is_summed_up(self, call: Call, node: ast.Call) -> bool:
        """Whether a loop uses what `train_on_batch` of a model gives, and nothing here resets the metrics."""
        owner = call.result.receiver
        models = self._run.domain(KerasModels)
        if not models.is_model(owner) or models.has_own(owner, "train_on_batch") or _names(node, "reset_metrics"):
            return False
        around = [*self._run.above(node)]
        used = not isinstance(around[0], ast.Expr)
        in_loop = any(isinstance(each, _LOOPS) for each in around)
        return used and in_loop and next(self._run.methods("reset_metrics", "reset_states"), None) is None

    def _of_names(self) -> Iterator[ChangedMeaning]:
        """`metrics_names` of a model that is compiled with metrics."""
        models = self._run.domain(KerasModels)
        compiled = any(
            isinstance(call.node, ast.Call) and _has_metrics(call.node) for call in self._run.methods("compile")
        )
        for asked in self._run.asked("metrics_names") if compiled else ():
            sure = all(models.is_model(owner) and not models.has_own(owner, "metrics_names") for owner in asked.owners)
            if sure and self._run.is_here(asked.context):
                yield ChangedMeaning("metrics_names", asked.node)

    def _variables(self) -> Iterator[ChangedMeaning]:
        """`self.w = tf.Variable(...)` of a layer: a weight on Keras 2, and none on Keras 3."""
        for store in self._run.stores:
            made = store.value.only
            if isinstance(made, Result) and made.name == "tensorflow.Variable" and self._is_weight(store, made):
                yield ChangedMeaning("variable", store.node, store.name)

    def _is_weight(self, store: Store, made: Result) -> bool:
        owner = store.owner
        if not isinstance(owner, Instance) or not self._run.is_here(store.context):
            return False
        bases = {each.name for each in lineage(owner.cls) if isinstance(each, External)}
        own = any(
            lookup(self._run.machine, owner.cls, each).value is not None
            for each in ("train_step", "trainable_weights", "trainable_variables")
        )
        if own or not bases & _LAYERS or not _is_trained(made):
            return False
        return not self._tapes and store.name not in self._assigned

    @cached_property
    def _tapes(self) -> bool:
        """Whether the file names a gradient tape: then it trains by hand."""
        return any(
            getattr(node, "attr", getattr(node, "id", "")) == "GradientTape"
            for node in ast.walk(self._run.tree)
            if isinstance(node, ast.Name | ast.Attribute)
        )

    @cached_property
    def _assigned(self) -> frozenset[str]:
        """The attributes whose variable is assigned to: `self.w.assign_add(1.0)`."""
        return frozenset(
            node.value.attr
            for node in ast.walk(self._run.tree)
            if isinstance(node, ast.Attribute)
            and node.attr.startswith("assign")
            and isinstance(node.value, ast.Attribute)
        )


def _is_trained(made: Result) -> bool:
    """Whether a variable of TensorFlow is one that trains: it begins with floats, and nothing says that it does not."""
    if made.keyword("trainable") is not None or made.keyword("dtype") is not None or len(made.args) != 1:
        return False
    first = made.args[0].only
    if not isinstance(first, Result):
        return isinstance(made.args[0].constant, float)
    return first.keyword("dtype") is None and first.name.rpartition(".")[2] in (
        "zeros",
        "ones",
        "normal",
        "uniform",
        "truncated_normal",
    )


def _slope(call: Call, node: ast.Call) -> str:
    """What of a layer is `hard_sigmoid`: the argument, or the name of the layer whose default it was."""
    name = call.name
    if name == "keras.layers.Activation" and call.result.args and _is_hard(call.result.args[0]):
        return "activation"
    if not name.startswith("keras.layers."):
        return ""
    given = next((each for each, value in call.result.keywords if each in _ACTIVATIONS and _is_hard(value)), "")
    default = name in _CONV_LSTM and not _names(node, "recurrent_activation") and len(node.args) < 8
    return given or (name.rpartition(".")[2] if default else "")


def _is_hard(value: Value) -> bool:
    found = value.only
    return value.constant == "hard_sigmoid" or (
        isinstance(found, External) and found.name == "keras.activations.hard_sigmoid"
    )


def _left_out(node: ast.Call, defaults: tuple[tuple[str, str], ...]) -> str:
    """What a call leaves to the default, as it is written: "l1=0.01, l2=0.01"."""
    given = {each.arg for each in node.keywords}
    left = [
        f"{name}={value}" for at, (name, value) in enumerate(defaults) if at >= len(node.args) and name not in given
    ]
    return ", ".join(left)


def _hides(node: ast.Call) -> bool:
    """Whether a star may stand for any argument."""
    return any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords)


def _names(node: ast.Call, name: str) -> bool:
    return any(each.arg == name for each in node.keywords)


def _has_metrics(node: ast.Call) -> bool:
    given = next((each.value for each in node.keywords if each.arg in ("metrics", "weighted_metrics")), None)
    return given is not None and not (isinstance(given, ast.Constant) and given.value is None)


def _is_text(value: Value | None, text: str) -> bool:
    return value is not None and value.constant == text
