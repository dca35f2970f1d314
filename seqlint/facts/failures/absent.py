"""Batches that are None, and items of a batch that are None."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.items import Items
from seqlint.facts.batches.varying import is_none
from seqlint.facts.code.control_flow import quiet_handlers, runs_off
from seqlint.facts.code.path_conditions import never_both
from seqlint.facts.code.statements import is_idle
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.none_tests import none_tested

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batch, Batches, Maker
    from seqlint.facts.batches.varying import Varying
    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.flow.handlers import Handlers


@dataclass(frozen=True, eq=False)
class NoBatch:
    """A path through `__getitem__` that returns None.

    Attributes:
        node: the `return`, the `if` without an `else` around all that is returned, the narrow handler that returns nothing, or the function that never returns anything: the maker
            itself, or the helper that is to make all of its batches.
    """

    maker: Maker
    node: cst.CSTNode


@dataclass(frozen=True, eq=False)
class NoItem:
    """An item of a batch that is None.

    Attributes:
        whole: the tuple or list that holds it; None where a dict or `NamedTuple` does.
        part: what is written there; for a default, the call that does not override it.
        position: 1 for targets, 2 for weights.
        sure: whether it is None in any case, or for some batches of every object; else it depends on the arguments of
            the object.
        always: whether it is always None.
    """

    batch: Batch
    whole: cst.Tuple | cst.List | None
    part: Traced
    position: int
    sure: bool
    always: bool


class Absent:
    """What the batches of one file lack."""

    def __init__(self, batches: Batches, varying: Varying, handlers: Handlers, classes: Classes) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._varying = varying
        self._handlers = handlers
        self._classes = classes
        self._items = Items(batches.flow)

    @cached_property
    def _sequences(self) -> tuple[Maker, ...]:
        """The methods that make whole batches; a None that a base in another file unpacks fails there at once."""
        return tuple(maker for maker in self._batches.makers if maker.of_sequence and self._batches.of(maker))

    # -- whole batches ----------------------------------------------------------------------------------------------

    @cached_property
    def batches(self) -> tuple[NoBatch, ...]:
        """Each path to a batch that is None, once."""
        found: dict[cst.CSTNode, NoBatch] = {}
        for maker in self._batches.makers:
            whole = maker.kind == "sequence" or (
                maker.template_method is not None and maker.template_method.asked.result_use == "batch"
            )
            for node in self._ways(maker) if whole else ():
                found.setdefault(node, NoBatch(maker, node))
        return tuple(found.values())

    def _ways(self, maker: Maker) -> Iterator[cst.CSTNode]:
        function = maker.function
        statements = self._flow.values.own(function, cst.Return)
        made = [value for batch in self._batches.of(maker) for value in self._arriving(batch.value)]
        given = [value for value in made if not is_none(value)]
        if not given:
            yield from self._never(maker, statements)
            return
        for statement in statements:
            if statement.value is None and self._is_of_some(statement, maker.frame, maker):
                yield statement
        for value in made:
            if value.node is None and (bare := self._bare(value.frame, maker)) is not None:
                yield bare
            elif is_none(value) and self._is_sometimes(value, given, maker):
                node = value.node if value.node is not None else value.frame.call
                yield self._statement(node) if node is not None else function
        if runs_off(function.body):
            yield from self._beside(maker)
        yield from (h for h in quiet_handlers(function.body) if not self._handlers.is_broad(h.type))

    def _statement(self, node: cst.CSTNode) -> cst.CSTNode:
        found = self._tree.enclosing(node, cst.Return)
        return found if found is not None else node

    def _never(self, maker: Maker, statements: tuple[cst.Return, ...]) -> Iterator[cst.CSTNode]:
        """A `__getitem__` that does something and returns nothing; one that subclasses must override does not count."""
        function, owner = maker.function, maker.owner
        yield from self._never_by_helper(maker, statements)
        works = [one for one in function.body.body if not is_idle(function, one)]
        if len(works) < 2 or any(owner in other.lineage[1:] for other in self._classes.all):
            return
        if _raises(self._tree, function) or self._flow.values.is_generator(function):
            return
        if all(one.value is None for one in statements) and runs_off(function.body):
            yield function

    def _never_by_helper(self, maker: Maker, statements: tuple[cst.Return, ...]) -> Iterator[cst.FunctionDef]:
        """`return self._make(index)`, where the end of `_make` was forgotten."""
        values = [self._flow.values.only(one.value) if one.value is not None else None for one in statements]
        value = values[0] if len(values) == 1 else None
        helper = self._batches.run_by(maker, value) if isinstance(value, cst.Call) else None
        if helper is None or self._flow.values.own(helper, cst.Return) or _raises(self._tree, helper):
            return
        works = [one for one in helper.body.body if not is_idle(helper, one)]
        others = (other for other in self._classes.all if maker.owner in other.lineage[1:])
        filled = any(helper.name.value in each.methods for other in others for each in other.lineage)
        if len(works) > 1 and not filled and runs_off(helper.body) and not self._flow.values.is_generator(helper):
            yield helper

    def _arriving(self, value: Traced) -> tuple[Traced, ...]:
        """What makes a value, without a None that the code tests for on the way."""
        made = self._flow.trace(value)
        return tuple(one for one in made if not is_none(one) or not self._is_sorted_out(value, one))

    def _is_sorted_out(self, value: Traced, empty: Traced) -> bool:
        trails = [trail for trail in self._flow.trails(value) if trail[-1] == empty]
        return bool(trails) and all(any(self._is_checked(step) for step in trail) for trail in trails)

    def _bare(self, frame: Frame, maker: Maker) -> cst.Return | None:
        """The bare `return` with which a helper ends some of the batches."""
        function = frame.function
        own = self._flow.values.own(function, cst.Return) if function is not None else ()
        return next((one for one in own if one.value is None and self._is_of_some(one, frame, maker)), None)

    def _is_of_some(self, statement: cst.Return, frame: Frame, maker: Maker) -> bool:
        """Whether a bare `return` ends some of the batches of an object."""
        around = self._tree.enclosing(statement, cst.If, cst.FunctionDef)
        if not isinstance(around, cst.If) or self._is_guard(around, frame, maker):
            return False
        return not self._is_swallowed(statement) and self._varying.decides(around.test, frame, maker)

    def _is_sometimes(self, value: Traced, given: list[Traced], maker: Maker) -> bool:
        """Whether an object returns None for some of its batches."""
        if value.node is None:
            function = value.frame.function
            choice = self._single(function) if function is not None and runs_off(function.body) else None
            return choice is not None and self._varying.decides(choice.test, value.frame, maker)
        if self._is_swallowed(value.node):
            return False
        if self._varying.in_handler(value):
            return True
        around = self._tree.enclosing(value.node, cst.If, cst.FunctionDef)
        if isinstance(around, cst.If) and self._is_guard(around, value.frame, maker):
            return False
        return any(self._varying.between(value, other, maker) for other in given)

    def _is_swallowed(self, node: cst.CSTNode) -> bool:
        """Whether a broad handler returns the None: that handler is the cause."""
        around = self._tree.enclosing(node, cst.ExceptHandler, cst.FunctionDef)
        return isinstance(around, cst.ExceptHandler) and self._handlers.is_broad(around.type)

    def _is_guard(self, choice: cst.If, frame: Frame, maker: Maker) -> bool:
        """`if index >= len(self)`: an index that Keras never asks for; anything else that it tests is the same for all batches."""
        parts = list(_alternatives(choice.test))
        past_end = [part for part in parts if self._is_past_end(part, frame, maker)]
        others = (part for part in parts if part not in past_end)
        return bool(past_end) and not any(self._varying.decides(part, frame, maker) for part in others)

    def _is_past_end(self, test: cst.BaseExpression, frame: Frame, maker: Maker) -> bool:
        if not isinstance(test, cst.Comparison) or not isinstance(test.left, cst.Name):
            return False
        outside = isinstance(test.comparisons[0].operator, (cst.GreaterThan, cst.GreaterThanEqual, cst.LessThan))
        return outside and self._batches.is_index(Traced(test.left, frame), maker)

    def _beside(self, maker: Maker) -> Iterator[cst.CSTNode]:
        choice = self._single(maker.function)
        if choice is None or self._is_guard(choice, maker.frame, maker):
            return
        if self._varying.decides(choice.test, maker.frame, maker) or self._fails_at_times(choice.test, maker):
            yield choice

    def _fails_at_times(self, test: cst.BaseExpression, maker: Maker) -> bool:
        """Whether a condition tests for the None that the narrow handler of a helper returns for some batches."""
        subject = none_tested(test)
        if subject is None or not self._varying.varies(Traced(subject, maker.frame), maker):
            return False
        made = self._flow.trace(Traced(subject, maker.frame))
        empty = [one.node for one in made if is_none(one) and self._varying.in_handler(one)]
        return any(node is not None and not self._is_swallowed(node) for node in empty)

    def _single(self, function: cst.FunctionDef) -> cst.If | None:
        """The only `if` without an `else` that holds everything a function returns."""
        found = set()
        for statement in self._flow.values.own(function, cst.Return):
            around = [
                n for n in self._tree.ancestors(statement) if isinstance(n, (cst.If, cst.For, cst.While, cst.Try))
            ]
            around = [node for node in around if self._tree.holds(function, node)]
            found.add(around[-1] if around else None)
        only = found.pop() if len(found) == 1 else None
        return only if isinstance(only, cst.If) and only.orelse is None else None

    # -- items ------------------------------------------------------------------------------------------------------

    @cached_property
    def items(self) -> tuple[NoItem, ...]:
        """Targets and weights that are None, once for each place."""
        found: dict[tuple[cst.CSTNode, int], NoItem] = {}
        for maker in self._sequences:
            for batch in self._batches.of(maker):
                for whole in self._batches.values(batch):
                    for item in self._of(batch, whole):
                        found.setdefault((item.whole or item.part.node or item.batch.statement, item.position), item)
        return tuple(found.values())

    def _of(self, batch: Batch, whole: Traced) -> Iterator[NoItem]:
        for item in self._items.of(whole):
            made = self._arriving(item.value) if item.position else ()
            empty = [value for value in made if is_none(value) and not self._is_ruled_out(value, whole)]
            others = [value for value in made if not is_none(value)]
            if empty:
                sure = not others or any(self._varying.between(e, o, batch.maker) for e in empty for o in others)
                yield NoItem(batch, item.whole, item.place, item.position, sure, not others)

    def _is_ruled_out(self, empty: Traced, whole: Traced) -> bool:
        """Whether a None is made under a condition that is false where the batch is made: it can't be in this batch."""
        if empty.node is None or whole.node is None or empty.frame is not whole.frame:
            return False
        return never_both(self._flow.names, empty.node, whole.node)

    def _is_checked(self, part: Traced) -> bool:
        """Whether the code tests for None before: `if marks is None: return x`, `if marks is not None: return x, marks`."""
        name, function = part.node, part.frame.function
        if not isinstance(name, cst.Name) or function is None or name.value == "None":
            return False
        kinds: tuple[type[cst.If | cst.IfExp | cst.While], ...] = (cst.If, cst.IfExp, cst.While)
        return any(self._asks(choice, name) for kind in kinds for choice in self._tree.inside(function.body, kind))

    def _asks(self, choice: cst.If | cst.IfExp | cst.While, name: cst.Name) -> bool:
        if not any(asked.value == name.value for asked in _asked(choice.test)):
            return False
        if self._tree.holds(choice, name):
            return not self._tree.holds(choice.test, name)
        before = self._tree.order.precedes(choice, name)
        return before and (not runs_off(choice.body) or self._gives(choice.body, name))

    def _gives(self, body: cst.CSTNode, name: cst.Name) -> bool:
        """Whether a branch gives a name its value: `if batch is None: batch = self._read(index)`."""
        return any(self._tree.holds(body, binding.node) for binding in self._flow.names.reaching(name))


def _raises(tree: Tree, function: cst.FunctionDef) -> bool:
    return bool(tree.inside(function.body, cst.Raise))


def _asked(test: cst.BaseExpression) -> Iterator[cst.Name]:
    """The names that a condition tests for None: `x is None`, `not x`, `(x := read()) is not None and x.size`."""
    if isinstance(test, cst.BooleanOperation):
        yield from _asked(test.left)
        yield from _asked(test.right)
        return
    inner = test.expression if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) else test
    asked = none_tested(inner) or inner
    asked = asked.target if isinstance(asked, cst.NamedExpr) else asked
    if isinstance(asked, cst.Name):
        yield asked


def _alternatives(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The parts of `a or b`."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        yield from _alternatives(test.left)
        yield from _alternatives(test.right)
    else:
        yield test
