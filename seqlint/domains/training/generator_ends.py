"""Whether generators end, as far as their text and what they go through say."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.ends import why_endless
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, Generator, Result, Tuple
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.run import Function, Object, Run, Value

Ends = Literal["yes", "no", "unknown"]
_Loop = ast.For | ast.While
_ENDLESS = frozenset({"itertools.cycle", "itertools.count"})
_GO_THROUGH = frozenset({
    "builtins.enumerate", "builtins.map", "builtins.filter", "builtins.reversed", "builtins.sorted", "builtins.list", "builtins.tuple",
    "builtins.iter", "builtins.set", "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm",
})  # fmt: skip
_FINITE = frozenset({
    "builtins.range", "builtins.open", "os.listdir", "glob.glob", "glob.iglob", "os.walk", "os.scandir", "csv.reader", "csv.DictReader",
    "builtins.len", "itertools.islice", "random.sample",
})  # fmt: skip
_FINITE_METHODS = frozenset({
    "split", "items", "keys", "values", "iterrows", "itertuples", "splitlines", "readlines", "glob", "rglob", "iterdir", "tolist", "groupby",
})  # fmt: skip
_FLOWS = ("flow", "flow_from_directory", "flow_from_dataframe")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_DEEPEST = 8


class GeneratorEnds:
    """The generators of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._open: set[ast.AST] = set()

    def of(self, found: Object | None) -> Ends:
        """Whether a generator, or what a generator expression makes, ends."""
        if isinstance(found, Container) and isinstance(found.node, ast.GeneratorExp):
            return _all(self._through(part) for part in found.node.generators)
        return self._of_function(found.function.node) if isinstance(found, Generator) else "unknown"

    def of_function(self, found: Function) -> Ends:
        """Whether the generators that a function makes end."""
        return self._of_function(found.node)

    def loops(self, found: Generator, reader: Result) -> tuple[tuple[_Loop, tuple[Value, ...]], ...]:
        """The loops of a generator around something that it yields, each with what it went through.

        Args:
            reader: the call of the model that has read it.
        """
        own = [each for each in _own(found.function.node) if isinstance(each, (ast.For, ast.While))]
        return tuple((loop, self._read_for(loop, reader)) for loop in own if _yields(loop))

    def _read_for(self, loop: _Loop, reader: Result) -> tuple[Value, ...]:
        """What a loop went through when a call read the generator; for all calls where that is not known."""
        reads = [read for read in self._run.reads if read.node is loop and read.kind == "loop"]
        own = [read for read in reads if any(phase.owner is reader for phase in read.context.phases)]
        return tuple(read.value for read in own or reads)

    def is_plain(self, loop: _Loop) -> bool:
        """Whether each round of a loop gives one batch: its `yield` stands right in it, and nothing skips or leaves it."""
        given = [each for each in loop.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Yield)]
        inside = [
            each
            for each in _own(loop)
            if isinstance(each, (ast.Yield, ast.YieldFrom, ast.Continue, ast.Break, ast.Return))
        ]
        return len(given) == len(inside) == 1

    # -- functions --------------------------------------------------------------------------------------------------

    def _of_function(self, function: ast.AST) -> Ends:
        if function in self._open or len(self._open) > _DEEPEST or isinstance(function, ast.Lambda):
            return "unknown"
        self._open.add(function)
        try:
            body = function.body if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
            if self._never_gets_past(body):
                return "no"
            return "yes" if self._surely_ends(function) else "unknown"
        finally:
            self._open.discard(function)

    def _never_gets_past(self, body: list[ast.stmt]) -> bool:
        """Whether a block, once begun, goes on for ever: nothing before its endless loop leaves it."""
        for statement in body:
            if isinstance(statement, (ast.For, ast.While)) and self._is_endless(statement):
                return True
            if isinstance(statement, ast.With) and self._never_gets_past(statement.body):
                return True
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.YieldFrom):
                ends = self._through(statement.value)
            elif isinstance(statement, ast.If):
                sides = [self._never_gets_past(side) for side in (statement.body, statement.orelse)]
                ends = "no" if all(sides) else "unknown"
            else:
                ends = "unknown"
            if ends == "no":
                return True
            if any(isinstance(each, ast.Return) for each in (statement, *_own(statement))):
                return False
        return False

    def _is_endless(self, loop: _Loop) -> bool:
        """Whether a loop that yields is never left."""
        if not _yields(loop) or _may_leave(loop):
            return False
        if isinstance(loop, ast.While):
            return isinstance(loop.test, ast.Constant) and bool(loop.test.value)
        return self._through(loop) == "no"

    def _surely_ends(self, function: ast.AST) -> bool:
        for each in _own(function):
            if isinstance(each, ast.While) and not _counts(each):
                return False
            if isinstance(each, (ast.For, ast.YieldFrom)) and self._through(each) != "yes":
                return False
        return True

    # -- what is gone through ---------------------------------------------------------------------------------------

    @cached_property
    def _read(self) -> dict[ast.AST, tuple[Value, ...]]:
        found: dict[ast.AST, list[Value]] = {}
        for read in self._run.reads:
            if read.kind == "loop":
                found.setdefault(read.node, []).append(read.value)
        return {node: tuple(values) for node, values in found.items()}

    def _through(self, node: ast.AST) -> Ends:
        """Whether what a loop, or a `yield from`, goes through ends, each time that it ran."""
        return _all(self._iterable(each, 0) for value in self._read.get(node, ()) for each in value)

    def _iterable(self, found: Object, depth: int) -> Ends:
        if isinstance(found, Generator):
            return self._of_function(found.function.node)
        if isinstance(found, (Tuple, Constant)):
            return "yes"
        if isinstance(found, Container):
            return self.of(found) if isinstance(found.node, ast.GeneratorExp) else "yes"
        if not isinstance(found, Result) or depth > _DEEPEST:
            return "unknown"
        if self._pipelines.is_dataset(found):
            return "no" if why_endless(self._pipelines, found) is not None else "unknown"
        return self._of_call(found, depth + 1) if found.op == "call" else self._of_part(found, depth + 1)

    def _of_part(self, found: Result, depth: int) -> Ends:
        """Rows that are cut out of something, and what is worked out of arrays."""
        if found.op == "item":
            index = found.args[0].only if found.args else None
            cut = isinstance(index, Result) and index.op == "operator" and index.name == "slice"
            return "yes" if cut else "unknown"
        if found.op == "operator":
            parts = [self._iterable(each, depth) for value in found.args for each in value]
            return "yes" if "yes" in parts and "no" not in parts else "unknown"
        return "unknown"

    def _of_call(self, found: Result, depth: int) -> Ends:
        name = found.name
        if name in _ENDLESS or (name == "itertools.repeat" and len(found.args) == 1 and not found.keywords):
            return "no"
        if found.method in _FLOWS and type_of(found).startswith("keras."):
            return "no"
        if name in _FINITE or found.method in _FINITE_METHODS or name.startswith(("numpy.", "pandas.")):
            return "yes"
        inner = [self._any(value, depth) for value in found.args]
        if name == "builtins.zip":
            return "yes" if "yes" in inner else _all(inner)
        if name == "itertools.chain":
            return _all(inner) if "no" not in inner else "no"
        if name in _GO_THROUGH and inner:
            return inner[1] if name in ("builtins.map", "builtins.filter") and len(inner) > 1 else inner[0]
        return "yes" if type_of(found) == "numpy.ndarray" else "unknown"

    def _any(self, value: Value, depth: int) -> Ends:
        return _all(self._iterable(each, depth) for each in value)


def _all(answers: Iterable[Ends]) -> Ends:
    found = set(answers)
    return found.pop() if len(found) == 1 else "unknown"


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, those of functions inside left out."""
    waiting = [*ast.iter_child_nodes(node)]
    while waiting:
        here = waiting.pop(0)
        yield here
        if not isinstance(here, _SCOPES):
            waiting += ast.iter_child_nodes(here)


def _yields(node: ast.AST) -> bool:
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in _own(node))


def _may_leave(loop: _Loop) -> bool:
    """Whether a loop has a `break` of its own, or a `return`."""
    waiting: list[ast.AST] = [*loop.body]
    while waiting:
        here = waiting.pop()
        if isinstance(here, (ast.Break, ast.Return)):
            return True
        if isinstance(here, (ast.For, ast.While)):
            inner = [each for each in _own(here) if isinstance(each, ast.Return)]
            if inner:
                return True
            waiting += here.orelse
        elif not isinstance(here, _SCOPES):
            waiting += ast.iter_child_nodes(here)
    return False


def _counts(loop: ast.While) -> bool:
    """Whether a `while` counts up to a bound: `while start < n: ...; start += size`."""
    test = loop.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return False
    left = {each.id for each in ast.walk(test.left) if isinstance(each, ast.Name)}
    steps = [each for each in loop.body if isinstance(each, ast.AugAssign) and isinstance(each.op, ast.Add)]
    counted = [step for step in steps if isinstance(step.target, ast.Name) and step.target.id in left]
    names = (each for each in _own(loop) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    return len(counted) == 1 and sum(each.id in left for each in names) == 1
