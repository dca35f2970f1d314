"""What the last layer of a model gives: how many numbers for a row, and after which activation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.layers import last_layers
from seqlint.knowledge.layers import (
    ACTIVATION_PLACES,
    ACTIVATIONS,
    FUNCTIONS,
    KEEP_AXES,
    POOLS,
    RECURRENT,
    RESHAPES,
    UNITS,
)
from seqlint.run import Constant, External, Instance, Result, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Context, Object, Run, Value

Table = Literal["yes", "no", "inputs"]
_DEEPEST = 8
_IMAGENET = 1000


@dataclass(frozen=True, eq=False)
class Head:
    """The end of a model with one output.

    Attributes:
        layer: the call that makes the layer with the units; for a model of `keras.applications` that of the model.
        units: the size of the last axis; None: not known.
        activation: "linear", "softmax" and so on; empty: not known.
        activated_by: the call that the activation is given in.
        reshaped_by: a layer after the activation that gives its numbers in another shape, or some of them; None: there is none.
        by_function: whether the activation is a function of TensorFlow or `keras.ops`.
        table: whether the output has two axes: "yes"; "no", or not known; "inputs": if the inputs have two.
    """

    layer: Result
    units: int | None
    activation: str
    activated_by: Result
    reshaped_by: Result | None = None
    by_function: bool = False
    table: Table = "no"


class Heads:
    """The ends of the models of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, model: Object | None, at: Context, depth: int = 0) -> Head | None:
        """The end of a model as it is at some time; None where it is not known, or there are several outputs.

        Args:
            at: layers that are added later, or on other ways through the program, don't count.
        """
        if depth > _DEEPEST or self._is_changed:
            return None
        if isinstance(model, Result) and model.op == "call" and model.name.startswith("keras.applications."):
            return self._of_application(model)
        if not isinstance(model, (Result, Instance)):
            return None
        return self._head(last_layers(self._run, model, at), at, depth + 1)

    @cached_property
    def _is_changed(self) -> bool:
        """Whether the program gives some layer another activation: `net.layers[-1].activation = ...`."""
        return any(
            store.name in ("activation", "layers") and not isinstance(store.owner, Instance)
            for store in self._run.stores
        )

    # -- from the end to the layer with the units ---------------------------------------------------------------------

    def _head(self, layers: Iterator[Object], at: Context, depth: int) -> Head | None:
        """The end of a model whose layers come last first."""
        between: Result | None = None
        activation: tuple[str, Result, bool] | None = None
        flat = False
        for layer in layers:
            if isinstance(layer, Result) and self._is_passed(layer):
                between, flat = (between, flat) if activation else (layer, flat or layer.method in RESHAPES)
                continue
            if isinstance(layer, Result) and _is_identity(layer):
                continue
            own = self._activation_layer(layer) if activation is None else None
            if own is not None:
                activation = own
                continue
            found = self._unit_layer(layer, at, depth)
            if found is None:
                return None
            if activation is not None:
                name, given, by_function = activation
                found = replace(found, activation=name, activated_by=given, by_function=by_function, reshaped_by=None)
            units = None if flat else found.units
            return replace(
                found, reshaped_by=between or found.reshaped_by, units=units, table=self._table(found, layers)
            )
        return None

    def _table(self, head: Head, layers: Iterator[Object]) -> Table:
        """Whether a last Dense layer gives a table, by the layers before it."""
        if head.layer.method != "Dense":
            return "no"
        for layer in (head.layer, *layers):
            known = self._rows_of(layer)
            if known != "inputs":
                return known
        return "inputs"

    def _rows_of(self, layer: Object) -> Table:
        """Whether a layer gives a table; "inputs" where it gives as many axes as it gets."""
        name = _layer_name(layer) if isinstance(layer, Result) else ""
        if not isinstance(layer, Result) or not (name or layer.name == "keras.Input"):
            return "no"
        if name == "Bidirectional" and layer.args and isinstance(layer.args[0].only, Result):
            return self._rows_of(layer.args[0].only)
        if name == "Flatten" or name.startswith("Global"):
            return "yes"
        if name in RECURRENT:
            return (
                "yes" if constant(layer.keyword("return_sequences")) in (..., False) and len(layer.args) < 3 else "no"
            )
        shape = layer.keyword("input_shape") or layer.keyword("shape")
        if layer.name == "keras.Input" or name in ("Input", "InputLayer"):
            shape = shape or (layer.args[0] if layer.args else None)
        elif name not in KEEP_AXES:
            return "no"
        if layer.keyword("input_dim") is not None:
            return "yes"
        if shape is None:
            return "inputs" if name in KEEP_AXES else "no"
        items = self._run.items(shape)
        return "yes" if items is not None and len(items) == 1 else "no"

    def _is_passed(self, layer: Result) -> bool:
        return _layer_name(layer) in RESHAPES | POOLS or layer.name in ("tensorflow.reshape", "tensorflow.squeeze")

    def _activation_layer(self, layer: Object) -> tuple[str, Result, bool] | None:
        """The activation of a layer, or an operation, that is nothing else."""
        if not isinstance(layer, Result):
            return None
        name = _layer_name(layer)
        if name == "Activation":
            found, by_function = self.activation(layer.args[0] if layer.args else layer.keyword("activation"))
            return found, layer, by_function
        if name in ACTIVATIONS:
            usual = constant(layer.keyword("axis")) in (..., -1) and not layer.args
            return ACTIVATIONS[name] if usual else "", layer, False
        if layer.name in FUNCTIONS:
            usual = len(layer.args) == 1 and not layer.keywords
            return FUNCTIONS[layer.name] if usual else "", layer, not layer.name.startswith("keras.activations.")
        return None

    def _unit_layer(self, layer: Object, at: Context, depth: int) -> Head | None:
        if isinstance(layer, Result) and _layer_name(layer) == "TimeDistributed":
            inner = layer.args[0] if layer.args else layer.keyword("layer")
            return self._unit_layer(inner.only, at, depth) if inner is not None and inner.only is not None else None
        if not isinstance(layer, Result) or _layer_name(layer) not in UNITS:
            return self.of(layer, at, depth)
        name = _layer_name(layer)
        if any(key in ("*", "**") for key, _ in layer.keywords) or len(layer.args) > (2 if name == "Dense" else 4):
            return None
        if constant(layer.keyword("data_format")) not in (..., None, "channels_last"):
            return None
        given = layer.keyword("activation")
        place = ACTIVATION_PLACES.get(name, -1)
        if given is None and 0 <= place < len(layer.args):
            given = layer.args[place]
        activation, by_function = self.activation(given) if given is not None else ("linear", False)
        units = constant(layer.keyword(UNITS[name]) or (layer.args[0] if layer.args else None))
        whole = units if isinstance(units, int) and not isinstance(units, bool) else None
        return Head(layer, whole, activation, layer, None, by_function)

    def _of_application(self, model: Result) -> Head | None:
        if constant(model.keyword("include_top")) not in (..., True) or model.keyword("include_top") is not None:
            return None
        if model.args or any(key in ("*", "**") for key, _ in model.keywords):
            return None
        given = model.keyword("classifier_activation")
        activation = self.activation(given)[0] if given is not None else "softmax"
        classes = constant(model.keyword("classes")) if model.keyword("classes") is not None else _IMAGENET
        return Head(model, classes if isinstance(classes, int) else None, activation, model)

    def activation(self, given: Value | None) -> tuple[str, bool]:
        """The name of an activation, empty where it is not known, and whether it is a function of TensorFlow or `keras.ops`."""
        only = given.only if given is not None else None
        if isinstance(only, Constant):
            return ("linear" if only.value is None else str(only.value).lower()), False
        if isinstance(only, External):
            return FUNCTIONS.get(only.name, ""), not only.name.startswith("keras.activations.")
        name = _layer_name(only) if isinstance(only, Result) else ""
        return (ACTIVATIONS.get(name, "") if isinstance(only, Result) and not only.args else ""), False


def _layer_name(layer: Result) -> str:
    """The class of a layer of Keras that a call makes: "Dense"; empty for all else."""
    return (
        layer.method if layer.op == "call" and layer.receiver is None and layer.name.startswith("keras.layers.") else ""
    )


def _is_identity(layer: Result) -> bool:
    """Whether a layer gives what it gets: `Activation("linear", dtype="float32")`."""
    if _layer_name(layer) == "Identity" or layer.name in ("tensorflow.identity", "tensorflow.cast", "keras.ops.cast"):
        return True
    given = layer.args[0] if layer.args else layer.keyword("activation")
    return _layer_name(layer) == "Activation" and given is not None and constant(given) in ("linear", None)
