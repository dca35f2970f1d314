"""Draws from a new local generator instead of a global one that is seeded for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.statements import small
from seqlint.model import Contract, Edit, Fix
from seqlint.rewrite.layout.free_names import free_name

if TYPE_CHECKING:
    from seqlint.facts import Deed, Facts, Write

# The generator that draws the same numbers from the same seed.
_OWN = {"numpy.random.seed": ("numpy.random.", "RandomState"), "random.seed": ("random.", "Random")}
_QUIET = ("builtins.", "math.", "numpy.", "random.", "time.", "gc.", "os.", "tensorflow.", "keras.", "logging.")
_CONTRACT = Contract(frozenset({"samples", "order", "grouping", "history", "weights"}))


def own_generator_fix(facts: Facts, deed: Deed[Write]) -> Fix | None:
    """`rng = np.random.RandomState(seed)` for `np.random.seed(seed)`, and `rng` in what draws after it.

    The same numbers are drawn here. Other draws from the global generator no longer start from the seed, so they may change.
    """
    seed = deed.done.node
    function = facts.tree.function(seed)
    if function is None or deed.node is not seed or not isinstance(seed, cst.Call):
        return None
    seeds = [call for call in facts.tree.inside(function.body, cst.Call) if _is_seed(facts, call, seed)]
    draws = [call for call in facts.tree.inside(function.body, cst.Call) if _draws(facts, call, seed)]
    name = _free(facts, function, seed)
    if not draws or not all(_stands_alone(facts, call) for call in seeds) or _draws_elsewhere(facts, deed, function):
        return None
    if any(_may_draw(facts, call) for call in facts.tree.inside(function.body, cst.Call)):
        return None
    if not all(any(_leads(facts, call, draw) for call in seeds) for draw in draws):
        return None
    _, maker = _OWN[facts.qualified(seed.func) or ""]
    edits = [Edit(*facts.span(call.func), f"{name} = {_module(facts, call)}.{maker}") for call in seeds]
    edits += [Edit(*facts.span(draw.func.value), name) for draw in draws if isinstance(draw.func, cst.Attribute)]
    return Fix("Draw from a separate generator", tuple(edits), _CONTRACT)


def _is_seed(facts: Facts, call: cst.Call, seed: cst.Call) -> bool:
    return facts.qualified(call.func) == facts.qualified(seed.func)


def _module(facts: Facts, call: cst.Call) -> str:
    assert isinstance(call.func, cst.Attribute)
    return facts.text(call.func.value)


def _stands_alone(facts: Facts, call: cst.Call) -> bool:
    """Whether the seed is a statement, with one seed of a type that both generators accept."""
    statement = facts.tree.statement(call)
    expression = small(statement)
    plain = isinstance(expression, cst.Expr) and expression.value is call and isinstance(call.func, cst.Attribute)
    return plain and facts.qualified(call.func) in _OWN and len(call.args) <= 1 and not any(a.star for a in call.args)


def _draws(facts: Facts, call: cst.Call, seed: cst.Call) -> bool:
    """Whether a call draws from the generator that is seeded, outside the seeds themselves."""
    name = facts.qualified(call.func) or ""
    prefix = _OWN.get(facts.qualified(seed.func) or "", ("", ""))[0]
    rest = name[len(prefix) :] if prefix and name.startswith(prefix) else ""
    if not rest or "." in rest or rest[0].isupper() or rest in ("seed", "default_rng", "get_state", "set_state"):
        return False
    around = facts.tree.statement(call)
    return not any(
        isinstance(inner, cst.Call) and _is_seed(facts, inner, seed) for inner in facts.tree.inside(around, cst.Call)
    )


def _leads(facts: Facts, seed: cst.Call, draw: cst.Call) -> bool:
    """Whether the seed has surely been set before the draw, in the same function."""
    block = facts.tree.block(seed)
    follows = facts.tree.order.precedes(seed, draw) and facts.tree.holds(block, draw)
    return follows and facts.tree.function(seed) is facts.tree.function(draw) and isinstance(draw.func, cst.Attribute)


def _draws_elsewhere(facts: Facts, deed: Deed[Write], function: cst.FunctionDef) -> bool:
    """Whether a function that runs with the hook draws too: it may rely on the seed."""
    seed = deed.done.node
    assert isinstance(seed, cst.Call)
    others = (reached.node for reached in deed.hook.reached if reached.node is not function)
    return any(_draws(facts, call, seed) for other in others for call in facts.tree.inside(other.body, cst.Call))


def _may_draw(facts: Facts, call: cst.Call) -> bool:
    """Whether external code may draw from the global generator: a function of another module, `frame.sample()`."""
    name = facts.qualified(call.func)
    if name is not None:
        return not name.startswith(_QUIET)
    if facts.names.definition(call.func) is not None:
        return False
    return not isinstance(call.func, cst.Attribute) or call.func.attr.value in ("sample", "shuffle")


def _free(facts: Facts, function: cst.FunctionDef, seed: cst.Call) -> str:
    """A name for the generator; Python's gets another one where the function seeds both NumPy and Python."""
    seeded = {facts.qualified(call.func) for call in facts.tree.inside(function.body, cst.Call)} & _OWN.keys()
    if len(seeded) > 1 and facts.qualified(seed.func) == "random.seed":
        return free_name(facts, function, "python_rng", "python_generator")
    return free_name(facts, function, "rng", "generator", "own_rng")
