"""Arrays of a batch that are stacks of images as they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.flow.call_frames import Flow
    from seqlint.facts.numbers.pixels import Pixels

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
    name, function = flow.tree.given_to(node), flow.tree.function(node)
    if name is None or function is None:
        return ()
    found: list[cst.BaseExpression] = []
    for change in flow.tree.inside_any(function.body, (cst.Call, cst.AugAssign)):
        found += _added(change, name)
    return tuple(found)


def _added(change: cst.CSTNode, name: str) -> tuple[cst.BaseExpression, ...]:
    """What `images.append(image)`, `images += [image]` and `images.extend([image, mirrored])` put into a list."""
    if isinstance(change, cst.AugAssign):
        return _items(change.value) if _is(change.target, name) and isinstance(change.operator, cst.AddAssign) else ()
    func = change.func if isinstance(change, cst.Call) and len(change.args) == 1 else None
    if not isinstance(change, cst.Call) or not isinstance(func, cst.Attribute) or not _is(func.value, name):
        return ()
    value = change.args[0].value
    return (value,) if func.attr.value == "append" else _items(value) if func.attr.value == "extend" else ()


def _items(several: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    """The items of a list that is written out; for anything else itself, of which nothing is known."""
    plain = isinstance(several, (cst.List, cst.Tuple)) and several.elements
    return tuple(element.value for element in several.elements) if plain else (several,)  # type: ignore[attr-defined]


def _is(node: cst.BaseExpression, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name
