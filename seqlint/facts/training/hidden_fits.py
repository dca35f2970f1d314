"""Handlers that hide the failure of a fit: they say something at most, and the program goes on with the model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.code.logging_statements import LoggingStatements
from seqlint.facts.code.scopes import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.flow.handlers import Handlers
    from seqlint.facts.training.evidence import Evidence
    from seqlint.facts.training.training import TrainerCall, Training

_FITS = ("fit", "fit_generator")
_TESTING = (cst.If, cst.IfExp, cst.While, cst.Assert)
_OF_KERAS = frozenset({"epochs", "steps_per_epoch", "validation_data", "validation_split", "validation_steps"})
_TESTS = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py")
_DEEPEST = 2


@dataclass(frozen=True, eq=False)
class HiddenFit:
    """A handler that hides the failure of a fit.

    Attributes:
        handler: the `except`.
        fit: the fit that can fail unseen.
        call: what the `try` calls: the fit itself, or a function of this file that leads to it.
        idle: the statement at the end of the handler that only goes on: `pass`, `...`, `continue`, `return model`.
    """

    handler: cst.ExceptHandler
    fit: TrainerCall
    call: cst.Call
    idle: cst.BaseSmallStatement | None


class HiddenFits:
    """The handlers of a file that hide the failure of a fit."""

    def __init__(
        self, tree: Tree, names: Names, calls: CallGraph, training: Training, evidence: Evidence, handlers: Handlers
    ) -> None:
        self._tree = tree
        self._names = names
        self._calls = calls
        self._training = training
        self._evidence = evidence
        self._handlers = handlers
        self._logging = LoggingStatements(tree, names)
        self._open: set[cst.ExceptHandler] = set()
        self._known: dict[cst.ExceptHandler, bool] = {}
        self._goes_round = False

    @cached_property
    def all(self) -> tuple[HiddenFit, ...]:
        """In reading order; none in the code of tests."""
        if not self._fits or _TESTS.fullmatch(PurePath(self._tree.source.path).name):
            return ()
        return tuple(found for node in self._tree.all(cst.ExceptHandler) if (found := self._hidden(node)) is not None)

    @cached_property
    def _fits(self) -> dict[cst.Call, TrainerCall]:
        return {call.node: call for call in self._training.calls if call.method in _FITS and self._is_of_keras(call)}

    def _is_of_keras(self, call: TrainerCall) -> bool:
        """Whether a fit is one of a Keras model, or can well be."""
        known = self._evidence.model(call) == "yes"
        return known or (self._evidence.may_be_model(call) and not _OF_KERAS.isdisjoint(call.arguments))

    def _hidden(self, node: cst.ExceptHandler) -> HiddenFit | None:
        guarded = self._tree.parents[node]
        if not isinstance(guarded, cst.Try) or not self._handlers.is_broad(node.type) or self._is_test(node):
            return None
        found = self._fit_in(guarded.body, _DEEPEST)
        if found is None:
            return None
        call, fit = found
        small = statements(node.body)
        idle = _idle(small)
        said = small[:-1] if idle is not None else small
        if isinstance(idle, cst.Return) and not self._gives_model(idle, fit):
            return None
        if not all(self._logging.only_says(statement, node) for statement in said) or self._answered(
            guarded, fit, idle
        ):
            return None
        return HiddenFit(node, fit, call, idle)

    def _is_test(self, node: cst.ExceptHandler) -> bool:
        function = self._tree.function(node)
        return function is not None and function.name.value.startswith("test_")

    def _gives_model(self, statement: cst.Return, fit: TrainerCall) -> bool:
        return statement.value is not None and self._tree.text(statement.value) == self._tree.text(fit.receiver)

    # -- what the try runs ------------------------------------------------------------------------------------------

    def _fit_in(self, body: cst.CSTNode, depth: int) -> tuple[cst.Call, TrainerCall] | None:
        """The first call that is a fit, or leads to one, and whose failure comes out of the block."""
        frame = self._tree.enclosing(body, cst.FunctionDef, cst.Lambda)
        for call in self._tree.inside(body, cst.Call):
            if self._tree.enclosing(call, cst.FunctionDef, cst.Lambda) is not frame or self._is_caught(call, body):
                continue  # an inner function only runs when it is called
            if call in self._fits:
                return call, self._fits[call]
            function = self._calls.called(call) if depth else None
            inner = self._fit_in(function.body, depth - 1) if function is not None else None
            if inner is not None:
                return call, inner[1]
        return None

    def _is_caught(self, call: cst.Call, block: cst.CSTNode) -> bool:
        """Whether a handler in the block keeps a failure from coming out, and does something about it."""
        for outer in self._tree.ancestors(call):
            if outer is block:
                return False
            if isinstance(outer, cst.Try) and self._tree.holds(outer.body, call):
                broad = (handler for handler in outer.handlers if self._handlers.is_broad(handler.type))
                if any(not self._tree.inside(handler, cst.Raise) and not self._is_hidden(handler) for handler in broad):
                    return True
        return False

    def _is_hidden(self, handler: cst.ExceptHandler) -> bool:
        """Whether a handler is a finding itself: once it raises, the failure comes out."""
        if handler in self._known:
            return self._known[handler]
        if handler in self._open:
            self._goes_round = True
            return False
        self._open.add(handler)
        found = self._hidden(handler) is not None
        self._open.discard(handler)
        if not self._goes_round:  # else it is what was found on this way alone
            self._known[handler] = found
        self._goes_round = self._goes_round and bool(self._open)
        return found

    # -- what the program does about it -----------------------------------------------------------------------------

    def _answered(self, guarded: cst.Try, fit: TrainerCall, idle: cst.CSTNode | None) -> bool:
        """Whether the code round the `try` knows that the fit may have failed."""
        if guarded.finalbody is not None and any(self._leaves(node) for node in self._tree.walk(guarded.finalbody)):
            return True
        after = tuple(self._after(guarded))
        if self._is_asked_about(guarded, after):
            return True
        if isinstance(idle, cst.Return):
            return False
        used = any(self._mentions(node, fit.receiver) for node in after)
        if guarded.orelse is not None and not used:
            return True
        if (
            any(isinstance(node, cst.Return) and node.value is not None for node in self._own_walk(guarded))
            and not after
        ):
            return True  # without an error the function gives a value, with one it gives None
        loop = self._tree.enclosing(guarded, cst.For, cst.While, cst.FunctionDef)
        if not isinstance(loop, (cst.For, cst.While)):
            return False
        return self._is_tried_again(guarded, loop) or self._is_one_of_many(guarded, loop, fit, idle)

    def _leaves(self, node: cst.CSTNode) -> bool:
        return isinstance(node, (cst.Raise, cst.Return, cst.Break, cst.Continue)) or (
            isinstance(node, cst.Call) and self._names.qualified(node.func) in ("sys.exit", "os._exit", "builtins.exit")
        )

    def _own_walk(self, guarded: cst.Try) -> Iterator[cst.CSTNode]:
        yield from self._tree.walk(guarded.body)
        if guarded.orelse is not None:
            yield from self._tree.walk(guarded.orelse)

    def _after(self, guarded: cst.Try) -> Iterator[cst.CSTNode]:
        """The statements that run behind the `try`, in its function; of a loop those behind it in the same round."""
        here: cst.CSTNode = guarded
        for outer in self._tree.ancestors(guarded):
            if isinstance(outer, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
                return
            body = getattr(outer, "body", ())
            if isinstance(outer, (cst.IndentedBlock, cst.Module)) and here in body:
                yield from body[list(body).index(here) + 1 :]
            here = outer

    def _is_asked_about(self, guarded: cst.Try, after: tuple[cst.CSTNode, ...]) -> bool:
        """Whether what follows tests something that the `try` sets on its way: `if history is None`, `if done`."""
        names = (node for node in self._tree.inside(guarded.body, cst.Name) if not self._tree.is_label(node))
        given = {node.value for node in names if isinstance(self._tree.parents[node], cst.AssignTarget)}
        following = set(after)
        for name in given:
            for node in self._tree.order.since(guarded, self._tests.get(name, [])):
                if node in following or any(outer in following for outer in self._tree.ancestors(node)):
                    return True
        return False

    @cached_property
    def _tests(self) -> dict[str, list[cst.CSTNode]]:
        """What tests each name, in reading order."""
        found: dict[str, list[cst.CSTNode]] = {}
        for node in self._tree.in_order(_TESTING):
            for name in {each.value for each in self._tree.inside(node.test, cst.Name)}:  # type: ignore[attr-defined]
                found.setdefault(name, []).append(node)
        return found

    def _mentions(self, node: cst.CSTNode, receiver: cst.BaseExpression) -> bool:
        text = dotted(receiver)
        kinds = (cst.Name, cst.Attribute)
        return any(isinstance(found, kinds) and dotted(found) == text for found in self._tree.walk(node))

    def _is_tried_again(self, guarded: cst.Try, loop: cst.For | cst.While) -> bool:
        """A loop that is left on success."""
        for node in self._own_walk(guarded):
            if isinstance(node, cst.Return) or (
                isinstance(node, cst.Break) and self._tree.enclosing(node, cst.For, cst.While) is loop
            ):
                return True
        return False

    def _is_one_of_many(
        self, guarded: cst.Try, loop: cst.For | cst.While, fit: TrainerCall, idle: cst.CSTNode | None
    ) -> bool:
        """A model, or data, for each round of the loop, of which a failed one is left behind."""
        if isinstance(idle, cst.Break):
            return False
        inside = [node for node in self._after(guarded) if self._tree.holds(loop, node)]
        goes_round = isinstance(idle, cst.Continue) or not any(self._mentions(node, fit.receiver) for node in inside)
        if not goes_round:
            return False
        if len(statements(guarded.body)) > 1:  # more than the fit can fail: the round is left out, data and all
            return True
        root = fit.receiver
        while isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
        if not isinstance(root, cst.Name):
            return True
        bindings = self._names.reaching(root)
        return not self._tree.holds(loop, fit.node) or any(self._tree.holds(loop, found.node) for found in bindings)


def _idle(small: tuple[cst.CSTNode, ...]) -> cst.BaseSmallStatement | None:
    """The statement with which a handler goes on, where one says so."""
    last = small[-1] if small else None
    if isinstance(last, (cst.Pass, cst.Continue, cst.Break, cst.Return)):
        return last
    return last if isinstance(last, cst.Expr) and isinstance(last.value, cst.Ellipsis) else None
