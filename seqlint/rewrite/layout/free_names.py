"""Names that a fix binds: each is free where it is bound, and in all code that would see it."""

from __future__ import annotations

import builtins
import keyword
from itertools import chain, count
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqlint.facts import Facts
    from seqlint.facts.code.scopes import Scope

_NEVER = frozenset({*dir(builtins), *keyword.kwlist})


def free_name(facts: Facts, function: cst.FunctionDef | None, *wanted: str, taken: Collection[str] = ()) -> str:
    """The first of the wanted names that is free; else the last of them with a number.

    In a function a name is free where no code of the function mentions it, nested code included, and where nothing around the
    function binds it, so that it hides nothing either. In the module it is free where the file has no such word at all.

    Args:
        function: what the name is bound in; None for the module.
        taken: names that are bound elsewhere in the same fix.
    """
    return first_free({*_mentioned(facts, function), *taken}, *wanted)


def first_free(used: Collection[str], *wanted: str) -> str:
    """The first of the wanted names that is not among the used ones; else the last of them with a number."""
    numbered = (f"{wanted[-1]}{number}" for number in count(2))
    return next(name for name in chain(wanted, numbered) if _is_name(name) and name not in used)


def is_free_attribute(facts: Facts, name: str) -> bool:
    """Whether no object of the file has an attribute of this name, and no class of it a method or variable called so.

    What is reached through an import, such as `os.path`, is none of an object of the file.
    """
    scopes = (scope for scope in facts.names.scopes.all if scope.kind == "class")
    held = any(facts.qualified(node) is None for node in facts.tree.attributes(name))
    return _is_name(name) and not held and not any(name in scope.bindings for scope in scopes)


def free_attribute(facts: Facts, wanted: str) -> str:
    """A name for an attribute: the wanted one, or that with a number."""
    numbered = (f"{wanted}{number}" for number in count(2))
    return next(name for name in chain((wanted,), numbered) if is_free_attribute(facts, name))


def is_bound_for(facts: Facts, name: str, at: cst.CSTNode) -> bool:
    """Whether an import at the top of the file could not bind a name for code that stands at `at`.

    The module gives it another meaning already, a scope round the place does, or code of the file means the builtin by it.
    """
    if facts.names.scopes.module.bindings.get(name) or facts.names.scope(at).home(name) is not None:
        return True
    return name in _NEVER and any(node.value == name for node in facts.tree.all(cst.Name))


def _is_name(text: str) -> bool:
    return text.isidentifier() and text not in _NEVER


def _mentioned(facts: Facts, function: cst.FunctionDef | None) -> set[str]:
    if function is None:
        return {node.value for node in facts.tree.all(cst.Name)}
    inside = {node.value for node in facts.tree.inside(function, cst.Name) if not facts.tree.is_label(node)}
    return inside | _around(facts, function)


def _around(facts: Facts, function: cst.FunctionDef) -> set[str]:
    """What the scopes round a function bind; the names of a class are not seen in its methods."""
    found: set[str] = set()
    here: Scope | None = facts.names.scope(function)
    while here is not None:
        found |= here.bindings.keys() if here.kind != "class" else set()
        here = here.parent
    return found
