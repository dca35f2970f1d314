"""Broad handlers on the way to a batch that turn a failure into something else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.control_flow import is_endless, statements
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.tree import BLOCKS
from seqlint.facts.failures.rows import Rows
from seqlint.facts.flow.call_frames import Frame, Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.failures.partial_drops import PartialDrop, PartialDrops
    from seqlint.facts.flow.call_frames import Flow
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.flow.handlers import Handler, Handlers

Outcome = Literal["alone", "batch", "sample", "stale", "unbound", "row", "endless", "ends"]
"""What happens to a failure. *alone*: one part of the batch loses a sample, another keeps it. *batch*: the batch is
None. *sample*: a sample is None. *stale*: the sample before comes again. *unbound*: a name has no value.
*row*: a row of the batch is never written. *endless*: the generator tries for ever. *ends*: the generator ends."""

_PARTS = (cst.BinaryOperation, cst.Attribute, cst.Subscript, cst.UnaryOperation)


@dataclass(frozen=True, eq=False)
class Swallow:
    """A failure that a broad handler hides.

    Attributes:
        frame: the run of the function that holds the handler.
        outcome: what happens to it.
        loss: for "alone", what is lost and what is kept.
        subject: the name or array that a reader should look at, where there is one.
        raising_is_safe: whether nothing outside the way to a batch relies on the handler.
    """

    handler: Handler
    maker: Maker
    frame: Frame
    outcome: Outcome
    loss: PartialDrop | None = None
    subject: str = ""
    raising_is_safe: bool = True


class Swallows:
    """The failures that the batches of a file hide."""

    def __init__(self, batches: Batches, handlers: Handlers, partial_drops: PartialDrops, calls: CallGraph) -> None:
        self._batches = batches
        self._handlers = handlers
        self._partial_drops = partial_drops
        self._calls = calls
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree
        self._rows = Rows(batches)

    @cached_property
    def all(self) -> tuple[Swallow, ...]:
        """One for each broad handler on the way to a batch whose effect is sure."""
        found: dict[cst.ExceptHandler, Swallow] = {}
        for maker in self._batches.makers:
            frames = self._batches.frames(maker)
            functions = frozenset(frame.function for frame in frames)
            for frame in frames:
                for handler in self._handlers.of(frame.function) if frame.function is not None else ():
                    if not handler.broad or not handler.swallows or handler.node in found:
                        continue
                    swallow = next(self._outcomes(handler, maker, frame, functions), None)
                    if swallow is not None:
                        found[handler.node] = swallow
            for swallow in self._round(maker, frames):
                found.setdefault(swallow.handler.node, swallow)
        return self._tree.order.sorted(found.values(), lambda swallow: swallow.handler.node)

    def hidden_by(self, name: str) -> str | None:
        """What the broad handler of a function of this file catches before it returns None."""
        named = [
            each for each in self._tree.module.body if isinstance(each, cst.FunctionDef) and each.name.value == name
        ]
        for handler in self._handlers.of(named[0]) if len(named) == 1 else ():
            if handler.broad and handler.end == "nothing":
                return self._tree.text(handler.node.type) if handler.node.type is not None else ""
        return None

    def _round(self, maker: Maker, frames: tuple[Frame, ...]) -> Iterator[Swallow]:
        """What decorators hide that call a function on the way to a batch in a `try`, and return nothing where it fails."""
        ways = [(maker.function, self._handed_on(maker))]
        for frame in frames:
            for call in self._tree.inside(frame.function.body, cst.Call) if frame.function is not None else ():
                function = self._calls.called(call)
                if function is not None and function.decorators:
                    inner = Frame(function, frame.owner, frame.runtime, call, frame)
                    ways.append((function, self.nothing(maker, inner)))
        for function, outcome in ways:
            if outcome is None:
                continue
            for handler, decorator in self._hiding(function):
                alone = sum(decorator in self._decorators(each) for each in self._tree.all(cst.FunctionDef)) == 1
                yield Swallow(handler, maker, Frame(self._tree.function(handler.node)), outcome, raising_is_safe=alone)

    def _hiding(self, function: cst.FunctionDef) -> Iterator[tuple[Handler, cst.FunctionDef]]:
        """The broad handlers of a function's decorators that return nothing instead, each with the decorator."""
        for decorator in self._decorators(function):
            for inner in self._given_instead(decorator):
                for handler in self._handlers.of(inner):
                    if handler.broad and handler.end == "nothing" and self._runs_given(handler, decorator):
                        yield handler, decorator

    def _decorators(self, function: cst.FunctionDef) -> tuple[cst.FunctionDef, ...]:
        """The functions of this file that a function is decorated with; for `@quiet(log)` the one that `quiet` returns."""
        found: list[cst.FunctionDef] = []
        for item in function.decorators:
            called = item.decorator.func if isinstance(item.decorator, cst.Call) else item.decorator
            made = self._flow.names.definition(called)
            if isinstance(made, cst.FunctionDef):
                found += [made] if called is item.decorator else self._given_instead(made)
        return tuple(found)

    def _given_instead(self, decorator: cst.FunctionDef) -> tuple[cst.FunctionDef, ...]:
        """The inner functions of which a decorator returns one."""
        values = [statement.value for statement in self._flow.values.own(decorator, cst.Return)]
        found = [self._flow.names.definition(value) for value in values if value is not None]
        inner = tuple(each for each in found if isinstance(each, cst.FunctionDef) and self._tree.holds(decorator, each))
        return inner if len(inner) == len(values) else ()

    def _runs_given(self, handler: Handler, decorator: cst.FunctionDef) -> bool:
        """Whether the guarded code calls the decorated function."""
        taken = {param.name.value for param in parameters(decorator.params)[:1]}
        calls = self._tree.inside(handler.guarded.body, cst.Call)
        return any(isinstance(call.func, cst.Name) and call.func.value in taken for call in calls)

    def _outcomes(
        self, handler: Handler, maker: Maker, frame: Frame, functions: frozenset[cst.FunctionDef | None]
    ) -> Iterator[Swallow]:
        safe = self._is_safe(maker, frame, functions)
        loss = next((loss for loss in self._partial_drops.all if loss.cause is handler), None)
        if loss is not None:
            yield Swallow(handler, maker, frame, "alone", loss, raising_is_safe=safe)
        if handler.end == "nothing":
            outcome = self.nothing(maker, frame)
            if outcome is not None:
                yield Swallow(handler, maker, frame, outcome, raising_is_safe=safe)
            elif array := self._rows.without(maker, frame):
                yield Swallow(handler, maker, frame, "row", subject=array, raising_is_safe=safe)
        if handler.end == "on" and (name := self._unset(handler)):
            stale: Outcome = "stale" if self._rows.loop(handler.guarded) is not None else "unbound"
            yield Swallow(handler, maker, frame, stale, subject=name)
        if array := self._rows.of(handler, maker, frame):
            yield Swallow(handler, maker, frame, "row", subject=array)
        if maker.kind == "generator" and frame is maker.frame and self._spins(handler):
            yield Swallow(handler, maker, frame, "endless")

    def _is_safe(self, maker: Maker, frame: Frame, functions: frozenset[cst.FunctionDef | None]) -> bool:
        """Whether all callers of the function are on the way to a batch."""
        if frame.function is None or (frame is maker.frame and maker.template_method is None):
            return True
        callers = self._calls.callers(frame.function)
        return all(self._tree.function(call) in functions or self._is_statement(call) for call in callers)

    def _is_statement(self, call: cst.Call) -> bool:
        return isinstance(self._tree.parents[call], cst.Expr)

    # -- None as a result -------------------------------------------------------------------------------------------

    def nothing(self, maker: Maker, frame: Frame) -> Outcome | None:
        """What happens to None as the result of a function."""
        if frame is maker.frame:
            return self._handed_on(maker)
        if frame.handed is not None and frame.caller is not None:
            return "sample" if self._rows.is_part(maker, Traced(frame.handed, frame.caller)) else None
        if frame.call is None or frame.caller is None:
            return None
        parent = self._parent(frame.call)
        if isinstance(parent, cst.Return):
            return self.nothing(maker, frame.caller)
        if isinstance(parent, cst.ListComp) and parent.elt is frame.call:
            return "sample" if self._rows.is_part(maker, Traced(parent, frame.caller)) else None
        if isinstance(parent, _PARTS) and getattr(parent, "slice", None) is not frame.call:
            return "sample"
        if isinstance(parent, cst.Arg) and self._is_append(self._tree.parents[parent]):
            return "sample"
        if isinstance(parent, cst.Assign):
            return self._assigned(parent, frame.caller)
        return None

    def _handed_on(self, maker: Maker) -> Outcome | None:
        """What happens to None as the result of a maker; from a piece, which is unpacked or combined with others, it is a sample."""
        if maker.template_method is None:
            return "batch" if maker.kind == "sequence" else "ends"
        result_use = maker.template_method.asked.result_use
        return "batch" if result_use == "batch" else None if result_use == "open" else "sample"

    def _parent(self, node: cst.CSTNode) -> cst.CSTNode:
        return self._tree.parents[node]

    def _is_append(self, node: cst.CSTNode) -> bool:
        """`rows.append(row)`, where no later code filters the rows: `[row for row in rows if row is not None]`."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        return node.func.attr.value == "append" and not self._is_sifted(node.func.value)

    def _is_sifted(self, rows: cst.BaseExpression) -> bool:
        function = self._tree.function(rows)
        if not isinstance(rows, cst.Name) or function is None:
            return False
        loops = (loop for loop in self._tree.inside(function.body, cst.CompFor) if loop.ifs)
        return any(isinstance(loop.iter, cst.Name) and loop.iter.value == rows.value for loop in loops)

    def _assigned(self, assign: cst.Assign, frame: Frame) -> Outcome | None:
        """`image = self._load(path)`: a sample, if nothing tests it for None before it is used."""
        target = assign.targets[0].target
        if isinstance(target, cst.Subscript):
            return "sample"
        if not isinstance(target, cst.Name) or len(assign.targets) > 1 or frame.function is None:
            return None
        uses = self._uses(target, self._rows.following(assign))
        if not uses or any(self._is_asked(use) for use in uses):
            return None
        return "sample" if any(self._is_used(use) for use in uses) else None

    def _is_asked(self, use: cst.Name) -> bool:
        """Whether a use is part of a condition, or passed to code that may test it."""
        for found in self._tree.ancestors(use):
            if isinstance(found, (cst.If, cst.IfExp, cst.While, cst.Assert, cst.Comparison, cst.BooleanOperation)):
                return True
            if isinstance(found, BLOCKS):
                return False
        return False

    def _is_used(self, use: cst.Name) -> bool:
        parent = self._parent(use)
        if isinstance(parent, _PARTS):
            return True
        return isinstance(parent, cst.Arg) and self._is_append(self._tree.parents[parent])

    def _uses(self, name: cst.Name, region: list[cst.CSTNode]) -> list[cst.Name]:
        inside = [node for part in region for node in self._tree.inside(part, cst.Name)]
        return [n for n in inside if n.value == name.value and not self._tree.is_label(n) and not self._is_target(n)]

    def _is_target(self, name: cst.Name) -> bool:
        return isinstance(self._parent(name), (cst.AssignTarget, cst.AnnAssign, cst.Param))

    # -- names without a value --------------------------------------------------------------------------------------

    def _unset(self, handler: Handler) -> str:
        """A name that only the guarded code sets and that the code after it always reads."""
        if handler.given or handler.nothing:
            return ""
        region = [
            part for part in self._rows.following(handler.guarded) if not isinstance(part, cst.BaseCompoundStatement)
        ]
        for node in self._tree.inside(handler.guarded.body, cst.AssignTarget):
            target = node.target
            if not isinstance(target, cst.Name):
                continue
            for use in self._uses(target, region):
                bindings = self._flow.names.reaching(use)
                if all(self._tree.holds(handler.guarded.body, binding.node) for binding in bindings):
                    return target.value
        return ""

    # -- generators -------------------------------------------------------------------------------------------------

    def _spins(self, handler: Handler) -> bool:
        """Whether a failure skips every `yield` of an endless loop without a message."""
        loop = self._rows.loop(handler.guarded)
        if loop is None or handler.end not in ("continue", "on"):
            return False
        around = [loop, *(found for found in self._tree.ancestors(loop) if isinstance(found, cst.While))]
        if not any(isinstance(found, cst.While) and is_endless(found) for found in around):
            return False
        every = self._tree.inside(loop.body, cst.Yield)
        guarded = self._tree.inside(handler.guarded.body, cst.Yield)
        following = [y for part in self._rows.following(handler.guarded) for y in self._tree.inside(part, cst.Yield)]
        skipped = [*guarded, *(following if handler.end == "continue" else ())]
        if not every or len(skipped) < len(every):
            return False
        quiet = not any(self._tree.inside(statement, cst.Call) for statement in statements(handler.node.body))
        return bool(guarded) or (quiet and self._is_plain_yield(every, loop))

    def _is_plain_yield(self, every: tuple[cst.Yield, ...], loop: cst.For | cst.While) -> bool:
        """Each iteration yields: batches are not collected over several iterations."""
        return all(self._tree.enclosing(found, cst.If, cst.For, cst.While) is loop for found in every)
