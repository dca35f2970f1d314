"""What functions of a file are handed, where all calls of them in the project are seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import positional
from seqlint.facts.external.files import decoded
from seqlint.facts.project.neighbours import neighbours
from seqlint.facts.project.project import BIGGEST
from seqlint.facts.project.summary import UNKNOWN
from seqlint.facts.values.values import bound
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.external.file import ExternalFile

_MOST_FILES = 12

Given = tuple["ExternalFile", cst.BaseExpression]
"""An expression, and the file that it stands in."""


def handed(facts: ExternalFile, function: cst.FunctionDef, parameter: str) -> tuple[Given, ...]:
    """What each call in the project gives for a parameter of a function of the module; empty where one may be unseen.

    Calls in this file, and in the files near it that name the function: another use of the name could be a call that is not seen.
    """
    name = function.name.value
    if facts.tree.enclosing(function, cst.ClassDef, cst.FunctionDef) is not None or function.decorators:
        return ()
    found: list[Given] = []
    for number, other in enumerate((facts, *_naming(facts, name))):
        given = None if other is None or number > _MOST_FILES else _given(facts, other, function, parameter)
        if given is None:
            return ()
        found += given
    return tuple(found)


def _naming(facts: ExternalFile, name: str) -> Iterator[ExternalFile | None]:
    """The other files with the name in them; None for one that is not Python."""
    for path in neighbours(facts.source.path, ".py", ".ipynb") if facts.project is not None else ():
        data = surroundings.mentioning(path, name.encode(), BIGGEST)
        if data is not None:
            source = decoded(path, data)
            yield facts.files.of(source) if source is not None else None


def _given(facts: ExternalFile, other: ExternalFile, function: cst.FunctionDef, parameter: str) -> list[Given] | None:
    """What the calls of one file give; None where the name is used in another way, or a call leaves the parameter to its default."""
    names = tuple(param.name.value for param in positional(function.params))
    found: list[Given] = []
    for node in _uses(other, function.name.value):
        if other is not facts and not _may_lead_here(facts, other, node):
            continue
        call = other.tree.parents.get(node)
        if not isinstance(call, cst.Call) or call.func is not node or any(argument.star for argument in call.args):
            return None
        value = bound(call, names).get(parameter)
        if value is None:
            return None
        found.append((other, value.value))
    return found


def _uses(other: ExternalFile, name: str) -> Iterator[cst.BaseExpression]:
    """What reads a name: neither definitions and imports, nor names of arguments and attributes of other things."""
    yield from other.tree.attributes(name)
    for node in other.tree.all(cst.Name):
        above = other.tree.parents.get(node)
        named = isinstance(above, (cst.FunctionDef, cst.ImportAlias, cst.AsName, cst.Param)) and above.name is node
        keyword = isinstance(above, cst.Arg) and above.keyword is node
        part = isinstance(above, cst.Attribute) and above.attr is node
        if node.value == name and not (named or keyword or part):
            yield node


def _may_lead_here(facts: ExternalFile, other: ExternalFile, node: cst.BaseExpression) -> bool:
    """Whether a name of another file may be that of something in this one."""
    name = other.names.qualified(node)
    if name is None or other.project is None:
        return True
    return any(each == UNKNOWN or each.startswith(f"{facts.module_name}.") for each in other.project.origins(name))
