"""Where names live while a function runs, and which names are its own."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.run.objects import Option, Value, serial
from seqlint.run.records import record

if TYPE_CHECKING:
    from seqlint.run.objects import Class, Function, Module

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Scoped = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | Comprehension


@dataclass(eq=False)
class Frame:
    """One run of a body: of a module, a function or a class.

    Attributes:
        above: the frame in which its free names are looked up.
        own: the names that its body binds.
        returns, yields: what it has given so far.
        left: by which of `break` and `continue` the round of its innermost loop has ended, on some way.
        cls: the class whose method runs, for `super()`.
        stars: modules of `from x import *`.
    """

    node: Scoped
    above: Frame | None
    own: frozenset[str]
    outer: frozenset[str] = frozenset()
    function: Function | None = None
    cls: Class | None = None
    module: Module | None = None
    returns: list[Option] = field(default_factory=list)
    yields: list[Yield] = field(default_factory=list)
    left: set[type[ast.stmt]] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    serial: int = field(default_factory=serial)

    def home(self, name: str) -> Frame | None:
        """The frame that binds a name, as seen from this one; None for builtins and unknown names."""
        here: Frame | None = self
        while here is not None:
            sees = here is self or not isinstance(here.node, ast.ClassDef)
            if sees and name in here.own:
                return here
            if sees and name in here.outer and here is self:
                return _past(here, name)
            here = here.above
        return None


@record
class Yield:
    """A value that a generator gives, and whether that happens once or in a loop of unknown length."""

    value: Value
    node: ast.Yield
    again: bool


def _past(frame: Frame, name: str) -> Frame | None:
    """Where a name of `global` or `nonlocal` lives."""
    here = frame.above
    while here is not None:
        if name in here.own and not isinstance(here.node, ast.ClassDef):
            return here
        if here.above is None:
            return here
        here = here.above
    return None


@dataclass(frozen=True)
class Names:
    """What a body does with names.

    Attributes:
        own: those that it binds.
        outer: those that it declares `global` or `nonlocal`.
        generator: whether a call of it gives a generator.
    """

    own: frozenset[str]
    outer: frozenset[str]
    generator: bool = False


def names_of(node: Scoped, *, plain: bool = False) -> Names:
    """What a body does with names, those of functions, classes and comprehensions in it left out.

    Args:
        plain: no expression of its text has a `:=` or a `yield`, so hardly any needs to be looked into.
    """
    bound: set[str] = set()
    outer: set[str] = set()
    generator = False
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        bound.update(argument.arg for argument in parameters(node))
    waiting = _parts(node)
    while waiting:
        here = waiting.pop()
        kind = type(here)
        if kind in _LEAVES:
            continue
        if kind in _OTHERS:
            if kind in _NAMED:
                bound.add(here.name)  # type: ignore[attr-defined]
            continue
        if kind in _BINDERS:
            _bind(here, bound, outer)
        elif kind in _YIELDS:
            generator = True
        for each in _BINDING.get(kind, kind._fields) if plain else kind._fields:
            part = getattr(here, each, None)
            if part.__class__ is list:
                waiting += [item for item in part if isinstance(item, ast.AST)]
            elif isinstance(part, ast.AST):
                waiting.append(part)
    return Names(frozenset(bound - outer), frozenset(outer), generator)


_BINDING: dict[type, tuple[str, ...]] = {
    ast.Assign: ("targets",), ast.AnnAssign: ("target",), ast.AugAssign: ("target",), ast.Delete: ("targets",), ast.Expr: (),
    ast.Return: (), ast.Raise: (), ast.Assert: (), ast.If: ("body", "orelse"), ast.While: ("body", "orelse"),
    ast.For: ("target", "body", "orelse"), ast.AsyncFor: ("target", "body", "orelse"), ast.withitem: ("optional_vars",),
    ast.Attribute: (), ast.Subscript: (), ast.Name: (), ast.Import: (), ast.ImportFrom: (),
}  # fmt: skip
"""Where names can be bound in a statement without a `:=`."""
_LEAVES: frozenset[type] = frozenset({ast.Constant, ast.Load, ast.Store, ast.Del, ast.Pass, ast.Break, ast.Continue})
_NAMED: frozenset[type] = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_OTHERS: frozenset[type] = _NAMED | {ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp}
_YIELDS: frozenset[type] = frozenset({ast.Yield, ast.YieldFrom})
_BINDERS: frozenset[type] = frozenset({
    ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Name, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping,
})  # fmt: skip


def _parts(node: Scoped) -> list[ast.AST]:
    if isinstance(node, Comprehension):
        return [each.target for each in node.generators]
    return [node.body] if isinstance(node, ast.Lambda) else list(node.body)


def _bind(here: ast.AST, bound: set[str], outer: set[str]) -> None:
    if isinstance(here, ast.Name):
        if not isinstance(here.ctx, ast.Load):
            bound.add(here.id)
    elif isinstance(here, (ast.Global, ast.Nonlocal)):
        outer.update(here.names)
    elif isinstance(here, (ast.Import, ast.ImportFrom)):
        bound.update((alias.asname or alias.name.partition(".")[0]) for alias in here.names if alias.name != "*")
    else:
        name = getattr(here, "rest", None) if isinstance(here, ast.MatchMapping) else getattr(here, "name", None)
        bound.update([name] if name else [])


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """All parameters, in the order of the text."""
    own = node.args
    extra = [each for each in (own.vararg, own.kwarg) if each is not None]
    return [*own.posonlyargs, *own.args, *own.kwonlyargs, *extra]
