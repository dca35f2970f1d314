"""Functions that make libcst's nodes. They set the slots of a node directly: its constructor checks what a parser has checked before."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Callable


def maker(kind: type[cst.CSTNode], *given: str) -> Callable[..., Any]:
    """A function that makes a node from these fields, in this order, once those below it are made; the others get libcst's defaults.

    It takes the tree that grows, and the number that the node has been given.
    """
    head = ["    nodes = growth.nodes"]
    return _written(kind, given, "here", [*head, "    nodes[here] = node", "    growth.ends[here] = len(nodes)"])


def leaf(kind: type[cst.CSTNode], *given: str) -> Callable[..., Any]:
    """A function that makes a node which has none below it. It takes the tree that grows, the number of the parent, and the span."""
    numbered = ["    nodes = growth.nodes", "    nodes.append(node)", "    growth.ends.append(len(nodes))"]
    return _written(
        kind, given, "up, span", [*numbered, "    growth.above.append(up)", "    growth.spans.append(span)"]
    )


def _written(kind: type[cst.CSTNode], given: tuple[str, ...], place: str, end: list[str]) -> Callable[..., Any]:
    """A function that is written out and compiled, as `dataclasses` does: a loop over the fields would take three times as long."""
    known: dict[str, Any] = {"new": object.__new__, "kind": kind}
    lines = [f"def make({', '.join(('growth', place, *given))}):", "    node = new(kind)"]
    for field in fields(kind):
        name = field.name
        known[f"set_{name}"] = getattr(kind, name).__set__
        if name not in given:
            known[f"default_{name}"] = _default(field)
        lines.append(f"    set_{name}(node, {name if name in given else f'default_{name}'})")
    exec("\n".join([*lines, *end, "    return node"]), known)
    made: Callable[..., Any] = known["make"]
    return made


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


PAIR = _LPAR, _RPAR = cst.LeftParen(), cst.RightParen()


def bracket(node: cst.CSTNode, count: int) -> None:
    """Set how many brackets stand round an expression."""
    kind: Any = type(node)
    kind.lpar.__set__(node, (_LPAR,) * count)
    kind.rpar.__set__(node, (_RPAR,) * count)


Name = leaf(cst.Name, "value")
Attribute = maker(cst.Attribute, "value", "attr")
Call = maker(cst.Call, "func", "args")
Arg = maker(cst.Arg, "value", "keyword", "star")
Integer = leaf(cst.Integer, "value")
Float = leaf(cst.Float, "value")
Imaginary = leaf(cst.Imaginary, "value")
SimpleString = leaf(cst.SimpleString, "value")
ConcatenatedString = maker(cst.ConcatenatedString, "left", "right")
FormattedString = maker(cst.FormattedString, "parts", "start", "end")
FormattedStringText = leaf(cst.FormattedStringText, "value")
FormattedStringExpression = maker(cst.FormattedStringExpression, "expression", "format_spec")
Dots = leaf(cst.Ellipsis)
Tuple = maker(cst.Tuple, "elements", "lpar", "rpar")
List = maker(cst.List, "elements")
Set = maker(cst.Set, "elements")
Dict = maker(cst.Dict, "elements")
Element = maker(cst.Element, "value", "comma")
StarredElement = maker(cst.StarredElement, "value")
DictElement = maker(cst.DictElement, "key", "value")
StarredDictElement = maker(cst.StarredDictElement, "value")
ListComp = maker(cst.ListComp, "elt", "for_in")
SetComp = maker(cst.SetComp, "elt", "for_in")
GeneratorExp = maker(cst.GeneratorExp, "elt", "for_in", "lpar", "rpar")
DictComp = maker(cst.DictComp, "key", "value", "for_in")
CompFor = maker(cst.CompFor, "target", "iter", "ifs", "inner_for_in", "asynchronous")
CompIf = maker(cst.CompIf, "test")
Subscript = maker(cst.Subscript, "value", "slice")
SubscriptElement = maker(cst.SubscriptElement, "slice")
Index = maker(cst.Index, "value", "star")
Slice = maker(cst.Slice, "lower", "upper", "step")
BinaryOperation = maker(cst.BinaryOperation, "left", "operator", "right")
BooleanOperation = maker(cst.BooleanOperation, "left", "operator", "right")
UnaryOperation = maker(cst.UnaryOperation, "operator", "expression")
Comparison = maker(cst.Comparison, "left", "comparisons")
ComparisonTarget = maker(cst.ComparisonTarget, "operator", "comparator")
NotEqual = leaf(cst.NotEqual, "value")
IfExp = maker(cst.IfExp, "test", "body", "orelse")
Lambda = maker(cst.Lambda, "params", "body")
NamedExpr = maker(cst.NamedExpr, "target", "value")
Yield = maker(cst.Yield, "value")
From = maker(cst.From, "item")
Await = maker(cst.Await, "expression")
Parameters = maker(cst.Parameters, "params", "star_arg", "kwonly_params", "star_kwarg", "posonly_params", "posonly_ind")
Param = maker(cst.Param, "name", "annotation", "default", "star")
ParamStar, ParamSlash = leaf(cst.ParamStar), leaf(cst.ParamSlash)
Annotation = maker(cst.Annotation, "annotation")
Asynchronous = leaf(cst.Asynchronous)

Expr = maker(cst.Expr, "value")
Assign = maker(cst.Assign, "targets", "value")
AssignTarget = maker(cst.AssignTarget, "target")
AugAssign = maker(cst.AugAssign, "target", "operator", "value")
AnnAssign = maker(cst.AnnAssign, "target", "annotation", "value")
Return = maker(cst.Return, "value")
Raise = maker(cst.Raise, "exc", "cause")
Del = maker(cst.Del, "target")
Assert = maker(cst.Assert, "test", "msg")
Global = maker(cst.Global, "names")
Nonlocal = maker(cst.Nonlocal, "names")
NameItem = maker(cst.NameItem, "name")
Import = maker(cst.Import, "names")
ImportFrom = maker(cst.ImportFrom, "module", "names", "relative", "lpar", "rpar")
ImportAlias = maker(cst.ImportAlias, "name", "asname")
ImportStar = leaf(cst.ImportStar)
AsName = maker(cst.AsName, "name")
Dot = leaf(cst.Dot)
Pass, Break, Continue = leaf(cst.Pass), leaf(cst.Break), leaf(cst.Continue)
SimpleStatementLine = maker(cst.SimpleStatementLine, "body")
SimpleStatementSuite = maker(cst.SimpleStatementSuite, "body")
IndentedBlock = maker(cst.IndentedBlock, "body")
FunctionDef = maker(cst.FunctionDef, "name", "params", "body", "decorators", "returns", "asynchronous")
ClassDef = maker(cst.ClassDef, "name", "body", "bases", "keywords", "decorators")
Decorator = maker(cst.Decorator, "decorator")
If = maker(cst.If, "test", "body", "orelse")
Else = maker(cst.Else, "body")
For = maker(cst.For, "target", "iter", "body", "orelse", "asynchronous")
While = maker(cst.While, "test", "body", "orelse")
Try = maker(cst.Try, "body", "handlers", "orelse", "finalbody")
TryStar = maker(cst.TryStar, "body", "handlers", "orelse", "finalbody")
ExceptHandler = maker(cst.ExceptHandler, "body", "type", "name")
ExceptStarHandler = maker(cst.ExceptStarHandler, "body", "type", "name")
Finally = maker(cst.Finally, "body")
With = maker(cst.With, "items", "body", "asynchronous")
WithItem = maker(cst.WithItem, "item", "asname")
