"""Calls: of functions and classes of the program, which are run, and of all else, which is logged."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.knowledge.orders import moves_in_place
from seqlint.knowledge.types import FRESH
from seqlint.run import (
    applied,
    attributes,
    builtin,
    callbacks,
    containers,
    handed,
    methods,
    names,
    sequences,
    unfollowed,
)
from seqlint.run.binding import bound_parameters, fields_of
from seqlint.run.frames import Frame, Yield, parameters
from seqlint.run.machine import DEEPEST_CALL, MOST_OF_A_CALL, Spent, frame_place
from seqlint.run.objects import (
    ALWAYS,
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Generator,
    Instance,
    Option,
    Result,
    Setting,
    Super,
    Unknown,
    Value,
    joined,
)
from seqlint.run.trace import Batch, Entered
from seqlint.run.types import member_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object

Keywords = tuple[tuple[str, Value], ...]
MOST_CALLED = 4
"""Functions of the program that one call runs."""


def call(machine: Machine, node: ast.Call, frame: Frame) -> Value:
    """The value of a call."""
    if isinstance(node.func, ast.Name) and node.func.id == "super" and frame.home("super") is None:
        return _super(machine, node, frame)
    if isinstance(node.func, ast.Attribute):
        receiver = machine.open(machine.evaluate(machine, node.func.value, frame))
        args, keywords = arguments(machine, node, frame)
        return _on_options(machine, receiver, node.func.attr, args, keywords, node)
    callee = machine.open(machine.evaluate(machine, node.func, frame))
    args, keywords = arguments(machine, node, frame)
    surely = callee.surely
    if surely is not None:
        with machine.under(ALWAYS):
            return invoke(machine, surely, args, keywords, node)
    options: list[Option] = []
    for option in _followed(callee, node):
        with machine.under(option.guards):
            value = invoke(machine, option.object, args, keywords, node)
        options += [Option(each.object, each.guards | option.guards) for each in value.options]
    return joined(options, node)


def _followed(callee: Value, node: ast.AST) -> tuple[Option, ...]:
    """What is called where it can be several things: all terms, which cost nothing, and a few of those that are run."""
    if len(callee.options) <= MOST_CALLED:
        return callee.options
    run = [option for option in callee.options if not isinstance(option.object, (Result, External))]
    rest = frozenset(run[MOST_CALLED:])
    kept = tuple(option for option in callee.options if option not in rest)
    return (*kept, Option(Unknown("it can be many things", node))) if rest else kept


def _on_options(
    machine: Machine, receiver: Value, name: str, args: tuple[Value, ...], keywords: Keywords, node: ast.Call
) -> Value:
    surely = receiver.surely
    if surely is not None:
        with machine.under(ALWAYS):
            return call_method(machine, surely, name, args, keywords, node)
    options: list[Option] = []
    for option in _followed(receiver, node):
        with machine.under(option.guards):
            value = call_method(machine, option.object, name, args, keywords, node)
        options += [Option(each.object, each.guards | option.guards) for each in value.options]
    return joined(options, node)


def call_method(
    machine: Machine, receiver: Object, name: str, args: tuple[Value, ...], keywords: Keywords, node: ast.AST
) -> Value:
    """The value of `receiver.name(...)`."""
    known = methods.call(machine, receiver, name, args, keywords, node)
    if known is not None:
        return known
    found = attributes.of_object(machine, receiver, name, node)
    surely = found.surely
    if surely is not None:
        return _method(machine, surely, receiver, args, keywords, node)
    options: list[Option] = []
    for option in found.options:
        value = _method(machine, option.object, receiver, args, keywords, node)
        options += [Option(each.object, each.guards | option.guards) for each in value.options]
    return joined(options, node)


def _method(
    machine: Machine, found: Object, receiver: Object, args: tuple[Value, ...], keywords: Keywords, node: ast.AST
) -> Value:
    if isinstance(found, Result) and found.op == "attribute":
        handed_on = isinstance(receiver, Instance) and found.receiver is not None  # `self.cut = rows.take`
        return _external(machine, found.name, found.receiver if handed_on else receiver, args, keywords, node)
    return invoke(machine, found, args, keywords, node)


def arguments(machine: Machine, node: ast.Call, frame: Frame) -> tuple[tuple[Value, ...], Keywords]:
    """The arguments of a call, stars unpacked; an argument that hides how many there are is one called "*" or "**"."""
    args: list[Value] = []
    keywords: list[tuple[str, Value]] = []
    for argument in node.args:
        value = machine.evaluate(machine, argument, frame)
        known = containers.unpacked(machine, value.only, argument) if isinstance(argument, ast.Starred) else [value]
        if known is None:
            keywords.append(("*", value))
        else:
            args += known
    for keyword in node.keywords:
        value = machine.evaluate(machine, keyword.value, frame)
        if keyword.arg is not None:
            keywords.append((keyword.arg, value))
            continue
        only = value.only
        if not (isinstance(only, Container) and only.kind == "dict"):
            keywords.append(("**", value))
            continue
        keys = containers.some_keys(machine, only)
        keywords += [(str(key), machine.read((only.serial, f"k:{key!r}"))[0]) for key in keys]
        if containers.known_keys(machine, only) is None:
            keywords.append(("**", value))
    return tuple(args), tuple(keywords)


def invoke(
    machine: Machine, callee: Object | None, args: tuple[Value, ...], keywords: Keywords, node: ast.AST
) -> Value:
    """The value of a call of an object."""
    if isinstance(callee, Function):
        return _run(machine, callee, None, args, keywords, node)
    if isinstance(callee, Bound):
        return _run(
            machine, callee.function, callee.receiver, (*callee.args, *args), (*callee.keywords, *keywords), node
        )
    if isinstance(callee, Class):
        return _instance(machine, callee, args, keywords, node)
    if isinstance(callee, External):
        return _external(machine, callee.name, None, args, keywords, node)
    if isinstance(callee, Instance):
        method = attributes.lookup(machine, callee.cls, "__call__")
        if method.value is not None:
            return call_method(machine, callee, "__call__", args, keywords, node)
        if machine.phases[-1].kind == "traced" and handed.is_of_keras(callee):  # what Keras calls, with all of it
            return call_method(machine, callee, "call", args, keywords, node)
    if isinstance(callee, Result) and callee.name == "functools.partial" and callee.args:
        inner = callee.args[0].only
        return invoke(machine, inner, (*callee.args[1:], *args), (*callee.keywords, *keywords), node)
    if isinstance(callee, Result) and callee.op == "attribute":
        return _external(machine, callee.name, callee.receiver, args, keywords, node)
    return _external(machine, member_name(callee, "()") if callee is not None else "()", callee, args, keywords, node)


# -- code that is not run -----------------------------------------------------------------------------------------------


def _external(
    machine: Machine, name: str, receiver: Object | None, args: tuple[Value, ...], keywords: Keywords, node: ast.AST
) -> Value:
    if receiver is None:
        known = builtin.call(machine, name, args, keywords, node)
    else:
        known = applied.call(machine, name, receiver, args, keywords, node)
    if known is not None:
        return known
    made = machine.result("call", name, receiver, args, keywords, node, fresh=name in FRESH)
    machine.call(made)
    if moves_in_place(name):
        _moved(machine, args)
    drives = made.method in callbacks.DRIVERS
    if drives:
        callbacks.note(machine, made)
    handed.over(machine, made, node)
    if drives:
        sequences.read(machine, made, node)
        callbacks.read(machine, made, node)
    return Value.of(made)


def _moved(machine: Machine, args: tuple[Value, ...]) -> None:
    """`random.shuffle(x)`: which item of a list is where is not known after it, and its rows are others than before."""
    if not args or all(isinstance(each, (Constant, Setting)) for each in args[0]):
        return  # a dataset's `shuffle(1000)`
    machine.moved += 1
    for value in args[:1]:
        for each in value:
            if isinstance(each, Container):
                containers.forget(machine, each)


# -- functions ----------------------------------------------------------------------------------------------------------


def defaults(
    machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, frame: Frame
) -> Mapping[str, Value]:
    """The defaults of parameters, worked out where the function is defined."""
    own = node.args
    places = [*own.posonlyargs, *own.args]
    found = dict(zip((each.arg for each in places[len(places) - len(own.defaults) :]), own.defaults, strict=True))
    found.update(
        {each.arg: value for each, value in zip(own.kwonlyargs, own.kw_defaults, strict=True) if value is not None}
    )
    return {name: machine.evaluate(machine, value, frame) for name, value in found.items()}


def _run(
    machine: Machine,
    function: Function,
    receiver: Object | None,
    args: tuple[Value, ...],
    keywords: Keywords,
    node: ast.AST,
) -> Value:
    too_deep = len(machine.functions) >= DEEPEST_CALL or machine.depth(function) > 1
    if too_deep or function.node in machine.cut:
        its_object = () if receiver is None else (Value.of(receiver),)
        unfollowed.lose(machine, function, (*its_object, *args, *(value for _, value in keywords)), node)
        return machine.unknown("the calls go too deep" if too_deep else "the call is too long to be followed", node)
    if isinstance(receiver, Instance):
        machine.trace.entered.append(Entered(receiver, function.name, args, machine.phases[-1]))
    if receiver is not None:
        args = (Value.of(receiver), *args)
    bound = bound_parameters(machine, function, args, keywords, node)
    own = machine.names(function.node, function.frame.module)
    frame = Frame(function.node, function.frame, own.own, own.outer, function, function.owner, function.frame.module)
    machine.frames.append(frame)
    for name, value in bound.items():
        machine.put(frame_place(frame, name), value)
    if own.generator:
        return Value.of(Generator(function, frame, node, tuple(bound.items())))
    machine.ran.add(function.node)
    return body(machine, function, frame, node)


def body(machine: Machine, function: Function, frame: Frame, node: ast.AST) -> Value:
    """Run the body of a function whose arguments are in its frame, and give what it returns."""
    way, stack, module, functions = machine.way, machine.stack, machine.module, machine.functions
    machine.stack = (*stack, node) if isinstance(node, ast.Call) else stack
    machine.functions = (*functions, function)
    machine.module = function.frame.module or module
    limit = machine.limit
    machine.limit = min(limit, machine.steps + MOST_OF_A_CALL // (len(functions) + 1))
    try:
        if isinstance(function.node, ast.Lambda):
            return machine.evaluate(machine, function.node.body, frame)
        ended = machine.execute(machine, function.node.body, frame)
        if not ended:
            frame.returns.append(Option(Constant(None), machine.way - way))
    except Spent:
        machine.cut.add(function.node)
        got = [machine.read(frame_place(frame, each.arg))[0] for each in parameters(function.node)]
        unfollowed.lose(machine, function, got, node)
        if limit <= machine.steps:
            raise
        return machine.unknown("the call was too long to be followed", node)
    finally:
        machine.way, machine.stack, machine.module, machine.functions = way, stack, module, functions
        machine.limit = limit
    return joined([Option(each.object, each.guards - way) for each in frame.returns], node)


def drain(machine: Machine, found: Generator, node: ast.AST) -> list[Value] | None:
    """All that a generator gives, in order, the first time that somebody reads it; None where that is not known one by one."""
    if found.serial not in machine.executed:
        machine.executed.add(found.serial)
        machine.ran.add(found.function.node)
        if len(machine.functions) >= DEEPEST_CALL or machine.depth(found.function) > 1:
            return None
        body(machine, found.function, found.frame, node)
    if any(each.again for each in found.frame.yields) or not found.frame.yields:
        return None
    return [each.value for each in found.frame.yields]


def give(machine: Machine, frame: Frame, value: Value, node: ast.Yield) -> None:
    """Run `yield value`."""
    frame.yields.append(Yield(value, node, again=bool(machine.loops)))
    machine.trace.batches.append(Batch(None, value, node, machine.context))


def give_all(machine: Machine, frame: Frame, value: Value, node: ast.YieldFrom) -> None:
    """Run `yield from value`."""
    machine.reading("loop", value, node)
    only = value.only
    known = drain(machine, only, node) if isinstance(only, Generator) else containers.items(machine, only)
    if known is None and isinstance(only, Generator):
        frame.yields += only.frame.yields
        return
    given = ast.Yield(node.value, lineno=node.lineno, col_offset=node.col_offset)
    for each in known if known is not None else [machine.unknown("one of what is yielded", node)]:
        frame.yields.append(Yield(each, given, again=bool(machine.loops) or known is None))


# -- classes ------------------------------------------------------------------------------------------------------------


def _instance(machine: Machine, cls: Class, args: tuple[Value, ...], keywords: Keywords, node: ast.AST) -> Value:
    made = Instance(cls, node)
    machine.instances[cls].append(made)
    machine.births[made] = machine.context
    start(machine, made, args, keywords, node)
    machine.started[made.serial] = machine.tick()
    return Value.of(made)


def start(machine: Machine, made: Instance, args: tuple[Value, ...], keywords: Keywords, node: ast.AST) -> None:
    """Run `__init__` of a new object."""
    own = fields_of(machine, made.cls)
    if own is not None:
        for name, value in own.given(args, keywords):
            machine.put((made.serial, name), value)
        if attributes.lookup(machine, made.cls, "__post_init__").value is not None:
            call_method(machine, made, "__post_init__", (), (), node)
        return
    member = attributes.lookup(machine, made.cls, "__init__")
    if member.value is None:
        result = machine.result("call", f"{member.external or '?'}.__init__", made, args, keywords, node)
        machine.call(result)
        return
    call_method(machine, made, "__init__", args, keywords, node)


def _super(machine: Machine, node: ast.Call, frame: Frame) -> Value:
    here: Frame | None = frame
    while here is not None and (here.cls is None or isinstance(here.node, ast.ClassDef)):
        here = here.above
    if here is None or here.cls is None or isinstance(here.node, (ast.Module, ast.ClassDef)):
        return machine.unknown("`super()` outside of a method", node)
    while isinstance(here.node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) and here.above is not None:
        here = here.above
    below, receiver = here.cls, _first_parameter(machine, here)
    if node.args:
        given = machine.evaluate(machine, node.args[0], frame).only
        below = given if isinstance(given, Class) else below
    if not isinstance(receiver, (Instance, Class)) or below is None:
        return machine.unknown("it is not known what `super()` is", node)
    return Value.of(Super(receiver, below))


def _first_parameter(machine: Machine, frame: Frame) -> Object:
    node = frame.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return Unknown("no parameter", node)
    own = [*node.args.posonlyargs, *node.args.args]
    value = names.looked_up(machine, own[0].arg, frame, node) if own else None
    only = value.only if value is not None else None
    return only if only is not None else Unknown("it can be several objects", node)
