"""Sequences as Keras drives them: the length, a batch, the end of an epoch, a batch again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.knowledge.canonical_names import SEQUENCE
from seqlint.run import attributes, calls
from seqlint.run.objects import Container, Generator, Instance, Tuple, Value
from seqlint.run.trace import Batch, Phase

if TYPE_CHECKING:
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Class, Object, Result

_STEPS = ("on_epoch_begin", "__len__", "__getitem__", "on_epoch_end", "__getitem__")
_WITH_INDEX = frozenset({"__getitem__"})


def is_sequence(cls: Class) -> bool:
    """Whether a class is made from `keras.utils.Sequence` or `PyDataset`."""
    return attributes.inherits(cls, SEQUENCE)


def read(machine: Machine, made: Result, node: ast.AST) -> None:
    """Drive the Sequences and generators that a call such as `model.fit(...)` gets."""
    given = [*made.args[:2], *(value for name, value in made.keywords if name in ("x", "generator", "validation_data"))]
    for value in given:
        for each in value:
            _read(machine, each, made, node)


def _read(machine: Machine, found: Object, made: Result, node: ast.AST) -> None:
    if isinstance(found, Instance) and is_sequence(found.cls):
        drive(machine, found, node, made)
    elif isinstance(found, Generator):
        phase = Phase("sequence", made)
        machine.phases_of[found.serial].append(phase)
        with machine.phase(phase):
            machine.drain(machine, found, node)
    elif isinstance(found, (Tuple, Container)):
        return


def drive(machine: Machine, instance: Instance, node: ast.AST, owner: Result | None = None) -> None:
    """Run the methods of a Sequence in the order in which Keras calls them, once for each object.

    Args:
        owner: the call that reads it; None where nobody is known to.
    """
    if instance.serial in machine.driven:
        return
    machine.driven.add(instance.serial)
    for name in _STEPS:
        member = attributes.lookup(machine, instance.cls, name)
        if member.value is None:
            continue
        phase = Phase("sequence", owner, name, machine.tick(), len(machine.stack) + isinstance(node, ast.Call))
        machine.phases_of[instance.serial].append(phase)
        with machine.phase(phase):
            index = machine.result("parameter", "index", instance, (), (), instance.cls.node, fresh=True)
            args = (Value.of(index),) if name in _WITH_INDEX else ()
            start = machine.tick()
            value = calls.call_method(machine, instance, name, args, (), node)
            if name == "__len__":
                machine.lengths[instance] = value
            if name == "__getitem__":
                machine.trace.batches.append(Batch(instance, value, node, machine.context, start))
