"""In which form labels reach a model, and which losses take them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

Labels = Literal["numbers", "rows"]
"""*numbers*: the number of a class for each row; *rows*: one place for each class."""
_MODES: dict[object, Labels] = {"int": "numbers", "binary": "numbers", "sparse": "numbers", "categorical": "rows"}
_LOADERS = {
    "image_dataset_from_directory": "int",
    "text_dataset_from_directory": "int",
    "audio_dataset_from_directory": "int",
}
_FLOWS = {"flow_from_directory": "categorical", "flow_from_dataframe": "categorical"}
_KEEP = frozenset({
    "prefetch", "cache", "shuffle", "repeat", "take", "skip", "shard", "with_options", "ignore_errors", "snapshot", "filter", "unbatch", "batch",
})  # fmt: skip
"""Steps that leave labels as they are."""
_LOSSES: dict[str, Labels] = {
    "categorical_crossentropy": "rows", "CategoricalCrossentropy": "rows", "CategoricalFocalCrossentropy": "rows",
    "categorical_focal_crossentropy": "rows", "sparse_categorical_crossentropy": "numbers", "SparseCategoricalCrossentropy": "numbers",
}  # fmt: skip
_FIT = {"fit": ("x", 0), "fit_generator": ("generator", 0), "evaluate": ("x", 0)}


@dataclass(frozen=True, eq=False)
class Unfit:
    """A loss that does not take the labels that a model is trained on.

    Attributes:
        compiled, loss: the call of `compile`, and the name of its loss.
        source: what loads the labels.
        labels: what they are.
        mode: the mode that they are loaded in.
    """

    compiled: Call
    loss: str
    source: Result
    labels: Labels
    mode: str


class LabelForms:
    """The labels that models of a run are trained on."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def unfit(self) -> tuple[Unfit, ...]:
        """The losses that don't take the labels that they get."""
        return tuple(self._unfit())

    def _unfit(self) -> Iterator[Unfit]:
        for call in self._run.calls:
            if call.result.method not in _FIT or call.result.receiver is None:
                continue
            compiled = self._compiled(call)
            loss = self._loss(compiled) if compiled is not None else ""
            source = self._source(call)
            if compiled is None or source is None or loss not in _LOSSES:
                continue
            mode = self._mode(source)
            if mode in _MODES and _MODES[mode] != _LOSSES[loss]:
                yield Unfit(compiled, loss, source, _MODES[mode], str(mode))

    # -- losses -----------------------------------------------------------------------------------------------------

    def _compiled(self, fit: Call) -> Call | None:
        """The last `compile` of the same model before a fit."""
        earlier = [
            call
            for call in self._run.methods("compile")
            if call.result.receiver is fit.result.receiver and call.context.clock < fit.context.clock
        ]
        return earlier[-1] if earlier else None

    def _loss(self, compiled: Call) -> str:
        """The name of the loss; empty where it is not known."""
        value = compiled.result.keyword("loss")
        if value is None and len(compiled.result.args) > 1:
            value = compiled.result.args[1]
        only = value.only if value is not None else None
        if isinstance(only, Constant):
            return str(only.value)
        if isinstance(only, Result) and only.op == "call" and only.name.startswith("keras.losses."):
            return only.method
        name = getattr(only, "name", "")
        return (
            name.rpartition(".")[2]
            if isinstance(name, str) and name.startswith(("keras.losses.", "keras.metrics."))
            else ""
        )

    # -- labels -----------------------------------------------------------------------------------------------------

    def _source(self, fit: Call) -> Result | None:
        """What loads the labels of a fit, where nothing changes them on the way."""
        name, place = _FIT[fit.result.method]
        value = fit.result.keyword(name)
        if value is None and place < len(fit.result.args):
            value = fit.result.args[place]
        only = value.only if value is not None else None
        if not isinstance(only, Result):
            return None
        if only.op == "call" and only.method in _FLOWS:
            return only
        if not self._pipelines.is_dataset(only):
            return None
        *steps, source = self._pipelines.line(only)
        if any(step.op == "call" and not self._keeps(step) for step in steps):
            return None
        return source if source.method in _LOADERS else None

    def _keeps(self, step: Result) -> bool:
        if step.method in _KEEP:
            return True
        found = self._run.returned(step)
        return step.method == "map" and bool(found) and all(self._keeps_second(value) for value in found)

    def _keeps_second(self, value: Value) -> bool:
        """Whether a function of `map` gives its second argument as the second part of a row."""
        only = value.only
        items = self._run.items(only) if only is not None else None
        label = items[1].only if items is not None and len(items) in (2, 3) else None
        return isinstance(label, Result) and label.op == "element" and label.name == "1"

    def _mode(self, source: Result) -> object:
        """How the labels are loaded; `...` where that is not known."""
        if self._pipelines.hides_arguments(source):
            return ...
        if source.method in _FLOWS:
            value = source.keyword("class_mode")
            default = _FLOWS[source.method]
        else:
            value, default = self._pipelines.argument(source, "label_mode"), _LOADERS[source.method]
            labels = self._pipelines.argument(source, "labels")
            if labels is not None and not _is(labels, "inferred"):
                return ...
        if value is None:
            return default
        only: Object | None = value.only
        return only.value if isinstance(only, Constant) else ...


def _is(value: Value, wanted: object) -> bool:
    return isinstance(value.only, Constant) and value.only.value == wanted


def loss_node(call: Call) -> ast.expr | None:
    """What is written for the loss in a call of `compile`."""
    node = call.node
    if not isinstance(node, ast.Call):
        return None
    named = next((keyword.value for keyword in node.keywords if keyword.arg == "loss"), None)
    plain = len(node.args) > 1 and not any(isinstance(arg, ast.Starred) for arg in node.args[:2])
    return named or (node.args[1] if plain else None)
