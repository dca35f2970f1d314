"""The run of one file, as rules ask it."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from seqlint.run import attributes, calls, entries, expressions, statements
from seqlint.run.containers import items, pieces
from seqlint.run.machine import Machine, Spent
from seqlint.run.modules import Modules
from seqlint.run.objects import Bound, Container, Function, Instance, Object, Value, forget_terms
from seqlint.run.trace import Trace
from seqlint.run.unread import unread_cells, with_unread_cells
from seqlint.sources.syntax import Syntax, syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from seqlint.model import Position
    from seqlint.run.machine import Piece
    from seqlint.run.modules import Finder
    from seqlint.run.objects import Class, Result
    from seqlint.run.trace import Asked, Batch, Call, Context, Entered, Read, Store
    from seqlint.sources import Source

Domain = TypeVar("Domain")


class Run:
    """What a program does, worked out once.

    Attributes:
        complete: whether all of it was run: a budget that was used up leaves the rest unknown, and so does a cell that is no Python. A rule
            that says that something never happens must ask.
    """

    def __init__(self, source: Source, path: Path | None, finder: Finder | None, *, watched: bool = False) -> None:
        """Run a file.

        Args:
            source: its text. A text that Python can't read is a program without a statement.
            finder: finds other modules of its project; None: there are none.
            watched: whether the value of each expression is kept.
        """
        self._source = source
        self._made_from = path, finder
        forget_terms()
        found, modules = _syntax(source), Modules(finder)
        self.machine = Machine(
            modules,
            modules.main(found.tree, path, source.text),
            expressions.evaluate,
            statements.execute,
            calls.invoke,
            calls.drain,
        )
        self.machine.watched = watched
        entries.start(self.machine, found)
        self.complete = not self.machine.spent and not unread_cells(source)
        self._domains: dict[object, object] = {}

    def domain(self, kind: Callable[[Run], Domain]) -> Domain:
        """What the values of the run mean in one respect, such as `Pipelines`: made when the first rule asks."""
        if kind not in self._domains:
            self._domains[kind] = kind(self)
        return self._domains[kind]  # type: ignore[return-value]

    def end(self) -> None:
        """Let go of all that was worked out: its parts hold each other, and would wait for the garbage collector."""
        if "watched" in vars(self):
            self.watched.end()
        for frame in (self.machine.main.frame, *self.machine.modules.frames, *self.machine.frames):
            if frame.cls is not None:
                frame.cls.line.clear()
            vars(frame).clear()
        for domain in self._domains.values():
            vars(domain).clear()
        vars(self.machine).clear()
        vars(self).clear()

    @cached_property
    def watched(self) -> Run:
        """The same run again, with the value of each expression."""
        return Run(self._source, *self._made_from, watched=True)

    # -- what happens -----------------------------------------------------------------------------------------------

    @property
    def calls(self) -> list[Call]:
        """All calls of libraries and unknown code, in running order."""
        return self.machine.trace.calls

    @property
    def batches(self) -> list[Batch]:
        """What Sequences and generators give, in running order."""
        return self.machine.trace.batches

    @property
    def entered(self) -> list[Entered]:
        """The methods of objects of the program that run, in running order."""
        return self.machine.trace.entered

    @property
    def stores(self) -> list[Store]:
        """All attributes, items and global names that get a value, in running order."""
        return self.machine.trace.stores

    @property
    def reads(self) -> list[Read]:
        """All that is gone through or handed to code that is not seen, in running order."""
        return self.machine.trace.reads

    @property
    def results(self) -> list[Result]:
        """All terms that the run has made, in running order."""
        return self.machine.trace.results

    @cached_property
    def call_of(self) -> dict[Result, Call]:
        """The call that made a result."""
        return {call.result: call for call in self.calls}

    def called(self, *names: str) -> Iterator[Call]:
        """The calls of canonical names; ".fit" for a method of something whose type is unknown."""
        return (call for call in self.calls if call.result.name in names)

    def methods(self, *names: str) -> Iterator[Call]:
        """The calls whose last name is one of these, whatever they are asked of."""
        return (call for call in self.calls if call.result.method in names)

    def at(self, span: tuple[int, int]) -> tuple[Call, ...]:
        """What was called by the call of this file at a span, in bytes: once for each time that it ran."""
        return tuple(self._by_span.get(span, ()))

    @cached_property
    def _by_span(self) -> dict[tuple[int, int], list[Call]]:
        found: dict[tuple[int, int], list[Call]] = {}
        for call in self.calls:
            if self.is_here(call.context) and isinstance(call.node, ast.Call):
                found.setdefault(self.span(call.node), []).append(call)
        return found

    def returned(self, result: Result) -> list[Value]:
        """What the function that a call has got gives: the rows that a function of `map` makes."""
        return self.machine.returned.get(result, [])

    def asked(self, *names: str) -> Iterator[Asked]:
        """Where attributes are read that no code of the program has set, once for each time."""
        return (each for each in self.machine.trace.asked if each.name in names)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node of the file that is checked."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node of the file that is checked, the nearest first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    # -- values -----------------------------------------------------------------------------------------------------

    def items(self, value: Value | Object | None) -> list[Value] | None:
        """The items of a list or tuple, the keys of a dict; None where they are not all known."""
        found = value.only if isinstance(value, Value) else value
        return items(self.machine, found) if found is not None else None

    def pieces(self, container: Container) -> tuple[Piece, ...]:
        """What a container is filled with in loops."""
        return pieces(self.machine, container)

    def at_key(self, container: Container, key: object) -> Value | None:
        """The value of a dict under a key."""
        value, sure = self.machine.read((container.serial, f"k:{key!r}"))
        return value if sure else None

    def attribute(self, instance: Instance, name: str) -> Value | None:
        """The attribute of an object of the program at the end of the run; None where it may be anything."""
        value, sure = self.machine.read((instance.serial, name))
        return value if sure else None

    def instances(self, cls: Class) -> tuple[Instance, ...]:
        """The objects of a class that the program makes."""
        return tuple(self.machine.instances.get(cls, ()))

    def length(self, instance: Instance) -> Value | None:
        """What `len` of an object of the program gives; None where its class does not say, or that can't be followed."""
        if attributes.lookup(self.machine, instance.cls, "__len__").value is None:
            return None
        try:
            return calls.call_method(self.machine, instance, "__len__", (), (), instance.cls.node)
        except (Spent, RecursionError):
            return None

    def given_by(self, instance: Instance, name: str) -> Value | None:
        """What a method of an object of the program gives for arguments that nobody knows; None where it can't be followed.

        What happens in it is not logged: the run is over, and rules see the same happenings whoever asks first.
        """
        method = attributes.lookup(self.machine, instance.cls, name).value
        function = method.only if method is not None else None
        if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
            return None
        node = function.node
        needed = node.args.args[1 : len(node.args.args) - len(node.args.defaults)]
        trace, self.machine.trace = self.machine.trace, Trace()
        try:
            args = tuple(
                Value.of(self.machine.result("parameter", each.arg, None, (), (), node, fresh=True)) for each in needed
            )
            return calls.call_method(self.machine, instance, name, args, (), instance.cls.node)
        except (Spent, RecursionError):
            return None
        finally:
            self.machine.trace = trace

    # -- places -----------------------------------------------------------------------------------------------------

    def is_here(self, context: Context) -> bool:
        """Whether something happens in the file that is looked at, and not in one that it imports."""
        return context.module is self.machine.main

    def place(self, call: Call) -> ast.AST | None:
        """Where a reader of this file sees a call: the call itself, or the one of this file that leads to it in another."""
        return call.node if self.is_here(call.context) else self.leads_to(call.context)

    def is_own(self, node: ast.AST | None) -> bool:
        """Whether a node is one of this file, and not of one that it imports."""
        return node in self._own

    def leads_to(self, context: Context) -> ast.AST | None:
        """The call of this file that leads to what happens in another."""
        return next((node for node in reversed(context.stack) if node in self._own), None)

    @cached_property
    def _own(self) -> frozenset[ast.AST]:
        return frozenset(ast.walk(self.machine.main.tree))

    def written(self, call: Call, name: str) -> ast.expr | None:
        """What this file writes for a keyword argument of a call; None where it is given in another way, or in another file."""
        if not self.is_here(call.context) or not isinstance(call.node, ast.Call):
            return None
        return next((keyword.value for keyword in call.node.keywords if keyword.arg == name), None)

    def handed(self, call: Call, name: str) -> ast.expr | None:
        """The `**` of this file by which a call surely gets a keyword argument; None where it is written, or nobody knows."""
        if not self.is_here(call.context) or not isinstance(call.node, ast.Call) or call.result.keyword(name) is None:
            return None
        keywords = call.node.keywords
        if any(keyword.arg == name for keyword in keywords):
            return None
        return next((keyword.value for keyword in keywords if keyword.arg is None), None)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node of this file starts and ends, in bytes."""
        starts = self._source.line_starts
        found: ast.expr = node  # type: ignore[assignment]
        end_line, end = found.end_lineno or found.lineno, found.end_col_offset or found.col_offset
        return starts[found.lineno - 1] + found.col_offset, starts[end_line - 1] + end

    def has_comment(self, start: int, end: int) -> bool:
        """Whether there may be a comment in a part of the text."""
        return "#" in self._source.slice(start, end)

    def step_span(self, node: ast.AST) -> tuple[int, int]:
        """Where a step of a chain starts and ends: from the name of its method, or of an attribute."""
        start, end = self.span(node)
        named = node.func if isinstance(node, ast.Call) else node
        if isinstance(named, ast.Attribute):
            start = self.span(named)[1] - len(named.attr.encode())
        return start, end

    def is_shown(self, node: ast.stmt) -> bool:
        """Whether a notebook shows the value of a statement: it is the last one of its cell."""
        body = self.machine.main.tree.body
        cell = self._source.position(self.span(node)[0]).cell
        if cell is None or node not in body:
            return False
        # Between two cells the code of a notebook has a `pass`.
        after = [each for each in body[body.index(node) + 1 :] if not isinstance(each, ast.Pass)]
        return not after or self._source.position(self.span(after[0])[0]).cell != cell

    def functions(self, value: Value) -> Iterator[Function]:
        """The functions of the program that a value can be, without the objects and arguments that they are bound to."""
        for each in value:
            if isinstance(each, (Function, Bound)):
                yield each if isinstance(each, Function) else each.function

    def position(self, node: ast.AST) -> Position:
        """The line and column, from 1, where a node of this file starts."""
        return self._source.position(self.span(node)[0])

    def step_line(self, node: ast.AST) -> int:
        """The line, from 1, that a step of a chain stands on."""
        return self._source.position(self.step_span(node)[0]).line

    def text(self, node: ast.AST) -> str:
        """The source text of a node of this file."""
        return self.slice(*self.span(node))

    def slice(self, start: int, end: int) -> str:
        """The source text between two offsets, in bytes."""
        return self._source.slice(start, end)

    @property
    def size(self) -> int:
        """How long the text of this file is, in bytes."""
        return len(self._source.text.encode())

    @property
    def tree(self) -> ast.Module:
        """The syntax tree of this file."""
        return self.machine.main.tree

    def lines(self, node: ast.stmt) -> tuple[int, int]:
        """The bytes of a statement of this file as whole lines: comment lines right above it, the last newline included."""
        starts = self._source.line_starts
        first, after = node.lineno - 1, node.end_lineno or node.lineno
        while first and self._is_comment(starts[first - 1], starts[first], node.col_offset):
            first -= 1
        return starts[first], starts[after] if after < len(starts) else self.size

    def _is_comment(self, start: int, end: int, indent: int) -> bool:
        text = self.slice(start, end)
        return text[indent : indent + 1] == "#" and not text[:indent].strip()


def _syntax(source: Source) -> Syntax:
    try:
        found = syntax(source.text)
        tree = with_unread_cells(found.tree, source)
        return found if tree is found.tree else Syntax(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Syntax(ast.Module([], []))
