"""The items of a batch: those of a tuple or list, of the dicts in it, and of a `NamedTuple` of this file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.batches import parts_of
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.variables import Variables
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.flow.call_frames import Flow


@dataclass(frozen=True, eq=False)
class Item:
    """One item.

    Attributes:
        place: where it is given; for a default the call that leaves it at that.
        value: what it is.
        position: 0 for inputs, 1 for targets, 2 for weights; what a dict holds has that of the dict.
        whole: the tuple or list that holds it; None where a dict or `NamedTuple` does.
    """

    place: Traced
    value: Traced
    position: int
    whole: cst.Tuple | cst.List | None = None


class Items:
    """The items of the batches of one file."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._names = flow.names
        self._variables = Variables(flow)

    def of(self, whole: Traced) -> Iterator[Item]:
        """The items of a batch, each followed by those of the dict that it is."""
        for item in self._outermost(whole):
            yield item
            yield from self._of_dict(item)

    def _outermost(self, whole: Traced) -> Iterator[Item]:
        node = whole.node
        if isinstance(node, (cst.Tuple, cst.List)):
            for position, part in enumerate(parts_of(whole) or ()):
                yield Item(part, part, position, node)
        elif isinstance(node, cst.Call):
            yield from self._of_named_tuple(node, whole)

    def _of_named_tuple(self, call: cst.Call, whole: Traced) -> Iterator[Item]:
        made = self._names.definition(call.func)
        if not isinstance(made, cst.ClassDef) or any(argument.star for argument in call.args):
            return
        if {self._names.qualified(base.value) for base in made.bases} != {"typing.NamedTuple"}:
            return
        fields = {
            part.target.value: part.value
            for part in self._flow.tree.inside(made.body, cst.AnnAssign)
            if isinstance(part.target, cst.Name)
            and self._flow.tree.enclosing(part, cst.FunctionDef, cst.ClassDef) is made
        }
        given = bound(call, tuple(fields))
        for position, (name, default) in enumerate(fields.items()):
            value = given[name].value if name in given else default
            if value is not None:
                place = Traced(value, whole.frame) if name in given else whole
                yield Item(place, Traced(value, whole.frame), position)

    def _of_dict(self, item: Item) -> Iterator[Item]:
        """What a dict holds that is one in any case, and that nothing changes on its way."""
        trails = self._flow.trails(item.value)
        end = trails[0][-1] if len(trails) == 1 else None
        if end is None or not isinstance(end.node, cst.Dict) or not all(map(self._variables.is_read, trails[0])):
            return
        for part in parts_of(end) or ():
            yield Item(part, part, item.position)
