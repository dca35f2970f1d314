"""What differs from batch to batch: by the index, by a loop round the `yield`, by a draw; and what one instance never changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import runs_off
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.slices import is_slice
from seqlint.facts.code.tree import last_word
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.none_tests import none_tested
from seqlint.knowledge.array_constructors import GENERATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.flow.call_frames import Flow, Frame

Choice = cst.If | cst.IfExp
_SEEDS = frozenset({"random.seed", "numpy.random.seed"})
_KINDS = frozenset({"builtins.isinstance", "builtins.hasattr", "builtins.issubclass", "builtins.type"})
_NEVER_NONE = (cst.BinaryOperation, cst.List, cst.Tuple, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)
_BETWEEN = (cst.If, cst.IfExp, cst.For, cst.While, cst.Try, cst.With, cst.Match, cst.Lambda)


@dataclass(frozen=True)
class Ways:
    """How one run of a function comes to two values.

    Attributes:
        one, other: the nodes of the run through which the values come.
        frame: the run.
        choices: the conditions that lead to one of them and not to the other, and whether each decides by itself.
    """

    one: cst.CSTNode
    other: cst.CSTNode
    frame: Frame
    choices: tuple[tuple[Choice, bool], ...]


class Varying:
    """What the batches of one file depend on."""

    def __init__(self, batches: Batches) -> None:
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values
        self._asked: set[cst.BaseExpression] = set()

    # -- values -----------------------------------------------------------------------------------------------------

    def varies(self, value: Traced, maker: Maker) -> bool:
        """Whether a value depends on which batch it is made for, as far as can be seen."""
        mentioned = self._flow.mentioned(value)
        if self._speaks_of_batch(value, maker):
            return True
        stored = {part for found in mentioned for part in self._stored(found, maker) if part not in mentioned}
        return any(self._is_of_batch(inner, maker) for part in stored for inner in self._flow.mentioned(part))

    def _speaks_of_batch(self, value: Traced, maker: Maker) -> bool:
        mentioned = self._flow.mentioned(value)
        return any(self._is_of_batch(found, maker) or self.is_draw(found.node) for found in mentioned)

    def _stored(self, found: Traced, maker: Maker) -> Iterator[Traced]:
        """What is stored into an array, and what decides how much is put into a list.

        `page[0] = np.load(path)` makes `page` depend on the path, `pages.append(page)` makes `pages` depend on the loops and
        conditions around; not so under `if weights is not None`, which says once for all whether anything is put in.
        """
        function = self._tree.function(found.node) if isinstance(found.node, cst.Name) else None
        if function is None:
            return
        for target in self._tree.inside(function.body, cst.AssignTarget):
            into, assign = target.target, self._tree.parents[target]
            if not isinstance(into, cst.Subscript) or not _is_name(into.value, found.node):
                continue
            if isinstance(assign, cst.Assign) and not self._is_settled_by_key(into, found.frame, maker):
                yield Traced(assign.value, found.frame)
        for method in self._tree.inside(function.body, cst.Attribute):
            taken = method.attr.value == "append" and _is_name(method.value, found.node)
            if taken and not self._is_settled(method, found.frame, maker):
                yield from (Traced(around, found.frame) for around in self._around(method))

    def _is_settled_by_key(self, into: cst.Subscript, frame: Frame, maker: Maker) -> bool:
        """`batch["weights"] = ...` where a parameter says whether there are any."""
        index = into.slice[0].slice
        key = isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString)
        return key and self._is_settled(into, frame, maker)

    def _is_settled(self, node: cst.CSTNode, frame: Frame, maker: Maker) -> bool:
        """Whether a condition around a node has one answer for all batches of a maker."""
        function = self._tree.function(node)
        around = (outer for outer in self._tree.ancestors(node) if isinstance(outer, cst.If))
        inner = (outer for outer in around if self._tree.function(outer) is function)
        return any(not self._speaks_of_batch(Traced(outer.test, frame), maker) for outer in inner)

    def _around(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """What the loops around a node go over, and what the conditions around it ask, innermost first."""
        for outer in self._tree.ancestors(node):
            if isinstance(outer, cst.FunctionDef):
                return
            if isinstance(outer, (cst.If, cst.While)):
                yield outer.test
            elif isinstance(outer, cst.For):
                yield outer.iter

    def is_drawn(self, value: Traced) -> bool:
        """Whether a random draw has a part in a value."""
        return any(self.is_draw(found.node) for found in self._flow.mentioned(value))

    def is_draw(self, node: cst.CSTNode | None) -> bool:
        """Whether an expression draws: `random.randint(...)`, `np.random.choice(...)`, `self.rng.integers(...)`."""
        if not isinstance(node, cst.Call):
            return False
        name = self._names.qualified(node.func) or ""
        if name.startswith(("random.", "numpy.random.")):
            return name not in _SEEDS | GENERATORS
        made = self._values.only(node.func.value) if isinstance(node.func, cst.Attribute) else None
        return isinstance(made, cst.Call) and self._names.qualified(made.func) in GENERATORS

    def _is_of_batch(self, found: Traced, maker: Maker) -> bool:
        if not isinstance(found.node, cst.Name):
            return False
        bindings = self._names.reaching(found.node)
        return any(self.is_index(binding, maker) or self._is_counted(binding, maker) for binding in bindings)

    def is_index(self, binding: Binding, maker: Maker) -> bool:
        """The `index` of `__getitem__(self, index)`, and what a base in another file picks by it and hands over for a whole batch."""
        if maker.template_method is not None:
            return maker.template_method.is_all and any(binding.node is each for each in maker.template_method.varying)
        given = parameters(maker.function.params) if maker.kind == "sequence" else ()
        return len(given) > 1 and binding.node is given[1]

    def _is_counted(self, binding: Binding, maker: Maker) -> bool:
        """What the loop round a `yield` counts or goes over."""
        if maker.kind != "generator" or not (binding.kind in ("for", "augment") or self._goes_on(binding)):
            return False
        loop = self._tree.enclosing(binding.node, cst.For, cst.While, cst.FunctionDef)
        return isinstance(loop, (cst.For, cst.While)) and bool(self._tree.inside(loop.body, cst.Yield))

    def _goes_on(self, binding: Binding) -> bool:
        """`batch = (batch + 1) % many`."""
        value = binding.value if binding.kind == "assign" else None
        if not isinstance(value, cst.BinaryOperation):
            return False
        return any(_is_name(name, binding.node) for name in self._tree.inside(value, cst.Name))

    # -- branches ---------------------------------------------------------------------------------------------------

    def between(self, one: Traced, other: Traced, maker: Maker) -> bool:
        """Whether one instance gives both values, now the one and now the other, and the batch decides which."""
        place = self._common(one, other)
        if place is None:
            return False
        found = [(self.decides(c.test, place[2], maker), sure) for c, sure in self._dividing(place[0], place[1])]
        return any(varies for varies, _ in found) and all(varies for varies, sure in found if sure)

    def settled(self, one: Traced, other: Traced, maker: Maker) -> bool:
        """Whether what an instance was made with says which of two values it gives, and never gives the other."""
        place = self._common(one, other)
        if place is None:
            return False
        return any(sure and not self.decides(c.test, place[2], maker) for c, sure in self._dividing(place[0], place[1]))

    def decides(self, test: cst.BaseExpression, frame: Frame, maker: Maker) -> bool:
        """Whether a condition comes out now so and now so; `y is None` does if `y` is now None and now something else."""
        if test in self._asked:  # `if w is not None: w = w[rows]` leaves w None or not, whichever it was
            return False
        self._asked.add(test)
        try:
            return self._decides_anew(test, frame, maker)
        finally:
            self._asked.remove(test)

    def _decides_anew(self, test: cst.BaseExpression, frame: Frame, maker: Maker) -> bool:
        subject = none_tested(test)
        if subject is None:
            return not self._asks_kind(test, frame) and self.varies(Traced(test, frame), maker)
        leaves = self._flow.trace(Traced(subject, frame))
        empty = [leaf for leaf in leaves if is_none(leaf)]
        others = [leaf for leaf in leaves if not is_none(leaf)]
        if not empty and any(self._can_be_none_at_times(leaf) and self.varies(leaf, maker) for leaf in leaves):
            return True
        return any(self.between(one, other, maker) for one in empty or leaves for other in others if one is not other)

    def _can_be_none_at_times(self, leaf: Traced) -> bool:
        """Whether a value may be None for one batch and not for another: no slice, no attribute, no item of a loop is."""
        node = leaf.node
        if isinstance(node, cst.Subscript):
            return not is_slice(self._names, node) and not self._is_rebound(node)
        if isinstance(node, cst.Name):
            return all(binding.kind != "for" for binding in self._names.reaching(node))
        return not isinstance(node, (cst.Attribute, *_NEVER_NONE))

    def _is_rebound(self, node: cst.Subscript) -> bool:
        """`weights = weights[order]`: what is brought into another order was not None, and no row of it is asked for."""
        assign = self._tree.parents[node]
        targets = assign.targets if isinstance(assign, cst.Assign) else ()
        return any(self._tree.text(each.target) == self._tree.text(node.value) for each in targets)

    def _asks_kind(self, test: cst.BaseExpression, frame: Frame) -> bool:
        """`isinstance(x, list)`, `"w" in row`, `x.dtype == ...`, `x.ndim == 3` of a slice: one set of data has one answer."""
        if self._asks_for_key(test) or self._counts_fields(test, frame):
            return True
        calls = self._tree.inside(test, cst.Call)
        if any(self._names.qualified(call.func) in _KINDS for call in calls):
            return True
        asked = [
            node for node in self._tree.inside(test, cst.Attribute) if node.attr.value in ("dtype", "ndim", "shape")
        ]
        return any(node.attr.value == "dtype" or self._is_slice(node.value, frame) for node in asked)

    def _asks_for_key(self, test: cst.BaseExpression) -> bool:
        """`"weights" in batch`."""
        first = test.comparisons[0].operator if isinstance(test, cst.Comparison) else None
        named = isinstance(test, cst.Comparison) and isinstance(test.left, cst.SimpleString)
        return named and isinstance(first, (cst.In, cst.NotIn))

    def _counts_fields(self, test: cst.BaseExpression, frame: Frame) -> bool:
        """`len(parts) > 3` of `parts = line.split(",")`."""
        counts = (call for call in self._tree.inside(test, cst.Call) if last_word(call.func) == "len" and call.args)
        leaves = (leaf.node for call in counts for leaf in self._flow.trace(Traced(call.args[0].value, frame)))
        return any(isinstance(leaf, cst.Call) and last_word(leaf.func) == "split" for leaf in leaves)

    def _is_slice(self, node: cst.BaseExpression, frame: Frame) -> bool:
        return all(isinstance(leaf.node, cst.Subscript) for leaf in self._flow.trace(Traced(node, frame)))

    def ways(self, one: Traced, other: Traced) -> Ways | None:
        """The conditions that lead to one of two values and not to the other; None where they come by no common function."""
        place = self._common(one, other)
        return Ways(*place, tuple(self._dividing(place[0], place[1]))) if place is not None else None

    def _common(self, one: Traced, other: Traced) -> tuple[cst.CSTNode, cst.CSTNode, Frame] | None:
        """The nodes of the innermost run of a function through which both values come."""
        ways = dict(self._places(other))
        for frame, node in self._places(one):
            if frame in ways:
                return node, ways[frame], frame
        return None

    def _places(self, value: Traced) -> Iterator[tuple[Frame, cst.CSTNode]]:
        node: cst.CSTNode | None = value.node
        if node is None:  # the end of a function
            node = value.frame.call
            frame = value.frame.caller
        else:
            frame = value.frame
        while frame is not None and node is not None:
            yield frame, node
            node, frame = frame.call or frame.handed, frame.caller

    def _dividing(self, one: cst.CSTNode, other: cst.CSTNode) -> Iterator[tuple[Choice, bool]]:
        """The conditions that lead to one of two nodes and not to the other, and whether each decides by itself."""
        for node, against in ((one, other), (other, one)):
            for found in self._tree.ancestors(node):
                if isinstance(found, cst.FunctionDef):
                    break
                if not isinstance(found, (cst.If, cst.IfExp)) or self._tree.holds(found.test, node):
                    continue
                if not self._tree.holds(found, against):
                    yield found, self._decides(found, node)
                elif node is one and self._is_other_branch(found, node, against):
                    yield found, True

    def _is_other_branch(self, choice: Choice, node: cst.CSTNode, against: cst.CSTNode) -> bool:
        return self._tree.holds(choice.body, node) is not self._tree.holds(choice.body, against)

    def _decides(self, choice: Choice, node: cst.CSTNode) -> bool:
        """Whether the branch that holds a node surely leads to it, or to another end of the function."""
        branch: cst.CSTNode | None = choice.body if self._tree.holds(choice.body, node) else choice.orelse
        if isinstance(branch, cst.Else):
            branch = branch.body
        inner = next(found for found in self._tree.ancestors(node) if found is choice or isinstance(found, _BETWEEN))
        if inner is choice:
            return True
        return isinstance(branch, (cst.IndentedBlock, cst.SimpleStatementSuite)) and not runs_off(branch)

    def in_handler(self, value: Traced) -> bool:
        """Whether a value is what an `except` gives, here or in a function on the way."""
        kinds = (cst.ExceptHandler, cst.FunctionDef)
        return any(isinstance(self._tree.enclosing(node, *kinds), cst.ExceptHandler) for _, node in self._places(value))


def is_none(made: Traced) -> bool:
    """Whether a value is None: written out, or the end of a function."""
    return made.node is None or (isinstance(made.node, cst.Name) and made.node.value == "None")


def _is_name(node: cst.BaseExpression, name: cst.CSTNode | None) -> bool:
    return isinstance(node, cst.Name) and isinstance(name, cst.Name) and node.value == name.value
