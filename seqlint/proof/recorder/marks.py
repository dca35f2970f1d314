"""Notes which of the changed lines of a program ran: what did not run is not proved.

The script, or each cell of a notebook, is compiled with a call before each statement of a changed range. Its text stays as it is, so tracebacks,
`inspect` and AutoGraph see what they would have seen.
"""

from __future__ import annotations

import ast
import builtins
import dis
import mmap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import CodeType

    from .recording import Ran

_NAME = "__seqlint_ran__"
_OF_IMPORTS = "__seqlint_imported__"
_MADE, _USED = "__seqlint_default__", "__seqlint_defaulted__"
_SPLICED = ("body", "orelse", "finalbody")
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_RAN, _IMPORTED = 1, 2
_Range = tuple[int, int]


class Marks:
    """The ranges of lines that are watched in one file.

    Args:
        ranges: first and last line of each, from 1.
        defaults: parameters, as "Class.method.parameter", whose defaults change: their lines ran where a call has left the argument out.
    """

    def __init__(self, file: str, ranges: list[_Range], defaults: Collection[str] = ()) -> None:
        self._defaults = frozenset(defaults)
        self._values: dict[str, Any] = {}
        self._names: list[str] = []  # of the definitions round the statement that is looked at
        self._file = file
        self._above: dict[str, int] = {}  # lines, by the files that are watched
        self._here = 0
        self._ranges = ranges
        self._watched: set[int] = set()
        # Shared, so that what runs in a forked worker process counts.
        self._seen = mmap.mmap(-1, max(len(ranges), 1))

    def compiled(self, text: bytes) -> CodeType:
        """The code of the file, which notes what runs.

        Raises:
            SyntaxError: the text is no Python.
        """
        tree = ast.parse(text, self._file)
        self.watch(tree, self._file)
        return compile(tree, self._file, "exec", dont_inherit=True)

    def watch(self, tree: ast.Module, file: str, above: int = 0) -> None:
        """Let a tree note what of it runs.

        Args:
            file: under which it is compiled.
            above: the number of lines of the program that are above it.
        """
        if not self._ranges:
            return
        if not self._above:
            setattr(builtins, _NAME, self._note)
            setattr(builtins, _OF_IMPORTS, self._import)
            setattr(builtins, _MADE, self._make)
            setattr(builtins, _USED, self._use)
            _watch_autograph(self)
        self._above[file] = self._here = above
        self._splice(tree)

    @property
    def ran(self) -> list[Ran]:
        """Whether each range ran. Each run of a file passes its imports: that tells nothing about the code which needs them."""
        return [self._known(number) for number in range(len(self._ranges))]

    def _known(self, number: int) -> Ran:
        if number not in self._watched:
            return None
        return "imported" if self._seen[number] == _IMPORTED else self._seen[number] == _RAN

    def all_of(self, file: str, first: int, last: int) -> None:
        """Note that a function ran whose code was made anew from its source."""
        if file in self._above:
            first, last = first + self._above[file], last + self._above[file]
            for number, (start, end) in enumerate(self._ranges):
                if number in self._watched and first <= end and start <= last:
                    self._seen[number] = _RAN

    def _note(self, *numbers: int) -> None:
        for number in numbers:
            self._seen[number] = _RAN

    def _import(self, *numbers: int) -> None:
        for number in numbers:
            self._seen[number] = self._seen[number] or _IMPORTED

    def _splice(self, node: ast.AST) -> None:
        for field in _SPLICED:
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, [part for k, item in enumerate(block) for part in self._marked(node, k, item)])
        for handler in getattr(node, "handlers", []):
            self._splice(handler)
            self._at_start(handler, self._touched(handler.lineno, handler.body[0].lineno - 1))
        for case in getattr(node, "cases", []):
            self._splice(case)

    def _marked(self, parent: ast.AST, place: int, statement: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(statement, _DEFINES):
            self._names.append(statement.name)
            self._splice(statement)
            taken = self._watch_defaults(statement)
            self._names.pop()
            first = min([statement.lineno, *(item.lineno for item in statement.decorator_list)])
            # That a definition was read tells nothing: its body must run, of a class some method.
            last = max(first, _first_line(statement.body) - 1)
            numbers = [number for number in self._touched(first, last) if number not in taken]
            nodes = statement.body if isinstance(statement, ast.ClassDef) else [statement]
            for node in nodes:
                self._at_start(node, numbers)
            yield statement
            return
        self._splice(statement)
        if not _is_preamble(parent, place, statement) and (numbers := self._touched(*_own_lines(statement))):
            of_module = isinstance(statement, (ast.Import, ast.ImportFrom)) and not self._names
            yield _call(numbers, statement, _OF_IMPORTS if of_module else _NAME)
        yield statement

    def _watch_defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> set[int]:
        """Note where a changed default of a function is used, and give the numbers of the ranges that this decides about."""
        taken: set[int] = set()
        if isinstance(node, ast.ClassDef):
            return taken
        for argument, value in defaults_of(node.args):
            key = ".".join([*self._names, argument.arg])
            numbers = self._touched(value.lineno, value.end_lineno or value.lineno) if key in self._defaults else []
            if numbers:
                taken.update(numbers)
                _replace(node.args, value, _call_of(_MADE, [ast.Constant(key), value], value))
                given = ast.Name(argument.arg, ast.Load())
                used = ast.Expr(_call_of(_USED, [ast.Constant(key), given, *map(ast.Constant, numbers)], value))
                node.body.insert(_after_docstring(node.body), ast.copy_location(used, node.body[0]))
        return taken

    def _make(self, key: str, value: Any) -> Any:
        self._values[key] = value
        return value

    def _use(self, key: str, value: Any, *numbers: int) -> None:
        if key in self._values and value is self._values[key]:
            self._note(*numbers)

    def _at_start(self, node: Any, numbers: list[int]) -> None:
        if numbers and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ExceptHandler)):
            at = _after_docstring(node.body)
            node.body.insert(at, _call(numbers, node.body[at]))

    def _touched(self, first: int, last: int) -> list[int]:
        first, last = first + self._here, last + self._here
        found = [k for k, (start, end) in enumerate(self._ranges) if start <= last and first <= end]
        self._watched.update(found)
        return found


def _own_lines(statement: ast.stmt) -> _Range:
    """The lines of a statement without those of the blocks in it."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not isinstance(body, list) or not body:
        return statement.lineno, statement.end_lineno or statement.lineno
    first = getattr(body[0], "lineno", None) or body[0].pattern.lineno
    return statement.lineno, max(statement.lineno, first - 1)


def _is_preamble(parent: ast.AST, place: int, statement: ast.stmt) -> bool:
    """Whether nothing may stand before a statement, or it does nothing."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return True
    return place == 0 and _is_docstring(statement) and isinstance(parent, (ast.Module, *_DEFINES))


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _after_docstring(body: list[ast.stmt]) -> int:
    return 1 if _is_docstring(body[0]) and len(body) > 1 else 0


def _first_line(body: list[ast.stmt]) -> int:
    """The first line of what the program itself has in a body: our calls bear the lines of what they stand for."""
    return min(statement.lineno for statement in body)


def defaults_of(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters of a function that have defaults, with these."""
    named = [*arguments.posonlyargs, *arguments.args]
    given = len(arguments.defaults)
    yield from zip(named[len(named) - given :], arguments.defaults, strict=True)
    yield from ((one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value)


def _replace(arguments: ast.arguments, old: ast.expr, new: ast.expr) -> None:
    arguments.defaults = [new if value is old else value for value in arguments.defaults]
    arguments.kw_defaults = [new if value is old else value for value in arguments.kw_defaults]


def _call_of(name: str, arguments: list[ast.expr], at: ast.expr) -> ast.expr:
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    for node in ast.walk(call):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, at)
    return call


def _call(numbers: list[int], at: ast.stmt, name: str = _NAME) -> ast.stmt:
    arguments: list[ast.expr] = [ast.Constant(number) for number in numbers]
    call = ast.Expr(ast.Call(ast.Name(name, ast.Load()), arguments, []))
    for node in ast.walk(call):
        ast.copy_location(node, at)
        node.end_lineno, node.end_col_offset = at.lineno, at.col_offset  # type: ignore[attr-defined]
    return call


def _watch_autograph(marks: Marks) -> None:
    """AutoGraph runs code that it makes from the source of a function: without our calls."""
    try:
        from tensorflow.python.autograph.impl import api

        original = api._convert_actual
    except (ImportError, AttributeError):
        return

    def convert(entity: Any, *args: Any, **kwargs: Any) -> Any:
        code = getattr(entity, "__code__", None)
        if code is not None:
            lines = [line for _, line in dis.findlinestarts(code) if line]
            marks.all_of(code.co_filename, code.co_firstlineno, max(lines, default=code.co_firstlineno))
        return original(entity, *args, **kwargs)

    api._convert_actual = convert
