"""Augmented assignments to an array on the way to a batch that NumPy refuses: `pixels /= 255.0` with pixels of uint8."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.stacks import PixelStacks
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.numbers.dtypes import is_float, is_whole
from seqlint.knowledge.array_constructors import CONSTRUCTORS, JOINS, LIKE, STACKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.numbers.loaded import LoadedPixels
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.numbers.pixels import Pixels
    from seqlint.facts.numbers.shapes import Shapes

_FLOATING = (
    cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.PowerAssign, cst.FloorDivideAssign, cst.ModuloAssign,
)  # fmt: skip
_ARRAYS = frozenset(name for name in STACKS | JOINS | LIKE if name.startswith("numpy.")) | {"numpy.arange"}
_AVERAGES = frozenset({"numpy.mean", "numpy.std", "numpy.average"})
_AVERAGE_METHODS = ("mean", "std")
_ANY_TYPE = frozenset(
    {"PIL.Image.open", "imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "scipy.misc.imread"}
)
_MAX_STEPS = 8


@dataclass(frozen=True, eq=False)
class Refused:
    """One place.

    Attributes:
        dtype: that of the array.
        by_file: whether it is the type of common image files, and the file could hold another.
    """

    maker: Maker
    node: cst.AugAssign
    dtype: str
    by_file: bool


class RefusedUpdates:
    """The updates of one file that NumPy refuses."""

    def __init__(
        self, batches: Batches, numbers: Numbers, shapes: Shapes, pixels: Pixels, loaded: LoadedPixels
    ) -> None:
        self._batches = batches
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values
        self._numbers = numbers
        self._shapes = shapes
        self._pixels = pixels
        self._loaded = loaded
        self._stacks = PixelStacks(batches.flow, pixels)

    @cached_property
    def all(self) -> tuple[Refused, ...]:
        """Each place once, in reading order."""
        found: dict[cst.AugAssign, Refused] = {}
        for maker in self._batches.makers:
            for frame in self._batches.frames(maker):
                for node in self._updates(frame):
                    refused = self._refused(maker, frame, node)
                    if refused is not None:
                        found.setdefault(node, refused)
        return self._tree.order.sorted(found.values(), lambda refused: refused.node)

    def _updates(self, frame: Frame) -> Iterator[cst.AugAssign]:
        """Those of a function itself that are not inside a `try` or a test of the type."""
        for node in self._tree.inside(frame.function.body, cst.AugAssign) if frame.function is not None else ():
            if self._tree.function(node) is frame.function and not self._is_guarded(node, frame):
                yield node

    def _refused(self, maker: Maker, frame: Frame, node: cst.AugAssign) -> Refused | None:
        if not isinstance(node.operator, cst.DivideAssign) and not self._makes_float(node):
            return None
        target = node.target
        if not isinstance(target, (cst.Name, cst.Attribute, cst.Subscript)) or not self._is_array(target, _MAX_STEPS):
            return None
        dtype = self._shapes.of(target).dtype or self._pixels.dtype(target)
        dtype = dtype or self._stacks.dtype(Traced(target, frame)) or self._loaded.dtype(target)
        if dtype is None or not (is_whole(dtype) or dtype == "bool"):
            return None
        return Refused(maker, node, dtype, self._is_by_file(Traced(target, frame)))

    def _makes_float(self, node: cst.AugAssign) -> bool:
        """Whether an operation other than a division surely gives floats: by a float, or by an average."""
        value = node.value
        if not isinstance(node.operator, _FLOATING):
            return False
        if isinstance(self._numbers.value(value), float) or is_float(self._shapes.of(value).dtype):
            return True
        made = self._values.only(value)
        if not isinstance(made, cst.Call) or any(_is_named(argument, "dtype", "out") for argument in made.args):
            return False
        if self._names.qualified(made.func) in _AVERAGES:
            return True
        func = made.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in _AVERAGE_METHODS:
            return False
        return func.value.deep_equals(node.target) or self._is_array(func.value, _MAX_STEPS)  # `x -= x.mean()`

    # -- arrays -----------------------------------------------------------------------------------------------------

    def _is_array(self, node: cst.BaseExpression, steps: int) -> bool:
        """Whether a value is surely an array of NumPy, and not a number from one, a tensor or a Series."""
        if steps == 0:
            return False
        if isinstance(node, (cst.Name, cst.Attribute)) and self._loaded.is_whole(node):
            return True
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            return bool(bindings) and all(self._is_bound(binding, node, steps) for binding in bindings)
        found = self._values.of(node)
        if found != (node,):
            return all(value is not None and self._is_array(value, steps - 1) for value in found)
        if isinstance(node, cst.Subscript):
            return self._takes_rows(node, steps) and self._is_array(node.value, steps - 1)
        return isinstance(node, cst.Call) and self._is_made(node, steps)

    def _is_bound(self, binding: Binding, name: cst.Name, steps: int) -> bool:
        if binding.kind == "assign" and binding.value is not None:
            return self._is_array(binding.value, steps - 1)
        if binding.kind != "parameter":
            return False
        found = self._values.of(name)
        return all(value is not None and self._is_array(value, steps - 1) for value in found)

    def _is_made(self, call: cst.Call, steps: int) -> bool:
        name, func = self._names.qualified(call.func) or "", call.func
        if name in _ARRAYS or self._pixels.dtype(call) is not None:
            return True
        if name.startswith("numpy.") and name in CONSTRUCTORS:
            how = CONSTRUCTORS[name]
            return how.shape == "shape" or bool(self._shapes.of(call).rank)
        if not isinstance(func, cst.Attribute) or func.attr.value not in ("astype", "copy") or name:
            return False
        return self._is_array(func.value, steps - 1)

    def _takes_rows(self, node: cst.Subscript, steps: int) -> bool:
        """Whether an index surely leaves an array: `images[4:8]`, `images[:, 0]`, or one item where there are more axes."""
        if any(isinstance(item.slice, cst.Slice) for item in node.slice):
            return True
        if (self._shapes.of(node).rank or 0) > 0:
            return True
        index = node.slice[0].slice
        value = self._values.only(index.value) if isinstance(index, cst.Index) and len(node.slice) == 1 else None
        if isinstance(value, cst.Call) and self._names.qualified(value.func) == "builtins.slice":
            return True
        return value is not None and (isinstance(value, (cst.List, cst.ListComp)) or self._is_array(value, steps - 1))

    # -- doubts -----------------------------------------------------------------------------------------------------

    def _is_by_file(self, target: Traced) -> bool:
        calls = [part.node for part in self._batches.flow.mentioned(target) if isinstance(part.node, cst.Call)]
        if any(isinstance(c.func, cst.Attribute) and c.func.attr.value in ("convert", "astype") for c in calls):
            return False
        return any(self._names.qualified(call.func) in _ANY_TYPE for call in calls)

    def _is_guarded(self, node: cst.CSTNode, frame: Frame) -> bool:
        here: Frame | None = frame
        while here is not None:
            if self._is_inside_guard(node, here.function):
                return True
            at = here.call or here.handed
            if at is None:
                return False
            node, here = at, here.caller
        return False

    def _is_inside_guard(self, node: cst.CSTNode, function: cst.FunctionDef | None) -> bool:
        for found in self._tree.ancestors(node):
            if found is function:
                return False
            if isinstance(found, cst.Try) and found.handlers and self._tree.holds(found.body, node):
                return True
            if isinstance(found, cst.If) and any(_asks(name.value) for name in self._tree.inside(found.test, cst.Name)):
                return True
        return False


def _asks(name: str) -> bool:
    """Whether a condition with this word tests the type of something."""
    return "dtype" in name or name in ("isinstance", "issubdtype", "floating", "type", "uint8")


def _is_named(argument: cst.Arg, *names: str) -> bool:
    return argument.keyword is not None and argument.keyword.value in names
