"""The values of a proof across the line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from seqlint.proof.programs import SCRIPT, Program

if TYPE_CHECKING:
    from pathlib import Path

Answer = Literal["SAME ACROSS", "DIFFERENT", "NOT RUN"]
Outcome = Literal["SAME", "BY CHANCE", "DIFFERENT", "NOT RUN"]
"""The answer for one thing that was compared. BY CHANCE: both programs leave it to chance, so it can't be compared."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A program before and after its migration.

    Attributes:
        path: what the report calls it.
        old: the text that runs on tf-keras.
        new: the text that runs on Keras 3.
        folder: the folder of its project; None: it needs none.
        script: the path of the file in it.
        program: how it is run.
        others: other files of the project that the migration changes, by their paths in the folder.
    """

    path: str
    old: bytes
    new: bytes
    folder: Path | None = None
    script: str = "program.py"
    program: Program = SCRIPT
    others: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer for one thing, with a detail in words."""

    name: str
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Across:
    """What two runs have shown.

    Attributes:
        judged: one for each thing that was compared.
        obstacle: why nothing could be said; empty where something was.
        ran_on: the versions of both runs.
        notes: what the reader should know, such as that fits were cut.
    """

    path: str
    judged: tuple[Judged, ...] = ()
    obstacle: str = ""
    ran_on: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def answer(self) -> Answer:
        """The worst answer; never SAME ACROSS where nothing that a model computes was compared."""
        if any(one.outcome == "DIFFERENT" for one in self.judged):
            return "DIFFERENT"
        told = any(one.outcome == "SAME" and one.name in TELLING for one in self.judged)
        return "SAME ACROSS" if told and not self.obstacle else "NOT RUN"

    @property
    def reason(self) -> str:
        """Why it is not the same, or why that can't be told; empty where it is the same."""
        worst = [f"{one.name}: {one.detail}" for one in self.judged if one.outcome == "DIFFERENT"]
        if worst:
            return "; ".join(worst)
        if self.answer == "SAME ACROSS":
            return ""
        unseen = [f"{one.name}: {one.detail}" for one in self.judged if one.outcome != "SAME" and one.detail]
        return self.obstacle or "; ".join(unseen) or "nothing that a model computes could be compared"


TELLING = frozenset({"history", "results", "weights"})
"""What tells that a model computes the same."""
