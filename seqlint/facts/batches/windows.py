"""How a Sequence cuts a batch out of its samples: `self.paths[index * size : (index + 1) * size]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import libcst as cst

from seqlint.facts.code.slices import first_index
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.batches.quantities import Quantities
    from seqlint.facts.flow.call_frames import Flow, Frame

_RANGES = ("builtins.range", "numpy.arange")
_WHOLE = ("builtins.int", "builtins.min")


@dataclass(frozen=True, eq=False)
class Window:
    """One place where the index of a batch picks its samples.

    Attributes:
        node: the subscript, or the call of `range` or `np.arange`.
        items: what is sliced; None for a range of numbers.
        size: how many samples a full batch has.
        ends_early: whether it gives the samples that are left where a full batch is not.
        bounds: where it starts and ends.
    """

    node: cst.Subscript | cst.Call
    items: Traced | None
    size: Traced
    ends_early: bool
    bounds: tuple[Traced, Traced]


class Windows:
    """The windows of the Sequences of a file."""

    def __init__(self, batches: Batches, quantities: Quantities) -> None:
        self._batches = batches
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree
        self._quantities = quantities
        self._found: dict[Maker, tuple[Window, ...]] = {}

    def of(self, maker: Maker) -> tuple[Window, ...]:
        """Every window on the way to a batch; none for a generator, which has no index."""
        if maker not in self._found:
            frames = self._batches.frames(maker) if maker.kind == "sequence" else ()
            found = (self._window(node, frame, maker) for frame in frames for node in self._places(frame))
            self._found[maker] = tuple(window for window in found if window is not None)
        return self._found[maker]

    def is_size(self, window: Window, node: cst.BaseExpression) -> bool:
        """Whether an expression is the number of samples in a full batch, in whichever function it stands."""
        found = self._flow.trace(window.size)
        return all(whole.node is not None and self._quantities.same(whole.node, node) for whole in found)

    def may_be_short(self, maker: Maker, counted: cst.CSTNode | None = None) -> bool:
        """Whether a batch may have fewer samples than others, as far as one can see.

        Every window ends early, and nothing else in the class asks for the size of a full one: a template that `__init__`
        makes for the labels of a batch would not fit. What counts the batches, wherever it stands, may ask.
        """
        windows = self.of(maker)
        if not windows or maker.owner is None or not all(window.ends_early for window in windows):
            return False
        used = {node for window in windows for bound in window.bounds for node in self._nodes(bound)}
        used |= set(self._tree.walk(counted)) if counted is not None else set()
        methods = [
            method for owner in maker.owner.lineage for name, method in owner.methods.items() if name != "__len__"
        ]
        nodes = [node for method in methods for node in self._tree.walk(method.body) if node not in used]
        return not any(self.is_size(windows[0], node) for node in nodes if self._is_number(node))

    def _is_number(self, node: cst.CSTNode) -> TypeGuard[cst.BaseExpression]:
        """Whether a node reads a number, but for what only keeps it: `self.size = size`, `super().__init__(size)`."""
        if not isinstance(node, (cst.Name, cst.Attribute, cst.Integer)):
            return False
        parent = self._tree.parents[node]
        if isinstance(parent, (cst.AssignTarget, cst.Param)) or (
            isinstance(node, cst.Name) and self._tree.is_label(node)
        ):
            return False
        parent = self._tree.parents[self._tree.parents[parent]] if isinstance(parent, cst.Element) else parent
        if isinstance(parent, cst.AssignTarget):
            return False
        if isinstance(parent, cst.Assign):
            return not all(isinstance(target.target, (cst.Attribute, cst.Tuple)) for target in parent.targets)
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
        return not (isinstance(call, cst.Call) and self._tree.text(call.func) == "super().__init__")

    def _nodes(self, bound: Traced) -> Iterator[cst.CSTNode]:
        for found in self._flow.mentioned(bound):
            if found.node is not None:
                yield from self._tree.walk(found.node)

    def limits(self, window: Window) -> tuple[Traced, ...]:
        """What the end of a window is held back to: the n of `min(start + size, n)`, and the other side."""
        ends = self._flow.trace(window.bounds[1])
        calls = [(e.node, e.frame) for e in ends if isinstance(e.node, cst.Call)]
        bounded = [each for each in calls if self._flow.names.qualified(each[0].func) == "builtins.min"]
        sides = (Traced(argument.value, frame) for call, frame in bounded for argument in call.args)
        return tuple(whole for side in sides for whole in (side, *self._flow.trace(side)))

    # -- one window -------------------------------------------------------------------------------------------------

    def _places(self, frame: Frame) -> Iterator[cst.Subscript | cst.Call]:
        if frame.function is None:
            return
        yield from self._tree.inside(frame.function.body, cst.Subscript)
        for call in self._tree.inside(frame.function.body, cst.Call):
            if self._flow.names.qualified(call.func) in _RANGES and len(call.args) == 2:
                yield call

    def _window(self, node: cst.Subscript | cst.Call, frame: Frame, maker: Maker) -> Window | None:
        bounds = self._bounds(node, frame)
        if bounds is None:
            return self._in_two_steps(node, frame, maker)
        size = self._start(bounds[0], maker)
        ends = self._ends(bounds[1], size, maker) if size is not None else ()
        if size is None or not ends:
            return None
        is_slice = isinstance(node, cst.Subscript)
        items = Traced(node.value, frame) if isinstance(node, cst.Subscript) else None
        return Window(node, items, size, is_slice or "bounded" in ends, bounds)

    def _in_two_steps(self, node: cst.Subscript | cst.Call, frame: Frame, maker: Maker) -> Window | None:
        """`paths[index * size :][:size]`."""
        end = _one_bound(node)
        wholes = self._flow.trace(Traced(node.value, frame)) if isinstance(node, cst.Subscript) and end else ()
        rest = wholes[0].node if len(wholes) == 1 else None
        start = _one_bound(rest) if isinstance(rest, cst.Subscript) else None
        if (
            end is None
            or end[0] is not None
            or start is None
            or start[0] is None
            or not isinstance(rest, cst.Subscript)
        ):
            return None
        bounds = Traced(start[0], wholes[0].frame), Traced(end[1], frame)
        size = self._start(bounds[0], maker)
        if size is None or not self._same(size, bounds[1]):
            return None
        return Window(node, Traced(rest.value, wholes[0].frame), size, True, bounds)

    def _bounds(self, node: cst.Subscript | cst.Call, frame: Frame) -> tuple[Traced, Traced] | None:
        if isinstance(node, cst.Call):
            return Traced(node.args[0].value, frame), Traced(node.args[1].value, frame)
        first = first_index(self._flow.names, node)
        if isinstance(first, cst.Slice):
            bare = first.lower is None or first.upper is None or first.step is not None
            return None if bare else (Traced(first.lower, frame), Traced(first.upper, frame))
        made = self._flow.trace(Traced(first.value, frame)) if isinstance(first, cst.Index) else ()
        call = made[0].node if len(made) == 1 else None
        if not isinstance(call, cst.Call) or self._flow.names.qualified(call.func) != "builtins.slice":
            return None
        inner = [Traced(argument.value, made[0].frame) for argument in call.args]
        return (inner[0], inner[1]) if len(inner) == 2 else None

    def _start(self, bound: Traced, maker: Maker) -> Traced | None:
        """The size in `index * size`."""
        sizes = [self._times_index(whole, maker, plus=0) for whole in self._flow.trace(bound)]
        return sizes[0] if len(sizes) == 1 else None

    def _ends(self, bound: Traced, size: Traced, maker: Maker) -> tuple[str, ...]:
        """How the end is worked out, where it can be a full batch behind the start: "plain", or "bounded" by `min`."""
        found: list[str] = []
        wholes = self._flow.trace(bound)
        for whole in wholes:
            node = whole.node
            if isinstance(node, cst.Call) and self._flow.names.qualified(node.func) == "builtins.min":
                parts = [Traced(argument.value, whole.frame) for argument in node.args]
                found += ["bounded"] if any(self._is_end(part, size, maker) for part in parts) else []
            elif self._is_end(whole, size, maker):
                found.append("plain" if len(wholes) == 1 else "bounded")
        return tuple(found)

    def _is_end(self, bound: Traced, size: Traced, maker: Maker) -> bool:
        """`(index + 1) * size`, `start + size`."""
        for whole in self._flow.trace(bound):
            node = whole.node
            if (found := self._times_index(whole, maker, plus=1)) is not None:
                return self._same(found, size)
            if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
                sides = (Traced(node.left, whole.frame), Traced(node.right, whole.frame))
                for one, other in (sides, sides[::-1]):
                    first = self._start(one, maker)
                    if first is not None and self._same(first, size) and self._same(other, size):
                        return True
        return False

    def _times_index(self, whole: Traced, maker: Maker, plus: int) -> Traced | None:
        """The other factor of a product with the index, or with one more than it."""
        node = whole.node
        if isinstance(node, cst.Call) and self._flow.names.qualified(node.func) == "builtins.int" and node.args:
            inner = self._flow.trace(Traced(node.args[0].value, whole.frame))
            return self._times_index(inner[0], maker, plus) if len(inner) == 1 else None
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Multiply):
            return None
        sides = (Traced(node.left, whole.frame), Traced(node.right, whole.frame))
        for one, other in (sides, sides[::-1]):
            if self._batches.is_index(one, maker) if plus == 0 else self._is_next(one, maker):
                return other
        return None

    def _is_next(self, traced: Traced, maker: Maker) -> bool:
        wholes = self._flow.trace(traced)
        node = wholes[0].node if len(wholes) == 1 else None
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Add):
            return False
        sides = (node.left, node.right)
        return any(
            self._batches.is_index(Traced(one, wholes[0].frame), maker)
            and isinstance(other, cst.Integer)
            and other.value == "1"
            for one, other in (sides, sides[::-1])
        )

    def _same(self, one: Traced, other: Traced) -> bool:
        """Whether two expressions are one size."""
        left, right = self._flow.trace(one), self._flow.trace(other)
        if len(left) != 1 or len(right) != 1 or left[0].node is None or right[0].node is None:
            return False
        return self._quantities.same(left[0].node, right[0].node)


def _one_bound(node: cst.CSTNode) -> tuple[cst.BaseExpression | None, cst.BaseExpression | None] | None:
    """The bounds of `rows[start:]` or `rows[:end]`, of which one is there; None for anything else."""
    part = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    if not isinstance(part, cst.Slice) or part.step is not None or (part.lower is None) is (part.upper is None):
        return None
    return part.lower, part.upper
