"""What a value of an abstract run can be.

A value is a set of options, each an object with the conditions under which it is the one. Objects that a program makes and changes
(lists, instances, frames) have an identity. What a library gives is a term: the call with its receiver and arguments. Two terms that are
spelled alike are the same value, unless their call is fresh each time: a draw, `next`, the time.
"""

from __future__ import annotations

import ast
from dataclasses import field
from itertools import count
from typing import TYPE_CHECKING, Literal

from seqlint.run.records import once, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from seqlint.run.frames import Frame

Term = int
"""A number for the way that a value is made. Two values that are spelled alike have the same."""
Key = tuple[object, ...]
Guard = tuple[Key, bool]
"""A condition and how it came out."""
Guards = frozenset[Guard]
ALWAYS: Guards = frozenset()

_serials = count(1)


def serial() -> int:
    """A number that no other object of this process has."""
    return next(_serials)


_terms: dict[Key, Term] = {}


def term(*parts: object) -> Term:
    """The number of a term, made from the numbers of its parts: a value that is used twice in another is not spelled out twice."""
    found = _terms.get(parts)
    if found is None:
        found = _terms[parts] = serial()
    return found


def forget_terms() -> None:
    """Begin a new run: its values are never compared with those of another."""
    _terms.clear()


@record
class Constant:
    """A number, text, truth value or None that the program writes.

    Attributes:
        origin: where it is written, or the operation on constants that gives it; None where the run itself makes it.
    """

    value: object
    origin: ast.AST | Result | None = None

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("constant", type(self.value).__name__, repr(self.value))


@record
class Setting:
    """A default that somebody outside can replace: of an option, of a parameter that no call fills.

    Attributes:
        default: the value without anybody's word.
        origin: what stands for all that it can be.
    """

    default: Constant
    origin: Object

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("setting", self.origin.term)


@record
class External:
    """Something of a library, under its canonical name, such as "numpy.random.shuffle"."""

    name: str

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("external", self.name)


@record
class Module:
    """A module of the project; its names are those of its frame.

    Attributes:
        plain: whether its text has no `:=` and no `yield`.
    """

    name: str
    path: Path | None
    tree: ast.Module
    frame: Frame
    plain: bool = False

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("module", str(self.path or self.name))


@record
class Pending:
    """What an import names in another file of the project. The file is read when somebody asks for the name.

    Attributes:
        path: the file.
        rest: the dotted name in it; empty for the module itself.
    """

    path: str
    rest: str

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("pending", self.path, self.rest)


@record
class Function:
    """A function or lambda of the program, with the frame that its free names are looked up in.

    Attributes:
        defaults: the values of its defaults by parameter, worked out where it is defined.
        owner: the class that it is a method of.
        wrapped: the decorators that change nothing a rule asks for, by canonical name: "tensorflow.function".
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    frame: Frame
    defaults: Mapping[str, Value]
    owner: Class | None = None
    wrapped: tuple[str, ...] = ()
    serial: int = field(default_factory=serial)

    @property
    def name(self) -> str:
        """Its name; empty for a lambda."""
        return "" if isinstance(self.node, ast.Lambda) else self.node.name

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("function", self.serial)


@record
class Bound:
    """A method with its object, or a function with arguments that `functools.partial` has filled."""

    function: Function
    receiver: Object | None = None
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        own = self.receiver.term if self.receiver is not None else ()
        filled = tuple(value.term for value in self.args) + tuple((name, value.term) for name, value in self.keywords)
        return term("bound", self.function.term, own, filled)


@record
class Class:
    """A class of the program. Names of its body are places of its frame."""

    node: ast.ClassDef
    frame: Frame
    bases: tuple[Value, ...]
    decorators: tuple[str, ...] = ()
    serial: int = field(default_factory=serial)
    line: list[Object] = field(default_factory=list)  # what `attributes.lineage` has found

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("class", self.serial)


@record
class Instance:
    """An object of a class of the program.

    Attributes:
        node: the call that makes it; None where Keras or a stranger does.
        made: whether the program itself makes it.
    """

    cls: Class
    node: ast.AST | None
    made: bool = True
    serial: int = field(default_factory=serial)

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("instance", self.serial)


Kind = Literal["list", "dict", "set"]


@record
class Container:
    """A list, dict or set. Its items are places of the heap as long as they are known one by one."""

    kind: Kind
    node: ast.AST
    serial: int = field(default_factory=serial)

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("container", self.serial)


@record
class Tuple:
    """A tuple with known items."""

    items: tuple[Value, ...]
    node: ast.AST

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("tuple", *(item.term for item in self.items))


@record
class Generator:
    """What a call of a generator function gives; its body runs when somebody reads it.

    Attributes:
        frame: the frame of the call, whose names the body may bind anew.
        node: the call.
        given: what each parameter gets.
    """

    function: Function
    frame: Frame
    node: ast.AST
    given: tuple[tuple[str, Value], ...] = ()
    serial: int = field(default_factory=serial)

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("generator", self.serial)


@record
class Super:
    """`super()`: an object as its classes above one class see it."""

    receiver: Object
    below: Class

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("super", self.receiver.term, self.below.term)


def itself(found: Object | None) -> Object | None:
    """An object, where a method is asked of it through `super()` as well."""
    return found.receiver if isinstance(found, Super) else found


Op = Literal["call", "attribute", "item", "operator", "element", "each", "parameter", "display"]


@record
class Result:
    """What code that is not run gives, as the term that makes it.

    Attributes:
        op: *call* of a library or unknown function, *attribute*, *item* by an index, *operator*, *element*: one row of a dataset as a function
            of `map` gets it, *each*: what a loop takes from its iterable, *parameter* of a function that nobody calls, *display*: a list or
            dict of unknown length, whose one argument is an item of it.
        name: the canonical name of what is called, ".shuffle" where the type of its receiver is unknown; an attribute's name; an operator.
        receiver: the object that a method or attribute is asked of.
        node: the place in the text; for a method the whole call.
        clock: when it was made.
        serial: distinguishes two terms that are spelled alike, but made at two places or times.
        fresh: whether each evaluation gives another value.
        type: its library type, where that is said elsewhere than by its name: the annotation of a parameter.
    """

    op: Op
    name: str
    receiver: Object | None = None
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    node: ast.AST | None = None
    module: Module | None = None
    clock: int = 0
    fresh: bool = False
    type: str = ""
    serial: int = field(default_factory=serial)

    @once
    def method(self) -> str:
        """The last part of its name: "shuffle"."""
        return self.name.rpartition(".")[2]

    def keyword(self, name: str) -> Value | None:
        """A keyword argument, if the call names it."""
        return next((value for keyword, value in self.keywords if keyword == name), None)

    def argument(self, name: str, place: int) -> Value | None:
        """An argument by its name, else by its place, from 0; None where it is left out."""
        given = self.keyword(name)
        return self.args[place] if given is None and place < len(self.args) else given

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        if self.fresh:
            return term("fresh", self.serial)
        own = self.receiver.term if self.receiver is not None else ()
        args = tuple([value.term for value in self.args])
        keywords = tuple([(name, value.term) for name, value in self.keywords])
        return term(self.op, self.name, own, args, keywords)


@record
class Unknown:
    """Anything: what no rule may build on."""

    why: str
    node: ast.AST | None = None
    serial: int = field(default_factory=serial)

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        return term("unknown", self.serial)


Object = (
    Constant | Setting | External | Module | Pending | Function | Bound | Class | Instance | Container | Tuple | Generator | Super
    | Result | Unknown
)  # fmt: skip


@record
class Option:
    """One object that a value can be, and when."""

    object: Object
    guards: Guards = ALWAYS


@record
class Value:
    """All that an expression can be where it is read. Without an option the code is not reached."""

    options: tuple[Option, ...]

    @classmethod
    def of(cls, one: Object) -> Value:
        """One object, whatever happens."""
        return cls((Option(one),))

    @property
    def only(self) -> Object | None:
        """The object, where there is one alone."""
        options = self.options
        return options[0].object if len(options) == 1 else None

    @property
    def surely(self) -> Object | None:
        """The object, where there is one alone, whatever happens."""
        options = self.options
        return options[0].object if len(options) == 1 and not options[0].guards else None

    @property
    def objects(self) -> tuple[Object, ...]:
        """All that it can be."""
        return tuple([option.object for option in self.options])

    @once
    def term(self) -> Term:
        """Its number: that of all values that are spelled alike."""
        if len(self.options) == 1:
            return self.options[0].object.term
        return term("any", *sorted(option.object.term for option in self.options))

    @property
    def constant(self) -> object:
        """The constant that it surely is, or is by default; `...` where it is none."""
        found = self.only
        if isinstance(found, Setting):
            found = found.default
        return found.value if isinstance(found, Constant) else ...

    def __iter__(self) -> Iterator[Object]:
        return iter([option.object for option in self.options])


MOST_OPTIONS = 16


def joined(values: list[Option], node: ast.AST | None = None) -> Value:
    """The options of several values, each once; anything where they are many."""
    if len(values) == 1:
        return Value(tuple(values))
    found: dict[Term, Option] = {}
    for option in values:
        key = option.object.term
        before = found.get(key)
        if before is None:
            found[key] = option
        elif before.guards != option.guards:
            found[key] = Option(before.object, before.guards & option.guards)
    if len(found) > MOST_OPTIONS:
        return Value.of(Unknown("it can be many things", node))
    return Value(tuple(found.values()))


def constant(value: Value | None) -> object:
    """The constant that a value surely is; `...` where it is none, or a setting that somebody can replace."""
    only = value.only if value is not None else None
    return only.value if isinstance(only, Constant) else ...


def is_setting(value: Value | None) -> bool:
    """Whether a value is a default that somebody outside can replace."""
    return value is not None and any(isinstance(each, Setting) for each in value)
