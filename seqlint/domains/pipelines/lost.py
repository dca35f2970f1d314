"""Steps of pipelines whose result nobody reads: a call as a statement, a name that is bound and never read."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.tf_data import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Function, Result, Run

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module | ast.ClassDef
How = Literal["statement", "loop", "parameter"]
"""*statement*: nothing takes the result. *loop*: it is bound to the name of a loop, which is another one in the next round. *parameter*: it is
bound to a parameter that the function does not read or return any more."""
_TELLING = frozenset(
    {
        "append",
        "extend",
        "add",
        "update",
        "write",
        "print",
        "info",
        "debug",
        "warning",
        "log",
        "insert",
        "put",
        "remove",
        "pop",
    }
)
_EXPECTING = ("raises", "assertRaises", "assertRaisesRegex", "suppress", "assertLogs", "warns", "assertWarns")


@dataclass(frozen=True, eq=False)
class Lost:
    """A result that is lost.

    Attributes:
        step: the last step.
        call: its call in this file.
        dataset: what the chain begins with, as it is written.
        name: what it is bound to; empty for a statement.
        function: the function that it is in; empty outside of any.
    """

    step: Result
    call: ast.Call
    dataset: ast.expr
    how: How
    name: str = ""
    function: str = ""


class LostSteps:
    """The steps of a run that are lost."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def found(self) -> tuple[Lost, ...]:
        """In the order of the text."""
        everything = [*self._statements(), *self._loops(), *self._parameters()]
        return tuple(sorted(everything, key=lambda lost: (lost.call.lineno, lost.call.col_offset)))

    # -- statements -------------------------------------------------------------------------------------------------

    def _statements(self) -> Iterator[Lost]:
        for node in self._nodes:
            if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
                continue
            step = self._step(node.value)
            if step is not None and not self._is_meant(node, node.value):
                yield Lost(step, node.value, root(node.value), "statement", "", self._function(node))

    def _is_meant(self, node: ast.Expr, call: ast.Call) -> bool:
        """Whether the call may be made for what it shows, or for how it fails."""
        if self._run.is_shown(node) or any(_tells(each) for each in self._mapped(call)):
            return True
        return any(_expects(above) for above in self._run.above(node))

    def _mapped(self, call: ast.Call) -> Iterator[ast.AST]:
        """The functions that the steps of a statement get."""
        for result in self._results[call]:
            for value in (*result.args, *(value for _, value in result.keywords)):
                yield from (each.node for each in self._run.functions(value))

    # -- names ------------------------------------------------------------------------------------------------------

    def _loops(self) -> Iterator[Lost]:
        for node in self._nodes:
            if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
                continue
            if not isinstance(node.iter, (ast.Tuple, ast.List)) or not all(map(_is_place, node.iter.elts)):
                continue
            yield from self._last(node.body, node.target.id, "loop", node, self._scope(node))

    def _parameters(self) -> Iterator[Lost]:
        for node in self._nodes:
            if isinstance(node, ast.FunctionDef):
                own = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                for name in [each.arg for each in own]:
                    yield from self._last(node.body, name, "parameter", node, node)

    def _last(self, body: list[ast.stmt], name: str, how: How, within: ast.AST, scope: Scope) -> Iterator[Lost]:
        """The last binding of a name to a step of itself, if nothing reads it after that."""
        bound = [each for each in body if isinstance(each, ast.Assign) and _binds(each, name)]
        if not bound or not isinstance(bound[-1].value, ast.Call):
            return
        call = bound[-1].value
        begins = root(call)
        step = self._step(call)
        if step is None or not isinstance(begins, ast.Name) or begins.id != name:
            return
        if not _is_read_after(bound[-1], name, within, scope):
            yield Lost(step, call, begins, how, name, self._function(bound[-1]))

    # -- the run ----------------------------------------------------------------------------------------------------

    def _step(self, call: ast.Call) -> Result | None:
        """The step that a call surely is each time, if its dataset is read later without it."""
        found = self._results.get(call, [])
        if not found or not all(self._is_lost(each, call) for each in found):
            return None
        return found[-1] if any(self._is_read_later(each, call) for each in found) else None

    def _is_lost(self, step: Result, call: ast.Call) -> bool:
        known = step.method in METHODS and step.method != "apply" and self._pipelines.is_step(step)
        return known and step.receiver is not None and not self._pipelines.reached(step)

    def _is_read_later(self, step: Result, call: ast.Call) -> bool:
        inner = set(ast.walk(call))
        before = next((each for each in self._pipelines.line(step)[1:] if each.node not in inner), None)
        if before is None:
            return False
        return any(reading.context.clock > step.clock for reading in self._pipelines.reached(before))

    @cached_property
    def _results(self) -> dict[ast.AST, list[Result]]:
        found: dict[ast.AST, list[Result]] = defaultdict(list)
        for call in self._run.calls:
            found[call.node].append(call.result)
        return found

    # -- the text ---------------------------------------------------------------------------------------------------

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self._run.machine.main.tree))

    def _scope(self, node: ast.AST) -> Scope:
        return next(each for each in self._run.above(node) if isinstance(each, Scope))

    def _function(self, node: ast.AST) -> str:
        scope = self._scope(node)
        return scope.name if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""


def root(node: ast.expr) -> ast.expr:
    """What a chain of calls begins with: `a.b` of `a.b.map(f).batch(2)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node


def _is_place(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))


def _binds(node: ast.Assign, name: str) -> bool:
    return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name


def _is_read_after(node: ast.Assign, name: str, within: ast.AST, scope: Scope) -> bool:
    """Whether a name is read after a statement, before it is the next one's, or by a function that may run at any time."""
    for each in ast.walk(scope):
        inner = each is not scope and isinstance(each, (ast.FunctionDef, ast.Lambda))
        if inner and _reads(each, name) and not _takes(each, name):
            return True
        if isinstance(each, (ast.Global, ast.Nonlocal)) and name in each.names:
            return True
    bound = (node.lineno, node.end_col_offset or 0)
    reads = ((each.lineno, each.col_offset) for each in _reads(scope, name))
    end = node.end_lineno or node.lineno
    return any(place > bound and place[0] > end for place in reads)


def _takes(function: ast.AST, name: str) -> bool:
    own = [
        each for part in ast.iter_child_nodes(function) if isinstance(part, ast.arguments) for each in ast.walk(part)
    ]
    return any(isinstance(each, ast.arg) and each.arg == name for each in own)


def _reads(scope: ast.AST, name: str) -> list[ast.Name]:
    return [
        each
        for each in ast.walk(scope)
        if isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Store)
    ]


def changes_something(function: Function) -> bool:
    """Whether a function prints, or puts something somewhere."""
    return _tells(function.node)


def _tells(function: ast.AST) -> bool:
    """Whether a function prints, or puts something somewhere."""
    for each in ast.walk(function):
        if isinstance(each, (ast.Global, ast.Nonlocal)):
            return True
        if isinstance(each, (ast.Attribute, ast.Subscript)) and isinstance(each.ctx, ast.Store):
            return True
        if isinstance(each, ast.Call) and _name(each.func) in _TELLING:
            return True
    return False


def _expects(node: ast.AST) -> bool:
    if isinstance(node, ast.Try):
        return bool(node.handlers)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        calls = [item.context_expr for item in node.items]
        return any(isinstance(call, ast.Call) and _name(call.func) in _EXPECTING for call in calls)
    return False


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
