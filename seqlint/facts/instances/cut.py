"""A cut through the body of a method: what goes, what stays, and what it takes along."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.scopes import Scope
    from seqlint.facts.instances.writes import Write


@dataclass(frozen=True, eq=False)
class Cut:
    """Statements that can leave a method.

    Attributes:
        function: the method.
        steps: the statements of its body that go, in order.
        rest: those that stay and do something.
        methods: methods of the class that only they call, and that go too.
        started: the lines of `__init__` that start the attributes which only they use; they go too.
        needs: the attributes of `self` that they read.
        loose: of these, the ones that may get another value once the instance is made.
        changes: of these, the ones whose object the code that goes changes in place.
    """

    function: cst.FunctionDef
    steps: tuple[cst.CSTNode, ...]
    rest: tuple[cst.CSTNode, ...]
    methods: tuple[cst.FunctionDef, ...]
    started: tuple[cst.SimpleStatementLine, ...]
    needs: tuple[str, ...]
    loose: frozenset[str]
    changes: frozenset[str]

    @property
    def nodes(self) -> tuple[cst.CSTNode, ...]:
        """All code that goes."""
        return (*self.steps, *(method.body for method in self.methods))


@dataclass
class Draft:
    """A cut while it is worked out."""

    owner: ClassFacts
    function: cst.FunctionDef
    body: tuple[cst.CSTNode, ...]
    scope: Scope
    writes: Mapping[cst.CSTNode, tuple[Write, ...]]
    taken: set[int] = field(default_factory=set)
    methods: dict[str, cst.FunctionDef] = field(default_factory=dict)

    @property
    def steps(self) -> tuple[cst.CSTNode, ...]:
        """The statements that go, in order."""
        return tuple(self.body[index] for index in sorted(self.taken))

    @property
    def left(self) -> tuple[cst.CSTNode, ...]:
        """The statements that stay, in order."""
        return tuple(statement for index, statement in enumerate(self.body) if index not in self.taken)

    @property
    def nodes(self) -> tuple[cst.CSTNode, ...]:
        """All code that goes."""
        return (*self.steps, *(method.body for method in self.methods.values()))
