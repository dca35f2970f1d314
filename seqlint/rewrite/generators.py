"""Functions in the place of the generators that they make."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Facts
    from seqlint.run import Function

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)


def made_each_time(facts: Facts, given: ast.expr) -> tuple[Edit, ...]:
    """An edit that gives the function in place of `function()`, or a lambda around a call with arguments; none where a later change of a
    name would be seen, since a lambda reads its names when it runs."""
    if not isinstance(given, (ast.Call, ast.GeneratorExp)):
        return ()
    text, span = facts.run.text(given), facts.run.span(given)
    tree = facts.run.machine.main.tree
    if _is_in_loop(tree, given):
        return ()
    names = {each.id for each in ast.walk(given) if isinstance(each, ast.Name)}
    if (
        isinstance(given, ast.Call)
        and not given.args
        and not given.keywords
        and isinstance(given.func, (ast.Name, ast.Attribute))
    ):
        return (Edit(*span, facts.run.text(given.func)),)
    if any(_times_bound(tree, name, given) > 1 for name in names) or "\n" in text or any(map(_awaits, ast.walk(given))):
        return ()
    start, end = span
    if isinstance(given, ast.GeneratorExp) and facts.source.slice(start - 1, start) == "(" and not text.startswith("("):
        return ()
    return (Edit(start, end, f"lambda: {text}"),)


def as_written_tuple(facts: Facts, node: ast.AST | None) -> tuple[Edit, ...]:
    """Edits that make `a, b` of `yield [a, b]`; none for a list that is written elsewhere, or used for more than this."""
    tree = facts.run.machine.main.tree
    given = any(isinstance(each, ast.Yield) and each.value is node for each in ast.walk(tree))
    if not given or not isinstance(node, ast.List) or len(node.elts) < 2:
        return ()
    start, end = facts.run.span(node)
    if "\n" in facts.run.text(node):
        return (Edit(start, start + 1, "("), Edit(end - 1, end, ")"))
    return (Edit(start, start + 1, ""), Edit(end - 1, end, ""))


def decoded_first(facts: Facts, function: Function, names: tuple[str, ...]) -> tuple[Edit, ...]:
    """An edit that decodes parameters at the top of a function; none where it is named at several places, decorated, or a method."""
    tree, node = facts.run.machine.main.tree, function.node
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or function.owner is not None or not names:
        return ()
    named = [each for each in ast.walk(tree) if isinstance(each, ast.Name) and each.id == node.name]
    made = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == node.name]
    if len(named) != 1 or made != [node]:
        return ()
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or body[0].lineno == node.lineno or isinstance(body[0], (ast.FunctionDef, ast.ClassDef)):
        return ()
    start, _ = facts.run.span(body[0])
    above = facts.source.utf8[:start]
    indent = above[above.rfind(b"\n") + 1 :].decode()
    if indent.strip():
        return ()
    return (Edit(start, start, "".join(f"{name} = {name}.decode(){facts.source.newline}{indent}" for name in names)),)


def _awaits(node: ast.AST) -> bool:
    return isinstance(node, (ast.Await, ast.NamedExpr, ast.Yield))


def _is_in_loop(tree: ast.AST, node: ast.AST) -> bool:
    loops = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
    return any(
        isinstance(each, loops) and each is not node and any(inner is node for inner in ast.walk(each))
        for each in ast.walk(tree)
    )


def _times_bound(tree: ast.AST, name: str, node: ast.AST) -> int:
    """How often the variable that a name means at a node gets a value."""
    scopes = [
        each for each in ast.walk(tree) if isinstance(each, _SCOPES) and any(part is node for part in ast.walk(each))
    ]
    for scope in reversed(scopes):
        found = sum(_binds(each, name) for each in _own(scope))
        if found:
            return found
    return 0


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module without those of the functions in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, _SCOPES):
            yield from _own(child)


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.arg):
        return node.arg == name
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
