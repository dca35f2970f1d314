"""Tuples, lists, dicts, sets, and the comprehensions of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import libcst as cst

from seqlint.trees import nodes as make
from seqlint.trees.expressions import bracket, expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seqlint.trees.text import Growth

Span = tuple[int, int]


DEFAULT = cst.MaybeSentinel.DEFAULT


def _is_bracketed(growth: Growth, node: ast.expr) -> bool:
    """Whether the span of a tuple or generator begins and ends with brackets of its own."""
    return growth.place(node) in growth.brackets.inside


def _tuple(growth: Growth, node: ast.Tuple, up: int) -> Any:
    here = growth.open(up)
    made = make.Tuple(growth, here, _elements(growth, node.elts, here), (), ())
    return _closed(growth, here, made, growth.place(node))


def _closed(growth: Growth, here: int, node: cst.CSTNode, span: Span) -> Any:
    """A tuple or generator with its brackets, if it has some."""
    inner = growth.brackets.inside.get(span)
    growth.spans[here] = inner or span
    if inner is not None:
        bracket(growth, node, here, span, 1)
    return node


def _elements(growth: Growth, nodes: Iterable[ast.expr], up: int) -> tuple[Any, ...]:
    return tuple([_element(growth, node, up) for node in nodes])


def _element(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    if type(node) is ast.Starred:
        value = expression(growth, node.value, here)
        span = growth.starts[node.lineno] + node.col_offset, growth.outer(here + 1)[1]
        growth.spans[here] = span
        made = make.StarredElement(growth, here, value)
        if span in growth.brackets.round:
            bracket(growth, made, here, span)
        return made
    return make.Element(growth, here, expression(growth, node, here), DEFAULT)


def _display(growth: Growth, node: ast.List | ast.Set, up: int) -> Any:
    here = growth.open(up, node)
    maker = make.List if isinstance(node, ast.List) else make.Set
    return maker(growth, here, _elements(growth, node.elts, here))


def _dict(growth: Growth, node: ast.Dict, up: int) -> Any:
    here = growth.open(up, node)
    pairs = zip(node.keys, node.values, strict=True)
    return make.Dict(growth, here, tuple([_pair(growth, key, value, here) for key, value in pairs]))


def _pair(growth: Growth, key: ast.expr | None, value: ast.expr, up: int) -> Any:
    here = growth.open(up)
    if key is None:
        made = make.StarredDictElement(growth, here, expression(growth, value, here))
        start, end = growth.outer(here + 1)
        growth.spans[here] = growth.data.rindex(b"**", 0, start), end
        return made
    name = expression(growth, key, here)
    return make.DictElement(growth, here, name, expression(growth, value, here))


def _comprehension(growth: Growth, node: ast.ListComp | ast.SetComp, up: int) -> Any:
    here = growth.open(up, node)
    for_in = _for_in(growth, node.generators, here)
    maker = make.ListComp if isinstance(node, ast.ListComp) else make.SetComp
    return maker(growth, here, expression(growth, node.elt, here), for_in)


def _dict_comp(growth: Growth, node: ast.DictComp, up: int) -> Any:
    here = growth.open(up, node)
    for_in = _for_in(growth, node.generators, here)
    key = expression(growth, node.key, here)
    return make.DictComp(growth, here, key, expression(growth, node.value, here), for_in)


def _generator(growth: Growth, node: ast.GeneratorExp, up: int) -> Any:
    here = growth.open(up)
    for_in = _for_in(growth, node.generators, here)
    first = len(growth.nodes)
    made = make.GeneratorExp(growth, here, expression(growth, node.elt, here), for_in, (), ())
    if _is_bracketed(growth, node):
        return _closed(growth, here, made, growth.place(node))
    # The brackets are those of the call that it is the one argument of.
    growth.spans[here] = growth.outer(first)[0], _end(growth, node.generators[-1])
    return made


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
    asynchronous = make.Asynchronous(growth, here, None) if first.is_async else None
    growth.spans[here] = growth.data.rindex(b"for", 0, start), _end(growth, generators[-1])
    return make.CompFor(growth, here, target, iterable, ifs, inner, asynchronous)


def _comp_if(growth: Growth, test: ast.expr, up: int) -> Any:
    here = growth.open(up)
    return make.CompIf(growth, here, expression(growth, test, here))


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.Tuple: _tuple,
    ast.List: _display,
    ast.Set: _display,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _dict_comp,
    ast.GeneratorExp: _generator,
}
"""What this module makes, by the kind of the node of Python's tree."""
