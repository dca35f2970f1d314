"""How what a function gives is built: tuples, lists and dicts down to arrays, for each place where it leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.flow.call_frames import Frame, Traced
from seqlint.facts.numbers import arrays
from seqlint.facts.numbers.arrays import UNKNOWN, Array

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batch, Batches, Maker
    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.numbers.pixels import Pixels
    from seqlint.facts.numbers.shapes import Shapes

FormKind = Literal["tuple", "list", "dict", "array", "none", "unknown"]
MAX_DEPTH = 6


@dataclass(frozen=True)
class Form:
    """One form that a value can have.

    Attributes:
        kind: "array" also for a number; "unknown" for all that can't be told.
        parts: the items of a tuple, list or dict.
        keys: of a dict, one for each part; "" for a key that is no literal.
        repeated: whether there is any number of such items, as a comprehension gives them.
        array: shape and type of an array.
    """

    kind: FormKind
    parts: tuple[Form, ...] = ()
    keys: tuple[str, ...] = ()
    repeated: bool = False
    array: Array = UNKNOWN


class Forms:
    """The forms of one file."""

    def __init__(self, batches: Batches, classes: Classes, numbers: Numbers, shapes: Shapes, pixels: Pixels) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._classes = classes
        self._numbers = numbers
        self._shapes = shapes
        self._pixels = pixels

    def made(self, maker: Maker) -> tuple[tuple[Batch, tuple[Form, ...]], ...]:
        """Each batch of a maker with all forms that it can have."""
        return tuple((batch, self.of(batch.value)) for batch in self._batches.of(maker))

    def returned(self, function: cst.FunctionDef) -> tuple[tuple[cst.BaseExpression | None, tuple[Form, ...]], ...]:
        """What a function returns at each place, with all forms that it can have there.

        An expression of None stands for a bare `return`, and for the end of a function that can run off it.
        """
        owner = self._flow.tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        inside = self._classes.of(owner) if isinstance(owner, cst.ClassDef) else None
        found = self._flow.returned(Frame(function, inside, inside))
        return tuple((traced.node, self.of(traced)) for traced in found)

    def of(self, value: Traced) -> tuple[Form, ...]:
        """All forms that a value can have, one for each place that makes it."""
        return self._of(value, MAX_DEPTH)

    def form(self, made: Traced) -> Form:
        """The form of one expression that makes a value."""
        return self._written(made, MAX_DEPTH)

    def _of(self, value: Traced, depth: int) -> tuple[Form, ...]:
        found = (self._written(whole, depth) for whole in self._flow.trace(value)) if depth else (Form("unknown"),)
        return tuple(dict.fromkeys(found))

    def _one(self, value: Traced, depth: int) -> Form:
        found = self._of(value, depth)
        return found[0] if len(found) == 1 else Form("unknown")

    def _written(self, whole: Traced, depth: int) -> Form:
        node = whole.node
        if node is None or (isinstance(node, cst.Name) and node.value == "None"):
            return Form("none")
        if isinstance(node, (cst.Tuple, cst.List)):
            return self._collection(node, whole.frame, depth)
        if isinstance(node, cst.Dict):
            return self._dict(node, whole.frame, depth)
        if isinstance(node, cst.ListComp):
            return Form("list", (self._one(Traced(node.elt, whole.frame), depth - 1),), repeated=True)
        number = self._numbers.value(node)
        array = self._shapes.of(node) if number is None else arrays.number(number)
        if array.dtype is None:
            array = replace(array, dtype=self._pixels.dtype(node) or self._scaled(node))
        known = array != UNKNOWN or self._is_array(node)
        return Form("array", array=array) if known else Form("unknown")

    def _scaled(self, node: cst.BaseExpression) -> str | None:
        """`images / 255.0` of pixels is float64."""
        divided = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Divide)
        pixels = self._pixels.dtype(node.left) if divided and isinstance(node, cst.BinaryOperation) else None
        return "float64" if pixels is not None and self._numbers.value(node.right) is not None else None  # type: ignore[attr-defined]

    def _collection(self, node: cst.Tuple | cst.List, frame: Frame, depth: int) -> Form:
        kind: FormKind = "tuple" if isinstance(node, cst.Tuple) else "list"
        starred = any(isinstance(element, cst.StarredElement) for element in node.elements)
        if starred or self._numbers.grows(node):
            return Form(kind, repeated=True)
        parts = (self._one(Traced(element.value, frame), depth - 1) for element in node.elements)
        return Form(kind, tuple(parts))

    def _dict(self, node: cst.Dict, frame: Frame, depth: int) -> Form:
        pairs = [element for element in node.elements if isinstance(element, cst.DictElement)]
        if len(pairs) != len(node.elements):
            return Form("dict", repeated=True)
        parts = (self._one(Traced(pair.value, frame), depth - 1) for pair in pairs)
        keys = (self._flow.values.constant(pair.key) for pair in pairs)
        names = (str(key.value) if key is not None and isinstance(key.value, str) else "" for key in keys)
        return Form("dict", tuple(parts), tuple(names))

    def _is_array(self, node: cst.BaseExpression) -> bool:
        """A call of NumPy gives an array, or a number."""
        name = self._flow.names.qualified(node.func) if isinstance(node, cst.Call) else None
        return name is not None and name.startswith("numpy.") and name != "numpy.load"


def described(form: Form) -> str:
    """A form in short: "tuple(array(32, 28, 28, 1) float32, array(?) int64)"."""
    if form.kind == "array":
        shape = form.array.shape
        sizes = "..." if shape is None else ", ".join("?" if size is None else str(size) for size in shape)
        return f"array({sizes}) {form.array.dtype or '?'}"
    if form.kind in ("none", "unknown"):
        return "None" if form.kind == "none" else "?"
    inner = [described(part) for part in form.parts]
    if form.keys:
        inner = [f"{key or '?'}: {part}" for key, part in zip(form.keys, inner, strict=True)]
    return f"{form.kind}({', '.join(inner)}{'...' if form.repeated else ''})"
