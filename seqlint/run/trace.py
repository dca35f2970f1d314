"""What happens in a run, in order: calls of code that is not run, and what is stored where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from seqlint.run.heap import excluded
from seqlint.run.objects import ALWAYS
from seqlint.run.records import record

if TYPE_CHECKING:
    import ast

    from seqlint.run.objects import Guards, Instance, Module, Object, Result, Value

PhaseKind = Literal["script", "import", "entry", "traced", "python", "generator", "deferred", "sequence", "callback"]
"""Who runs the code: the script itself; an import; nobody that is known (*entry*: a function that is run with unknown arguments);
TensorFlow that traces it once (*traced*: functions of `map`); Python for each row (*python*: `py_function`); a reader of a dataset
(*generator*: `from_generator`); somebody at an unknown time (*deferred*); Keras, which drives a Sequence or reads a generator (*sequence*), or the hooks of a callback."""


@record
class Phase:
    """Who runs the code, and for what.

    Attributes:
        owner: the call of `map` that a traced function belongs to; the fit that reads a Sequence or gets a callback.
        method: the method of a Sequence, or the hook of a callback, that Keras calls.
        clock: when it began.
        depth: the calls that lead to its code.
    """

    kind: PhaseKind
    owner: Result | None = None
    method: str = ""
    clock: int = 0
    depth: int = 0


@record
class Loop:
    """One round through a loop whose length is not known.

    Attributes:
        iterable: what it takes its items from; None for `while`.
    """

    node: ast.AST
    iterable: Value | None
    round: int


@record
class Context:
    """Where and when something happens.

    Attributes:
        guards: the conditions that it happens under.
        stack: the calls on the way to it, the outermost first.
        within: the objects of the `with` statements around it.
    """

    clock: int
    module: Module
    phases: tuple[Phase, ...]
    guards: Guards = ALWAYS
    loops: tuple[Loop, ...] = ()
    stack: tuple[ast.Call, ...] = ()
    within: tuple[Object, ...] = ()

    @property
    def phase(self) -> Phase:
        """Who runs the code right there."""
        return self.phases[-1]

    def excludes(self, other: Context) -> bool:
        """Whether no way through the program leads to both: a condition came out otherwise."""
        return excluded(self.guards, other.guards)


@record
class Call:
    """A call of something that is not run: of a library, or of what is unknown."""

    result: Result
    context: Context

    @property
    def node(self) -> ast.AST:
        """Where it stands in the text of its module."""
        assert self.result.node is not None
        return self.result.node

    @property
    def name(self) -> str:
        """The canonical name of what is called."""
        return self.result.name


@record
class Store:
    """An attribute, item or global name that gets a value."""

    owner: Object | None
    name: str
    value: Value
    node: ast.AST
    context: Context


ReadKind = Literal["loop", "list", "unpack", "test", "give", "index", "key", "drop"]


@record
class Read:
    """A value that something goes through: a `for`, `list(...)`, an unpacking; or that code which is not seen gets (*give*), or that a
    function returns to a caller which is not seen; or that chooses one of the known items of a list (*index*), or of a dict or tuple (*key*): the term of that does not show it;
    or that a statement drops."""

    kind: ReadKind
    value: Value
    node: ast.AST
    context: Context


@record
class Asked:
    """An attribute that is read of a thing that no code of the program has given it.

    Attributes:
        owners: all that it is asked of there.
    """

    name: str
    owners: tuple[Object, ...]
    node: ast.AST
    context: Context


@record
class Taken:
    """`holder[key]`, read in the file that is checked."""

    holder: Value
    key: Value
    node: ast.Subscript


@record
class Entered:
    """A method of an object of the program that runs.

    Attributes:
        args: what it gets, without the object.
        phase: who runs it.
    """

    receiver: Instance
    name: str
    args: tuple[Value, ...]
    phase: Phase


@record
class Batch:
    """What `__getitem__` of a Sequence gives, or a `yield`.

    Attributes:
        source: the Sequence; None for a generator.
        node: the call that reads the Sequence, or its class; the `yield`.
        context: right after it was made.
        start: when the making began.
    """

    source: Instance | None
    value: Value
    node: ast.AST
    context: Context
    start: int = 0


@dataclass
class Trace:
    """The happenings of a run, each list in running order."""

    calls: list[Call] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    entered: list[Entered] = field(default_factory=list)


@record
class Watched:
    """A value that an expression had, when, and on which way the run came there."""

    value: Value
    clock: int
    way: Guards
