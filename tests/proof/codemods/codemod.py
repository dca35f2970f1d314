"""A program, the edit that a codemod made to it, and what the proof must say."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING

from seqlint.model import Contract
from seqlint.proof import Pair

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Observable
    from seqlint.proof import KerasChoice

NOTHING = Contract()


@dataclass(frozen=True, slots=True)
class At:
    """Where two runs differ first, and the values there as a reader of the report sees them.

    Attributes:
        where: the place.
        before, after: a number stands for what is near it; None for a value that depends on a seed.
    """

    where: str
    before: str | float | None = None
    after: str | float | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """A codemod that breaks its contract.

    Attributes:
        edit: what was replaced, and by what.
        differs: what must come out DIFFERENT, with the first difference.
        same: what must come out SAME, separated by spaces: what the mistake leaves alone.
        flaw: what the proof still gets wrong; empty when nothing.
    """

    name: str
    program: str
    edit: Mapping[str, str]
    differs: Mapping[Observable, At]
    same: str = ""
    contract: Contract = NOTHING
    keras: KerasChoice = "3"
    flaw: str = ""

    @property
    def pair(self) -> Pair:
        """The program before and after."""
        return Pair(self.name, self.program, edited(self.program, self.edit), self.contract)


@dataclass(frozen=True, slots=True)
class Right:
    """A codemod that keeps its contract; what its contract declares to change or to repair must be seen to.

    Attributes:
        seen: of a contract that serves more programs, what this one shows of it.
        flaw: what the proof still gets wrong; empty when nothing.
    """

    name: str
    program: str
    edit: Mapping[str, str]
    contract: Contract = NOTHING
    keras: KerasChoice = "3"
    flaw: str = ""
    seen: frozenset[Observable] = frozenset()

    @property
    def pair(self) -> Pair:
        """The program before and after."""
        return Pair(self.name, self.program, edited(self.program, self.edit), self.contract)


@dataclass(frozen=True, slots=True)
class Unseen:
    """A wrong codemod where the proof sees too little to know.

    Attributes:
        flaw: why the proof says that the contract holds; empty when it does not say so.
    """

    name: str
    program: str
    edit: Mapping[str, str]
    flaw: str = ""

    @property
    def pair(self) -> Pair:
        """The program before and after."""
        return Pair(self.name, self.program, edited(self.program, self.edit))


def edited(program: str, edit: Mapping[str, str]) -> str:
    """The program with each text replaced; all of them must be there."""
    for old, new in edit.items():
        assert old in program, old
        program = program.replace(old, new)
    return program


def in_a_function(text: str) -> str:
    """The definition of the class Feed, in a function that gives it."""
    return f"def made():\n{indent(text, '    ')}\n    return Feed\n\n\nFeed = made()\n"


def changes(*names: Observable) -> Contract:
    return Contract(changes=frozenset(names))


def repairs(*names: Observable) -> Contract:
    return Contract(repairs=frozenset(names))
