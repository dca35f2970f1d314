"""`dataset.apply(function)`: the function runs at once, on the dataset; those of `tf.data.experimental` are steps like methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.tf_data import APPLIED
from seqlint.knowledge.types import DATASET
from seqlint.run.objects import Bound, Function, Result, Value

if TYPE_CHECKING:
    import ast

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object

Keywords = tuple[tuple[str, Value], ...]
_APPLY = f"{DATASET}.apply"
_HOME = "tensorflow.data.experimental"
_ARGUMENTS = {"shuffle_and_repeat": ("buffer_size", "count", "seed"), "map_and_batch": ("map_func", "batch_size")}
_OWN = {"shuffle": ("buffer_size", "seed"), "repeat": ("count",), "map": ("map_func",), "batch": ("batch_size",)}
"""Of functions that do two steps: their parameters, and those that each step takes."""


def call(
    machine: Machine, name: str, receiver: Object, args: tuple[Value, ...], keywords: Keywords, node: ast.AST
) -> Value | None:
    """The value of `receiver.apply(...)`; None where the call is another one, or nobody knows what the function does."""
    if name != _APPLY:
        return None
    given = args[0] if args else next((value for key, value in keywords if key == "transformation_func"), None)
    found = given.only if given is not None else None
    if isinstance(found, (Function, Bound)):
        return machine.invoke(machine, found, (Value.of(receiver),), (), node)
    if isinstance(found, Result) and found.op == "call" and found.name.rpartition(".")[0] == _HOME:
        return _steps(machine, found, receiver)
    return None


def _steps(machine: Machine, function: Result, receiver: Object) -> Value | None:
    """What `apply(ignore_errors())` gives: the same as the methods, at the place of the function."""
    names = APPLIED.get(function.method)
    if names is None or function.node is None:
        return None
    if len(names) == 1:
        own = function.method if function.method == "ignore_errors" else names[0]
        return Value.of(_step(machine, own, receiver, function.args, function.keywords, function.node))
    here = receiver
    named = tuple(zip(_ARGUMENTS[function.method], function.args, strict=False)) + function.keywords
    for name in names:
        taken = tuple((key, value) for key, value in named if key in _OWN[name])
        here = _step(machine, name, here, (), taken, function.node)
    return Value.of(here)


def _step(
    machine: Machine, name: str, receiver: Object, args: tuple[Value, ...], keywords: Keywords, node: ast.AST
) -> Result:
    made = machine.result("call", f"{DATASET}.{name}", receiver, args, keywords, node)
    machine.call(made)
    return made
