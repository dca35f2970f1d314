"""Who starts what: the script, then what it leaves to others: functions that are handed on, and those that nobody calls here."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import attributes, callbacks, calls, sequences
from seqlint.run.binding import as_nobody_calls
from seqlint.run.frames import Frame
from seqlint.run.machine import Spent, frame_place
from seqlint.run.objects import Bound, Generator, Instance, Value
from seqlint.run.trace import Entered, Phase

if TYPE_CHECKING:
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Class, Function
    from seqlint.sources.syntax import Syntax


def start(machine: Machine, text: Syntax) -> None:
    """Run a program: its script first, then all that the script has not run."""
    try:
        machine.executed.add(machine.main.frame.serial)
        machine.execute(machine, machine.main.tree.body, machine.main.frame)
        machine.way = frozenset()
        _deferred(machine)
        named = _named(text)
        for function in [*machine.defined]:
            if function.name not in named and function.owner is None:
                _unless_run(machine, function)
        _sequences(machine)
        _callbacks(machine)
        for function in [*machine.defined]:
            if function.name not in named:
                _unless_run(machine, function)
        for function in [*machine.defined]:
            _unless_run(machine, function)
        _deferred(machine)
    except (Spent, RecursionError):
        machine.spent = True


def _sequences(machine: Machine) -> None:
    """Sequences of this file that no call reads here: two objects of each class, or one like what others make."""
    for cls in [*machine.classes]:
        if sequences.is_sequence(cls):
            made = machine.instances[cls][:2] or [instance_of(machine, cls)]
            for instance in made:
                sequences.drive(machine, instance, cls.node)


def _callbacks(machine: Machine) -> None:
    """Callbacks of this file that no call gets here: one of each class, that the program makes or like what others make."""
    for cls in [*machine.classes]:
        if callbacks.is_callback(cls) and not any(each.serial in machine.driven for each in machine.instances[cls]):
            callbacks.drive(machine, instance_of(machine, cls), cls.node)


def _named(text: Syntax) -> set[str]:
    """The names that the text reads: functions that nothing names are called from elsewhere, so they come first."""
    found: set[str] = set()
    for here in text.nodes:
        if here.__class__ is ast.Attribute:
            found.add(here.attr)
        elif here.__class__ is ast.Name and here.ctx.__class__ is ast.Load:
            found.add(here.id)
    return found


def _deferred(machine: Machine) -> None:
    """Functions that somebody got, and may call at any time."""
    while machine.deferred:
        each = machine.deferred.pop(0)
        function = each.function.function if isinstance(each.function, Bound) else each.function
        receiver = each.function.receiver if isinstance(each.function, Bound) else None
        if isinstance(receiver, Instance):
            machine.trace.entered.append(Entered(receiver, function.name, (), each.phase))
        if function.node in machine.ran or (receiver is None and _is_of_other_file(machine, function)):
            continue
        with machine.phase(each.phase):
            run_unasked(machine, function, receiver if isinstance(receiver, Instance) else None)


def _is_of_other_file(machine: Machine, function: Function) -> bool:
    """Whether a function is of another file, and holds nothing of this one: with arguments that nobody knows it tells nothing here."""
    return function.frame.module is not machine.main and not isinstance(
        function.frame.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    )


def _unless_run(machine: Machine, function: Function) -> None:
    if function.node in machine.ran:
        return
    with machine.phase(Phase("entry")):
        receiver = _receiver(machine, function)
        if function.node not in machine.ran:  # `__init__` runs where the object is made
            run_unasked(machine, function, receiver)


def _receiver(machine: Machine, function: Function) -> Instance | None:
    """The object that a method nobody calls works on: one that the program makes, else one like what others make."""
    if function.owner is None or "builtins.staticmethod" in function.wrapped:
        return None
    return instance_of(machine, function.owner)


def instance_of(machine: Machine, cls: Class) -> Instance:
    """An object of a class: the first that the program makes, else one that somebody else makes, with arguments that nobody knows."""
    if machine.instances[cls]:
        return machine.instances[cls][0]
    made = Instance(cls, None, made=False)
    machine.instances[cls].append(made)
    member = attributes.lookup(machine, cls, "__init__")
    init = member.value.only if member.value is not None else None
    if init is not None and getattr(init, "owner", None) is not None:
        run_unasked(machine, init, made)  # type: ignore[arg-type]
    elif member.value is None:
        calls.start(machine, made, (), (), cls.node)
    machine.started[made.serial] = machine.tick()
    return made


def run_unasked(machine: Machine, function: Function, receiver: Instance | None) -> None:
    """Run a function with arguments that nobody knows."""
    way, loops, within = machine.way, machine.loops, machine.within
    machine.way, machine.loops, machine.within = frozenset(), (), ()
    bound = as_nobody_calls(machine, function, 1 if receiver is not None or function.owner is not None else 0)
    names = machine.names(function.node, function.frame.module)
    frame = Frame(
        function.node, function.frame, names.own, names.outer, function, function.owner, function.frame.module
    )
    machine.frames.append(frame)
    own = [*function.node.args.posonlyargs, *function.node.args.args]
    if own and own[0].arg not in bound:
        bound[own[0].arg] = Value.of(receiver) if receiver is not None else machine.unknown("its object", function.node)
    for name, value in bound.items():
        machine.put(frame_place(frame, name), value)
    machine.ran.add(function.node)
    try:
        if names.generator:
            machine.drain(machine, Generator(function, frame, function.node), function.node)
        else:
            calls.body(machine, function, frame, function.node)
    finally:
        machine.way, machine.loops, machine.within = way, loops, within
