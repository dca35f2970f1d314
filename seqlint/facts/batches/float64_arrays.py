"""Arrays of a batch that are float64: where each of them becomes so on the way to the batch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.batches.stacks import PixelStacks, appended
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.numbers.dtypes import is_whole, with_number
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.numbers.pixels import Pixels
    from seqlint.facts.numbers.shapes import Shapes

Way = Literal["made", "asked", "divided"]
"""*made*: a constructor without a type. *asked*: `dtype=float`, `astype("float64")`. *divided*: whole numbers, divided or
multiplied by a float."""

_MADE = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full"})
_LISTS = frozenset({"numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "numpy.concatenate"})
_KEPT = frozenset({"reshape", "copy", "transpose", "squeeze", "swapaxes"})
_MOVES = frozenset({
    "numpy.expand_dims", "numpy.flip", "numpy.fliplr", "numpy.flipud", "numpy.moveaxis", "numpy.reshape", "numpy.roll", "numpy.rollaxis",
    "numpy.rot90", "numpy.squeeze", "numpy.swapaxes", "numpy.transpose",
})  # fmt: skip
_SIGNATURES = {"numpy.full": ("shape", "fill_value", "dtype"), "numpy.stack": ("first", "axis", "out", "dtype")}
_MOST = 200
_SETTERS = frozenset({
    "keras.backend.set_floatx", "keras.config.set_dtype_policy", "keras.config.set_floatx", "keras.mixed_precision.set_dtype_policy",
    "keras.mixed_precision.set_global_policy",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Float64Array:
    """One place.

    Attributes:
        node: the call or operation.
        dtype: what asks for float64, where something does: the argument's value.
        divided: the whole numbers that are divided.
    """

    maker: Maker
    way: Way
    node: cst.Call | cst.BinaryOperation
    dtype: cst.BaseExpression | None = None
    divided: cst.BaseExpression | None = None


class Float64Arrays:
    """The float64 arrays of one file."""

    def __init__(self, batches: Batches, numbers: Numbers, shapes: Shapes, pixels: Pixels) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._numbers = numbers
        self._shapes = shapes
        self._pixels = pixels
        self._stacks = PixelStacks(batches.flow, pixels)

    @cached_property
    def all(self) -> tuple[Float64Array, ...]:
        """Each place once, in reading order. Vectors are left out: they weigh nothing.

        None where the file wants float64.
        """
        found: dict[cst.CSTNode, Float64Array] = {}
        for maker in self._batches.makers:
            for batch in self._batches.of(maker):
                for whole in self._batches.values(batch):
                    for leaf in self._batches.leaves(whole):
                        for double in self._in(maker, leaf):
                            found.setdefault(double.node, double)
        if found and self._is_wanted():
            return ()
        return self._tree.order.sorted(found.values(), lambda double: double.node)

    def _is_wanted(self) -> bool:
        """Whether the file has Keras compute in float64: `keras.backend.set_floatx("float64")`."""
        calls = (call for call in self._tree.all(cst.Call) if self._names.qualified(call.func) in _SETTERS)
        return any(self._shapes.dtype(argument.value) == "float64" for call in calls for argument in call.args[:1])

    def _in(self, maker: Maker, leaf: Traced) -> Iterator[Float64Array]:
        """The places that make an array of a batch float64, or a part that makes the whole so."""
        seen: set[Traced] = set()
        stack = [leaf]
        while stack and len(seen) < _MOST:
            here = stack.pop()
            for whole in self._flow.trace(here):
                if whole in seen or whole.node is None or self._is_handed_in(maker, whole):
                    continue
                seen.add(whole)
                double = self._written(maker, whole)
                if double is not None:
                    yield double
                else:
                    stack += [Traced(part, whole.frame) for part in self._parts(whole)]

    def _is_handed_in(self, maker: Maker, whole: Traced) -> bool:
        """Whether an array is an argument that a generator is called with, made once for all of its batches."""
        around = maker.frame.caller
        return around is not None and around.around(whole.frame.function) is whole.frame

    # -- one expression ---------------------------------------------------------------------------------------------

    def _written(self, maker: Maker, whole: Traced) -> Float64Array | None:
        node = whole.node
        if isinstance(node, cst.BinaryOperation):
            return self._operation(maker, node, whole.frame)
        if not isinstance(node, cst.Call):
            return None
        name = self._names.qualified(node.func) or ""
        dtype = self._dtype(node, name)
        if dtype is not None:
            return Float64Array(maker, "asked", node, dtype) if self._shapes.dtype(dtype) == "float64" else None
        if name not in _MADE or any(a.star for a in node.args) or not self._has_rows(node):
            return None
        return Float64Array(maker, "made", node) if self._shapes.of(node).dtype == "float64" else None

    def _dtype(self, call: cst.Call, name: str) -> cst.BaseExpression | None:
        """What a call gives for the type of its array."""
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "astype" and call.args:
            return call.args[0].value
        if name not in _MADE | _LISTS:
            return None
        argument = bound(call, _SIGNATURES.get(name, ("first", "dtype"))).get("dtype")
        return argument.value if argument is not None else None

    def _has_rows(self, call: cst.Call) -> bool:
        """Whether an array surely has more than one axis."""
        shape = self._shapes.of(call).shape
        if shape is not None:
            return len(shape) > 1
        size = bound(call, ("shape",)).get("shape")
        value = self._flow.values.only(size.value) if size is not None else None
        if isinstance(value, cst.BinaryOperation):  # `(self.batch_size,) + self.shape`
            return isinstance(value.left, cst.Tuple) or isinstance(value.right, cst.Tuple)
        if not isinstance(value, (cst.Tuple, cst.List)):
            return isinstance(value, cst.Attribute) and value.attr.value == "shape"
        return len(value.elements) > 1 or any(isinstance(e, cst.StarredElement) for e in value.elements)

    def _is_number(self, node: cst.BaseExpression) -> bool:
        return self._numbers.value(node) is not None

    def _operation(self, maker: Maker, node: cst.BinaryOperation, frame: Frame) -> Float64Array | None:
        """`pixels / 255.0`, `labels * 0.5`."""
        for part, other in ((node.left, node.right), (node.right, node.left)):
            number = self._numbers.value(other)
            if number is None:
                continue
            dtype = self._shapes.of(part).dtype or self._pixels.dtype(part)
            dtype = dtype or self._stacks.dtype(Traced(part, frame))
            if is_whole(dtype) and with_number(dtype, node.operator, number) == "float64":
                return Float64Array(maker, "divided", node, None, part)
        return None

    def _parts(self, whole: Traced) -> tuple[cst.BaseExpression, ...]:
        """The parts whose type becomes that of the whole."""
        node = whole.node
        if isinstance(node, cst.BinaryOperation):
            return tuple(part for part in (node.left, node.right) if not self._is_number(part))
        if isinstance(node, cst.Subscript):
            return (node.value,) if isinstance(node.value, (cst.Name, cst.Call)) else ()
        if isinstance(node, cst.ListComp):
            return (node.elt,)
        if isinstance(node, (cst.List, cst.Tuple)):
            return (*(element.value for element in node.elements), *appended(self._flow, node))
        if not isinstance(node, cst.Call) or not node.args:
            return self._kept(node)
        name = self._names.qualified(node.func) or ""
        if name in _MOVES or (name in _LISTS and self._dtype(node, name) is None):
            return (node.args[0].value,)
        return self._kept(node)

    def _kept(self, node: cst.BaseExpression | None) -> tuple[cst.BaseExpression, ...]:
        """`x.reshape(...)` has the type of `x`."""
        func = node.func if isinstance(node, cst.Call) else None
        if not isinstance(func, cst.Attribute) or func.attr.value not in _KEPT:
            return ()
        return (func.value,) if self._names.qualified(func) is None else ()
