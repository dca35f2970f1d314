"""Names: what they are bound to, and what imports bind."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from seqlint.knowledge.canonical_names import STAR_EXPORTS, canonical
from seqlint.run.machine import frame_place
from seqlint.run.objects import Constant, External, Module, Option, Pending, Unknown, Value, joined
from seqlint.run.trace import Phase

if TYPE_CHECKING:
    import ast

    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine

_BUILTINS = frozenset(dir(builtins))


def name(machine: Machine, node: ast.Name, frame: Frame) -> Value:
    """The value of a name."""
    return looked_up(machine, node.id, frame, node)


def looked_up(machine: Machine, wanted: str, frame: Frame, node: ast.AST | None) -> Value:
    """What a name means in a frame."""
    home = frame.home(wanted)
    if home is None:
        return _unbound(machine, wanted, frame, node)
    place = (home.serial, wanted)
    plain = machine.heap.plain(place, machine.way)
    if plain is not None:  # nearly always: no options, and no list of them
        return resolved(machine, plain, node) if isinstance(plain.options[0].object, Pending) else plain
    value, sure = machine.read(place)
    if sure or value.options:
        return resolved(machine, value, node)
    if home.above is None:
        return _of_module(machine, wanted, home, node)
    return Value.of(Unknown("it is not bound yet", node))


def _of_module(machine: Machine, wanted: str, home: Frame, node: ast.AST | None) -> Value:
    """A name of a module that nothing on this way has bound: `__name__`, a builtin, or a later definition."""
    if wanted == "__name__":
        return _unbound(machine, wanted, home, node)
    if machine.holds(frame_place(home, wanted)):
        found = machine.heap.read(frame_place(home, wanted), frozenset())
        later = machine.open(Value(found.options))
        return resolved(machine, later, node) if later.options else machine.unknown("it is deleted", node)
    return _unbound(machine, wanted, home, node)


def _unbound(machine: Machine, wanted: str, frame: Frame, node: ast.AST | None) -> Value:
    root = frame
    while root.above is not None:
        root = root.above
    if wanted == "__name__" and root.module is not None:
        return Value.of(Constant(root.module.name))
    if wanted == "__file__" and root.module is not None:
        return Value.of(machine.result("parameter", "__file__", root.module))
    for star in reversed(root.stars):
        if wanted in STAR_EXPORTS.get(canonical(star), ()):
            return Value.of(External(canonical(f"{star}.{wanted}")))
    if wanted in _BUILTINS and not (root.stars and wanted.startswith("_")):
        return Value.of(External(f"builtins.{wanted}"))
    return machine.unknown("nothing binds it here", node)


def bind(machine: Machine, frame: Frame, wanted: str, value: Value, node: ast.AST) -> None:
    """Give a name a value."""
    home = frame if wanted in frame.own else frame.home(wanted) or frame
    if wanted not in home.own:
        home.own |= {wanted}
    machine.put((home.serial, wanted), value)
    if home is not frame and home.above is None:
        machine.store(home.module, wanted, value, node)


# -- imports ----------------------------------------------------------------------------------------------------------


def imports(machine: Machine, node: ast.Import, frame: Frame) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        wanted = alias.name if alias.asname else bound
        if not alias.asname:
            load(machine, alias.name, node)
        bind(machine, frame, bound, load(machine, wanted, node), node)


def imports_from(machine: Machine, node: ast.ImportFrom, frame: Frame) -> None:
    """`from a import b as c`."""
    source = machine.modules.absolute(node, machine.module)
    for alias in node.names:
        if alias.name == "*":
            _star(machine, source, node, frame)
            continue
        full = f"{source}.{alias.name}" if source else alias.name
        if node.level and not source:
            value = machine.unknown("nobody knows which package this is part of", node)
        else:
            value = load(machine, full, node)
        bind(machine, frame, alias.asname or alias.name, value, node)


def load(machine: Machine, full: str, node: ast.AST) -> Value:
    """What a dotted name of an import is: something of a library, or of a file that is read when the name is used."""
    found = machine.modules.locate(full, machine.module)
    return Value.of(External(canonical(full)) if found is None else Pending(*found))


def resolved(machine: Machine, value: Value, node: ast.AST | None) -> Value:
    """A value with what its imports lead to."""
    for option in value.options:
        if isinstance(option.object, Pending):
            break
    else:
        return value
    options = []
    for option in value.options:
        found = option.object
        given = _loaded(machine, found, node) if isinstance(found, Pending) else Value.of(found)
        options += [Option(each.object, each.guards | option.guards) for each in given.options]
    return joined(options, node)


def _loaded(machine: Machine, pending: Pending, node: ast.AST | None) -> Value:
    if pending.term not in machine.resolved:
        machine.resolved[pending.term] = machine.unknown("its module is being imported", node)
        module = machine.modules.read(pending.path)
        value = Value.of(module) if module is not None else machine.unknown("its file can't be read", node)
        for part in filter(None, pending.rest.split(".")):
            value = member(machine, value.only, part, node)
        machine.resolved[pending.term] = value
    return machine.resolved[pending.term]


def member(machine: Machine, module: object, wanted: str, node: ast.AST | None) -> Value:
    """A name of a module."""
    if isinstance(module, External):
        return Value.of(External(canonical(f"{module.name}.{wanted}")))
    if not isinstance(module, Module):
        return machine.unknown("only modules have such names", node)
    run_module(machine, module)
    if wanted in module.frame.own:
        value, _ = machine.read(frame_place(module.frame, wanted))
        if value.options:
            return resolved(machine, value, node)
    below = machine.modules.locate(f"{module.name}.{wanted}", module)
    if below is not None and not below[1] and below[0] != str(module.path):
        return resolved(machine, Value.of(Pending(*below)), node)
    return looked_up(machine, wanted, module.frame, node)


def run_module(machine: Machine, module: Module) -> None:
    """Run the body of a module, the first time that it is imported."""
    if module.frame.serial in machine.executed or module is machine.main:
        return
    machine.executed.add(module.frame.serial)
    before, machine.module = machine.module, module
    way, loops, machine.loops = machine.way, machine.loops, ()
    machine.way = frozenset()
    try:
        with machine.phase(Phase("import")):
            machine.execute(machine, module.tree.body, module.frame)
    finally:
        machine.module, machine.way, machine.loops = before, way, loops


def _star(machine: Machine, source: str, node: ast.ImportFrom, frame: Frame) -> None:
    found = machine.modules.locate(source, machine.module) if source else None
    module = machine.modules.read(found[0]) if found is not None and not found[1] else None
    if module is None:
        frame.stars.append(source)
        return
    run_module(machine, module)
    for wanted in sorted(module.frame.own):
        if not wanted.startswith("_"):
            value, _ = machine.read(frame_place(module.frame, wanted))
            if value.options:
                frame.own |= {wanted}
                bind(machine, frame, wanted, value, node)
    frame.stars += module.frame.stars
