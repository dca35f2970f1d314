"""Ways past the statements that collect a sample: handlers and filters in the loops that build a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.flow.handlers import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.flow.call_frames import Flow
    from seqlint.facts.flow.handlers import Handler, Handlers

Loop = cst.For | cst.While
_ORDER = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)
_COUNTERS = frozenset({"builtins.range", "builtins.enumerate"})
_MOST_STEPS = 6  # variables that are computed from one another


@dataclass(frozen=True, eq=False)
class Collect:
    """A statement that puts one more item into a list: `images.append(image)`, `images += [image]`.

    Attributes:
        target: the list.
        value: the item.
    """

    node: cst.Call | cst.AugAssign
    target: cst.BaseExpression
    value: cst.BaseExpression


@dataclass(frozen=True, eq=False)
class Skip:
    """A way past such statements.

    Attributes:
        node: the handler, the `with` that suppresses, the `if`, the comprehension, or the subscript `x[mask]`.
        handler: what is known of the handler.
        loop: the loop whose iterations it shortens.
        tests: the conditions; empty for a handler.
        lost: what is not collected then.
        kept: what is collected all the same.
        touched: all that the loop changes: lists, arrays, counters.
    """

    node: cst.ExceptHandler | cst.If | cst.ListComp | cst.Subscript | cst.With
    handler: Handler | None
    loop: Loop | None
    tests: tuple[cst.BaseExpression, ...] = ()
    lost: tuple[Collect, ...] = ()
    kept: tuple[Collect, ...] = ()
    touched: tuple[cst.BaseExpression, ...] = ()


class Skips:
    """The skips of functions."""

    def __init__(self, flow: Flow, handlers: Handlers) -> None:
        self._tree = flow.tree
        self._names = flow.names
        self._handlers = handlers
        self._known: dict[cst.FunctionDef, tuple[Skip, ...]] = {}

    def of(self, function: cst.FunctionDef) -> tuple[Skip, ...]:
        """The skips of a function, those of inner functions left out."""
        if function not in self._known:
            found = (*self._by_handler(function), *self._by_suppress(function), *self._by_filter(function))
            self._known[function] = found
        return self._known[function]

    def collects(self, node: cst.CSTNode) -> tuple[Collect, ...]:
        """What a piece of code collects."""
        found = [_collect(inner) for inner in self._tree.walk(node) if isinstance(inner, (cst.Call, cst.AugAssign))]
        return tuple(collect for collect in found if collect is not None)

    def loop(self, node: cst.CSTNode) -> Loop | None:
        """The innermost loop around a node in its function."""
        found = self._tree.enclosing(node, cst.For, cst.While, cst.FunctionDef)
        return found if isinstance(found, (cst.For, cst.While)) else None

    def comprehension(self, node: cst.BaseExpression | None) -> Skip | None:
        """The skip of a list comprehension that leaves samples out by their content."""
        if not isinstance(node, cst.ListComp) or not node.for_in.ifs:
            return None
        tests = tuple(item.test for item in node.for_in.ifs)
        return Skip(node, None, None, tests) if all(self._chooses(test, node) for test in tests) else None

    # -- handlers ---------------------------------------------------------------------------------------------------

    def _by_handler(self, function: cst.FunctionDef) -> Iterator[Skip]:
        for handler in self._handlers.of(function):
            if not handler.swallows:
                continue
            loop = self.loop(handler.guarded)
            for done, failed in self._failures(handler):
                region = [*failed, *self._rest(handler, loop)]
                yield self._skip(handler.node, handler, loop, function, region, done)

    def _by_suppress(self, function: cst.FunctionDef) -> Iterator[Skip]:
        """`with contextlib.suppress(OSError):` around what collects a sample."""
        for node in self._tree.inside(function.body, cst.With):
            calls = [item.item for item in node.items if isinstance(item.item, cst.Call)]
            loop = self.loop(node)
            if loop is None or self._tree.function(node) is not function:
                continue
            if any(self._names.qualified(call.func) == "contextlib.suppress" for call in calls):
                yield self._skip(node, None, loop, function, [node.body], [])

    def _failures(self, handler: Handler) -> Iterator[tuple[list[cst.CSTNode], list[cst.CSTNode]]]:
        """The places where the guarded code can fail, with what is done by then and what is not.

        At the first one anything can go wrong; after it only what reads something counts.
        """
        body = list(statements(handler.guarded.body))
        orelse = list(statements(handler.guarded.orelse.body)) if handler.guarded.orelse is not None else []
        call = self._handlers.call(handler)
        first = next((i for i, s in enumerate(body) if call is not None and self._tree.holds(s, call)), 0)
        risky = [i for i, s in enumerate(body) if i > first and any(reads(c) for c in self._tree.inside(s, cst.Call))]
        for number in (first, *risky):
            yield body[:number], [*body[number:], *orelse]

    def _rest(self, handler: Handler, loop: Loop | None) -> list[cst.CSTNode]:
        """What else is skipped: the rest of the iteration for `continue` and `break`."""
        if handler.end not in ("continue", "break") or loop is None:
            return []
        return self._tree.following(handler.guarded, loop)

    # -- filters ----------------------------------------------------------------------------------------------------

    def _by_filter(self, function: cst.FunctionDef) -> Iterator[Skip]:
        for node in self._tree.inside(function.body, cst.If):
            loop = self.loop(node)
            if loop is None or self._tree.function(node) is not function or node.orelse is not None:
                continue
            if isinstance(self._tree.parents[node], cst.If) or not self._chooses(node.test, loop):
                continue
            small = statements(node.body)
            if isinstance(small[-1], cst.Continue) and not self.collects(node.body):
                yield self._skip(node, None, loop, function, self._tree.following(node, loop), [], node.test)
            elif not isinstance(small[-1], (cst.Continue, cst.Break, cst.Return)) and self.collects(node.body):
                yield self._skip(node, None, loop, function, [node.body], [], node.test)

    def _chooses(self, test: cst.BaseExpression, loop: cst.CSTNode) -> bool:
        """Whether a condition looks at the sample: not at a mode, and not at how far the loop is."""
        names = [n for n in self._tree.inside(test, cst.Name) if not self._tree.is_label(n)]
        inner = [n for n in names if any(self._tree.holds(loop, b.node) for b in self._names.bindings(n))]
        if not any(not self._is_bare_counter(name, loop) for name in inner):
            return False
        for part in self._tree.inside(test, cst.Comparison):
            if any(isinstance(piece.operator, _ORDER) for piece in part.comparisons) and self._measures(part, loop):
                return False
        return True

    def _measures(self, comparison: cst.Comparison, loop: cst.CSTNode) -> bool:
        calls = self._tree.inside(comparison, cst.Call)
        if any(
            self._names.qualified(call.func) == "builtins.len" and not self._is_of_round(call, loop) for call in calls
        ):
            return True
        names = self._tree.inside(comparison, cst.Name)
        return any(self._is_bare_counter(name, loop) for name in names if not self._tree.is_label(name))

    def _is_of_round(self, call: cst.Call, loop: cst.CSTNode) -> bool:
        """`len(text)` of the text that the loop is at: a property of the sample."""
        value = call.args[0].value if len(call.args) == 1 else None
        bindings = self._names.reaching(value) if isinstance(value, cst.Name) else ()
        return bool(bindings) and all(b.kind == "for" and self._tree.holds(loop, b.node) for b in bindings)

    def _is_bare_counter(self, name: cst.Name, loop: cst.CSTNode) -> bool:
        """The number that `range` or `enumerate` counts, used as a number: not as an index."""
        if any(isinstance(found, cst.Index) for found in self._tree.ancestors(name) if self._tree.holds(loop, found)):
            return False
        bindings = self._names.reaching(name)
        return bool(bindings) and all(self._counts(binding) for binding in bindings)

    def _counts(self, binding: Binding, steps: int = _MOST_STEPS) -> bool:
        value = binding.value
        if binding.kind == "augment":
            return True
        # `row = start + offset`, and `row = row + 1`, which refers to itself
        if binding.kind == "assign" and isinstance(value, cst.BinaryOperation) and steps:
            names = [name for name in self._tree.inside(value, cst.Name) if not self._tree.is_label(name)]
            plain = not self._tree.inside(value, cst.Call) and not self._tree.inside(value, cst.Subscript)
            return plain and any(
                self._counts(inner, steps - 1) for name in names for inner in self._names.reaching(name)
            )
        if binding.kind != "for" or not isinstance(value, cst.Call):
            return False
        if self._names.qualified(value.func) not in _COUNTERS:
            return False
        around = self._tree.enclosing(binding.node, cst.For, cst.CompFor)
        target = around.target if isinstance(around, (cst.For, cst.CompFor)) else None
        return target is None or target is binding.node or _is_first(target, binding.node)

    # -- both -------------------------------------------------------------------------------------------------------

    def _skip(
        self,
        node: cst.ExceptHandler | cst.If | cst.With,
        handler: Handler | None,
        loop: Loop | None,
        function: cst.FunctionDef,
        region: list[cst.CSTNode],
        done: list[cst.CSTNode],
        *tests: cst.BaseExpression,
    ) -> Skip:
        around = loop.body if loop is not None else function.body
        every = self.collects(around)
        lost = tuple(c for c in every if any(self._tree.holds(part, c.node) for part in region))
        others = [c for c in every if c not in lost]
        elsewhere = {self._tree.text(c.target) for c in others}
        kept = [
            c for c in others if self.always(c.node, around) or any(self._tree.holds(part, c.node) for part in done)
        ]
        lost = tuple(c for c in lost if self._tree.text(c.target) not in elsewhere)
        return Skip(node, handler, loop, tests, lost, tuple(kept), self._touched(around))

    def always(self, node: cst.CSTNode, around: cst.CSTNode) -> bool:
        """Whether a statement in a block runs whenever the block does."""
        for found in self._tree.ancestors(node):
            if found is around:
                return True
            if isinstance(found, (cst.If, cst.For, cst.While, cst.ExceptHandler, cst.Try, cst.IfExp, cst.Lambda)):
                return False
        return False

    def _touched(self, around: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
        """All that a loop changes in place: by a statement such as `x.pop()`, by `x[i] = y`, by `del x[i]`."""
        found: list[cst.BaseExpression] = []
        for node in self._tree.walk(around):
            if (
                isinstance(node, cst.Expr)
                and isinstance(node.value, cst.Call)
                and isinstance(node.value.func, cst.Attribute)
            ):
                found.append(node.value.func.value)
            elif isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.Del)):
                found += _stored(node.target)
        return tuple(node for node in found if isinstance(node, (cst.Name, cst.Attribute)))


def _collect(node: cst.Call | cst.AugAssign) -> Collect | None:
    if isinstance(node, cst.AugAssign):
        added = isinstance(node.operator, cst.AddAssign) and isinstance(node.value, (cst.List, cst.ListComp))
        return Collect(node, node.target, node.value) if added else None
    if (
        not isinstance(node.func, cst.Attribute)
        or node.func.attr.value not in ("append", "extend")
        or len(node.args) != 1
    ):
        return None
    return Collect(node, node.func.value, node.args[0].value)


def _stored(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(target, (cst.Tuple, cst.List)):
        return [found for element in target.elements for found in _stored(element.value)]
    return [target.value] if isinstance(target, cst.Subscript) else []


def _is_first(target: cst.BaseExpression, name: cst.CSTNode) -> bool:
    """`i` in `for i, path in enumerate(paths)`."""
    return isinstance(target, (cst.Tuple, cst.List)) and bool(target.elements) and target.elements[0].value is name
