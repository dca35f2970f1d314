"""Functions that make libcst's nodes. They set the slots of a node directly: its constructor checks what a parser has checked before."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Callable


def maker(kind: type[cst.CSTNode], *given: str) -> Callable[..., Any]:
    """A function that makes a node from these fields, in this order; the others get libcst's defaults.

    It is written out and compiled, as `dataclasses` does with its constructors: a loop over the fields would take three times as long.
    """
    known: dict[str, Any] = {"new": object.__new__, "kind": kind}
    lines = [f"def make({', '.join(given)}):", "    node = new(kind)"]
    for field in fields(kind):
        name = field.name
        known[f"set_{name}"] = getattr(kind, name).__set__
        if name not in given:
            known[f"default_{name}"] = _default(field)
        lines.append(f"    set_{name}(node, {name if name in given else f'default_{name}'})")
    exec("\n".join([*lines, "    return node"]), known)
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


Name = maker(cst.Name, "value")
Attribute = maker(cst.Attribute, "value", "attr")
Call = maker(cst.Call, "func", "args")
Arg = maker(cst.Arg, "value", "keyword", "star")
Integer = maker(cst.Integer, "value")
Float = maker(cst.Float, "value")
Imaginary = maker(cst.Imaginary, "value")
SimpleString = maker(cst.SimpleString, "value")
ConcatenatedString = maker(cst.ConcatenatedString, "left", "right")
FormattedString = maker(cst.FormattedString, "parts", "start", "end")
FormattedStringText = maker(cst.FormattedStringText, "value")
FormattedStringExpression = maker(cst.FormattedStringExpression, "expression", "format_spec")
Dots = maker(cst.Ellipsis)
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
NotEqual = maker(cst.NotEqual, "value")
IfExp = maker(cst.IfExp, "test", "body", "orelse")
Lambda = maker(cst.Lambda, "params", "body")
NamedExpr = maker(cst.NamedExpr, "target", "value")
Yield = maker(cst.Yield, "value")
From = maker(cst.From, "item")
Await = maker(cst.Await, "expression")
Parameters = maker(cst.Parameters, "params", "star_arg", "kwonly_params", "star_kwarg", "posonly_params", "posonly_ind")
Param = maker(cst.Param, "name", "annotation", "default", "star")
ParamStar, ParamSlash = maker(cst.ParamStar), maker(cst.ParamSlash)
Annotation = maker(cst.Annotation, "annotation")
Asynchronous = maker(cst.Asynchronous)

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
ImportStar = maker(cst.ImportStar)
AsName = maker(cst.AsName, "name")
Dot = maker(cst.Dot)
Pass, Break, Continue = maker(cst.Pass), maker(cst.Break), maker(cst.Continue)
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
