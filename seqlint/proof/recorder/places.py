"""On which device a train step runs: where TensorFlow placed its operations, read from the graphs of the first step."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

_COMPUTING = ("MatMul", "Conv", "Einsum", "RNN", "_Fused", "Xla")
"""Parts of the names of operations that a GPU is for; others are placed on the CPU at times even there."""
_COMPILED = "_XlaMustCompile"


class Places:
    """The devices of each model's train step, by the number of the model in the order of their first step.

    Attributes:
        of_steps: devices of the operations that compute; those of the results where nothing is known of the operations.
    """

    def __init__(self, watched: bool) -> None:
        self._watched = watched
        self._collecting = False
        self.of_steps: dict[int, set[str]] = {}

    def begin(self, model: int) -> None:
        """Collect the graphs of the step that begins, if it is the model's first."""
        if self._watched and model not in self.of_steps and not self._collecting:
            _context().enable_graph_collection()
            self._collecting = True

    def end(self, model: int, logs: Any) -> None:
        """Note where the step that has ended ran, and where its results lie."""
        if self._collecting:
            self._collecting = False
            self.of_steps[model] = _computing(_collected())
        if self._watched and not self.of_steps.get(model):
            self.of_steps[model] = _devices(logs)


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
    variables = [weight if callable(value) else value for weight, value in zip(weights, values, strict=True)]
    return {str(getattr(variable, "device", "")) for variable in variables} - {""}


def _devices(logs: Any) -> set[str]:
    values = logs.values() if isinstance(logs, dict) else ()
    return {str(getattr(value, "device", "")) for value in values} - {""}


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
    return {node.device for graph in graphs for node in graph.node if node.device and _computes(node)}


def _computes(node: Any) -> bool:
    compiled = _COMPILED in node.attr and node.attr[_COMPILED].b
    return compiled or any(part in node.op for part in _COMPUTING)
