"""Methods of this file that bases in other files call: template methods, of which each class fills in a piece."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.classes.super_calls import may_go_up, spoken, ways_up
from seqlint.facts.code.methods import PLAIN, PROPERTIES
from seqlint.facts.code.scopes import parameters
from seqlint.facts.project.templates import Asked, chain_of

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.classes.super_calls import WayUp
    from seqlint.facts.code.names import Names
    from seqlint.facts.project import Project


@dataclass(frozen=True, eq=False)
class TemplateMethod:
    """A method of a class of this file that runs when a method of its bases, in another file, does.

    Attributes:
        owner: the class whose instances run it.
        holder: the class of this file that defines it.
        asked: who calls it, and what becomes of its result.
    """

    node: cst.FunctionDef
    owner: ClassFacts
    holder: ClassFacts
    asked: Asked

    @property
    def called(self) -> str:
        """As a reader knows it: "Tides.load"."""
        return f"{self.holder.name}.{self.asked.name}"

    @property
    def is_all(self) -> bool:
        """Whether what it returns is a batch, item by item."""
        return self.asked.result_use in ("batch", "items")

    @property
    def varying(self) -> tuple[cst.Param, ...]:
        """The parameters that are given what the bases pick by the index."""
        static = any(
            isinstance(each.decorator, cst.Name) and each.decorator.value == "staticmethod"
            for each in self.node.decorators
        )
        taken = parameters(self.node.params)[0 if static else 1 :]
        return tuple(taken[at] for at in sorted(self.asked.varying) if at < len(taken))

    @property
    def is_safe_to_mend(self) -> bool:
        """Whether the bases call it on this way alone, do nothing odd with its result, and let through what it raises."""
        return self.asked.alone and not self.asked.caught and self.asked.result_use != "open"

    def is_used_externally(self, name: str) -> bool:
        """Whether a method of the bases but `__init__` speaks of an attribute: it may set it."""
        return name in self.asked.all_words

    @property
    def caller(self) -> str:
        """Who calls it, for a message."""
        return f"`{self.asked.by}` of {self.asked.file} calls `{self.called}`"


def template_methods_of(
    owner: ClassFacts, hook: str, names: Names, project: Project | None
) -> tuple[TemplateMethod, ...]:
    """What a class fills in of a method that it inherits from another file; nothing where one of its own does not surely go on to that.

    A method counts where the inherited one calls it on its way, itself or through other methods of the bases. Where a class has several
    bases nothing is said: another of them may come first.
    """
    ways = ways_up(owner, hook, names) if project is not None else None
    if project is None or ways is None:
        return ()
    base = _outside(owner, names)
    chain = chain_of(project, base) if base is not None else None
    if chain is None:
        return ()
    own = {name for holder in owner.lineage for name in holder.methods}
    found = []
    for asked in chain.asks(hook, own):
        method = owner.method(asked.name)
        if method is not None and method[1] not in (way.function for way in ways) and _can_run(method[1], asked, names):
            found.append(TemplateMethod(method[1], owner, method[0], _below(asked, owner, ways, names)))
    return tuple(found)


def external_words(owner: ClassFacts, hook: str, names: Names, project: Project | None) -> frozenset[str] | None:
    """Every name that bases in another file speak of, to whose hook one of this file may go on; None where they can't be read."""
    if not may_go_up(owner, hook, names.tree) or owner.lineage_is_known:
        return frozenset()
    base = _outside(owner, names)
    chain = chain_of(project, base) if project is not None and base is not None else None
    return chain.words if chain is not None else None


def _below(asked: Asked, owner: ClassFacts, ways: tuple[WayUp, ...], names: Names) -> Asked:
    """What is asked of a method where methods of this file lead to the bases, and take what those give."""
    return replace(
        asked,
        result_use=asked.result_use if all(way.whole for way in ways) else "open",
        varying=asked.varying if all(way.same for way in ways) else frozenset(),
        words=asked.words.union(*(spoken(owner, way, names.tree) for way in ways)),
    )


def _outside(owner: ClassFacts, names: Names) -> str | None:
    """The one base in another file."""
    for holder in owner.lineage:
        bases = [base for base in holder.bases if names.qualified(base) != "builtins.object"]
        if len(bases) != 1 or holder.node.decorators:
            return None
        if holder is owner.lineage[-1]:
            found = names.qualified(bases[0])
            return found if found is not None and not found.startswith("keras.") else None
    return None


def _can_run(method: cst.FunctionDef, asked: Asked, names: Names) -> bool:
    """Whether a method runs as it is written when it is called, or, as a property, when it is read."""
    decorators = {names.qualified(each.decorator) for each in method.decorators}
    if method.asynchronous is not None:
        return False
    return decorators <= PLAIN if not asked.read else bool(decorators) and decorators <= PROPERTIES
