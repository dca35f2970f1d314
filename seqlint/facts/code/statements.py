"""Small questions about the statements of a function: which names they speak of, and which of them do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.tree import Tree


def references(tree: Tree, node: cst.CSTNode, *names: str) -> Iterator[cst.Name]:
    """The names in code that stand for variables: no attribute, keyword, parameter or import; those of `names` where given."""
    found = (each for each in tree.inside(node, cst.Name) if not names or each.value in names)
    return (each for each in found if _is_reference(tree, each))


def _is_reference(tree: Tree, name: cst.Name) -> bool:
    parent = tree.parents[name]
    if isinstance(parent, cst.Attribute):
        return parent.value is name and tree.enclosing(name, cst.Import, cst.ImportFrom) is None
    if isinstance(parent, cst.Arg):
        return parent.keyword is not name
    if isinstance(parent, (cst.Param, cst.FunctionDef, cst.ClassDef)):
        return parent.name is not name
    if isinstance(parent, cst.AsName):
        return tree.enclosing(name, cst.Import, cst.ImportFrom) is None
    return not isinstance(parent, (cst.ImportAlias, cst.NameItem))


def statements(function: cst.FunctionDef) -> tuple[cst.CSTNode, ...]:
    """The statements of a function's body, also of `def f(): a; b`."""
    return tuple(function.body.body)


def small(statement: cst.CSTNode) -> cst.CSTNode:
    """The one simple statement of a line; anything else as it is."""
    alone = isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1
    return statement.body[0] if alone and isinstance(statement, cst.SimpleStatementLine) else statement


def is_declaration(statement: cst.CSTNode) -> bool:
    """Whether a statement is `global` or `nonlocal`."""
    return isinstance(small(statement), (cst.Global, cst.Nonlocal))


def is_docstring(function: cst.FunctionDef, statement: cst.CSTNode) -> bool:
    """Whether a statement is the docstring of the function."""
    return function.get_docstring() is not None and statement is function.body.body[0]


def is_idle(function: cst.FunctionDef, statement: cst.CSTNode) -> bool:
    """Whether a statement does nothing: the docstring, `pass`, `...`."""
    if is_docstring(function, statement):
        return True
    simple = small(statement)
    return isinstance(simple, cst.Pass) or (isinstance(simple, cst.Expr) and isinstance(simple.value, cst.Ellipsis))


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression is a literal without parts: a number, a string, `None`, `[]`, `{}`."""
    if isinstance(node, (cst.List, cst.Dict, cst.Tuple)):
        return not node.elements
    if isinstance(node, cst.UnaryOperation):
        return is_constant(node.expression)
    if isinstance(node, cst.Name):
        return node.value in ("None", "True", "False")
    return isinstance(node, (cst.Integer, cst.Float, cst.SimpleString, cst.ConcatenatedString))


def gives_name(node: cst.CSTNode) -> bool:
    """Whether a node only gives a value one name more: `Feed2 = Feed`."""
    if isinstance(node, cst.Assign):
        return all(isinstance(target.target, cst.Name) for target in node.targets)
    return isinstance(node, cst.AssignTarget)
