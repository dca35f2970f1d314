"""The weights of classes that `fit` gets: what they are, and which classes they name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.fit_labels import FitLabels
from seqlint.domains.models.objectives import Objective, Objectives
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.canonical_names import MODEL
from seqlint.knowledge.losses import BINARY, CATEGORICAL, SPARSE
from seqlint.knowledge.types import ARRAYS
from seqlint.run import Constant, Container, Generator, Instance, Result, Tuple, constant
from seqlint.run.attributes import inherits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

Fault = Literal["no dict", "texts", "generator", "weights too", "batch weights", "several outputs"]
"""*no dict*: an array, a list or a text; *texts* as keys; a Python *generator* as data; `fit` gets sample *weights, too*, or each batch has
them; a model with *several outputs*."""
_WITH_WEIGHTS = 3


@dataclass(frozen=True, eq=False)
class Misused:
    """A `class_weight` that Keras does not take.

    Attributes:
        made: the call that makes an array, such as `compute_class_weight`; None for all else.
    """

    call: Call
    fault: Fault
    made: Result | None = None


@dataclass(frozen=True, eq=False)
class Lacking:
    """A `class_weight` without some classes that the model has.

    Attributes:
        missing: the numbers of these classes.
        count: how many classes it has.
        only_one: whether it names a single class, as those do who want 1 for all others.
    """

    call: Call
    missing: tuple[int, ...]
    count: int
    only_one: bool


class ClassWeights:
    """The class weights of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._compiles = run.domain(Objectives)
        self._labels = run.domain(FitLabels)
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def misused(self) -> tuple[Misused, ...]:
        """Those that Keras 3 does not take."""
        return tuple(found for call, given in self._given() if (found := self._misused(call, given)) is not None)

    @cached_property
    def lacking(self) -> tuple[Lacking, ...]:
        """Those without a class."""
        return tuple(found for call, given in self._given() if (found := self._lacking(call, given)) is not None)

    def _given(self) -> Iterator[tuple[Call, Value]]:
        for call in self._run.methods("fit"):
            given = call.result.keyword("class_weight")
            if given is not None and constant(given) is not None and _is_of_model(call):
                yield call, given

    # -- what they are ------------------------------------------------------------------------------------------------

    def _misused(self, call: Call, given: Value) -> Misused | None:
        only = given.only
        if isinstance(only, Container) and only.kind == "dict":
            return self._dict(call, only)
        if self._is_no_dict(only):
            return Misused(call, "no dict", only if isinstance(only, Result) else None)
        return self._data(call) if only is not None else None

    def _is_no_dict(self, only: Object | None) -> bool:
        if isinstance(only, (Container, Tuple)):
            items = self._run.items(only)
            return items is None or not any(isinstance(item.only, Container) for item in items)
        if isinstance(only, Constant):
            return isinstance(only.value, (str, int, float))
        if not isinstance(only, Result) or only.op != "call":
            return False
        module, _, name = only.name.rpartition(".")
        return (module == "numpy" and name in ARRAYS) or (
            module.startswith("sklearn.utils") and name == "compute_class_weight"
        )

    def _dict(self, call: Call, only: Container) -> Misused | None:
        keys = [constant(key) for key in self._run.items(only) or ()]
        several = self._outputs(call.result.receiver) > 1
        if several:
            return Misused(call, "several outputs")
        if keys and all(isinstance(key, str) for key in keys):
            return Misused(call, "texts")
        return self._data(call)

    def _data(self, call: Call) -> Misused | None:
        """What speaks against class weights in the data."""
        weights = call.result.keyword("sample_weight")
        if weights is not None and constant(weights) is ...:
            return Misused(call, "weights too")
        data = self._labels.data(call)
        only = data.only if data is not None else None
        if isinstance(only, Generator):
            return Misused(call, "generator")
        return Misused(call, "batch weights") if self._has_weights(only) else None

    def _has_weights(self, data: Object | None) -> bool:
        """Whether each batch has sample weights."""
        if isinstance(data, Instance):
            found = [self._run.items(batch.value) for batch in self._run.batches if batch.source is data]
            return bool(found) and all(items is not None and len(items) == _WITH_WEIGHTS for items in found)
        if not isinstance(data, Result) or not self._pipelines.is_dataset(data):
            return False
        *steps, source = self._pipelines.line(data)
        if source.method != "from_tensor_slices" or any(
            step.method in ("map", "apply", "zip", "flat_map", "interleave") for step in steps
        ):
            return False
        given = self._pipelines.argument(source, "tensors")
        return given is not None and isinstance(given.only, Tuple) and len(given.only.items) == _WITH_WEIGHTS

    def _outputs(self, model: Object | None) -> int:
        """How many outputs a functional model surely has; 1 where that is not known."""
        if not isinstance(model, Result) or model.op != "call" or model.name != "keras.Model":
            return 1
        given = model.args[1] if len(model.args) > 1 else model.keyword("outputs")
        only = given.only if given is not None else None
        items = self._run.items(only) if isinstance(only, (Container, Tuple)) else None
        return len(items) if items else 1

    # -- which classes they name --------------------------------------------------------------------------------------

    def _lacking(self, call: Call, given: Value) -> Lacking | None:
        only = given.only
        compiled = next((each for each in self._compiles.all if call in each.uses), None)
        count = _count(compiled) if compiled is not None else None
        if count is None or not isinstance(only, Container) or only.kind != "dict":
            return None
        keys = [constant(key) for key in self._run.items(only) or ()]
        if not keys or not all(isinstance(key, int) and not isinstance(key, bool) for key in keys):
            return None
        missing = tuple(number for number in range(count) if number not in keys)
        return Lacking(call, missing, count, len(keys) == 1) if missing else None


def _count(compiled: Objective) -> int | None:
    """How many classes a model tells of."""
    loss, head = compiled.loss, compiled.head
    if loss is None or head is None or head.units is None or head.reshaped_by is not None:
        return None
    if loss.name in BINARY and head.units == 1:
        return 2
    return head.units if loss.name in CATEGORICAL | SPARSE and head.units > 1 else None


def _is_of_model(call: Call) -> bool:
    receiver = call.result.receiver
    if isinstance(receiver, Instance):
        own = {getattr(one, "name", "") for one in receiver.cls.node.body}
        return inherits(receiver.cls, MODEL) and own.isdisjoint({"fit", "train_step"})
    return call.name == "keras.Model.fit"
