"""Whether a callback with `mode="auto"` takes more of a value for better, and whether more is better.

Measured with one epoch each on Keras 3.15.1, Keras 3.3.3 and tf-keras 2.21:

- Keras 3.10 and later looks for the metric that has the name: of its own classes it knows the direction, but for Mean, Sum,
  MeanMetricWrapper and counts such as TruePositives. For all else it raises ValueError: a function or metric of the program, a function such
  as `keras.metrics.binary_accuracy`, every value of several outputs ("val_kind_accuracy", "val_kind_loss"), a value that a callback adds.
- Keras 3.0 to 3.9 does so for EarlyStopping alone; ReduceLROnPlateau and ModelCheckpoint go by the name, as on Keras 2.
- Keras 2 goes by the name: EarlyStopping takes more for better where it ends in "acc", "accuracy" or "auc", ReduceLROnPlateau and
  ModelCheckpoint where it has "acc" in it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.models.asked import Asked
from seqlint.domains.models.compiles import Compiles
from seqlint.domains.models.metric_names import MetricNames
from seqlint.domains.models.outputs import ModelOutputs
from seqlint.knowledge.metrics import direction_of_class, direction_of_text, direction_of_word
from seqlint.run import Class, Constant, External, Function, Instance, Result
from seqlint.run.attributes import lineage
from seqlint.run.objects import Bound, itself

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.callbacks.monitors import Monitor
    from seqlint.knowledge.metrics import Direction
    from seqlint.model import KerasLine
    from seqlint.run import Object, Run

Auto = Literal["max", "min", "raises", "unknown"]
"""What `mode="auto"` comes to."""
_METRICS = "keras.metrics."
_ROOTS = (_METRICS, "keras.losses.")


class Directions:
    """The directions of the values that callbacks of a run watch."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._names = run.domain(MetricNames)
        self._logs = run.domain(FitLogs)

    def auto(self, monitor: Monitor, line: KerasLine) -> Auto:
        """What a callback with `mode="auto"` takes for better on a line of Keras."""
        kind, name = monitor.member.kind, monitor.name
        if line == "2" or (line == "3.0-3.9" and kind != "EarlyStopping"):
            if kind == "EarlyStopping":
                return "max" if name.endswith(("acc", "accuracy", "auc")) else "min"
            return "max" if "acc" in name or (kind == "ModelCheckpoint" and name.startswith("fmeasure")) else "min"
        return self._looked_up(monitor, line)

    def meant(self, monitor: Monitor) -> Direction:
        """Whether more is better, by the metric that has the name, else by what the name says."""
        bare = monitor.name.removeprefix("val_")
        if bare == "loss":
            return "min"
        known = {_of_keras(each) for each in self._metrics(monitor, "3.10+")}
        found = known.pop() if len(known) == 1 else None
        return found if found in ("max", "min") else direction_of_word(bare)

    def _looked_up(self, monitor: Monitor, line: KerasLine) -> Auto:
        bare = monitor.name.removeprefix("val_")
        if bare == "loss":
            return "min"
        if not self._logs.is_plain(monitor.fit):
            return "unknown"
        model = itself(monitor.fit.result.receiver)
        outputs = self._run.domain(ModelOutputs).of(model, line) if model is not None else None
        logged = self._logs.of(monitor.fit, line, monitor.way)
        if outputs is not None and not outputs.single and "" not in outputs.names:
            of_output = any(bare.startswith(f"{name}_") for name in outputs.names)
            return "raises" if of_output and bare in logged.names else "unknown"
        metrics = list(self._metrics(monitor, line))
        if len(metrics) != 1:
            return "unknown"
        found = _of_keras(metrics[0])
        return "unknown" if found is None else "raises" if found == "unknown" else found

    def _metrics(self, monitor: Monitor, line: KerasLine) -> Iterator[Object]:
        """The metrics of `compile` that surely have the name that is watched."""
        bare = monitor.name.removeprefix("val_")
        way = monitor.way | monitor.fit.context.guards
        for compiled in self._run.domain(Compiles).at(monitor.fit, way):
            if compiled is not None:
                for each in Asked(self._run, compiled, line, way).metrics:
                    if bare in self._names.of(each, line).names:
                        yield each


def _of_keras(found: Object) -> Direction | None:
    """What Keras 3 knows of a metric: unknown where it raises, None where nobody can tell."""
    if isinstance(found, Constant) and isinstance(found.value, str):
        return direction_of_text(found.value)
    if isinstance(found, (Function, Bound)):
        return "unknown"
    if isinstance(found, External) and found.name.startswith(_ROOTS):
        return "unknown" if found.name.endswith("accuracy") else None
    if (
        isinstance(found, Result)
        and found.op == "call"
        and found.name.startswith(_ROOTS)
        and found.method[:1].isupper()
    ):
        return direction_of_class(found.method)
    return _of_class(found.cls) if isinstance(found, Instance) else None


def _of_class(cls: Class) -> Direction | None:
    """A class of the program that leaves the direction to Keras."""
    above = lineage(cls)
    if any("_direction" in (getattr(node, "attr", ""), getattr(node, "id", "")) for node in _nodes(above)):
        return None
    base = next((each.name for each in above if isinstance(each, External) and each.name.startswith(_METRICS)), "")
    return direction_of_class(base.removeprefix(_METRICS)) if base else None


def _nodes(classes: list[Object]) -> Iterator[object]:
    for each in classes:
        if isinstance(each, Class):
            yield from ast.walk(each.node)
