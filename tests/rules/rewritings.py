"""A program put in other words that do the same: every way changes a syntax tree and says whether it found anything to change."""

from __future__ import annotations

import ast
import copy
import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

S = TypeVar("S", bound=ast.stmt)
_FITS = {"fit", "evaluate", "predict"}


def rewritten(text: str, way: Callable[[ast.Module], bool]) -> str | None:
    """The program in other words; None where there is nothing to put in other words."""
    tree = ast.parse(text)
    return ast.unparse(ast.fix_missing_locations(tree)) if way(tree) else None


# -- types ------------------------------------------------------------------------------------------------------------


def with_types(tree: ast.Module) -> bool:
    """`x: object = 1` in functions, and every parameter and result with a type."""
    functions = list(_functions(tree))
    shared = {name for node in ast.walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    for function in functions:
        for parameter in (*function.args.args, *function.args.kwonlyargs):
            if parameter.arg not in ("self", "cls"):
                parameter.annotation = parameter.annotation or ast.Constant("object")
        function.returns = function.returns or ast.Constant("object")
        for block in _blocks(function):
            block[:] = [_typed(statement, shared) for statement in block]
    return bool(functions)


def _typed(statement: ast.stmt, shared: set[str]) -> ast.stmt:
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, (ast.Name, ast.Attribute)):
        return statement
    if isinstance(target, ast.Name) and target.id in shared:
        return statement
    return ast.AnnAssign(target, ast.Name("object"), statement.value, int(isinstance(target, ast.Name)))


# -- classes ----------------------------------------------------------------------------------------------------------


def methods_reversed(tree: ast.Module) -> bool:
    """The last method first."""
    changed = False
    for owner in _classes(tree):
        methods = [each for each in owner.body if isinstance(each, ast.FunctionDef)]
        rest = [each for each in owner.body if not isinstance(each, ast.FunctionDef)]
        plain = len({method.name for method in methods}) == len(methods) > 1
        if plain and all(isinstance(each, ast.Expr) for each in rest) and not any(m.decorator_list for m in methods):
            owner.body, changed = [*rest, *reversed(methods)], True
    return changed


def behind_a_base(tree: ast.Module) -> bool:
    """`class Root(keras.utils.PyDataset): ...` between Keras and each class of data that does not skip its base."""
    found = [owner for owner in _classes(tree) if _last_base(owner) in ("Sequence", "PyDataset")]
    found = [owner for owner in found if not re.search(r"super\([\w.]*Sequence", ast.unparse(owner))]
    for number, owner in enumerate(found):
        root = ast.ClassDef(
            name=f"Root{number}", bases=[owner.bases[-1]], keywords=[], body=[ast.Expr(ast.Constant("Ours."))],
            decorator_list=[],
        )  # fmt: skip
        owner.bases[-1] = ast.Name(root.name)
        tree.body.insert(tree.body.index(owner), root)
    return bool(found)


def abstract(tree: ast.Module) -> bool:
    """`abc.ABC` among the bases."""
    return _mixed_in(tree, ast.Attribute(ast.Name("abc"), "ABC"), "import abc")


def generic(tree: ast.Module) -> bool:
    """`typing.Generic[T]` among the bases."""
    base = ast.Subscript(ast.Attribute(ast.Name("typing"), "Generic"), ast.Name("T_"))
    return _mixed_in(tree, base, "import typing\nT_ = typing.TypeVar('T_')")


def _mixed_in(tree: ast.Module, base: ast.expr, head: str) -> bool:
    found = [owner for owner in _classes(tree) if _last_base(owner) in ("Sequence", "PyDataset", "Callback", "Metric")]
    for owner in found:
        owner.bases.append(copy.deepcopy(base))
    tree.body[_start(tree) : _start(tree)] = ast.parse(head).body
    return bool(found)


# -- variables --------------------------------------------------------------------------------------------------------


def results_named(tree: ast.Module) -> bool:
    """`result = ...; return result`."""
    return _before(tree, ast.Return, lambda statement: statement.value, lambda statement, name: ast.Return(name))


def data_named(tree: ast.Module) -> bool:
    """`data = Feed(x); model.fit(data)`."""

    def first(statement: ast.Expr) -> ast.expr | None:
        call = _fit(statement)
        return call.args[0] if call is not None and call.args and isinstance(call.args[0], ast.Call) else None

    def with_name(statement: ast.Expr, name: ast.Name) -> ast.Expr:
        call = _fit(statement)
        assert call is not None
        return ast.Expr(ast.Call(call.func, [name, *call.args[1:]], call.keywords))

    return _before(tree, ast.Expr, first, with_name)


def slices_named(tree: ast.Module) -> bool:
    """`part = slice(a, b); rows = x[part]` for `rows = x[a:b]`."""

    def cut(statement: ast.Assign) -> ast.expr | None:
        value = statement.value
        if not isinstance(value, ast.Subscript) or not isinstance(value.slice, ast.Slice):
            return None
        bounds = [value.slice.lower or ast.Constant(None), value.slice.upper or ast.Constant(None)]
        return ast.Call(ast.Name("slice"), [*bounds, *([value.slice.step] if value.slice.step else [])], [])

    def with_name(statement: ast.Assign, name: ast.Name) -> ast.Assign:
        assert isinstance(statement.value, ast.Subscript)
        return ast.Assign(statement.targets, ast.Subscript(statement.value.value, name))

    return _before(tree, ast.Assign, cut, with_name)


def numbers_named(tree: ast.Module) -> bool:
    """`SIZE = 4` at the top for the 4 of the methods."""
    names: dict[str, str] = {}
    for owner in _classes(tree):
        for node in [node for method in owner.body for node in ast.walk(method)]:
            for field, value in ast.iter_fields(node):
                if (
                    isinstance(value, ast.Constant)
                    and type(value.value) in (int, float)
                    and value.value not in (-1, 0, 1)
                ):
                    setattr(node, field, ast.Name(names.setdefault(repr(value.value), f"SIZE_{len(names)}")))
    head = "\n".join(f"{name} = {number}" for number, name in names.items())
    tree.body[_start(tree) : _start(tree)] = ast.parse(head).body
    return bool(names)


def histories_kept(tree: ast.Module) -> bool:
    """`history = model.fit(...)`."""
    changed = False
    for block in _blocks(tree):
        for place, statement in enumerate(block):
            if isinstance(statement, ast.Expr) and _fit(statement) is not None:
                block[place], changed = ast.Assign([ast.Name("history_", ast.Store())], statement.value), True
    return changed


def _before(
    tree: ast.Module, kind: type[S], part: Callable[[S], ast.expr | None], with_name: Callable[[S, ast.Name], ast.stmt]
) -> bool:
    """Give a part of each statement of a kind a name of its own, in the line before."""
    number = 0
    for block in list(_blocks(tree)):
        found: list[ast.stmt] = []
        for statement in block:
            value = part(statement) if isinstance(statement, kind) else None
            if value is None or isinstance(value, (ast.Name, ast.Constant)) or not isinstance(statement, kind):
                found.append(statement)
                continue
            number += 1
            name = ast.Name(f"named_{number}")
            found += [ast.Assign([ast.Name(name.id, ast.Store())], value), with_name(statement, name)]
        block[:] = found
    return number > 0


# -- calls and branches -----------------------------------------------------------------------------------------------


def by_keyword(tree: ast.Module) -> bool:
    """`model.fit(x=data)`, and the program's own constructors with the names of what they take."""
    changed = False
    inits = {owner.name: _parameters(owner) for owner in _classes(tree)}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        own = inits.get(call.func.id) if isinstance(call.func, ast.Name) else None
        fit = (
            ["x"] if isinstance(call.func, ast.Attribute) and call.func.attr in _FITS and len(call.args) == 1 else None
        )
        names, given = own or fit or [], {keyword.arg for keyword in call.keywords}
        plain = not any(isinstance(argument, ast.Starred) for argument in call.args) and None not in given
        if call.args and plain and len(call.args) <= len(names) and "x" not in given:
            call.keywords[:0] = [ast.keyword(name, value) for name, value in zip(names, call.args, strict=False)]
            call.args, changed = [], True
    return changed


def choices_spelled_out(tree: ast.Module) -> bool:
    """`if a: x = 1` with `else: x = 2` for `x = 1 if a else 2`, and an `else` behind a branch that returns."""
    changed = False
    for block in list(_blocks(tree)):
        for place, statement in enumerate(block):
            choice = statement.value if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
            if isinstance(choice, ast.IfExp) and isinstance(statement, ast.Assign):
                ways = [[ast.Assign(copy.deepcopy(statement.targets), way)] for way in (choice.body, choice.orelse)]
                block[place], changed = ast.If(choice.test, list(ways[0]), list(ways[1])), True
            rest = block[place + 1 :]
            ends = isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Return)
            if isinstance(statement, ast.If) and ends and rest:
                statement.orelse, changed = rest, True
                del block[place + 1 :]
                break
    return changed


# -- the tree ---------------------------------------------------------------------------------------------------------


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every run of statements that is not the body of a class."""
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody") if not isinstance(node, ast.ClassDef) else ():
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _classes(tree: ast.Module) -> list[ast.ClassDef]:
    return [statement for statement in tree.body if isinstance(statement, ast.ClassDef)]


def _last_base(owner: ast.ClassDef) -> str:
    return ast.unparse(owner.bases[-1]).rpartition(".")[2] if owner.bases else ""


def _parameters(owner: ast.ClassDef) -> list[str]:
    inits = [each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    return [parameter.arg for parameter in inits[0].args.args[1:]] if inits else []


def _fit(statement: ast.Expr) -> ast.Call | None:
    call = statement.value
    known = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _FITS
    return call if known and isinstance(call, ast.Call) else None


def _start(tree: ast.Module) -> int:
    """Behind the docstring and what is imported from the future."""
    first = [isinstance(each, ast.Expr) or getattr(each, "module", "") == "__future__" for each in tree.body]
    return first.index(False) if False in first else len(first)
