"""Callbacks as Keras drives them: the hooks of a training with one epoch of one batch, then those of a prediction."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import attributes, calls, containers
from seqlint.run.objects import Bound, Constant, Container, External, Function, Instance, Result, Tuple, Value
from seqlint.run.trace import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Class, Object

DRIVERS = {"fit": 5, "fit_generator": 4, "evaluate": 6, "predict": 4, "evaluate_generator": 2, "predict_generator": 2}
"""Who takes callbacks, and at which place."""
HOOKS: dict[str, tuple[str, ...]] = {
    "on_train_begin": ("logs",),
    "on_epoch_begin": ("epoch", "logs"),
    "on_train_batch_begin": ("batch", "logs"), "on_batch_begin": ("batch", "logs"),
    "on_train_batch_end": ("batch", "logs"), "on_batch_end": ("batch", "logs"),
    "on_test_begin": ("logs",), "on_test_batch_begin": ("batch", "logs"), "on_test_batch_end": ("batch", "logs"), "on_test_end": ("logs",),
    "on_epoch_end": ("epoch", "logs"),
    "on_train_end": ("logs",),
    "on_predict_begin": ("logs",), "on_predict_batch_begin": ("batch", "logs"), "on_predict_batch_end": ("batch", "logs"),
    "on_predict_end": ("logs",),
}  # fmt: skip
"""The hooks in the order in which Keras calls them, with what each gets."""


def is_callback(cls: Class) -> bool:
    """Whether a class is made from `keras.callbacks.Callback` or another callback of Keras."""
    return any(
        isinstance(each, External) and each.name.startswith("keras.callbacks.") for each in attributes.lineage(cls)
    )


def given(made: Result) -> Value | None:
    """What a call such as `model.fit(...)` gets as its callbacks; None where it gets none."""
    place = DRIVERS.get(made.method)
    if place is None:
        return None
    value = made.keyword("callbacks")
    return made.args[place] if value is None and place < len(made.args) else value


def note(machine: Machine, made: Result) -> None:
    """Note which callbacks a call such as `model.fit(...)` gets, before whoever is called can change the list."""
    value = given(made)
    if value is not None:
        machine.given[made] = (*parts(machine, value),)


def read(machine: Machine, made: Result, node: ast.AST) -> None:
    """Drive the callbacks that a call such as `model.fit(...)` gets."""
    for each in machine.given.get(made, ()):
        if isinstance(each, Instance) and is_callback(each.cls):
            drive(machine, each, node, made)
        elif isinstance(each, Result) and each.name == "keras.callbacks.LambdaCallback":
            _drive_functions(machine, each, node, made)


def parts(machine: Machine, value: Value, depth: int = 3) -> Iterator[Object]:
    """The callbacks of a list, also of lists in it."""
    for each in value:
        if isinstance(each, (Container, Tuple)) and depth:
            filled = (piece.value for piece in containers.pieces(machine, each))
            for inner in (*(containers.items(machine, each) or ()), *filled):
                yield from parts(machine, inner, depth - 1)
        else:
            yield each


def drive(machine: Machine, instance: Instance, node: ast.AST, owner: Result | None = None) -> None:
    """Run the hooks of a callback in the order in which Keras calls them, once for each object.

    Args:
        owner: the call that drives it; None where nobody is known to.
    """
    if instance.serial in machine.driven:
        return
    machine.driven.add(instance.serial)
    for name in HOOKS:
        if attributes.lookup(machine, instance.cls, name).value is None:
            continue
        with machine.phase(_phase(machine, name, node, owner)):
            calls.call_method(machine, instance, name, _arguments(machine, name, instance, instance.cls.node), (), node)


def _drive_functions(machine: Machine, made: Result, node: ast.AST, owner: Result) -> None:
    """The functions of a LambdaCallback."""
    if made.serial in machine.driven:
        return
    machine.driven.add(made.serial)
    for name in HOOKS:
        for each in made.keyword(name) or ():
            if isinstance(each, (Function, Bound)):
                with machine.phase(_phase(machine, name, node, owner)):
                    machine.invoke(machine, each, _arguments(machine, name, made, node), (), node)


def _phase(machine: Machine, name: str, node: ast.AST, owner: Result | None) -> Phase:
    return Phase("callback", owner, name, machine.tick(), len(machine.stack) + isinstance(node, ast.Call))


def _arguments(machine: Machine, name: str, of: Object, node: ast.AST) -> tuple[Value, ...]:
    """What a hook gets: a term for each parameter, which knows the hook."""
    hook = Value.of(Constant(name))
    return tuple(Value.of(machine.result("parameter", each, of, (hook,), (), node, fresh=True)) for each in HOOKS[name])
