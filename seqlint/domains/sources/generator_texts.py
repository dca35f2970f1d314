"""Texts in `args=` of `from_generator`: they arrive as bytes, and some generators need a text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.sources.generators import GeneratorSources
from seqlint.run import Bound, Constant, Container, External, Function, Instance, Result, Setting, Tuple
from seqlint.run.names import looked_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Value

Kind = Literal["text", "texts"]

_TAKES_NO_TEXT = frozenset({"split", "rsplit", "startswith", "endswith", "replace", "partition", "rpartition", "find", "index", "count"})  # fmt: skip
_OF_TEXTS = frozenset({"encode", "format", "casefold", "isidentifier", "isnumeric", "isdecimal"})
"""Methods that bytes don't have."""
_CHANGES = frozenset({"decode", "astype", "tolist", "setdefault", "update"})
_ASKS = frozenset({"builtins.isinstance", "builtins.type", "builtins.hasattr"})
_OPENS = frozenset({"builtins.open", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "pandas.read_csv", "pathlib.Path", "os.listdir"})  # fmt: skip


@dataclass(frozen=True, eq=False)
class TextForBytes:
    """A parameter that arrives as bytes, in a function that needs a text.

    Attributes:
        function: the generator.
        name: the parameter; empty where `args` is one text, of which each letter is an argument.
        kind: *text*, or *texts*: a list of them.
        use: what needs a text.
    """

    function: Function
    name: str
    kind: Kind
    use: str


class GeneratorTexts:
    """The texts that generators of `from_generator` get."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @property
    def found(self) -> Iterator[tuple[Result, tuple[TextForBytes, ...]]]:
        """The calls whose generator needs a text, with all parameters of it that do."""
        for step in self._run.domain(GeneratorSources).calls:
            needs = tuple(self._needs(step))
            if needs:
                yield step, needs

    def _needs(self, step: Result) -> Iterator[TextForBytes]:
        given, args = (self._pipelines.argument(step, name) for name in ("generator", "args"))
        bound = given.only if given is not None else None
        if args is None or not isinstance(bound, (Function, Bound)) or self._pipelines.hides_arguments(step):
            return
        function = bound if isinstance(bound, Function) else bound.function
        if isinstance(args.constant, str):
            if not _takes(bound, len(args.constant)):
                yield TextForBytes(function, "", "text", "each letter is an argument")
            return
        for name, value in zip(_parameters(bound), self._run.items(args) or (), strict=False):
            kind = self._kind(value)
            use = Uses(self._run, bound, name, kind).first() if kind is not None else ""
            if kind is not None and use:
                yield TextForBytes(function, name, kind, use)

    def _kind(self, value: Value) -> Kind | None:
        """Whether a value is surely a text, or a list of texts."""
        objects = value.objects
        if objects and all(_is_text(each) for each in objects):
            return "text"
        only = value.only
        items = self._run.items(only) if isinstance(only, (Tuple, Container)) else None
        if isinstance(only, Container) and only.kind != "list":
            return None
        return "texts" if items and all(self._kind(item) == "text" for item in items) else None


class Uses:
    """What a generator does with a parameter."""

    def __init__(self, run: Run, bound: Function | Bound, name: str, kind: Kind) -> None:
        self._run = run
        self._function = bound if isinstance(bound, Function) else bound.function
        self._receiver = bound.receiver if isinstance(bound, Bound) else None
        node = self._function.node
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        self._nodes = [each for part in body for each in ast.walk(part)]
        self._bound = _bindings(self._nodes) | set(_names_of(node.args))
        self._texts = self._items(name) if kind == "texts" else {name}
        self._names = self._texts | {name}

    def first(self) -> str:
        """The first use that needs a text; empty where there is none, or the bytes may be made a text."""
        if any(self._may_change(node) for node in self._nodes):
            return ""
        return next((use for node in self._nodes if (use := self._use(node))), "")

    def _items(self, name: str) -> set[str]:
        """What a `for` through the list takes from it."""
        loops = [each for each in self._nodes if isinstance(each, ast.For) and _is_name(each.iter, {name})]
        targets = [each.target.id for each in loops if isinstance(each.target, ast.Name)]
        stored = [each.id for each in self._nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        return {target for target in targets if stored.count(target) == targets.count(target)}

    def _is_text(self, node: ast.AST | None) -> bool:
        return _is_name(node, self._texts)

    def _may_change(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            loop = node.id in self._names and node.id in self._texts and len(self._names) > 1
            return isinstance(node.ctx, (ast.Store, ast.Del)) and node.id in self._names and not loop
        if isinstance(node, ast.arg):
            return node.arg in self._names
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, ast.Store) and self._is_text(node.slice)
        if isinstance(node, (ast.Try, ast.Match)):
            return True
        if isinstance(node, ast.Compare):
            sides = [each for side in (node.left, *node.comparators) for each in ast.walk(side)]
            is_bytes = any(isinstance(each, ast.Constant) and isinstance(each.value, bytes) for each in sides)
            return is_bytes and any(self._is_text(each) for each in sides)
        return isinstance(node, ast.Call) and self._call_may_change(node)

    def _call_may_change(self, node: ast.Call) -> bool:
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in _CHANGES:
            return any(_is_name(each, self._names) for part in (func.value, *node.args) for each in ast.walk(part))
        return self._name_of(func) in _ASKS and any(_is_name(each, self._names) for each in node.args)

    # -- uses -------------------------------------------------------------------------------------------------------

    def _use(self, node: ast.AST) -> str:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._compared(node)
        if isinstance(node, ast.Subscript) and self._is_text(node.slice) and self._has_text_keys(node.value):
            return "a dict"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            joins = any(_is_written(one) and self._is_text(other) for one, other in _both(node.left, node.right))
            return "`+`" if joins else ""
        return self._called(node) if isinstance(node, ast.Call) else ""

    def _compared(self, node: ast.Compare) -> str:
        left, op, right = node.left, node.ops[0], node.comparators[0]
        if isinstance(op, (ast.Eq, ast.NotEq)):
            found = any(_is_written(one) and self._is_text(other) for one, other in _both(left, right))
            return "a comparison" if found else ""
        if isinstance(op, (ast.In, ast.NotIn)) and self._is_text(left):
            written = isinstance(right, (ast.Tuple, ast.List, ast.Set)) and right.elts
            found = all(map(_is_written, written)) if written else self._has_text_keys(right)
            return "`in`" if found else ""
        return ""

    def _called(self, node: ast.Call) -> str:
        func = node.func
        if isinstance(func, ast.Attribute):
            if self._is_text(func.value):
                needs = func.attr in _OF_TEXTS or (func.attr in _TAKES_NO_TEXT and any(map(_is_written, node.args)))
                return f"`{func.attr}`" if needs else ""
            if func.attr == "get" and node.args and self._is_text(node.args[0]) and self._has_text_keys(func.value):
                return "a dict"
        name = self._name_of(func)
        given = node.args
        if name == "os.path.join" and any(map(self._is_text, given)) and any(map(self._is_other_text, given)):
            return "`os.path.join`"
        if name == "pathlib.Path" and any(map(self._is_text, given)):
            return "`Path`"
        if name in _OPENS and given and self._is_formatted(given[0]):
            return "an f-string"
        return ""

    def _is_formatted(self, node: ast.expr) -> bool:
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        return any(isinstance(part, ast.FormattedValue) and self._is_text(part.value) for part in parts)

    def _is_other_text(self, node: ast.expr) -> bool:
        """Whether a part of a path is surely a text: it is written, or a name of a folder that is written."""
        if _is_written(node):
            return True
        loops = [each for each in self._nodes if isinstance(each, ast.For) and isinstance(each.target, ast.Name)]
        listed = [each.iter for each in loops if isinstance(node, ast.Name) and _is_name(each.target, {node.id})]
        return len(listed) == 1 and any(self._lists(each) for each in ast.walk(listed[0]))

    def _lists(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call) and self._name_of(node.func) == "os.listdir" and any(map(_is_written, node.args))
        )

    # -- what is outside the function -------------------------------------------------------------------------------

    def _has_text_keys(self, node: ast.expr) -> bool:
        """Whether something is a dict of the program that has texts alone for keys."""
        found = self._outside(node)
        if not isinstance(found, Container) or found.kind not in ("dict", "list", "set"):
            return False
        keys = self._run.items(found)
        return bool(keys) and all(_is_text(each) for key in keys or () for each in key)

    def _outside(self, node: ast.expr) -> Object | None:
        """What a name that is bound outside the generator means, or an attribute of its `self`."""
        if isinstance(node, ast.Name) and node.id not in self._bound:
            return looked_up(self._run.machine, node.id, self._function.frame, None).only
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and isinstance(self._receiver, Instance)
        ):
            own = _names_of(self._function.node.args)
            value = self._run.attribute(self._receiver, node.attr) if own and node.value.id == own[0] else None
            return value.only if value is not None else None
        return None

    def _name_of(self, node: ast.expr) -> str:
        """The canonical name of something of a library."""
        if isinstance(node, ast.Attribute):
            above = self._name_of(node.value)
            return f"{above}.{node.attr}" if above else ""
        found = self._outside(node)
        return found.name if isinstance(found, External) else ""


def _takes(bound: Function | Bound, count: int) -> bool:
    """Whether a function may be called with so many arguments."""
    function = bound if isinstance(bound, Function) else bound.function
    own = function.node.args
    most = len(_parameters(bound))
    return own.vararg is not None or most - len(own.defaults) <= count <= most


def _parameters(bound: Function | Bound) -> list[str]:
    """The parameters that arguments fill, in order."""
    if isinstance(bound, Function):
        return _names_of(bound.node.args)
    filled = len(bound.args) + (bound.receiver is not None)
    named = {name for name, _ in bound.keywords}
    return [name for name in _names_of(bound.function.node.args)[filled:] if name not in named]


def _names_of(args: ast.arguments) -> list[str]:
    return [each.arg for each in (*args.posonlyargs, *args.args)]


def _bindings(nodes: list[ast.AST]) -> set[str]:
    return {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}


def _both(left: ast.expr, right: ast.expr) -> tuple[tuple[ast.expr, ast.expr], ...]:
    return (left, right), (right, left)


def _is_name(node: ast.AST | None, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_written(node: ast.expr) -> bool:
    """Whether an expression is a text that is written there."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_text(found: Object) -> bool:
    value = found.default.value if isinstance(found, Setting) else getattr(found, "value", None)
    return isinstance(found, (Constant, Setting)) and isinstance(value, str)
