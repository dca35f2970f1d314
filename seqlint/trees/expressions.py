"""The nodes of expressions."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import libcst as cst

from seqlint.trees import nodes as make
from seqlint.trees.brackets import BLANK, STRING
from seqlint.trees.text import Growth, Unlike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Span = tuple[int, int]
DEFAULT = cst.MaybeSentinel.DEFAULT
_INSIDE_F = rb"\{([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?::([^{}'\"\\\n]*))?\}"
_PLAIN_F = re.compile(
    rb"[fF](?:\"(?!\")(?:[^{}\"\\\n]|" + _INSIDE_F + rb")*\"|'(?!')(?:[^{}'\\\n]|" + _INSIDE_F + rb")*'|\"\"|'')"
)
_PIECE_OF_F = re.compile(rb"[^{}]+|" + _INSIDE_F)
_IDENTIFIER_END = re.compile(r"\w+$")


def expression(growth: Growth, node: ast.expr, up: int) -> Any:
    """The node of an expression."""
    kind = node.__class__
    starts = growth.starts
    here = len(growth.nodes)
    if kind is ast.Name and growth.plain:  # two of five nodes
        made = growth.leaf(make.Name(node.id), up)  # type: ignore[attr-defined]
    else:
        grow = _GROW.get(kind)
        if grow is None:
            raise Unlike
        made = grow(growth, node, up)
        if kind in _PLACED:
            return made
    span = (starts[node.lineno] + node.col_offset, starts[node.end_lineno] + node.end_col_offset)  # type: ignore[index, operator]
    growth.spans[here] = span
    if span in growth.brackets.round:
        _bracket(growth, made, here, span)
    return made


def _bracket(growth: Growth, node: cst.CSTNode, here: int, span: Span, count: int = 0) -> None:
    """Give a node the brackets that stand round it, besides those that it has."""
    round_it = growth.brackets.round
    while span in round_it:
        span, count = round_it[span], count + 1
    make.bracket(node, count)
    growth.bracketed[here] = span


def optional(growth: Growth, node: ast.expr | None, up: int) -> Any:
    """The node of an expression that need not be there."""
    return None if node is None else expression(growth, node, up)


# -- names, numbers, strings --------------------------------------------------------------------------------------------------------


def _name(growth: Growth, node: ast.Name, up: int) -> Any:
    name = node.id if growth.plain else growth.text(*growth.place(node))
    return growth.leaf(make.Name(name), up)


def _constant(growth: Growth, node: ast.Constant, up: int) -> Any:
    value = node.value
    if value is None or value is True or value is False:
        return growth.leaf(make.Name(str(value)), up)
    if value is ...:
        return growth.leaf(make.Dots(), up)
    span = growth.place(node)
    if isinstance(value, (str, bytes)):
        return _string(growth, span, up)
    text = growth.text(*span)
    if isinstance(value, int):
        return growth.leaf(make.Integer(text), up)
    return growth.leaf((make.Float if isinstance(value, float) else make.Imaginary)(text), up)


def _string(growth: Growth, span: Span, up: int) -> Any:
    """A string literal, or several that stand one after the other."""
    data, (start, end) = growth.data, span
    found = STRING.match(data, start)
    if found is None or found.end() > end:
        raise Unlike
    if found.end() == end:
        return growth.leaf(make.SimpleString(growth.text(start, end)), up, span)
    here = growth.open(up)
    left = growth.leaf(make.SimpleString(growth.text(start, found.end())), here, found.span())
    right = _string(growth, (BLANK.match(data, found.end()).end(), end), here)  # type: ignore[union-attr]
    return growth.close(here, make.ConcatenatedString(left, right), span)


def _formatted(growth: Growth, node: ast.JoinedStr, up: int) -> Any:
    """An f-string. libcst reads it: before Python 3.12 Python's tree has wrong places for its parts."""
    start, end = growth.place(node)
    if _PLAIN_F.fullmatch(growth.data, start, end) is not None:
        return _plainly_formatted(growth, start, end, up)
    text = growth.text(start, end)
    growth.seen[text] += 1
    found = _read_formatted(text, growth.seen[text] if (start, end) not in growth.brackets.round else 0)
    here = len(growth.nodes)
    growth.strings[here] = start
    planted(growth, found, up)
    return found


@lru_cache(maxsize=512)
def _kept_formatted(text: str, number: int) -> cst.BaseExpression:
    """The f-string that is the first, second ... of its text in a file: in an editor the next tree takes it again."""
    return _read_formatted(text, 0)


def _read_formatted(text: str, number: int) -> cst.BaseExpression:
    if number:
        return _kept_formatted(text, number)
    found = cst.parse_expression(f"({text})")
    make.bracket(found, 0)
    return found


def _plainly_formatted(growth: Growth, start: int, end: int, up: int) -> Any:
    """An f-string on one line that puts nothing in but names and attributes, as most do."""
    here = growth.open(up)
    parts = []
    for found in _PIECE_OF_F.finditer(growth.data, start + 2, end - 1):
        if found[1] is None:
            parts.append(growth.leaf(make.FormattedStringText(found[0].decode()), here, found.span()))
            continue
        place = growth.open(here)
        expression = _reached(growth, found[1].decode(), found.start(1), place)
        form = found[2]
        spec = None if form is None else _format(growth, form.decode(), found.span(2), place)
        made = make.FormattedStringExpression(expression, spec)
        parts.append(growth.close(place, made, found.span()))
    head = growth.text(start, start + 2)
    return growth.close(here, make.FormattedString(tuple(parts), head, head[1]))


def _format(growth: Growth, form: str, span: Span, up: int) -> tuple[Any, ...]:
    return (growth.leaf(make.FormattedStringText(form), up, span),) if form else ()


def _reached(growth: Growth, name: str, start: int, up: int) -> Any:
    """`a.b.c`, written without a blank."""
    head, dot, last = name.rpartition(".")
    if not dot:
        return growth.leaf(make.Name(name), up, (start, start + len(name.encode())))
    here = growth.open(up)
    value = _reached(growth, head, start, here)
    end = start + len(name.encode())
    attr = growth.leaf(make.Name(last), here, (end - len(last.encode()), end))
    return growth.close(here, make.Attribute(value, attr), (start, end))


def planted(growth: Growth, node: cst.CSTNode, up: int) -> None:
    """Number a node that libcst's parser made, with all below it."""
    from seqlint.trees.grown import children

    here = growth.open(up)
    for child in children(node):
        planted(growth, child, here)
    growth.close(here, node)


# -- attributes, calls, subscripts ------------------------------------------------------------------------------------------------------


def _attribute(growth: Growth, node: ast.Attribute, up: int) -> Any:
    here = growth.open(up)
    value = expression(growth, node.value, here)
    end = growth.starts[node.end_lineno] + node.end_col_offset  # type: ignore[index, operator]
    attr = node.attr if growth.plain else _last_name(growth, end)
    start = end - (len(attr) if growth.plain else len(attr.encode()))
    return growth.close(here, make.Attribute(value, growth.leaf(make.Name(attr), here, (start, end))))


def _last_name(growth: Growth, end: int) -> str:
    found = _IDENTIFIER_END.search(growth.data[max(0, end - 400) : end].decode(errors="ignore"))
    if found is None:
        raise Unlike
    return found[0]


def _call(growth: Growth, node: ast.Call, up: int) -> Any:
    here = growth.open(up)
    func = expression(growth, node.func, here)
    return growth.close(here, make.Call(func, arguments(growth, node.args, node.keywords, here)))


def arguments(growth: Growth, args: list[ast.expr], keywords: list[ast.keyword], up: int) -> tuple[Any, ...]:
    """The arguments of a call or of a class, in the order of the text."""
    if not keywords:
        return tuple([_argument(growth, arg, up) for arg in args])
    if not any(type(arg) is ast.Starred for arg in args):
        return (*[_argument(growth, arg, up) for arg in args], *[keyword(growth, given, up) for given in keywords])
    both: list[ast.expr | ast.keyword] = [*args, *keywords]
    given = sorted(both, key=lambda arg: (arg.lineno, arg.col_offset))
    return tuple(
        [keyword(growth, arg, up) if isinstance(arg, ast.keyword) else _argument(growth, arg, up) for arg in given]
    )


def _argument(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    if type(node) is ast.Starred:
        value = expression(growth, node.value, here)
        span = growth.starts[node.lineno] + node.col_offset, growth.outer(here + 1)[1]
        return growth.close(here, make.Arg(value, None, "*"), span)
    value = expression(growth, node, here)
    return growth.close(here, make.Arg(value, None, ""), growth.outer(here + 1))


def keyword(growth: Growth, node: ast.keyword, up: int) -> Any:
    """An argument that is given by keyword, or `**them`."""
    here = growth.open(up)
    start = growth.starts[node.lineno] + node.col_offset
    if node.arg is None:
        value = expression(growth, node.value, here)
        return growth.close(here, make.Arg(value, None, "**"), (start, growth.outer(here + 1)[1]))
    name = identifier(growth, node.arg, start, here)
    value = expression(growth, node.value, here)
    return growth.close(here, make.Arg(value, name, ""), (start, growth.outer(here + 2)[1]))


def identifier(growth: Growth, spelled: str, start: int, up: int) -> Any:
    """The name that begins at a place, and is no expression of its own."""
    if growth.plain:
        return growth.leaf(make.Name(spelled), up, (start, start + len(spelled)))
    text = growth.data[start : start + 4 * len(spelled) + 40].decode(errors="ignore")
    found = re.match(r"\w+", text)
    if found is None:
        raise Unlike
    return growth.leaf(make.Name(found[0]), up, (start, start + len(found[0].encode())))


def _subscript(growth: Growth, node: ast.Subscript, up: int) -> Any:
    here = growth.open(up)
    value = expression(growth, node.value, here)
    index = node.slice
    bare = type(index) is ast.Tuple and index.elts and growth.place(index) not in growth.brackets.inside
    parts = index.elts if bare else [index]  # type: ignore[attr-defined]
    return growth.close(here, make.Subscript(value, tuple([_part(growth, part, here) for part in parts])))


def _part(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    below = growth.open(here)
    if type(node) is ast.Slice:
        span = growth.place(node)
        made = make.Slice(*(optional(growth, part, below) for part in (node.lower, node.upper, node.step)))
    elif type(node) is ast.Starred:
        value = expression(growth, node.value, below)
        span = growth.starts[node.lineno] + node.col_offset, growth.outer(below + 1)[1]
        made = make.Index(value, "*")
    else:
        made = make.Index(expression(growth, node, below), None)
        span = growth.outer(below + 1)
    return growth.close(here, make.SubscriptElement(growth.close(below, made, span)), span)


# -- displays ---------------------------------------------------------------------------------------------------------------------------


def _is_bracketed(growth: Growth, node: ast.expr) -> bool:
    """Whether the span of a tuple or generator begins and ends with brackets of its own."""
    return growth.place(node) in growth.brackets.inside


def _tuple(growth: Growth, node: ast.Tuple, up: int) -> Any:
    here = growth.open(up)
    made = make.Tuple(_elements(growth, node.elts, here), (), ())
    return _closed(growth, here, made, growth.place(node))


def _closed(growth: Growth, here: int, node: cst.CSTNode, span: Span) -> Any:
    """A tuple or generator with its brackets, if it has some."""
    inner = growth.brackets.inside.get(span)
    growth.close(here, node, inner or span)
    if inner is not None:
        _bracket(growth, node, here, span, 1)
    return node


def _elements(growth: Growth, nodes: Iterable[ast.expr], up: int) -> tuple[Any, ...]:
    return tuple([_element(growth, node, up) for node in nodes])


def _element(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    if type(node) is ast.Starred:
        value = expression(growth, node.value, here)
        span = growth.starts[node.lineno] + node.col_offset, growth.outer(here + 1)[1]
        made = growth.close(here, make.StarredElement(value), span)
        if span in growth.brackets.round:
            _bracket(growth, made, here, span)
        return made
    value = expression(growth, node, here)
    return growth.close(here, make.Element(value, DEFAULT), growth.outer(here + 1))


def _list(growth: Growth, node: ast.List, up: int) -> Any:
    here = growth.open(up)
    return growth.close(here, make.List(_elements(growth, node.elts, here)))


def _set(growth: Growth, node: ast.Set, up: int) -> Any:
    here = growth.open(up)
    return growth.close(here, make.Set(_elements(growth, node.elts, here)))


def _dict(growth: Growth, node: ast.Dict, up: int) -> Any:
    here = growth.open(up)
    pairs = zip(node.keys, node.values, strict=True)
    return growth.close(here, make.Dict(tuple([_pair(growth, key, value, here) for key, value in pairs])))


def _pair(growth: Growth, key: ast.expr | None, value: ast.expr, up: int) -> Any:
    here = growth.open(up)
    if key is None:
        made = expression(growth, value, here)
        start, end = growth.outer(here + 1)
        return growth.close(here, make.StarredDictElement(made), (growth.data.rindex(b"**", 0, start), end))
    name = expression(growth, key, here)
    second = len(growth.nodes)
    item = expression(growth, value, here)
    return growth.close(here, make.DictElement(name, item), (growth.outer(here + 1)[0], growth.outer(second)[1]))


# -- comprehensions ---------------------------------------------------------------------------------------------------------------------


def _list_comp(growth: Growth, node: ast.ListComp, up: int) -> Any:
    here = growth.open(up)
    for_in = _for_in(growth, node.generators, here)
    return growth.close(here, make.ListComp(expression(growth, node.elt, here), for_in))


def _set_comp(growth: Growth, node: ast.SetComp, up: int) -> Any:
    here = growth.open(up)
    for_in = _for_in(growth, node.generators, here)
    return growth.close(here, make.SetComp(expression(growth, node.elt, here), for_in))


def _dict_comp(growth: Growth, node: ast.DictComp, up: int) -> Any:
    here = growth.open(up)
    for_in = _for_in(growth, node.generators, here)
    key = expression(growth, node.key, here)
    return growth.close(here, make.DictComp(key, expression(growth, node.value, here), for_in))


def _generator(growth: Growth, node: ast.GeneratorExp, up: int) -> Any:
    here = growth.open(up)
    for_in = _for_in(growth, node.generators, here)
    first = len(growth.nodes)
    elt = expression(growth, node.elt, here)
    made = make.GeneratorExp(elt, for_in, (), ())
    if _is_bracketed(growth, node):
        return _closed(growth, here, made, growth.place(node))
    # The brackets are those of the call that it is the one argument of.
    return growth.close(here, made, (growth.outer(first)[0], _end(growth, node.generators[-1])))


def _end(growth: Growth, last: ast.comprehension) -> int:
    return growth.brackets.outer(growth.place([last.iter, *last.ifs][-1]))[1]


def _for_in(growth: Growth, generators: list[ast.comprehension], up: int) -> Any:
    first = generators[0]
    here = growth.open(up)
    target = expression(growth, first.target, here)
    start = growth.outer(here + 1)[0]
    iterable = expression(growth, first.iter, here)
    ifs = tuple([_comp_if(growth, test, here) for test in first.ifs])
    inner = _for_in(growth, generators[1:], here) if len(generators) > 1 else None
    asynchronous = growth.leaf(make.Asynchronous(), here) if first.is_async else None
    span = growth.data.rindex(b"for", 0, start), _end(growth, generators[-1])
    return growth.close(here, make.CompFor(target, iterable, ifs, inner, asynchronous), span)


def _comp_if(growth: Growth, test: ast.expr, up: int) -> Any:
    here = growth.open(up)
    return growth.close(here, make.CompIf(expression(growth, test, here)))


# -- operations -------------------------------------------------------------------------------------------------------------------------

_UNARY: dict[type[ast.unaryop], type[cst.CSTNode]] = {
    ast.Not: cst.Not, ast.USub: cst.Minus, ast.UAdd: cst.Plus, ast.Invert: cst.BitInvert,
}  # fmt: skip
_BINARY: dict[type[ast.operator], type[cst.CSTNode]] = {
    ast.Add: cst.Add, ast.Sub: cst.Subtract, ast.Mult: cst.Multiply, ast.Div: cst.Divide, ast.FloorDiv: cst.FloorDivide,
    ast.Mod: cst.Modulo, ast.Pow: cst.Power, ast.MatMult: cst.MatrixMultiply, ast.LShift: cst.LeftShift,
    ast.RShift: cst.RightShift, ast.BitAnd: cst.BitAnd, ast.BitOr: cst.BitOr, ast.BitXor: cst.BitXor,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], type[cst.CSTNode]] = {
    ast.Lt: cst.LessThan, ast.LtE: cst.LessThanEqual, ast.Gt: cst.GreaterThan, ast.GtE: cst.GreaterThanEqual,
    ast.Eq: cst.Equal, ast.NotEq: cst.NotEqual, ast.In: cst.In, ast.NotIn: cst.NotIn, ast.Is: cst.Is, ast.IsNot: cst.IsNot,
}  # fmt: skip
_SIGNS: tuple[tuple[type[ast.AST], type[cst.CSTNode]], ...] = (*_UNARY.items(), *_BINARY.items(), *_COMPARED.items())
_OPERATORS = {kind: make.maker(sign) for kind, sign in _SIGNS}
_JOINING = {ast.And: make.maker(cst.And), ast.Or: make.maker(cst.Or)}


def _binary(growth: Growth, node: ast.BinOp, up: int) -> Any:
    here = growth.open(up)
    left = expression(growth, node.left, here)
    sign = growth.open(here)
    right = expression(growth, node.right, here)
    operator = growth.close(sign, _OPERATORS[type(node.op)](), between(growth, here + 1, sign + 1))
    growth.ends[sign] = sign + 1
    return growth.close(here, make.BinaryOperation(left, operator, right))


def _joined(growth: Growth, node: ast.BoolOp, up: int) -> Any:
    return _joined_up_to(growth, node, len(node.values), up)


def _joined_up_to(growth: Growth, node: ast.BoolOp, count: int, up: int) -> Any:
    """`a and b and c` joins the first two, then these and the third."""
    here = growth.open(up)
    values = node.values
    left = expression(growth, values[0], here) if count == 2 else _joined_up_to(growth, node, count - 1, here)
    sign = growth.open(here)
    right = expression(growth, values[count - 1], here)
    operator = growth.close(sign, _JOINING[type(node.op)](), between(growth, here + 1, sign + 1))
    growth.ends[sign] = sign + 1
    span = growth.outer(here + 1)[0], growth.outer(sign + 1)[1]
    return growth.close(here, make.BooleanOperation(left, operator, right), span)


def _unary(growth: Growth, node: ast.UnaryOp, up: int) -> Any:
    here = growth.open(up)
    start = growth.place(node)[0]
    length = 3 if type(node.op) is ast.Not else 1
    operator = growth.leaf(_OPERATORS[type(node.op)](), here, (start, start + length))
    return growth.close(here, make.UnaryOperation(operator, expression(growth, node.operand, here)))


def _comparison(growth: Growth, node: ast.Compare, up: int) -> Any:
    here = growth.open(up)
    before = len(growth.nodes)
    left = expression(growth, node.left, here)
    comparisons = []
    for op, to in zip(node.ops, node.comparators, strict=True):
        place = len(growth.nodes)
        comparisons.append(_compared(growth, op, to, before, here))
        before = place + 2
    return growth.close(here, make.Comparison(left, tuple(comparisons)))


def _compared(growth: Growth, op: ast.cmpop, to: ast.expr, before: int, up: int) -> Any:
    """An operator and what it compares with; it stands behind the operand with the number `before`."""
    here = growth.open(up)
    sign = growth.open(here)
    comparator = expression(growth, to, here)
    made = make.NotEqual("!=") if type(op) is ast.NotEq else _OPERATORS[type(op)]()
    operator = growth.close(sign, made, between(growth, before, sign + 1))
    growth.ends[sign] = sign + 1
    return growth.close(here, make.ComparisonTarget(operator, comparator))


def between(growth: Growth, left: int, right: int) -> Span:
    """The bytes of an operator, by the numbers of what stands on both sides of it."""
    start = BLANK.match(growth.data, growth.outer(left)[1]).end()  # type: ignore[union-attr]
    return start, start + len(growth.data[start : growth.outer(right)[0]].rstrip())


def _if_exp(growth: Growth, node: ast.IfExp, up: int) -> Any:
    here = growth.open(up)
    test = expression(growth, node.test, here)
    body = expression(growth, node.body, here)
    return growth.close(here, make.IfExp(test, body, expression(growth, node.orelse, here)))


def _named(growth: Growth, node: ast.NamedExpr, up: int) -> Any:
    here = growth.open(up)
    target = expression(growth, node.target, here)
    return growth.close(here, make.NamedExpr(target, expression(growth, node.value, here)))


def _await(growth: Growth, node: ast.Await, up: int) -> Any:
    here = growth.open(up)
    return growth.close(here, make.Await(expression(growth, node.value, here)))


def _yield(growth: Growth, node: ast.Yield, up: int) -> Any:
    here = growth.open(up)
    return growth.close(here, make.Yield(optional(growth, node.value, here)))


def _yield_from(growth: Growth, node: ast.YieldFrom, up: int) -> Any:
    here = growth.open(up)
    return growth.close(here, make.Yield(from_item(growth, node.value, here)))


def from_item(growth: Growth, node: ast.expr, up: int) -> Any:
    """The `from` of a `yield` or `raise`."""
    here = growth.open(up)
    item = expression(growth, node, here)
    start, end = growth.outer(here + 1)
    return growth.close(here, make.From(item), (growth.data.rindex(b"from", 0, start), end))


# -- parameters -------------------------------------------------------------------------------------------------------------------------


def _lambda(growth: Growth, node: ast.Lambda, up: int) -> Any:
    here = growth.open(up)
    params = parameters(growth, node.args, here)
    return growth.close(here, make.Lambda(params, expression(growth, node.body, here)))


def parameters(growth: Growth, args: ast.arguments, up: int) -> Any:
    """The parameters of a function or lambda."""
    here = growth.open(up)
    first, plain = args.posonlyargs, args.args
    defaults: list[ast.expr | None] = [None] * (len(first) + len(plain) - len(args.defaults)) + list(args.defaults)
    params = tuple([_param(growth, a, d, "", here) for a, d in zip(plain, defaults[len(first) :], strict=True)])
    star_arg: Any = DEFAULT
    if args.vararg is not None:
        star_arg = _param(growth, args.vararg, None, "*", here)
    elif args.kwonlyargs:
        star_arg = growth.leaf(make.ParamStar(), here)
    kwonly = tuple([_param(growth, a, d, "", here) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)])
    kwarg = _param(growth, args.kwarg, None, "**", here) if args.kwarg is not None else None
    posonly = tuple([_param(growth, a, d, "", here) for a, d in zip(first, defaults, strict=False)])
    slash = growth.leaf(make.ParamSlash(), here) if first else DEFAULT
    return growth.close(here, make.Parameters(params, star_arg, kwonly, kwarg, posonly, slash))


def _param(growth: Growth, arg: ast.arg, default: ast.expr | None, star: str, up: int) -> Any:
    here = growth.open(up)
    start = growth.starts[arg.lineno] + arg.col_offset
    name = identifier(growth, arg.arg, start, here)
    annotation = None if arg.annotation is None else annotated(growth, arg.annotation, here)
    value = optional(growth, default, here)
    begins = growth.data.rindex(star.encode(), 0, start) if star else start
    return growth.close(here, make.Param(name, annotation, value, star), (begins, growth.outer(here + 1)[1]))


def annotated(growth: Growth, node: ast.expr, up: int) -> Any:
    """The type behind a colon or an arrow."""
    here = growth.open(up)
    value = expression(growth, node, here)
    return growth.close(here, make.Annotation(value), growth.outer(here + 1))


_GROW: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.Name: _name, ast.Constant: _constant, ast.JoinedStr: _formatted, ast.Attribute: _attribute, ast.Call: _call,
    ast.Subscript: _subscript, ast.Tuple: _tuple, ast.List: _list, ast.Set: _set, ast.Dict: _dict,
    ast.ListComp: _list_comp, ast.SetComp: _set_comp, ast.DictComp: _dict_comp, ast.GeneratorExp: _generator,
    ast.BinOp: _binary, ast.BoolOp: _joined, ast.UnaryOp: _unary, ast.Compare: _comparison, ast.IfExp: _if_exp,
    ast.NamedExpr: _named, ast.Await: _await, ast.Yield: _yield, ast.YieldFrom: _yield_from, ast.Lambda: _lambda,
}  # fmt: skip
_PLACED = frozenset({ast.Tuple, ast.GeneratorExp})
"""What says by itself where it stands: Python's tree counts its brackets in."""
