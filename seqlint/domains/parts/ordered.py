"""Fits that get rows class by class where their order matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from seqlint.domains.orders.class_orders import ClassOrders
from seqlint.domains.parts.counted import inside
from seqlint.domains.parts.fed import Feds, is_of_keras
from seqlint.domains.sources.flows import Flows
from seqlint.run import Constant, Container, Generator, Instance, Result, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_SPLIT_PLACE, _SHUFFLE_PLACE = 6, 8
_MOST = 60


@dataclass(frozen=True, eq=False)
class Ordered:
    """A fit on rows that come class by class.

    Attributes:
        why: "arrays" that are not shuffled by `fit`, a "flow" of a folder, a "source" of batches of the program.
        step: the flow; None for others.
    """

    call: Call
    why: Literal["arrays", "flow", "source"]
    step: Result | None = None


class OrderedFits:
    """The fits of a run that get rows class by class."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._orders = run.domain(ClassOrders)
        self._feds = run.domain(Feds)

    def splits(self) -> Iterator[Call]:
        """Fits with a `validation_split` of rows that come class by class: the last classes alone are validated on."""
        for call in self._fits():
            share = self._given(call, "validation_split", _SPLIT_PLACE)
            if share is None or share.constant in (None, 0, 0.0) or call.result.keyword("validation_data") is not None:
                continue
            if self._orders.in_memory(self._feds.argument(call, "y")):
                yield call

    def unshuffled(self) -> Iterator[Ordered]:
        """Fits that train on rows class by class, since nothing shuffles them."""
        for call in self._fits():
            found = self._unshuffled(call)
            if found is not None:
                yield found

    def _fits(self) -> Iterator[Call]:
        for call in self._run.methods("fit", "fit_generator"):
            if call.result.op == "call" and call.result.receiver is not None and is_of_keras(self._run, call):
                yield call

    def _unshuffled(self, call: Call) -> Ordered | None:
        data = self._feds.argument(call, "x")
        only = data.only if data is not None else None
        shuffle = self._given(call, "shuffle", _SHUFFLE_PLACE)
        off = shuffle is not None and isinstance(shuffle.only, Constant) and shuffle.constant is False
        labels = self._feds.argument(call, "y")
        if labels is not None:
            return Ordered(call, "arrays") if off and self._orders.in_memory(labels) else None
        flow = self._run.domain(Flows).all.get(only) if isinstance(only, Result) else None
        if flow is not None:
            ordered = flow.constant("shuffle", True) is False and not flow.is_hidden and self._flow_is_ordered(only)
            return Ordered(call, "flow", flow.call.result) if ordered else None
        if isinstance(only, (Instance, Generator)) and any(self._orders.in_memory(each) for each in self._held(only)):
            return Ordered(call, "source")
        return None

    def _flow_is_ordered(self, found: Object | None) -> bool:
        """Whether a flow reads the folders of classes one after the other, or arrays that come so."""
        flow = self._run.domain(Flows).all[found]  # type: ignore[index]
        if flow.call.result.method == "flow_from_directory":
            return flow.constant("class_mode", "categorical") in ("categorical", "binary", "sparse")
        return flow.call.result.method == "flow" and self._orders.in_memory(flow.argument("y"))

    def _given(self, call: Call, name: str, place: int) -> Value | None:
        given = call.result.keyword(name)
        return call.result.args[place] if given is None and place < len(call.result.args) else given

    def _held(self, found: Object) -> list[Value]:
        """The lists and arrays that a source of batches keeps."""
        return [value for value in inside(self._run, found) if isinstance(value.only, (Container, Result, Tuple))][
            :_MOST
        ]
