"""The state of a run: where it is, on which way it came there, and what is left of its budget."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn, Protocol

from seqlint.run.frames import names_of
from seqlint.run.heap import Heap, excluded, simplest
from seqlint.run.objects import ALWAYS, Option, Result, Unknown, Value, joined
from seqlint.run.records import record
from seqlint.run.trace import Asked, Call, Context, Loop, Phase, Read, Store, Trace, Watched

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from seqlint.run.frames import Frame, Names, Scoped
    from seqlint.run.heap import Place
    from seqlint.run.modules import Modules
    from seqlint.run.objects import (
        Bound,
        Class,
        Container,
        Function,
        Generator,
        Guard,
        Guards,
        Instance,
        Module,
        Object,
        Op,
        Term,
    )
    from seqlint.run.trace import ReadKind

BUDGET = 12_000
"""Expressions and statements that a run looks at. Half of the public files take less than 600."""
MOST_OF_A_CALL = 3_000
"""The part of it that one call of the script may use up, or one function that nobody calls; a call in a call half of it, and so on. What such
a call gives, and all that it would have done after it, is unknown."""
DEEPEST_CALL = 8
MOST_ITEMS = 12
"""A loop over a container with as many known items, or fewer, is run item by item."""


class Invoke(Protocol):
    """Calls an object."""

    def __call__(
        self,
        machine: Machine,
        callee: Object | None,
        args: tuple[Value, ...],
        keywords: tuple[tuple[str, Value], ...],
        node: ast.AST,
    ) -> Value:
        """Its value."""
        ...  # fmt: skip


class Spent(Exception):
    """The budget of a run is used up: what is left is unknown."""


@record
class Piece:
    """Something that a container gets in a loop of unknown length, or under an unknown key.

    Attributes:
        how: "append", "extend", "insert", "key" and the like.
        loops: those that it happens in and that the container was not made in.
    """

    value: Value
    how: str
    context: Context
    loops: tuple[Loop, ...]


@record
class Deferred:
    """A function that somebody else may call later."""

    function: Bound | Function
    phase: Phase


class Under:
    """A part of the way that has further conditions. A class costs a third of a generator with `contextmanager`."""

    __slots__ = ("_before", "_guards", "_machine")

    def __init__(self, machine: Machine, guards: Guards) -> None:
        self._machine = machine
        self._guards = guards

    def __enter__(self) -> None:
        self._before = self._machine.way
        if self._guards:
            self._machine.way = self._before | self._guards

    def __exit__(self, *raised: object) -> None:
        self._machine.way = self._before


@dataclass
class Machine:
    """One run."""

    modules: Modules
    main: Module
    evaluate: Callable[[Machine, ast.expr, Frame], Value]
    execute: Callable[[Machine, Sequence[ast.stmt], Frame], bool]
    invoke: Invoke
    drain: Callable[[Machine, Generator, ast.AST], list[Value] | None]
    heap: Heap = field(default_factory=Heap)
    trace: Trace = field(default_factory=Trace)
    way: Guards = ALWAYS
    clock: int = 0
    steps: int = 0
    limit: int = BUDGET
    watched: bool = False
    lengths: dict[Instance, Value] = field(default_factory=dict)
    born: dict[int, int] = field(default_factory=dict)
    births: dict[Instance, Context] = field(default_factory=dict)
    cut: set[ast.AST] = field(default_factory=set)
    spent: bool = False
    module: Module = None  # type: ignore[assignment]
    phases: tuple[Phase, ...] = (Phase("script"),)
    loops: tuple[Loop, ...] = ()
    stack: tuple[ast.Call, ...] = ()
    within: tuple[Object, ...] = ()
    functions: tuple[Function, ...] = ()
    pieces: dict[int, list[Piece]] = field(default_factory=lambda: defaultdict(list))
    made_in: dict[int, int] = field(default_factory=dict)
    containers: list[Container] = field(default_factory=list)
    ran: set[ast.AST] = field(default_factory=set)
    executed: set[int] = field(default_factory=set)
    driven: set[int] = field(default_factory=set)
    started: dict[int, int] = field(default_factory=dict)
    phases_of: dict[int, list[Phase]] = field(default_factory=lambda: defaultdict(list))
    moved: int = 0
    given: dict[Result, tuple[Object, ...]] = field(default_factory=dict)
    taken: dict[Object, Result] = field(default_factory=dict)
    factories: dict[int, Object] = field(default_factory=dict)
    iterated: dict[tuple[Instance, ast.AST], Object | None] = field(default_factory=dict)
    setters: set[str] = field(default_factory=set)
    returned: dict[Result, list[Value]] = field(default_factory=lambda: defaultdict(list))
    values: dict[ast.AST, list[Watched]] = field(default_factory=lambda: defaultdict(list))
    terms: dict[tuple[Term, ...], Result] = field(default_factory=dict)
    resolved: dict[Term, Value] = field(default_factory=dict)
    scopes: dict[ast.AST, Names] = field(default_factory=dict)
    deferred: list[Deferred] = field(default_factory=list)
    defined: list[Function] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    instances: dict[Class, list[Instance]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.module = self.main

    def step(self) -> None:
        """Count one expression or statement.

        Raises:
            Spent: it is one too many.
        """
        self.steps += 1
        if self.steps > self.limit:
            self.stop()

    def stop(self) -> NoReturn:
        """Give up what runs here: its budget is used up.

        Raises:
            Spent: always.
        """
        self.spent = True
        raise Spent

    def tick(self) -> int:
        """The next moment."""
        self.clock += 1
        return self.clock

    @property
    def context(self) -> Context:
        """Where the run is."""
        return Context(self.tick(), self.module, self.phases, self.way, self.loops, self.stack, self.within)

    # -- the way ----------------------------------------------------------------------------------------------------

    def under(self, guards: Guards) -> Under:
        """Run code under further conditions; what is learned on the way is forgotten after it."""
        return Under(self, guards)

    def learn(self, guards: Iterable[Guard]) -> None:
        """Go on where conditions hold."""
        self.way |= frozenset(guards)

    def open(self, value: Value) -> Value:
        """The options of a value that the way leaves open."""
        if len(value.options) == 1 and not value.options[0].guards:
            return value
        kept = [
            Option(option.object, option.guards - self.way)
            for option in value.options
            if not excluded(option.guards, self.way)
        ]
        return joined(kept)

    # -- places -----------------------------------------------------------------------------------------------------

    def put(self, place: Place, value: Value | None) -> None:
        """Log a value at a place."""
        way = self.way
        self.heap.put(place, value, simplest(way) if way else way, self.tick())

    def read(self, place: Place) -> tuple[Value, bool]:
        """What a place holds here, and whether that is all that it can hold."""
        last = self.heap.plain(place, self.way)
        if last is not None:
            return last, True
        found = self.heap.read(place, self.way)
        return joined(list(found.options)), found.sure

    def holds(self, place: Place) -> bool:
        """Whether anything was ever put there."""
        return place in self.heap.log

    # -- happenings -------------------------------------------------------------------------------------------------

    def result(
        self, op: Op, name: str, receiver: Object | None = None, args: tuple[Value, ...] = (),
        keywords: tuple[tuple[str, Value], ...] = (), node: ast.AST | None = None, *, fresh: bool = False,
    ) -> Result:  # fmt: skip
        """A term. Attributes, items and operators of the same things are the same object, until a call moves rows in place."""
        made = Result(op, name, receiver, args, keywords, node, self.module, self.tick(), fresh)
        term = made.term  # at once, so that a long chain needs no deep stack
        if op != "call" and not fresh:
            known = self.terms.setdefault((term, self.moved, *_made_in(made)), made)
            if known is not made:
                return known
        self.trace.results.append(made)
        return made

    def call(self, result: Result) -> None:
        """Log a call of something that is not run."""
        self.trace.calls.append(Call(result, self.context))

    def store(self, owner: Object | None, name: str, value: Value, node: ast.AST) -> None:
        """Log a store."""
        self.trace.stores.append(Store(owner, name, value, node, self.context))

    def reading(self, kind: ReadKind, value: Value, node: ast.AST) -> None:
        """Log that something is gone through, or handed to a stranger."""
        self.trace.reads.append(Read(kind, value, node, self.context))

    def asking(self, name: str, value: Value, node: ast.AST) -> None:
        """Log that an attribute is read, where only a library can have set it."""
        terms = [each for each in value if isinstance(each, Result) and each.op == "attribute"]
        owners = tuple(each.receiver for each in terms if each.method == name and each.receiver is not None)
        if owners and len(owners) == len(value.options):
            self.trace.asked.append(Asked(name, owners, node, self.context))

    def unknown(self, why: str, node: ast.AST | None = None) -> Value:
        """Anything."""
        return Value.of(Unknown(why, node))

    @contextmanager
    def phase(self, phase: Phase) -> Iterator[None]:
        """Run code that somebody else calls."""
        before = self.phases
        self.phases = (*before, phase)
        try:
            yield
        finally:
            self.phases = before

    def watch(self, node: ast.AST, value: Value) -> None:
        """Keep the value that an expression has here."""
        self.values[node].append(Watched(value, self.clock, self.way))

    def names(self, node: Scoped, module: Module | None) -> Names:
        """What a body of a module does with names."""
        found = self.scopes.get(node)
        if found is None:
            found = self.scopes[node] = names_of(node, plain=module is not None and module.plain)
        return found

    def depth(self, function: Function) -> int:
        """How often a function is running."""
        return sum(1 for each in self.functions if each.node is function.node)


def _made_in(made: Result) -> list[int]:
    """The serials of what a term is made of: two calls that are spelled alike give two objects, each with parts of its own."""
    found = [made.receiver.serial] if isinstance(made.receiver, Result) else []
    for value in made.args:
        found += [option.object.serial for option in value.options if isinstance(option.object, Result)]
    return found


def frame_place(frame: Frame, name: str) -> Place:
    """Where a variable lives."""
    return (frame.serial, name)
