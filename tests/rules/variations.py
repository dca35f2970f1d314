"""The same program written in another way: every function gives a program that does the same, and where its words have gone.

A place is counted in words (the names and keywords of Python), because formatting moves lines and columns but no word.
"""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import (
    Assignment,
    ClassScope,
    ComprehensionScope,
    GlobalScope,
    MetadataWrapper,
    PositionProvider,
    Scope,
    ScopeProvider,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

IMPORTS = (cst.Import, cst.ImportFrom)


@dataclass(frozen=True)
class Variation:
    """A program, and the word that each word of the original has become."""

    text: str
    moved: Callable[[int], int] = lambda word: word


def words(text: str) -> list[tuple[int, int]]:
    """The place of each name and keyword, as line and column."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.start for token in tokens if token.type == tokenize.NAME]


# -- names ----------------------------------------------------------------------------------------------------------


def locals_of(text: str) -> tuple[tuple[int, str], ...]:
    """The variables of a program, as the number of their scope and their name.

    Left out: imports, definitions and parameters, which others know by their names; attributes of classes; what `global` and
    `nonlocal` speak of; and what is read before it is bound, which libcst takes for a variable further out.
    """
    _wrapper, scopes = _scoped(text)
    shared = set(re.findall(r"\w+", " ".join(re.findall(r"^\s*(?:global|nonlocal) (.*)$", text, re.MULTILINE))))
    return tuple(
        (number, name)
        for number, scope in enumerate(scopes)
        if not isinstance(scope, (ClassScope, ComprehensionScope))
        for name in sorted({assignment.name for assignment in scope.assignments})
        if name not in shared and all(_is_variable(found) for found in scope[name]) and not _is_read_early(scope, name)
    )


def _is_read_early(scope: Scope, name: str) -> bool:
    return any(all(referent.scope is not scope for referent in access.referents) for access in scope.accesses[name])


def renamed(text: str, local: tuple[int, str], new: str) -> Variation:
    """A program in which one variable has another name, one that is not in the program yet."""
    wrapper, scopes = _scoped(text)
    scope, (_, name) = scopes[local[0]], local
    spans = wrapper.resolve(PositionProvider)
    nodes = {node for found in scope[name] for node in (_name(found), *(access.node for access in found.references))}
    places = {(spans[node].start.line, spans[node].start.column) for node in nodes if isinstance(node, cst.Name)}
    return Variation(_replaced(text, name, places, new))


def fresh(text: str, wish: str) -> str:
    """A name that the program does not use."""
    while re.search(rf"\b{wish}\b", text) or keyword.iskeyword(wish):
        wish += "_"
    return wish


def _is_variable(found: object) -> bool:
    return isinstance(found, Assignment) and isinstance(found.node, cst.Name)


def _name(found: object) -> cst.CSTNode:
    assert isinstance(found, Assignment)
    return found.node


@lru_cache(maxsize=256)
def _scoped(text: str) -> tuple[MetadataWrapper, list[Scope]]:
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    found = wrapper.resolve(ScopeProvider).values()
    return wrapper, list(dict.fromkeys(scope for scope in found if scope is not None))


def _replaced(text: str, old: str, places: set[tuple[int, int]], new: str) -> str:
    lines = text.split("\n")
    for line, column in sorted(places, reverse=True):
        row = lines[line - 1]
        assert row[column : column + len(old)] == old, (row, old)
        lines[line - 1] = row[:column] + new + row[column + len(old) :]
    return "\n".join(lines)


# -- imports and aliases --------------------------------------------------------------------------------------------


def import_block(text: str) -> tuple[int, int]:
    """The first run of imports that can stand in any order: the line of the first, from 0, and how many lines they take."""
    lines = text.split("\n")
    plain = [bool(re.fullmatch(r"(import|from) (?!__future__)[^(*\\]+", line)) for line in lines]
    start = plain.index(True) if True in plain else 0
    length = 0
    while start + length < len(plain) and plain[start + length]:
        length += 1
    return start, length


def reordered(text: str, order: Sequence[int]) -> Variation:
    """A program whose first imports stand in another order."""
    start, length = import_block(text)
    assert sorted(order) == list(range(length))
    lines = text.split("\n")
    moved = [lines[start + old] for old in order]
    starts = words(text)
    first = [sum(line <= start + row for line, _ in starts) for row in range(length + 1)]
    after = [first[0]]
    for old in order:
        after.append(after[-1] + first[old + 1] - first[old])
    new_first = {old: after[new] for new, old in enumerate(order)}

    def place(word: int) -> int:
        for row in range(length):
            if first[row] <= word < first[row + 1]:
                return new_first[row] + word - first[row]
        return word

    return Variation("\n".join([*lines[:start], *moved, *lines[start + length :]]), place)


def nameable(text: str) -> tuple[str, ...]:
    """What a module imports, or defines as a class or function at its top, once and by a plain name."""
    _, scopes = _scoped(text)
    top = next((scope for scope in scopes if isinstance(scope, GlobalScope)), None)
    names = sorted({found.name for found in top.assignments}) if top is not None else []
    return tuple(name for name in names if "." not in name and top is not None and _is_plain(list(top[name]), text))


def _is_plain(found: list[object], text: str) -> bool:
    if len(found) != 1 or not isinstance(found[0], Assignment):
        return False
    node = found[0].node
    if not isinstance(node, (*IMPORTS, cst.ClassDef, cst.FunctionDef)):
        return False
    return re.search(rf"^(?:import|from|class|def) .*\b{found[0].name}\b", text, re.MULTILINE) is not None


def aliased(text: str, name: str, alias: str) -> Variation:
    """A program with `alias = name` behind the import or definition of a name, and the alias used from there on."""
    wrapper, scopes = _scoped(text)
    top = next(scope for scope in scopes if isinstance(scope, GlobalScope))
    (assignment,) = top[name]
    spans = wrapper.resolve(PositionProvider)
    statement = next(node for node in wrapper.module.body if _holds(node, _name(assignment)))
    end = spans[statement].end.line
    uses = {(spans[found.node].start.line, spans[found.node].start.column) for found in assignment.references}
    lines = _replaced(text, name, {use for use in uses if use[0] > end}, alias).split("\n")
    before = sum(line <= end for line, _ in words(text))
    changed = "\n".join([*lines[:end], f"{alias} = {name}", *lines[end:]])
    return Variation(changed, lambda word: word if word < before else word + 2)


def _holds(outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
    return outer is inner or any(_holds(child, inner) for child in outer.children)


# -- loops ------------------------------------------------------------------------------------------------------------


def made_from_themselves(text: str, expression: str) -> str:
    """A program in which a loop behind each assignment makes the variable from itself: `while more(): x = x + 1`.

    Args:
        expression: what the loop gives to it, with `{}` for its name.
    """
    return cst.parse_module(text).visit(_FromThemselves(expression)).code


class _FromThemselves(cst.CSTTransformer):
    def __init__(self, expression: str) -> None:
        super().__init__()
        self._expression = expression

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        assign = updated_node.body[0]
        if len(updated_node.body) > 1 or not isinstance(assign, cst.Assign) or len(assign.targets) > 1:
            return updated_node
        target = assign.targets[0].target
        if not isinstance(target, (cst.Name, cst.Attribute)):
            return updated_node
        name = cst.Module([]).code_for_node(target)
        loop = cst.parse_statement(f"while more():\n    {name} = {self._expression.replace('{}', name)}\n")
        return cst.FlattenSentinel([updated_node, loop])


# -- wrapping -------------------------------------------------------------------------------------------------------


NOT_AS_A_BODY = {
    "`global` speaks of the module, where a wrapped program has no names": r"^\s*global ",
    "a `__future__` import must stand at the top of a module": r"^from __future__",
    "`from module import *` is no statement for a function": r"^from .* import \*",
    "`globals()` is empty for a wrapped program": r"\bglobals\(\)",
}


def why_not_wrapped(text: str) -> str | None:
    """Why a program means something else as the body of a function; None if it does not."""
    return next((why for why, sign in NOT_AS_A_BODY.items() if re.search(sign, text, re.MULTILINE)), None)


def wrapped(text: str, name: str) -> Variation:
    """`def main(): ...` round the whole program, with a call of it at the end."""
    module = cst.parse_module(text)
    body = cst.IndentedBlock([*module.body]) if module.body else cst.SimpleStatementSuite([cst.Pass()])
    function = cst.FunctionDef(cst.Name(name), cst.Parameters(), body)
    call = cst.parse_statement(f"{name}()").with_changes(leading_lines=[cst.EmptyLine(), cst.EmptyLine()])
    return Variation(module.with_changes(body=[function, call]).code, lambda word: word + 2)


# -- formatting -----------------------------------------------------------------------------------------------------


def indented(text: str, unit: str) -> Variation:
    """Another indentation: two spaces, eight, a tab."""
    module = cst.parse_module(text)
    return Variation(module.with_changes(default_indent=unit).code)


def spread(text: str, lines: Sequence[int], comment: str) -> Variation:
    """Comments on lines of their own before top-level statements.

    Args:
        lines: which of the statements, from 0.
    """
    module = cst.parse_module(text)
    empty = cst.EmptyLine(comment=cst.Comment(comment))
    body = [
        statement.with_changes(leading_lines=[*statement.leading_lines, empty]) if number in lines else statement
        for number, statement in enumerate(module.body)
    ]
    return Variation(module.with_changes(body=body).code)


def in_brackets(text: str) -> Variation:
    """Brackets round the value of every assignment and `return`, which changes nothing."""
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    spans = wrapper.resolve(PositionProvider)
    values = [node.value for node in spans if isinstance(node, (cst.Assign, cst.Return)) and node.value is not None]
    marks: list[tuple[int, int, str]] = []
    for value in values:
        if not isinstance(value, cst.Yield):
            start, end = spans[value].start, spans[value].end
            marks += [(start.line, start.column, "("), (end.line, end.column, ")")]
    lines = text.split("\n")
    for line, column, mark in sorted(marks, reverse=True):
        lines[line - 1] = lines[line - 1][:column] + mark + lines[line - 1][column:]
    return Variation("\n".join(lines))
