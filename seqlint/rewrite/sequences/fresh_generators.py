"""Draws random numbers from a generator that is made where they are drawn, instead of NumPy's global one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import delete, insert_first, lines_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from seqlint.facts import Facts, NumpyDraw

_RENAMED = {"rand": "random", "randn": "standard_normal", "randint": "integers", "random_sample": "random", "ranf": "random"}  # fmt: skip
_BY_AXES = ("rand", "randn")
_SAME = frozenset({
    "beta", "binomial", "choice", "dirichlet", "exponential", "gamma", "geometric", "integers", "laplace", "lognormal", "multinomial",
    "multivariate_normal", "normal", "permutation", "permuted", "poisson", "random", "rayleigh", "shuffle", "standard_normal", "triangular",
    "uniform", "weibull",
})  # fmt: skip


def fresh_generators(
    facts: Facts, draws: Sequence[NumpyDraw], functions: Collection[cst.FunctionDef]
) -> tuple[Edit, ...]:
    """`rng = np.random.default_rng()` at the top of each function that draws, and `rng` in what draws.

    No edits where a draw can't be written so, or a function is called from elsewhere too; nor where a generator that is kept
    has a seed, which asks for repeatable numbers. A generator on `self` that nothing else draws from is removed.

    Args:
        functions: those that run on the way to a batch.
    """
    edits: list[Edit] = []
    homes = dict.fromkeys(facts.tree.function(draw.node) for draw in draws)
    for home in homes:
        if home is None or any(facts.tree.function(call) not in functions for call in facts.call_graph.callers(home)):
            return ()
        name = free_name(facts, home, "rng", "generator", "batch_rng")
        own = [_drawn_from(facts, draw, name) for draw in draws if facts.tree.function(draw.node) is home]
        if not all(own):
            return ()
        spelling = name_for(facts, "numpy.random.default_rng", home.body)
        edits += [*spelling.edits, insert_first(facts, home, f"{name} = {spelling.text}()")]
        edits += [edit for part in own for edit in part]
    return tuple(dict.fromkeys([*edits, *_unused(facts, draws)]))


def _unused(facts: Facts, draws: Sequence[NumpyDraw]) -> Iterator[Edit]:
    """The lines of `__init__` that make generators which only these draws use."""
    sources = [draw.node.func.value for draw in draws if draw.kept and isinstance(draw.node.func, cst.Attribute)]
    for name in dict.fromkeys(source.attr.value for source in sources if isinstance(source, cst.Attribute)):
        others = [node for node in facts.members.all(name) if node not in sources]
        line = facts.tree.statement(others[0]) if len(others) == 1 else None
        assign = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if (
            not isinstance(line, cst.SimpleStatementLine)
            or not isinstance(assign, cst.Assign)
            or len(assign.targets) != 1
        ):
            continue
        if assign.targets[0].target is others[0] and "#" not in facts.source.slice(*lines_of(facts, line)):
            yield from delete(facts, line)


def _drawn_from(facts: Facts, draw: NumpyDraw, name: str) -> tuple[Edit, ...]:
    """One draw, from the new generator; no edits where it has no such method."""
    call = draw.node
    if not (draw.direct or (draw.kept and not draw.seeded)) or (
        draw.method not in _RENAMED and draw.method not in _SAME
    ):
        return ()
    if draw.method in _BY_AXES and any(a.star or a.keyword for a in call.args):
        return ()
    method = _RENAMED.get(draw.method, draw.method)
    edits = [Edit(*facts.span(call.func), f"{name}.{method}")]
    if draw.method in _BY_AXES and len(call.args) > 1:
        first, last = facts.span(call.args[0])[0], facts.tree.outer_span(call.args[-1].value)[1]
        edits += [Edit(first, first, "("), Edit(last, last, ")")]
    return tuple(edits)
