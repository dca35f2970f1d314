"""Methods that go on to the one of a base in another file: `super().__getitem__(index)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import ways_out
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.tree import is_super

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree

_MAYBE = (
    cst.If, cst.IfExp, cst.For, cst.While, cst.Try, cst.TryStar, cst.Match, cst.BooleanOperation, cst.Lambda, cst.FunctionDef,
    cst.CompFor, cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class WayUp:
    """A method that surely calls the one of its name of the next base.

    Attributes:
        func: what is called, `super().__getitem__`.
        whole: whether it returns what that gives, as it is.
        same: whether it hands on what it is given, as it is.
    """

    function: cst.FunctionDef
    func: cst.Attribute
    whole: bool
    same: bool


def ways_up(owner: ClassFacts, name: str, names: Names) -> tuple[WayUp, ...] | None:
    """The methods of this file that lead to the one of a base in another file, the nearest first; None where one may not."""
    found: list[WayUp] = []
    here = owner.method(name)
    while here is not None:
        way = _way_up(here[1], name, names.tree)
        if way is None:
            return None
        found.append(way)
        here = owner.member(way.func, here[0])
    return tuple(found)


def may_go_up(owner: ClassFacts, name: str, tree: Tree) -> bool:
    """Whether a method of this file may call the one of its name of a base in another file."""
    for holder in owner.lineage:
        method = holder.methods.get(name)
        calls = tree.inside(method.body, cst.Call) if method is not None else ()
        funcs = [call.func for call in calls if _is_up(call, name)]
        if any(isinstance(func, cst.Attribute) and owner.member(func, holder) is None for func in funcs):
            return True
    return False


def _way_up(function: cst.FunctionDef, name: str, tree: Tree) -> WayUp | None:
    calls = [call for call in tree.inside(function.body, cst.Call) if _is_up(call, name)]
    if len(calls) != 1 or function.asynchronous or not isinstance(calls[0].func, cst.Attribute):
        return None
    call = calls[0]
    if not isinstance(tree.enclosing(call, *_MAYBE), cst.FunctionDef) or tree.function(call) is not function:
        return None
    if ways_out(tree, function, call):
        return None
    given, taken = [argument.value for argument in call.args], parameters(function.params)[1:]
    same = len(given) == len(taken) and all(
        isinstance(one, cst.Name) and one.value == each.name.value for one, each in zip(given, taken, strict=True)
    )
    return WayUp(function, calls[0].func, isinstance(tree.parents[call], cst.Return), same)


def _is_up(call: cst.Call, name: str) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == name and is_super(call.func.value)


def spoken(owner: ClassFacts, way: WayUp, tree: Tree) -> frozenset[str]:
    """Every name that a method, and the methods of this file that it leads to, speak of."""
    found: set[str] = set()
    stack = [way.function]
    while stack:
        words = {name.value for name in tree.inside(stack.pop().body, cst.Name)}
        methods = (owner.method(word) for word in words - found)
        stack += [method[1] for method in methods if method is not None]
        found |= words
    return frozenset(found)
