"""Results of calls that nobody keeps."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.domains.pipelines.lost import Lost
    from seqlint.facts import Facts

_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


def assigned(facts: Facts, lost: Lost) -> tuple[Edit, ...]:
    """An edit that binds the result to the name of its dataset; none where that would be another variable, or happen several times."""
    tree = facts.run.machine.main.tree
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    above = [lost.call]
    while above[-1] in parents:
        above.append(parents[above[-1]])  # type: ignore[arg-type]
    scope = next((each for each in above if isinstance(each, _Scope)), tree)
    inside = above[: above.index(scope)]  # type: ignore[arg-type]
    if lost.how != "statement" or any(isinstance(each, (ast.For, ast.While, ast.comprehension)) for each in inside):
        return ()
    if not _is_settable(lost.dataset) or not _is_own(lost.dataset, scope):
        return ()
    start, _ = facts.run.span(lost.call)
    return (Edit(start, start, f"{facts.run.text(lost.dataset)} = "),)


def _is_settable(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "self"
    return isinstance(node, ast.Name)


def _is_own(node: ast.expr, scope: ast.AST) -> bool:
    """Whether a name is bound in the scope itself, so that binding it again makes no new variable."""
    if not isinstance(node, ast.Name) or isinstance(scope, ast.Module):
        return True
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    arguments = {each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)}
    bound = {each.id for each in ast.walk(scope) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return node.id in arguments | bound
