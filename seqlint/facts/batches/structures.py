"""Lists that stand for a structure inside a batch: several inputs, targets or weights that are not one array."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.batches import parts_of
from seqlint.facts.batches.inputs import Inputs
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.variables import Variables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batch, Batches
    from seqlint.facts.flow.call_frames import Flow, Frame
    from seqlint.facts.flow.call_graph import CallGraph

Trail = tuple[Traced, ...]
_SPLITS = frozenset({
    "numpy.split", "numpy.array_split", "numpy.hsplit", "numpy.vsplit", "numpy.dsplit", "tensorflow.split",
    "tensorflow.unstack",
})  # fmt: skip
_CONSTANTS = (cst.Integer, cst.Float, cst.SimpleString, cst.ConcatenatedString, cst.FormattedString, cst.Imaginary)
_BLANK = frozenset({"numpy.empty", "numpy.full", "numpy.ones", "numpy.zeros"})
_GROWS = frozenset({"append", "extend", "insert"})
_DEEPEST = 8  # lists in each other


@dataclass(frozen=True, eq=False)
class ListPart:
    """A list in a batch.

    Attributes:
        made: the expression that makes it.
        frame: the run of the function in which that stands.
        handed: where it leaves that function, on its way into the batch: the list itself, or the name that holds it.
        given: what the batch holds in its place: the list itself, a name, the call of a helper.
        outer: it is the whole batch.
        position: 0 for inputs, 1 for targets, 2 for weights.
        movable: whether all that reads the list on the way can read a tuple as well.
        only: whether `given` is this list in any case.
        blank: whether it is written as an empty list, and nothing is put into it.
    """

    batch: Batch
    made: cst.BaseExpression
    frame: Frame
    handed: cst.BaseExpression
    given: Traced
    outer: bool
    position: int
    movable: bool
    only: bool
    blank: bool


class Structures:
    """The lists in the batches of a file."""

    def __init__(self, batches: Batches, calls: CallGraph) -> None:
        self._batches = batches
        self._calls = calls
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._variables = Variables(batches.flow)
        self._inputs = Inputs(batches)

    @cached_property
    def lists(self) -> tuple[ListPart, ...]:
        """Each list once, with the first batch that it is in; the outermost list of a Sequence is not among them."""
        found: dict[tuple[cst.CSTNode, bool], ListPart] = {}
        for maker in self._batches.makers:
            for batch in self._batches.of(maker):
                for part in self._of(batch):
                    found.setdefault((part.made, part.outer), part)
        return self._tree.order.sorted(found.values(), lambda part: part.made)

    def _of(self, batch: Batch) -> Iterator[ListPart]:
        if batch.maker.kind == "generator":
            yield from self._lists(batch, batch.value, 0, outer=True)
        for whole in self._batches.values(batch):
            if isinstance(whole.node, (cst.Tuple, cst.List)):
                for position, part in enumerate(parts_of(whole) or ()):
                    yield from self._inside(batch, part, position, _DEEPEST)

    def _inside(self, batch: Batch, given: Traced, position: int, levels: int) -> Iterator[ListPart]:
        yield from self._lists(batch, given, position, outer=False)
        for whole in self._flow.trace(given):
            for part in parts_of(whole) or () if levels else ():  # `x = [x]` in a loop has no end
                if not isinstance(part.node, _CONSTANTS):
                    yield from self._inside(batch, part, position, levels - 1)

    def _lists(self, batch: Batch, given: Traced, position: int, outer: bool) -> Iterator[ListPart]:
        trails = self._flow.trails(given)
        ends = {trail[-1] for trail in trails}
        for trail in trails:
            made = trail[-1]
            if made.node is None or not self._is_structure(trail, outer):
                continue
            movable = all(self._variables.is_read(step) for step in trail) and self._is_private(trail)
            only = len(ends) == 1
            if self._is_opaque(made):  # a tuple of samples would be wrong too
                movable = only = False
            handed = next(step.node for step in trail if step.frame is made.frame and step.node is not None)
            blank = isinstance(made.node, cst.List) and not made.node.elements and not self._added(trail)
            yield ListPart(batch, made.node, made.frame, handed, given, outer, position, movable, only, blank)

    # -- what is a structure, and what a list of samples or numbers --------------------------------------------------

    def _is_structure(self, trail: Trail, outer: bool) -> bool:
        made = trail[-1]
        node, frame = made.node, made.frame
        if isinstance(node, cst.List):
            return self._is_literal(node, frame, trail, outer)
        if isinstance(node, cst.ListComp):
            return self._inputs.has(node.elt, node.for_in, frame)
        if isinstance(node, cst.BinaryOperation):
            return self._is_joined(node, frame) or self._is_filled(node, trail)
        if not isinstance(node, cst.Call) or not node.args:
            return False
        name = self._names.qualified(node.func)
        if name == "builtins.list" and len(node.args) == 1:
            return self._is_converted(node.args[0].value, frame) or self._is_opaque(made)
        return self._is_split(node)

    def _is_split(self, node: cst.BaseExpression | None) -> bool:
        """A call that gives a list of the parts of an array."""
        return isinstance(node, cst.Call) and self._names.qualified(node.func) in _SPLITS

    def _is_literal(self, node: cst.List, frame: Frame, trail: Trail, outer: bool) -> bool:
        if self._is_filled(node, trail):
            return True
        elements = [element.value for element in node.elements]
        added = self._added(trail)
        if added is None:
            return False
        if any(isinstance(element, cst.StarredElement) for element in node.elements):  # `[image, *targets]`
            plain = [e.value for e in node.elements if not isinstance(e, cst.StarredElement)]
            return bool(plain) and all(self._inputs.is_array(element, frame) for element in plain)
        every = [*elements, *added]
        if not every:  # no targets at all
            read = all(self._variables.is_read(step) for step in trail)
            return not outer and read and not self._is_reached_into(node)
        if any(self._is_number(element, frame) for element in every):
            return False
        return outer or len(every) > 1 or self._inputs.is_array(every[0], frame)

    def _is_reached_into(self, made: cst.BaseExpression) -> bool:
        """Whether a list stands in a variable that more is done with than to hand it on: `batch["ages"].append(age)`."""
        node: cst.CSTNode = made
        while isinstance(part := self._tree.parents[node], (cst.Element, cst.DictElement)):
            node = self._tree.parents[part]
        name = self._tree.given_to(node) if isinstance(node, cst.BaseExpression) else None
        function = self._tree.function(node)
        if name is None or function is None:
            return False
        uses = (use for use in self._tree.inside(function.body, cst.Name) if use.value == name)
        kinds = (cst.Subscript, cst.Attribute, cst.Arg, cst.For, cst.CompFor)
        return any(isinstance(self._tree.parents[use], kinds) for use in uses if not self._tree.is_label(use))

    def _is_filled(self, node: cst.BaseExpression, trail: Trail) -> bool:
        """`[None, None, None]` or `[None] * 3`, whose places are given arrays later: `grids[scale] = np.zeros(shape)`."""
        times = (
            node.right if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply) else None
        )
        blank = node.left if times is not None and isinstance(node, cst.BinaryOperation) else node
        items = [element.value for element in blank.elements] if isinstance(blank, cst.List) else []
        many = times.evaluated_value if isinstance(times, cst.Integer) else len(items) if times is None else 0
        if many < 2 or not items or any(not isinstance(item, cst.Name) or item.value != "None" for item in items):
            return False
        given = [(value, step.frame) for step in trail for value in self._stored(step)]
        return bool(given) and all(self._is_item(value, frame) for value, frame in given)

    def _is_item(self, value: cst.BaseExpression, frame: Frame) -> bool:
        """Whether an array is an item of its own; one that a loop makes may be a sample, but for a blank one."""
        if not isinstance(self._tree.enclosing(value, cst.For, cst.While, cst.FunctionDef), cst.FunctionDef):
            made = self._flow.trace(Traced(value, frame))
            calls = [each.node for each in made if isinstance(each.node, cst.Call)]
            return len(calls) == len(made) and all(self._names.qualified(call.func) in _BLANK for call in calls)
        return self._inputs.is_array(value, frame)

    def _stored(self, step: Traced) -> Iterator[cst.BaseExpression]:
        """What is given to the places of a list."""
        for use in self._variables.uses(step):
            place = self._tree.parents[use]
            target = self._tree.parents[place]
            assign = self._tree.parents[target]
            if isinstance(place, cst.Subscript) and place.value is use and isinstance(assign, cst.Assign):
                yield assign.value

    def _added(self, trail: Trail) -> list[cst.BaseExpression] | None:
        """What is put into the list later, once for each statement; None where a loop adds samples."""
        found: list[cst.BaseExpression] = []
        for step in trail:
            for node, items in self._additions(step):
                loop = self._tree.enclosing(node, cst.For, cst.While, cst.FunctionDef)
                if items is None:
                    return None
                if isinstance(loop, (cst.For, cst.While)) and not self._tree.holds(loop, trail[-1].node or loop):
                    each = isinstance(loop, cst.For) and all(self._inputs.has(i, loop, step.frame) for i in items)
                    if not each:
                        return None
                found += items
        return found

    def _additions(self, step: Traced) -> Iterator[tuple[cst.CSTNode, list[cst.BaseExpression] | None]]:
        """The statements that put items into the list, with these; None for items that can't be told."""
        for call in self._variables.calls(step):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in _GROWS:
                last = call.args[-1].value if call.args else None
                several = last if call.func.attr.value == "extend" else None
                yield call, _items(several) if several is not None or last is None else [last]
        for use in self._variables.uses(step):
            assign = self._tree.parents[use]
            if isinstance(assign, cst.AugAssign) and assign.target is use:  # `inputs += [image]`
                yield assign, _items(assign.value) if isinstance(assign.operator, cst.AddAssign) else None

    def _is_number(self, node: cst.BaseExpression, frame: Frame) -> bool:
        """A number or text, or one item of something: a list of those is to become an array."""
        if isinstance(node, cst.UnaryOperation):
            return self._is_number(node.expression, frame)
        if isinstance(node, _CONSTANTS) or (isinstance(node, cst.Name) and node.value in ("True", "False", "None")):
            return True
        if isinstance(node, cst.Call):
            return self._names.qualified(node.func) in (
                "builtins.int",
                "builtins.float",
                "builtins.len",
                "builtins.sum",
            )
        leaves = self._flow.trace(Traced(node, frame))
        return any(isinstance(leaf.node, _CONSTANTS) or self._is_counted(leaf) for leaf in leaves)

    def _is_counted(self, leaf: Traced) -> bool:
        """`labels[row]`, where a loop counts the row."""
        if not isinstance(leaf.node, cst.Subscript) or not isinstance(leaf.node.slice[0].slice, cst.Index):
            return False
        index = leaf.node.slice[0].slice.value
        if not isinstance(index, cst.Name):
            return isinstance(index, cst.Integer)
        bindings = self._names.reaching(index)
        return bool(bindings) and all(binding.kind == "for" for binding in bindings)

    def _is_joined(self, node: cst.BinaryOperation, frame: Frame) -> bool:
        """`[left] + [right]` and `[empty] * 2`."""
        literal = next((side for side in (node.left, node.right) if isinstance(side, cst.List) and side.elements), None)
        if literal is None or any(self._is_number(element.value, frame) for element in literal.elements):
            return False
        other = node.right if literal is node.left else node.left
        if isinstance(node.operator, cst.Multiply):
            return isinstance(other, cst.Integer)
        times = isinstance(other, cst.BinaryOperation) and isinstance(other.operator, cst.Multiply)
        if times and isinstance(other, cst.BinaryOperation):  # `[label] + [image] * copies`
            other = other.left if isinstance(other.left, cst.List) else other.right
            times = isinstance(other, cst.List) and not any(self._is_number(e.value, frame) for e in other.elements)
            return times and isinstance(node.operator, cst.Add)
        both = isinstance(other, (cst.List, cst.ListComp)) and isinstance(node.operator, cst.Add)
        return both and not (isinstance(other, cst.ListComp) and not self._inputs.has(other.elt, other.for_in, frame))

    def _is_converted(self, node: cst.BaseExpression, frame: Frame) -> bool:
        """`list(...)` of a tuple literal, or of a generator expression or `map` over the inputs."""
        leaves = self._flow.trace(Traced(node, frame))
        if all(self._inputs.are_mapped(leaf.node) for leaf in leaves):
            return True
        if leaves and all(self._is_split(leaf.node) for leaf in leaves):
            return True
        generators = [(leaf.node, leaf.frame) for leaf in leaves if isinstance(leaf.node, cst.GeneratorExp)]
        if generators and len(generators) == len(leaves):
            return all(self._inputs.has(made.elt, made.for_in, home) for made, home in generators)
        tuples = [leaf.node for leaf in leaves if isinstance(leaf.node, cst.Tuple) and len(leaf.node.elements) > 1]
        return len(tuples) == len(leaves) and not any(
            self._is_number(element.value, frame) for found in tuples for element in found.elements
        )

    def _is_opaque(self, made: Traced) -> bool:
        """`list(...)` of what code out of sight returns: a list in any case, but of arrays or of samples."""
        node = made.node
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) != "builtins.list":
            return False
        leaves = self._flow.trace(Traced(node.args[0].value, made.frame))
        return all(isinstance(leaf.node, cst.Call) and self._names.qualified(leaf.node.func) is None for leaf in leaves)

    def _is_private(self, trail: Trail) -> bool:
        """Whether the helpers on the way are called for this batch alone."""
        frames = {step.frame for step in trail}
        inner = [frame.function for frame in frames if frame.call is not None and frame.caller in frames]
        return all(len(self._calls.callers(function)) <= 1 for function in inner if function is not None)


def _items(several: cst.BaseExpression | None) -> list[cst.BaseExpression] | None:
    """The items of a list or tuple that is written out; None for anything else."""
    elements = several.elements if isinstance(several, (cst.List, cst.Tuple)) else ()
    plain = bool(elements) and not any(isinstance(each, cst.StarredElement) for each in elements)
    return [each.value for each in elements] if plain else None
