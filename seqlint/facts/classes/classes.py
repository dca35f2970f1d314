"""What each class is, which methods it has, and which code runs on the way to one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.classes.kinds import Kinds, base_of
from seqlint.facts.classes.mro import linear, visible
from seqlint.facts.classes.template_methods import external_words, template_methods_of
from seqlint.facts.code.tree import is_super
from seqlint.knowledge.canonical_names import NEUTRAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.kinds import Answer, Kind
    from seqlint.facts.classes.template_methods import TemplateMethod
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.project import Project
    from seqlint.facts.values.values import Values

_MOST_BASES = 60  # nobody writes more of them above one class
_KNOWN = ("builtins.", "collections.abc.", "keras.")
_TEMPLATES = frozenset({"__getitem__", "__len__", "on_epoch_end", "on_epoch_begin"})


@dataclass(frozen=True, eq=False)
class Reached:
    """A function whose body runs when a method is called, and the calls that lead there.

    Attributes:
        path: names from the method to the function, such as ("__getitem__", "_load", "read_image").
        node: the function.
        owner: the class of this file that defines it; None for a function of the module.
        call: the place that leads to it; None for the method itself, and for one that a base in another file calls.
        template_method: what a base in another file calls on the way to it.
    """

    path: tuple[str, ...]
    node: cst.FunctionDef
    owner: ClassFacts | None
    call: cst.CSTNode | None = None
    template_method: TemplateMethod | None = None


class ClassFacts:
    """One class of the file."""

    def __init__(self, node: cst.ClassDef, names: Names, values: Values, classes: Classes) -> None:
        self.node = node
        self.name = node.name.value
        self._names = names
        self._values = values
        self._classes = classes
        self._reachable: dict[tuple[str, ...], tuple[Reached, ...]] = {}
        self._found: dict[str, tuple[ClassFacts, cst.FunctionDef] | None] = {}
        self._template_methods: dict[str, tuple[TemplateMethod, ...]] = {}

    @property
    def _tree(self) -> Tree:
        return self._names.tree

    @cached_property
    def bases(self) -> tuple[cst.BaseExpression, ...]:
        """The base expressions, `Base` for `Base[Image]`; keyword arguments and bases that bring nothing, as `abc.ABC`, left out."""
        given = (base_of(base) for base in self.node.bases if base.keyword is None and not base.star)
        return tuple(base for base in given if self._names.qualified(base) not in NEUTRAL)

    def is_a(self, kind: Kind) -> Answer:
        """Whether the class is one of Keras's kinds, through its bases in this file and in the project."""
        return self._classes.kinds.of_class(self.node, kind)

    def through(self, kind: Kind) -> tuple[str, ...]:
        """The bases that make it one of a kind, or leave that open, such as ("Base", "keras.utils.PyDataset").

        Classes of this file stand under their names, a base that nothing is known of as "?"; none where it is no such class.
        """
        answer = self.is_a(kind)
        for base in self.bases if answer != "no" else ():
            definition = self._names.definition(base)
            if isinstance(definition, cst.ClassDef):
                owner = self._classes.of(definition)
                if owner is not self and owner.is_a(kind) == answer:
                    return (owner.name, *owner.through(kind))
                continue
            name = self._names.qualified(base)
            if self._classes.kinds.of_name(name, kind) == answer:
                return self._classes.kinds.leading(name, kind) if name is not None else ("?",)
        return ()

    @cached_property
    def methods(self) -> dict[str, cst.FunctionDef]:
        """The methods that the class body defines, also under `if`; of several the last."""
        bindings = self._names.inner_scope(self.node).bindings
        found = {name: [b.node for b in all_ if isinstance(b.node, cst.FunctionDef)] for name, all_ in bindings.items()}
        return {name: nodes[-1] for name, nodes in found.items() if nodes}

    def base(self, node: cst.BaseExpression) -> ClassFacts | str:
        """What a base is: a class of this file, or the canonical name of another; its text where nothing is known of it."""
        definition = self._names.definition(node)
        if isinstance(definition, cst.ClassDef) and definition is not self.node:
            return self._classes.of(definition)
        return self._names.qualified(node) or self._tree.text(node)

    @cached_property
    def order(self) -> list[ClassFacts | str]:
        """The class and all its bases, those of other code by their names, in the order in which Python looks up a method."""
        return linear(self)

    @cached_property
    def lineage(self) -> tuple[ClassFacts, ...]:
        """The class and its bases of this file, in the order in which Python looks up a method (nearly); of very many the nearest."""
        found: dict[cst.ClassDef, ClassFacts] = {self.node: self}
        stack = [self]
        while stack and len(found) < _MOST_BASES:
            for base in stack.pop(0).bases:
                definition = self._names.definition(base)
                if isinstance(definition, cst.ClassDef) and definition not in found:
                    found[definition] = self._classes.of(definition)
                    stack.append(found[definition])
        return tuple(found.values())

    @cached_property
    def lineage_is_known(self) -> bool:
        """Whether every base is of this file, of Keras or of Python: nothing is inherited from unseen code."""
        if len(self.lineage) >= _MOST_BASES:
            return False
        for owner in self.lineage:
            for base in owner.bases:
                if self._names.definition(base) is None and not (self._names.qualified(base) or "").startswith(_KNOWN):
                    return False
        return True

    @cached_property
    def external_bases(self) -> frozenset[str]:
        """The canonical names of the bases that are not of this file, such as "keras.callbacks.EarlyStopping"; inherited ones too."""
        bases = (base for owner in self.lineage for base in owner.bases)
        found = {name for base in bases if (name := self._names.qualified(base)) is not None}
        return frozenset(found.union(*(self._classes.kinds.ancestors(name) for name in found)))

    def method(self, name: str) -> tuple[ClassFacts, cst.FunctionDef] | None:
        """A method by its name, own or inherited in this file, with the class that defines it."""
        if name not in self._found:
            self._found[name] = visible(self.order, name)
        return self._found[name]

    def template_methods(self, hook: str) -> tuple[TemplateMethod, ...]:
        """The methods of this file that run when a method of a Sequence does which only a base in another file has."""
        if hook not in self._template_methods:
            self._template_methods[hook] = self._classes.template_methods(self, hook) if hook in _TEMPLATES else ()
        return self._template_methods[hook]

    def is_used_externally(self, name: str) -> bool:
        """Whether the bases that make its batches in another file speak of an attribute: they may set it, or take rows by it."""
        words = self._external_words
        return (
            words is None
            or name in words
            or any(method.is_used_externally(name) for method in self.template_methods("__getitem__"))
        )

    @cached_property
    def _external_words(self) -> frozenset[str] | None:
        """What bases in another file speak of, to whose `__getitem__` one of this file goes on; None where that can't be read."""
        return self._classes.external_words(self, "__getitem__")

    def reachable(self, *names: str) -> tuple[Reached, ...]:
        """Every function of this file whose body runs when one of the methods is called.

        Follows `self.helper`, `super().helper`, properties, name-mangled methods, and functions of the module, whether they are
        called or handed on (`map(self._load, paths)`). Inner functions are part of the function that holds them. For a method that
        only a base in another file has these are the methods of this file that it calls.
        """
        if names not in self._reachable:
            self._reachable[names] = self._reached(names)
        return self._reachable[names]

    def _reached(self, names: tuple[str, ...]) -> tuple[Reached, ...]:
        found: dict[cst.FunctionDef, Reached] = {}
        stack: list[Reached] = []
        for name in names:
            start = self.method(name)
            starts = [Reached((name,), start[1], start[0])] if start is not None else []
            starts += [
                Reached((name, each.asked.name), each.node, each.holder, template_method=each)
                for each in self.template_methods(name)
            ]
            for each in starts:
                if each.node not in found:
                    found[each.node] = each
                    stack.append(each)
        while stack:
            here = stack.pop(0)
            for step in self._steps(here):
                if step.node not in found:
                    found[step.node] = step
                    stack.append(step)
        return tuple(found.values())

    def _steps(self, here: Reached) -> list[Reached]:
        steps: list[Reached] = []
        for node, function in self._classes.leads(here.node):
            if isinstance(node, cst.Attribute):
                owner_method = self.member(node, here.owner)
                if owner_method is not None:
                    path = (*here.path, node.attr.value)
                    steps.append(Reached(path, owner_method[1], owner_method[0], node, here.template_method))
            elif function is not None:
                steps.append(Reached((*here.path, node.value), function, None, node, here.template_method))
        return steps

    def member(self, node: cst.Attribute, owner: ClassFacts | None) -> tuple[ClassFacts, cst.FunctionDef] | None:
        """The method that `self.name`, `super().name` or `Class.name` is for an instance of this class.

        Args:
            owner: the class in whose body the attribute is written.
        """
        name = node.attr.value
        if self._values.self_class(node.value) is not None:
            if (
                owner is not None and name.startswith("__") and not name.endswith("__")
            ):  # mangled: the method of the class that wrote it
                own = owner.methods.get(name)
                return (owner, own) if own is not None else None
            return self.method(name)
        if is_super(node.value):
            return self._above(name, owner)
        definition = self._names.definition(node.value)
        if isinstance(definition, cst.ClassDef):
            return self._classes.of(definition).method(name)
        return None

    def _above(self, name: str, owner: ClassFacts | None) -> tuple[ClassFacts, cst.FunctionDef] | None:
        start = self.order.index(owner) + 1 if owner in self.order else 0
        return visible(self.order[start:], name)

    def stores(self, *methods: str) -> frozenset[str]:
        """The attributes of `self` that the methods assign, directly or through helpers."""
        found: set[str] = set()
        for reached in self.reachable(*methods):
            for node in self._tree.inside(reached.node.body, cst.Attribute):
                if self._values.self_class(node.value) is not None and self._values.stored(node):
                    found.add(node.attr.value)
        return frozenset(found)


class Classes:
    """All classes of a file."""

    def __init__(self, names: Names, values: Values, project: Project | None) -> None:
        self._names = names
        self._values = values
        self._project = project
        self.kinds = Kinds(names, values, project)
        self._facts: dict[cst.ClassDef, ClassFacts] = {}
        self._leads: dict[cst.FunctionDef, tuple[tuple[cst.Attribute | cst.Name, cst.FunctionDef | None], ...]] = {}

    @cached_property
    def all(self) -> tuple[ClassFacts, ...]:
        """In reading order."""
        return tuple(self.of(node) for node in self._names.tree.all(cst.ClassDef))

    def of(self, node: cst.ClassDef) -> ClassFacts:
        """The facts of one class."""
        if node not in self._facts:
            self._facts[node] = ClassFacts(node, self._names, self._values, self)
        return self._facts[node]

    def end(self) -> None:
        """Let go of all classes: each holds its own methods and bases, which hold it."""
        for owner in self._facts.values():
            vars(owner).clear()

    def template_methods(self, owner: ClassFacts, hook: str) -> tuple[TemplateMethod, ...]:
        """What a Sequence fills in of a method that it inherits from another file."""
        return template_methods_of(owner, hook, self._names, self._project) if owner.is_a("sequence") == "yes" else ()

    def external_words(self, owner: ClassFacts, hook: str) -> frozenset[str] | None:
        """What bases in another file speak of, to whose method one of this file goes on; None where that can't be read."""
        return external_words(owner, hook, self._names, self._project)

    def leads(self, function: cst.FunctionDef) -> tuple[tuple[cst.Attribute | cst.Name, cst.FunctionDef | None], ...]:
        """What in a body may lead to other functions: attributes, and names of functions of this file with these."""
        if function not in self._leads:
            self._leads[function] = tuple(self._leading_on(function))
        return self._leads[function]

    def _leading_on(
        self, function: cst.FunctionDef
    ) -> Iterator[tuple[cst.Attribute | cst.Name, cst.FunctionDef | None]]:
        tree = self._names.tree
        for node in tree.inside_any(function.body, (cst.Attribute, cst.Name)):
            if isinstance(node, cst.Attribute):
                yield node, None
            elif isinstance(node, cst.Name) and not tree.is_label(node):
                found = self._names.definition(node)
                if isinstance(found, cst.FunctionDef) and not tree.holds(function, found):
                    yield node, found
