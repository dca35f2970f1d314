"""Draws random numbers from a generator that is made where they are drawn, in place of NumPy's global one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.imports import name_for
from seqlint.rewrite.statements import insert_first

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from seqlint.facts import Facts, NumpyDraw

_RENAMED = {"rand": "random", "randn": "standard_normal", "randint": "integers", "random_sample": "random", "ranf": "random"}  # fmt: skip
_BY_AXES = ("rand", "randn")
_SAME = frozenset({
    "beta", "binomial", "choice", "dirichlet", "exponential", "gamma", "geometric", "laplace", "lognormal", "multinomial",
    "multivariate_normal", "normal", "permutation", "poisson", "random", "rayleigh", "shuffle", "standard_normal", "triangular",
    "uniform", "weibull",
})  # fmt: skip


def fresh_generators(
    facts: Facts, draws: Sequence[NumpyDraw], functions: Collection[cst.FunctionDef]
) -> tuple[Edit, ...]:
    """`rng = np.random.default_rng()` at the top of each function that draws, and `rng` in what draws.

    Nothing where a draw can't be written so, or a function runs from elsewhere too.

    Args:
        functions: those that run on the way to a batch.
    """
    edits: list[Edit] = []
    homes = dict.fromkeys(facts.tree.function(draw.node) for draw in draws)
    for home in homes:
        if home is None or any(facts.tree.function(call) not in functions for call in facts.code_calls.callers(home)):
            return ()
        name = _free(facts, home)
        own = [_drawn_from(facts, draw, name) for draw in draws if facts.tree.function(draw.node) is home]
        if not all(own):
            return ()
        spelling = name_for(facts, "numpy.random.default_rng", home)
        edits += [*spelling.edits, insert_first(facts, home, f"{name} = {spelling.text}()")]
        edits += [edit for part in own for edit in part]
    return tuple(dict.fromkeys(edits))


def _free(facts: Facts, function: cst.FunctionDef) -> str:
    used = {name.value for name in facts.tree.inside(function, cst.Name)}
    return next(name for name in ("rng", "generator", "batch_rng", "fresh_rng") if name not in used)


def _drawn_from(facts: Facts, draw: NumpyDraw, name: str) -> tuple[Edit, ...]:
    """One draw, from the new generator; nothing where it has no such method."""
    call = draw.node
    if not draw.direct or (draw.method not in _RENAMED and draw.method not in _SAME):
        return ()
    if draw.method in _BY_AXES and any(a.star or a.keyword for a in call.args):
        return ()
    method = _RENAMED.get(draw.method, draw.method)
    edits = [Edit(*facts.span(call.func), f"{name}.{method}")]
    if draw.method in _BY_AXES and len(call.args) > 1:
        first, last = facts.span(call.args[0])[0], facts.tree.outer_span(call.args[-1].value)[1]
        edits += [Edit(first, first, "("), Edit(last, last, ")")]
    return tuple(edits)
