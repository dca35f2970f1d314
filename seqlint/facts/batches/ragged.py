"""`np.array` over samples of which nothing says that they have one shape."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.slices import is_slice
from seqlint.facts.code.tree import is_keyword
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batch
    from seqlint.facts.batches.samples import Samples
    from seqlint.facts.flow.call_frames import Flow, Frame

Raw = Literal["taken", "read", "heard"]
_ARRAYS = frozenset({"numpy.array", "numpy.asarray"})
_READS = frozenset({
    "cv2.imread", "imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "matplotlib.pyplot.imread", "skimage.io.imread",
    "PIL.Image.open", "keras.utils.load_img", "scipy.misc.imread",
})  # fmt: skip
_SOUNDS = {"librosa.load": 0, "soundfile.read": 0, "scipy.io.wavfile.read": 1}
_CUTS = ("duration", "frames", "stop")
_KEEP = frozenset({
    "numpy.array", "numpy.asarray", "numpy.float32", "numpy.fliplr", "numpy.flipud", "keras.utils.img_to_array", "cv2.cvtColor",
    "cv2.GaussianBlur", "cv2.flip",
})  # fmt: skip
_KEEP_METHODS = ("astype", "copy", "convert")
_MOST_STEPS = 8  # from one array to the next


@dataclass(frozen=True, eq=False)
class Ragged:
    """`np.array` over samples that nothing makes equal in shape.

    Attributes:
        call: the call of `np.array`.
        rows: the list of samples.
        raw: whether they are taken as they are from a list, read from image files and not resized, or from files of sound and
            not cut.
    """

    batch: Batch
    call: cst.Call
    rows: Traced
    raw: Raw


class RaggedArrays:
    """The arrays of one file that samples of unlike shape would break."""

    def __init__(self, flow: Flow, samples: Samples) -> None:
        self._samples = samples
        self._flow = flow
        self._tree = flow.tree
        self._names = flow.names
        self._values = flow.values

    @cached_property
    def all(self) -> tuple[Ragged, ...]:
        """Each `np.array` over samples of which nothing says that they have one shape, once; inputs alone."""
        found: dict[cst.CSTNode, Ragged] = {}
        for batch, position, item in self._samples.items():
            for part in self._samples.inner(item) if position == 0 else ():
                for call, frame in self._calls(part):
                    for rows in self._flow.trace(Traced(call.args[0].value, frame)):
                        raw = self._raw(rows)
                        if raw is not None:
                            found.setdefault(call, Ragged(batch, call, rows, raw))
        return tuple(found.values())

    def _calls(self, part: Traced, steps: int = _MOST_STEPS) -> Iterator[tuple[cst.Call, Frame]]:
        """The calls of `np.array` that a part is made by, through `/ 255.0` and `.astype(...)`."""
        for one in self._flow.trace(part) if steps else ():  # `x = x / 2` in a loop leads back to itself
            node = one.node
            if isinstance(node, cst.BinaryOperation):
                yield from self._calls(Traced(node.left, one.frame), steps - 1)
            elif isinstance(node, cst.Call):
                if self._names.qualified(node.func) in _ARRAYS and node.args and not node.args[0].star:
                    yield node, one.frame
                elif isinstance(node.func, cst.Attribute) and node.func.attr.value in _KEEP_METHODS:
                    yield from self._calls(Traced(node.func.value, one.frame), steps - 1)

    def _raw(self, rows: Traced) -> Raw | None:
        if isinstance(rows.node, cst.Subscript):
            return "taken" if self._is_part_of_list(rows.node) else None
        if not isinstance(rows.node, (cst.List, cst.ListComp, cst.Call)):
            return None
        if isinstance(rows.node, cst.List) and rows.node.elements:
            return None
        mapped = self._samples.mapped(rows.node)
        if mapped is not None and self._names.qualified(mapped.args[0].value) in _READS:
            return "read"
        inner = self._flow.handed(mapped, rows.frame) if mapped is not None else None
        given = [Traced(item, rows.frame) for item in self._samples.held(rows)] if inner is None else []
        given += self._flow.returned(inner) if inner is not None else ()
        kinds = {self._kind(one) for item in given for one in self._flow.trace(item)}
        return kinds.pop() if len(kinds) == 1 else None

    def _kind(self, item: Traced, steps: int = _MOST_STEPS) -> Raw | None:
        node = item.node
        if self._is_sound(item, steps):
            return "heard"
        if isinstance(node, cst.Name):
            return self._kind_of_opened(node, item.frame, steps) or (
                "taken" if self._is_taken(node, item.frame) else None
            )
        if isinstance(node, cst.BinaryOperation):
            return self._kind_of(node.left, item.frame, steps)
        if isinstance(node, cst.Subscript):
            return self._kind_of(node.value, item.frame, steps) if _keeps_sizes(node) else None
        if not isinstance(node, cst.Call):
            return None
        name = self._names.qualified(node.func) or ""
        if name in _READS:
            return "read" if "target_size" not in bound(node, ("path", "color_mode", "target_size")) else None
        if name in _KEEP and node.args:
            return self._kind_of(node.args[0].value, item.frame, steps)
        keeps = isinstance(node.func, cst.Attribute) and node.func.attr.value in _KEEP_METHODS
        return (
            self._kind_of(node.func.value, item.frame, steps)
            if keeps and isinstance(node.func, cst.Attribute)
            else None
        )

    def _is_sound(self, item: Traced, steps: int) -> bool:
        """`wave, rate = librosa.load(path)`, `librosa.load(path)[0]`, and what librosa works out along the time."""
        node = item.node
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        if len(bindings) == 1 and bindings[0].kind == "unpack" and bindings[0].value is not None:
            pair = self._tree.parents[self._tree.parents[bindings[0].node]]
            elements = [element.value for element in pair.elements] if isinstance(pair, cst.Tuple) else []
            place = self._sound_of(bindings[0].value)
            return place is not None and place < len(elements) and elements[place] is bindings[0].node
        if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
            number = node.slice[0].slice.value
            return isinstance(number, cst.Integer) and number.evaluated_value == self._sound_of(node.value)
        inner = node.value if isinstance(node, cst.Attribute) and node.attr.value == "T" else None
        if isinstance(node, cst.Call) and (self._names.qualified(node.func) or "").startswith("librosa.feature."):
            given = bound(node, ("y",)).get("y")
            inner = given.value if given is not None else None
        leaves = self._flow.trace(Traced(inner, item.frame)) if inner is not None and steps else ()
        return bool(leaves) and all(self._is_sound(leaf, steps - 1) for leaf in leaves)

    def _sound_of(self, call: cst.BaseExpression) -> int | None:
        """The place of the samples in what a call reads from a file of sound, all of it."""
        if not isinstance(call, cst.Call) or any(
            is_keyword(argument, word) for word in _CUTS for argument in call.args
        ):
            return None
        return _SOUNDS.get(self._names.qualified(call.func) or "")

    def _kind_of(self, node: cst.BaseExpression, frame: Frame, steps: int) -> Raw | None:
        if not steps:
            return None
        kinds = {self._kind(one, steps - 1) for one in self._flow.trace(Traced(node, frame))}
        return kinds.pop() if kinds in ({"read"}, {"heard"}) else None

    def _kind_of_opened(self, name: cst.Name, frame: Frame, steps: int) -> Raw | None:
        """`with Image.open(path) as image`."""
        bindings = self._names.reaching(name)
        opened = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "with" else None
        return self._kind_of(opened, frame, steps) if opened is not None else None

    def _is_taken(self, name: cst.Name, frame: Frame) -> bool:
        """The variable of a loop over a part of a list of arrays: `for grid in self.grids[start:end]`."""
        bindings = self._names.reaching(name)
        if len(bindings) != 1 or bindings[0].kind != "for" or bindings[0].value is None:
            return False
        leaves = self._flow.trace(Traced(bindings[0].value, frame))
        return bool(leaves) and all(self._is_part_of_list(leaf.node) for leaf in leaves)

    def _is_part_of_list(self, node: cst.BaseExpression | None) -> bool:
        if not isinstance(node, cst.Subscript) or len(node.slice) != 1 or not is_slice(self._flow.names, node):
            return False
        made = self._values.of(node.value)
        return bool(made) and all(isinstance(one, cst.ListComp) and self._makes_array(one.elt) for one in made)

    def _makes_array(self, node: cst.BaseExpression) -> bool:
        """An array of its own for each sample, as `np.random.rand(10, 10)` or `np.load(path)` makes it."""
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "astype":
            return self._makes_array(node.func.value)
        name = self._names.qualified(node.func) if isinstance(node, cst.Call) else None
        return name is not None and name.startswith("numpy.")


def _keeps_sizes(node: cst.Subscript) -> bool:
    """`image[..., ::-1]`, `image[:, :, 0]`, `image[..., None]`: height and width stay as they are."""
    parts = [part.slice for part in node.slice]
    if len(parts) < 2 or any(isinstance(p, cst.Slice) and (p.lower is not None or p.upper is not None) for p in parts):
        return False
    return not isinstance(parts[0], cst.Index) or isinstance(parts[0].value, cst.Ellipsis)
