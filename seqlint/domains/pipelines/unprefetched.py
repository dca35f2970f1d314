"""Chains that the model waits for: TensorFlow was told to add no `prefetch`, and none is last."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Store, Value

_SWITCHES = {"autotune": ("enabled",), "experimental_optimization": ("inject_prefetch", "apply_default_optimizations")}
_PLAIN = frozenset({
    "from_tensor_slices", "from_tensors", "range", "shuffle", "repeat", "batch", "padded_batch", "cache", "with_options", "take", "skip",
    "map", "filter", "prefetch",
})  # fmt: skip
"""Steps that run when they are asked, or that make no rows."""
_BATCHES = ("batch", "padded_batch")
_WORKS = frozenset({*_BATCHES, "map"})
_UNSEEN = frozenset({"with_options", "prefetch", "take", "skip", "repeat"})


class Unprefetched:
    """The chains of a run that models are trained on, and that make no batch ahead of time."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @property
    def without(self) -> Iterator[Result]:
        """The last steps of chains that have no `prefetch`."""
        for line in self._lines:
            methods = [step.method for step in line]
            if "prefetch" not in methods and set(_BATCHES) & set(methods) and self._waits(line):
                yield line[0]

    @property
    def not_last(self) -> Iterator[Result]:
        """The `prefetch` steps after which there is still work to do."""
        for line in self._lines:
            methods = [step.method for step in line]
            place = methods.index("prefetch") if "prefetch" in methods else 0
            if _WORKS & set(methods[:place]) and self._waits(line[:place]):
                yield line[place]

    @property
    def _lines(self) -> Iterator[tuple[Result, ...]]:
        """The chains that `fit` reads, the last step first, whose options switch the added step off."""
        for reading in self._pipelines.readings:
            line = self._pipelines.line(reading.dataset)
            if reading.role in ("trained", "validated") and self._is_switched_off(line):
                yield line

    def _waits(self, line: tuple[Result, ...]) -> bool:
        """Whether no step of a chain runs ahead by itself: TensorFlow makes one such step of a `map` and a `batch` after it."""
        plain = all(step.method in _PLAIN for step in line) and not any(map(self._is_parallel, line))
        works = [step.method for step in line if step.method not in _UNSEEN]
        fused = any(one in _BATCHES and other == "map" for one, other in pairwise(works))
        return plain and not fused

    def _is_parallel(self, step: Result) -> bool:
        given = self._pipelines.argument(step, "num_parallel_calls")
        return given is not None or self._pipelines.hides_arguments(step)

    # -- options ----------------------------------------------------------------------------------------------------

    def _is_switched_off(self, line: tuple[Result, ...]) -> bool:
        if any(len(self._pipelines.parents(step)) > 1 for step in line):
            return False
        found = [self._setting(step) for step in line if step.method == "with_options"]
        return "off" in found and not {"on", "unknown"} & set(found)

    def _setting(self, step: Result) -> str:
        """What the options of a step say: *off*, *on*, nothing that matters, or *unknown*."""
        given = self._pipelines.argument(step, "options")
        options = given.only if given is not None else None
        if not isinstance(options, Result) or options.op != "call" or options.name != "tensorflow.data.Options":
            return "unknown"
        call, latest = self._run.call_of[step], dict[str, str]()
        for store in self._run.stores:
            switch = self._switch(store, options)
            if switch and store.context.clock < call.context.clock:
                sure = store.context.guards <= call.context.guards
                latest[switch] = _said(store.value) if sure else "unknown"
        values = set(latest.values())
        return next((each for each in ("unknown", "on", "off") if each in values), "")

    def _switch(self, store: Store, options: Object) -> str:
        """The name of the switch that is set; empty for other settings, and other options."""
        if store.owner is options:
            return store.name if store.name in _SWITCHES else ""
        part = store.owner
        if not isinstance(part, Result) or part.op != "attribute" or part.receiver is not options:
            return ""
        group = part.name.rpartition(".")[2]
        return f"{group}.{store.name}" if store.name in _SWITCHES.get(group, ()) else ""


def _said(value: Value) -> str:
    found = constant(value)
    return {True: "on", False: "off"}[found] if isinstance(found, bool) else "unknown"
