"""On which device a model computes: where TensorFlow placed the operations, read from the graphs of its first call."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPUTING = ("MatMul", "Conv", "Einsum", "RNN", "_Fused", "Xla")
"""Parts of the names of operations that a GPU is for; others are placed on the CPU at times even there."""
_COMPILED = "_XlaMustCompile"
_TYPES = ("T", "dtype", "Tparams")
"""Attributes of an operation with the type of what it computes."""
_PASSED_ON = (
    "Const",
    "_Arg",
    "_Retval",
    "_Send",
    "_Recv",
    "_Host",
    "Placeholder",
    "Iterator",
    "Identity",
    "PyFunc",
    "VarHandle",
)
"""Starts of the names of operations that compute nothing."""
LOOP = "the program's own loop"


class Places:
    """The devices of what was computed first with each model, and by the program's own loops.

    Attributes:
        watched: whether anybody wants to know.
        of_steps: by the number of the model in the order of their first step: devices of the operations of the train step that compute;
            those of the results where nothing is known of the operations.
        of_others: the same for what ran outside of `fit`, by the identity of the model, with the model; for functions and loops of the program
            itself under one name.
    """

    def __init__(self, watched: bool) -> None:
        self.watched = watched
        self._collecting = False
        self.of_steps: dict[int, set[str]] = {}
        self.of_others: dict[int | str, tuple[Any, set[str]]] = {}

    def begin(self, model: int) -> None:
        """Collect the graphs of the step that begins, if it is the model's first."""
        if self.watched and model not in self.of_steps and not self._collecting:
            _context().enable_graph_collection()
            self._collecting = True

    def end(self, model: int, logs: Any) -> None:
        """Note where the step that has ended ran, and where its results lie."""
        if self._collecting:
            self._collecting = False
            self.of_steps[model] = _computing(_collected())
        if self.watched and not self.of_steps.get(model):
            self.of_steps[model] = _devices(logs)

    @contextmanager
    def outside(self, model: Any) -> Iterator[list[Any]]:
        """Collect the graphs of the first call with a model, or of own loops where it is None; the list takes the results."""
        key = LOOP if model is None else id(model)
        results: list[Any] = []
        if not self.watched or self._collecting or (model is not None and key in self.of_others):
            yield results
            return
        self._collecting = True
        _context().enable_graph_collection()
        try:
            yield results
        finally:
            self._collecting = False
            found = _computing(_collected()) or _devices(results)
            self.of_others[key] = (model, self.of_others.get(key, (None, set()))[1] | found)

    def eager(self, tensors: Any) -> None:
        """Note where an own loop has computed what it has at hand."""
        if self.watched and (found := _devices(tensors)):
            self.of_others[LOOP] = (None, self.of_others.get(LOOP, (None, set()))[1] | found)


def cards() -> list[str]:
    """Names of the GPUs that TensorFlow finds."""
    config = tf.config
    found = [config.experimental.get_device_details(card) for card in config.list_physical_devices("GPU")]
    return [str(details.get("device_name", "GPU")) for details in found]


def weights_of(model: Any) -> list[Any]:
    """The weights of a model; none where it has not got any yet, which tf-keras says with an error."""
    try:
        return list(model.weights)
    except ValueError:
        return []


def of_variables(model: Any) -> set[str]:
    """Where the variables of a model lie."""
    # On tf-keras a weight is the variable itself, and its `value` a method.
    weights = weights_of(model)
    values = [getattr(weight, "value", weight) for weight in weights]
    return of_tensors([weight if callable(value) else value for weight, value in zip(weights, values, strict=True)])


def of_tensors(tensors: list[Any]) -> set[str]:
    """Where numbers lie; TensorFlow keeps counters and seeds on the CPU, which count where there is nothing else."""
    floats = [one for one in tensors if getattr(getattr(one, "dtype", None), "is_floating", False)]
    return {str(getattr(one, "device", "")) for one in floats or tensors} - {""}


def _devices(results: Any) -> set[str]:
    return of_tensors([one for one in tf.nest.flatten(results) if tf.is_tensor(one)])


def _context() -> Any:
    from tensorflow.python.eager import context

    return context


def _collected() -> list[Any]:
    """The graphs since the collection began, as TensorFlow has placed them."""
    context = _context()
    metadata = context.export_run_metadata()
    context.disable_graph_collection()
    return list(metadata.partition_graphs)


def _computing(graphs: list[Any]) -> set[str]:
    """The devices of the operations that a GPU is for; where there are none, of those that compute with fractions."""
    nodes = [node for graph in graphs for node in graph.node if node.device]
    heavy = {node.device for node in nodes if _computes(node)}
    return heavy or {node.device for node in nodes if _is_of_floats(node)}


def _computes(node: Any) -> bool:
    compiled = _COMPILED in node.attr and node.attr[_COMPILED].b
    return compiled or any(part in node.op for part in _COMPUTING)


def _is_of_floats(node: Any) -> bool:
    types = [node.attr[name].type for name in _TYPES if name in node.attr]
    return not node.op.startswith(_PASSED_ON) and any(tf.as_dtype(one).is_floating for one in types if one)
