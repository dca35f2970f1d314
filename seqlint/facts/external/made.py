"""Sequences that other files of the project make: their classes, as far as they are surely known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.external.handed import handed
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.external.file import ExternalFile
    from seqlint.facts.external.handed import Given

_MOST_STEPS = 4


@dataclass(frozen=True)
class Home:
    """A class, and the file that it stands in."""

    file: ExternalFile
    owner: ClassFacts


class ExternallyMade:
    """What calls give that lead to other files: of a class, a function, or a method of an object."""

    def __init__(self, facts: ExternalFile) -> None:
        self._facts = facts

    def sequence(self, call: cst.Call) -> Home | None:
        """The Sequence of another file whose instance a call makes."""
        return _sequence(self._facts, self._facts.names.qualified(call.func))

    def sequences(self, node: cst.BaseExpression) -> tuple[Home, ...]:
        """The Sequences, one of which an expression surely is an instance of; empty where it may be anything else."""
        return _sequences(self._facts, node, None, _MOST_STEPS)

    def is_given(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is an object of another module, or what callers give."""
        return _imported(self._facts, node) is not None or bool(_handed(self._facts, node))

    def names_any(self, node: cst.BaseExpression, words: Collection[str]) -> bool:
        """Whether the files in which such an object is made have some words in them: what it is made with, for one."""
        files = [other for other, _ in _handed(self._facts, node) if other is not self._facts]
        texts = [other.source.text for other in files]
        name = self._facts.names.qualified(node) if isinstance(node, (cst.Name, cst.Attribute)) else None
        path = self._facts.project.module_file(name) if name is not None and self._facts.project is not None else None
        if path is not None:
            texts.append((surroundings.content(path) or b"").decode("utf-8", "replace"))
        return any(word in text for text in texts for word in words)


def _sequence(facts: ExternalFile, name: str | None) -> Home | None:
    owner = facts.files.sequence(name) if name is not None else None
    other = facts.files.defining(name) if name is not None and owner is not None else None
    return Home(other, owner) if other is not None and owner is not None else None


def _sequences(facts: ExternalFile, node: cst.BaseExpression, self_class: Home | None, steps: int) -> tuple[Home, ...]:
    """The same; `self_class` is what `self` is where the expression stands."""
    if (imported := _imported(facts, node)) is not None:
        return (imported,)
    found: list[Home] = []
    for other, given in _handed(facts, node) if steps else ():
        made = _sequences(other, given, None, steps - 1)
        if not made:
            return ()
        found += made
    if found:
        return tuple(dict.fromkeys(found))
    for value in facts.values.of(node):
        made = _made(facts, value, self_class, steps) if isinstance(value, cst.Call) and steps else ()
        if not made:
            return ()
        found += made
    return tuple(dict.fromkeys(found))


def _handed(facts: ExternalFile, node: cst.BaseExpression) -> tuple[Given, ...]:
    """What the callers of a function give for a parameter that nothing else binds."""
    bindings = facts.names.reaching(node) if isinstance(node, cst.Name) else ()
    function = facts.tree.function(node)
    if len(bindings) != 1 or bindings[0].kind != "parameter" or function is None or not isinstance(node, cst.Name):
        return ()
    return handed(facts, function, node.value)


def _imported(facts: ExternalFile, node: cst.BaseExpression) -> Home | None:
    """`from data import train_feed`: an object that another module makes, once."""
    name = facts.names.qualified(node) if isinstance(node, (cst.Name, cst.Attribute)) else None
    if name is None or facts.project is None or not facts.project.has(name):
        return None
    (made, *others) = facts.project.origins(name) or ("",)
    return _sequence(facts, made.removesuffix("()")) if not others and made.endswith("()") else None


def _made(facts: ExternalFile, call: cst.Call, self_class: Home | None, steps: int) -> tuple[Home, ...]:
    definition = facts.names.definition(call.func)
    if isinstance(definition, cst.ClassDef):
        owner = next((each for each in facts.sequences if each.node is definition), None)
        return (Home(facts, owner),) if owner is not None else ()
    if isinstance(definition, cst.FunctionDef):
        return _returned(facts, definition, None, steps)
    if (home := _sequence(facts, facts.names.qualified(call.func))) is not None:
        return (home,)
    return _by_function(facts, call, steps) or _by_method(facts, call, self_class, steps)


def _by_function(facts: ExternalFile, call: cst.Call, steps: int) -> tuple[Home, ...]:
    name = facts.names.qualified(call.func)
    other = facts.files.defining(name) if name is not None else None
    last = (name or "").rpartition(".")[2]
    functions = [
        each for each in (other.module.body if other is not None else ()) if _is_function(each) and _name(each) == last
    ]
    if other is None or len(functions) != 1 or not isinstance(functions[0], cst.FunctionDef):
        return ()
    return _returned(other, functions[0], None, steps)


def _by_method(facts: ExternalFile, call: cst.Call, self_class: Home | None, steps: int) -> tuple[Home, ...]:
    """`Reader(rows).flow(labels)`: what the method of the object returns."""
    if not isinstance(call.func, cst.Attribute):
        return ()
    receivers = _classes(facts, call.func.value, self_class)
    found: list[Home] = []
    for home in receivers:
        method = _method(home, call.func.attr.value, _MOST_STEPS)
        made = _returned(method[0], method[1], home, steps) if method is not None else ()
        if not made:
            return ()
        found += made
    return tuple(dict.fromkeys(found))


def _classes(facts: ExternalFile, node: cst.BaseExpression, self_class: Home | None) -> tuple[Home, ...]:
    """The classes, one of which an expression surely is an instance of."""
    if isinstance(node, cst.Name) and node.value == "self":
        return (self_class,) if self_class is not None else ()
    found = []
    for value in facts.values.of(node):
        home = _class(facts, value.func) if isinstance(value, cst.Call) else None
        if home is None:
            return ()
        found.append(home)
    return tuple(dict.fromkeys(found))


def _class(facts: ExternalFile, named: cst.BaseExpression) -> Home | None:
    """The class that an expression names, here or in another file."""
    definition = facts.names.definition(named)
    if isinstance(definition, cst.ClassDef):
        return _home(facts, definition.name.value)
    name = facts.names.qualified(named)
    if name is None or facts.project is None or facts.project.class_summary(name) is None:
        return None
    other = facts.files.defining(name)
    return _home(other, facts.project.resolve(name).rpartition(".")[2]) if other is not None else None


def _home(facts: ExternalFile, name: str) -> Home | None:
    found = [each for each in facts.classes if each.name == name]
    return Home(facts, found[0]) if len(found) == 1 else None


def _method(home: Home, name: str, steps: int) -> tuple[ExternalFile, cst.FunctionDef] | None:
    """A method where Python finds it: in the class, else in its one base, and so on."""
    own = home.owner.methods.get(name)
    if own is not None:
        return home.file, own
    bases = home.owner.bases
    above = _class(home.file, bases[0]) if len(bases) == 1 and steps else None
    return _method(above, name, steps - 1) if above is not None else None


def _returned(facts: ExternalFile, function: cst.FunctionDef, self_class: Home | None, steps: int) -> tuple[Home, ...]:
    """What a function surely gives: all that it returns is known, and it is neither decorated nor a generator."""
    if function.decorators or function.asynchronous is not None or facts.values.is_generator(function):
        return ()
    found: list[Home] = []
    for each in facts.values.own(function, cst.Return):
        made = _sequences(facts, each.value, self_class, steps - 1) if each.value is not None else ()
        if not made:
            return ()
        found += made
    return tuple(dict.fromkeys(found))


def _is_function(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.FunctionDef)


def _name(node: cst.CSTNode) -> str:
    return node.name.value if isinstance(node, cst.FunctionDef) else ""
