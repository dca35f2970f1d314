"""Arrays of a batch that are stacks of images as they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.numbers.pixels import Pixels
    from seqlint.facts.values.frames import Flow

_STACKS = frozenset({"numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "numpy.concatenate"})
_MOST = 4


class PixelStacks:
    """The stacks of one file: `np.stack([np.asarray(Image.open(path)) for path in paths])`, or of a list that a loop fills."""

    def __init__(self, flow: Flow, pixels: Pixels) -> None:
        self._flow = flow
        self._pixels = pixels

    def dtype(self, array: Traced) -> str | None:
        """ "uint8" for what surely holds pixels as they were read, whatever function reads them; None if unsure."""
        return "uint8" if self._are_pixels(array, _MOST) else None

    def _are_pixels(self, array: Traced, steps: int) -> bool:
        return steps > 0 and all(self._is_of_pixels(one, steps) for one in self._flow.trace(array))

    def _is_of_pixels(self, one: Traced, steps: int) -> bool:
        node = one.node
        if node is None or self._pixels.dtype(node) is not None:
            return node is not None
        rows = self._rows(node)
        return bool(rows) and all(self._are_pixels(Traced(row, one.frame), steps - 1) for row in rows)

    def _rows(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
        """What an array or a list is put together from; none if that can't be told."""
        if isinstance(node, cst.ListComp):
            return (node.elt,)
        if isinstance(node, cst.List):
            return (*(element.value for element in node.elements), *appended(self._flow, node))
        stacks = isinstance(node, cst.Call) and self._flow.names.qualified(node.func) in _STACKS
        if not stacks or not isinstance(node, cst.Call) or not node.args or any(a.star for a in node.args):
            return ()
        return (node.args[0].value,) if len(node.args) == 1 or not _gives_dtype(node) else ()


def _gives_dtype(call: cst.Call) -> bool:
    return any(a.keyword is None or a.keyword.value == "dtype" for a in call.args[1:])


def appended(flow: Flow, node: cst.List | cst.Tuple) -> tuple[cst.BaseExpression, ...]:
    """What a list that starts like this is given later, in the same function."""
    name, function = flow.tree.variable(node), flow.tree.function(node)
    if name is None or function is None:
        return ()
    calls = (call for call in flow.tree.inside(function.body, cst.Call) if len(call.args) == 1)
    return tuple(call.args[0].value for call in calls if _appends(call, name))


def _appends(call: cst.Call, name: str) -> bool:
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value != "append":
        return False
    return isinstance(func.value, cst.Name) and func.value.value == name
