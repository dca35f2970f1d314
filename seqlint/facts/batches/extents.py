"""Sizes that hang on the batch: padded to its own maximum, drawn."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.measures import Measures
from seqlint.facts.flow.call_frames import Frame, Traced
from seqlint.facts.values.values import Constant, bound
from seqlint.knowledge.array_constructors import CONSTRUCTORS, JOINS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.batches.samples import Samples
    from seqlint.facts.batches.varying import Varying

PADS = frozenset({
    "keras.utils.pad_sequences", "keras.preprocessing.sequence.pad_sequences", "keras.preprocessing.pad_sequences",
})  # fmt: skip
_BLANK = frozenset({"numpy.zeros", "numpy.ones", "numpy.full", "numpy.empty"})
_RESIZES = {
    "cv2.resize": ("src", "dsize"), "tensorflow.image.resize": ("images", "size"), "skimage.transform.resize": ("image", "output_shape"),
    "keras.utils.load_img": ("path", "color_mode", "target_size"),
}  # fmt: skip
_PADDED = frozenset({"numpy.pad", "tensorflow.pad"})
_LONGEST = (Constant(True), Constant("longest"))
_ORDERS = ("permutation", "shuffle", "sample")
MAX_STEPS = 6


@dataclass(frozen=True, eq=False)
class OwnSize:
    """A place that gives the arrays of a batch a size of its own.

    Attributes:
        node: the call or expression that does.
    """

    maker: Maker
    node: cst.BaseExpression


class Extents:
    """The sizes of the batches of one file."""

    def __init__(self, batches: Batches, varying: Varying, samples: Samples) -> None:
        self._batches = batches
        self._varying = varying
        self._samples = samples
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values
        self._measures = Measures(batches.flow)

    # -- padded to the maximum of the batch ---------------------------------------------------------------------------

    @cached_property
    def padded(self) -> tuple[OwnSize, ...]:
        """Where a batch is padded to the longest of its own samples, once for each place."""
        found: dict[cst.CSTNode, OwnSize] = {}
        for maker, frame, call in self._batches.calls:
            if self._pads(call, frame, maker) or any(self._is_longest(s, maker) for s in self._filled(call, frame)):
                found.setdefault(call, OwnSize(maker, call))
        for maker in self._batches.makers:
            for frame in self._batches.frames(maker):
                for node in self._fillers(frame):
                    if self._is_longest(Traced(node.left, frame), maker):
                        found.setdefault(node, OwnSize(maker, node))
        return tuple(place for place in found.values() if not self._is_lost(place))

    def _is_lost(self, place: OwnSize) -> bool:
        """Whether an array gets another size on the way: it is padded once more, or put into a larger one."""
        for frame in self._batches.frames(place.maker):
            function = frame.function
            calls = self._tree.inside(function.body, cst.Call) if function is not None else ()
            again = (call.args[0].value for call in calls if call is not place.node and self._resizes(call))
            if any(self._is_part(place, Traced(node, frame)) for node in again):
                return True
            if function is not None and any(self._is_pasted(place, t, frame) for t in self._stores(function)):
                return True
        return False

    def _resizes(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func)
        told = name in PADS and "maxlen" in bound(call, ("sequences", "maxlen"))
        return bool(call.args) and (told or name in _PADDED or name in _RESIZES) and not call.args[0].star

    def _is_part(self, place: OwnSize, value: Traced) -> bool:
        return any(found.node is place.node for found in self._flow.mentioned(value))

    def _stores(self, function: cst.FunctionDef) -> Iterator[tuple[cst.Subscript, cst.BaseExpression]]:
        """`page[:, :width] = rows`: where an array is put into another one."""
        for target in self._tree.inside(function.body, cst.AssignTarget):
            assign = self._tree.parents[target]
            if isinstance(target.target, cst.Subscript) and isinstance(assign, cst.Assign):
                yield target.target, assign.value

    def _is_pasted(self, place: OwnSize, store: tuple[cst.Subscript, cst.BaseExpression], frame: Frame) -> bool:
        page, rows = Traced(store[0].value, frame), Traced(store[1], frame)
        return not self._is_part(place, page) and self._is_part(place, rows) and not self._is_longest_of(page, place)

    def _is_longest_of(self, page: Traced, place: OwnSize) -> bool:
        """Whether the larger array is as long as the longest sample itself."""
        made = (one for one in self._flow.trace(page) if isinstance(one.node, cst.Call))
        sizes = (size for one in made for size in self._filled(one.node, one.frame))  # type: ignore[arg-type]
        return any(self._is_longest(size, place.maker) for size in sizes)

    def _pads(self, call: cst.Call, frame: Frame, maker: Maker) -> bool:
        """`pad_sequences(x)` and `pad_sequences(x, maxlen=max(...))` of samples of this batch; `zip_longest(*x)`; `tokenizer(x, padding=True)`."""
        name = self._names.qualified(call.func)
        if name == "itertools.zip_longest":
            rows = [argument.value for argument in call.args if argument.star == "*"]
            return len(rows) == 1 and self._becomes_array(call) and self._is_of_batch(rows[0], frame, maker)
        if any(argument.star for argument in call.args):
            return False
        if name not in PADS:
            return self._is_tokenized(call) and self._is_of_batch(call.args[0].value, frame, maker)
        given = bound(call, ("sequences", "maxlen"))
        if "sequences" not in given or not self._is_of_batch(given["sequences"].value, frame, maker):
            return False
        if "maxlen" not in given or self._values.constant(given["maxlen"].value) == Constant(None):
            return True
        return self._is_longest(Traced(given["maxlen"].value, frame), maker)

    def _is_tokenized(self, call: cst.Call) -> bool:
        """A tokenizer of transformers that pads to the longest text: no other takes both of these words."""
        given = {argument.keyword.value: argument.value for argument in call.args if argument.keyword is not None}
        if call.args and call.args[0].keyword is None and "return_tensors" in given:
            return "padding" in given and self._values.constant(given["padding"]) in _LONGEST
        return False

    def _becomes_array(self, call: cst.Call) -> bool:
        """`np.array(list(zip_longest(...)))`."""
        around = (found for found in self._tree.ancestors(call) if isinstance(found, (cst.Call, cst.FunctionDef)))
        calls = itertools.takewhile(lambda found: isinstance(found, cst.Call), around)
        names = (self._names.qualified(found.func) or "" for found in calls if isinstance(found, cst.Call))
        return any(name.startswith(("numpy.", "tensorflow.", "keras.")) for name in names)

    def _is_of_batch(self, node: cst.BaseExpression, frame: Frame, maker: Maker) -> bool:
        """Whether samples are those of one batch, and not rows of an array, which have one length."""
        if not self._varying.varies(Traced(node, frame), maker):
            return False
        for row in self._batches.rows(Traced(node, frame)):
            if isinstance(row.node, cst.Subscript):
                made = [
                    self._names.qualified(v.func) if isinstance(v, cst.Call) else None
                    for v in self._values.of(row.node.value)
                ]
                if any(name is not None and name.startswith(("numpy.", "keras.")) for name in made):
                    return False
        return True

    def _filled(self, call: cst.Call, frame: Frame) -> Iterator[Traced]:
        """The sizes of a blank array, but for the number of its rows."""
        name = self._names.qualified(call.func)
        if name not in _BLANK or "shape" not in (given := bound(call, CONSTRUCTORS[name or ""].parameters)):
            return
        for shape in self._flow.trace(Traced(given["shape"].value, frame)):
            yield from self._sizes(shape)

    def _sizes(self, shape: Traced) -> Iterator[Traced]:
        if isinstance(shape.node, cst.Tuple):
            yield from (Traced(element.value, shape.frame) for element in shape.node.elements[1:])
        elif isinstance(shape.node, cst.BinaryOperation):  # `(many,) + size`
            yield Traced(shape.node.right, shape.frame)

    def _fillers(self, frame: Frame) -> Iterator[cst.BinaryOperation]:
        """`longest - len(x)` in `[0] * (longest - len(x))` and in `np.pad(x, (0, longest - len(x)))`."""
        for node in self._tree.inside(frame.function.body, cst.BinaryOperation) if frame.function is not None else ():
            if isinstance(node.operator, cst.Subtract) and self._is_filler(node):
                yield node

    def _is_filler(self, node: cst.BinaryOperation) -> bool:
        parent = self._tree.parents[node]
        if isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Multiply):
            return isinstance(parent.left, cst.List) or isinstance(parent.right, cst.List)
        call = self._tree.enclosing(node, cst.Call, cst.FunctionDef)
        return isinstance(call, cst.Call) and self._names.qualified(call.func) in _PADDED

    def _is_longest(self, size: Traced, maker: Maker) -> bool:
        """Whether a size is the maximum of the lengths of the samples of a batch: `max(len(x) for x in batch)`."""
        return any(
            self._measures.is_longest(one) and self._varying.varies(one, maker) for one in self._flow.mentioned(size)
        )

    # -- drawn --------------------------------------------------------------------------------------------------------

    @cached_property
    def drawn(self) -> tuple[OwnSize, ...]:
        """Where the size of the arrays of a batch is drawn, the first place of each maker: one draw gives all their sizes."""
        found: dict[Maker, OwnSize] = {}
        for batch, _, item in self._samples.items():
            for leaf in self._batches.leaves(item):
                for made, axes in self._made(leaf):
                    if made.node is not None and any(self.is_drawn(size) for size in self._sizes_of(made, axes)):
                        found.setdefault(batch.maker, OwnSize(batch.maker, made.node))
        return tuple(found.values())

    def _made(self, leaf: Traced) -> Iterator[tuple[Traced, int]]:
        """What makes an array, or each sample of it, with the first axis that all batches have to have alike."""
        yield from ((whole, 1) for whole in self._shaped(leaf, MAX_STEPS))
        for rows in self._batches.rows(leaf):
            yield rows, 1
            if isinstance(rows.node, (cst.List, cst.ListComp)):
                for held in self._samples.held(rows):
                    yield from ((sample, 0) for sample in self._batches.rows(Traced(held, rows.frame)))

    def _shaped(self, leaf: Traced, steps: int) -> Iterator[Traced]:
        """What a value has its shape from, through arithmetic and casts."""
        for whole in self._flow.trace(leaf):
            yield whole
            node = whole.node
            if isinstance(node, cst.BinaryOperation):
                inner = node.left if not isinstance(node.left, (cst.Integer, cst.Float)) else node.right
            elif (
                isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "astype"
            ):
                inner = node.func.value
            else:
                continue
            yield from self._shaped(Traced(inner, whole.frame), steps - 1) if steps else ()

    def _sizes_of(self, made: Traced, axes: int) -> Iterator[Traced]:
        node = made.node
        if isinstance(node, cst.Subscript):
            for part in node.slice[axes:]:
                yield from (Traced(size, made.frame) for size in self._lengths(part.slice))
        if not isinstance(node, cst.Call):
            return
        yield from self._filled(node, made.frame)
        name = self._names.qualified(node.func)
        given = bound(node, _RESIZES.get(name or "", ("size",)))
        method = isinstance(node.func, cst.Attribute) and node.func.attr.value == "resize" and name is None
        size = (
            list(given.values())[-1:]
            if name in _RESIZES and len(given) > 1
            else [given["size"]]
            if method and "size" in given
            else []
        )
        if name == "keras.utils.load_img":
            size = [given["target_size"]] if "target_size" in given else []
        for argument in size:
            for shape in self._flow.trace(Traced(argument.value, made.frame)):
                yield from [Traced(part, shape.frame) for part in _written_out(shape.node)] or [shape]

    def is_drawn(self, size: Traced, steps: int = MAX_STEPS) -> bool:
        """Whether a number is a draw, or worked out from one, or an attribute that a method sets to one."""
        return steps > 0 and any(self._is_draw(one, steps) for one in self._flow.trace(size))

    def _is_draw(self, one: Traced, steps: int) -> bool:
        node = one.node
        if isinstance(node, cst.Call):
            order = isinstance(node.func, cst.Attribute) and node.func.attr.value in _ORDERS
            drawn = self._varying.is_draw(node) and not order
            number = (self._names.qualified(node.func) or "").startswith(("builtins.", "math.", "numpy."))
            inner = node.args if number and self._names.qualified(node.func) not in JOINS else ()
            return drawn or any(self.is_drawn(Traced(a.value, one.frame), steps - 1) for a in inner)
        if isinstance(node, cst.BinaryOperation):
            sides = (node.left, node.right)
            return any(self.is_drawn(Traced(side, one.frame), steps - 1) for side in sides)
        if isinstance(node, cst.Subscript):
            index = node.slice[0].slice
            return isinstance(index, cst.Index) and self.is_drawn(Traced(index.value, one.frame), steps - 1)
        return isinstance(node, cst.Attribute) and self._is_set_to_draw(node, one.frame, steps)

    def _is_set_to_draw(self, node: cst.Attribute, frame: Frame, steps: int) -> bool:
        """`self.size`, where a method other than `__init__` stores a draw."""
        owner = frame.owner
        if owner is None or self._values.self_class(node.value) is None:
            return False
        for target in self._tree.inside(owner.node, cst.Attribute):
            stored = self._values.stored(target) if target.attr.value == node.attr.value else None
            function = self._tree.function(target)
            if stored is None or stored[0] is None or function is None or function.name.value == "__init__":
                continue
            if self.is_drawn(Traced(stored[0], Frame(function, owner, frame.runtime)), steps - 1):
                return True
        return False

    def _lengths(self, part: cst.BaseSlice) -> list[cst.BaseExpression]:
        """The bound of `[:length]` or `[start:]`, the length of `[start : start + length]`; other two may lie a fixed way apart."""
        if not isinstance(part, cst.Slice) or part.step is not None:
            return []
        given = [each for each in (part.lower, part.upper) if each is not None]
        if len(given) == 1:
            return given
        end = part.upper
        if part.lower is None or not isinstance(end, cst.BinaryOperation) or not isinstance(end.operator, cst.Add):
            return []
        start = self._tree.text(part.lower)
        return [other for one, other in ((end.left, end.right), (end.right, end.left)) if self._tree.text(one) == start]


def _written_out(shape: cst.BaseExpression | None) -> tuple[cst.BaseExpression, ...]:
    """The sizes of `(height, width)`, `[height, width]` and `(side,) * 2`; none for anything else."""
    if isinstance(shape, cst.BinaryOperation) and isinstance(shape.operator, cst.Multiply):
        return _written_out(shape.left) or _written_out(shape.right)
    elements = shape.elements if isinstance(shape, (cst.Tuple, cst.List)) else ()
    return tuple(element.value for element in elements)
