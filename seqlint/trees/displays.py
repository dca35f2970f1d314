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
    made = make.Tuple(_elements(growth, node.elts, here), (), ())
    return _closed(growth, here, made, growth.place(node))


def _closed(growth: Growth, here: int, node: cst.CSTNode, span: Span) -> Any:
    """A tuple or generator with its brackets, if it has some."""
    inner = growth.brackets.inside.get(span)
    growth.close(here, node, inner or span)
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
        made = growth.close(here, make.StarredElement(value), span)
        if span in growth.brackets.round:
            bracket(growth, made, here, span)
        return made
    value = expression(growth, node, here)
    return growth.close(here, make.Element(value, DEFAULT), growth.outer(here + 1))


def _display(growth: Growth, node: ast.List | ast.Set, up: int) -> Any:
    here = growth.open(up)
    maker = make.List if isinstance(node, ast.List) else make.Set
    return growth.close(here, maker(_elements(growth, node.elts, here)))


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


def _comprehension(growth: Growth, node: ast.ListComp | ast.SetComp, up: int) -> Any:
    here = growth.open(up)
    for_in = _for_in(growth, node.generators, here)
    maker = make.ListComp if isinstance(node, ast.ListComp) else make.SetComp
    return growth.close(here, maker(expression(growth, node.elt, here), for_in))


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
