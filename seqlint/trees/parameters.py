"""The parameters of functions and lambdas, and annotations."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import libcst as cst

from seqlint.trees import nodes as make
from seqlint.trees.expressions import expression, identifier, optional

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.trees.text import Growth

Span = tuple[int, int]


DEFAULT = cst.MaybeSentinel.DEFAULT


def _lambda(growth: Growth, node: ast.Lambda, up: int) -> Any:
    here = growth.open(up, node)
    params = parameters(growth, node.args, here)
    return make.Lambda(growth, here, params, expression(growth, node.body, here))


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
        star_arg = make.ParamStar(growth, here, None)
    kwonly = tuple([_param(growth, a, d, "", here) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)])
    kwarg = _param(growth, args.kwarg, None, "**", here) if args.kwarg is not None else None
    posonly = tuple([_param(growth, a, d, "", here) for a, d in zip(first, defaults, strict=False)])
    slash = make.ParamSlash(growth, here, None) if first else DEFAULT
    return make.Parameters(growth, here, params, star_arg, kwonly, kwarg, posonly, slash)


def _param(growth: Growth, arg: ast.arg, default: ast.expr | None, star: str, up: int) -> Any:
    here = growth.open(up)
    start = growth.starts[arg.lineno] + arg.col_offset
    name = identifier(growth, arg.arg, start, here)
    annotation = None if arg.annotation is None else annotated(growth, arg.annotation, here)
    value = optional(growth, default, here)
    begins = growth.data.rindex(star.encode(), 0, start) if star else start
    growth.spans[here] = begins, growth.span(here + 1)[1]
    return make.Param(growth, here, name, annotation, value, star)


def annotated(growth: Growth, node: ast.expr, up: int) -> Any:
    """The type after a colon or an arrow."""
    here = growth.open(up)
    return make.Annotation(growth, here, expression(growth, node, here))


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {ast.Lambda: _lambda}
"""What this module makes, by the kind of the node of Python's tree."""
