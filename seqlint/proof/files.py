"""The proof of one file: what each fix does, and whether its contract held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Contract
    from seqlint.proof.run import Outcome, Proof


@dataclass(frozen=True, slots=True)
class Item:
    """One fix of a file and its answer.

    Attributes:
        line: of the finding, from 1.
        title: what the fix does.
        diff: the change of this fix alone, as a unified diff.
        proofs: those that decide about this fix, one for each Keras line that it ran on: of the whole file where all
            its fixes hold together, else of this fix alone.
    """

    code: str
    name: str
    line: int
    message: str
    title: str
    contract: Contract
    diff: str
    proofs: tuple[Proof, ...]

    @property
    def outcome(self) -> Outcome:
        """The answer: the worst of its proofs."""
        outcomes = {proof.outcome for proof in self.proofs} or {"NOT RUN"}
        order: tuple[Outcome, ...] = ("DIFFERENT", "NOT RUN", "CHANGED AS DECLARED", "SAME")
        return next(outcome for outcome in order if outcome in outcomes)

    @property
    def held(self) -> bool:
        """Whether the contract of this fix held on every Keras line that was asked for."""
        return bool(self.proofs) and all(proof.held for proof in self.proofs)


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that no run can prove anything about: it has no fix, or the fix was refused."""

    code: str
    line: int
    message: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileProof:
    """What is known of one file after its proof.

    Attributes:
        diff: all fixes together, as a unified diff.
        proofs: of all fixes together, one for each Keras line.
        corrupt: the same with one truncated data file; only where a fix declares that errors change.
    """

    path: str
    items: tuple[Item, ...]
    left: tuple[Left, ...]
    diff: str
    proofs: tuple[Proof, ...]
    corrupt: tuple[Proof, ...] = ()

    @property
    def held(self) -> bool:
        """Whether every fix was proved."""
        return bool(self.items) and all(item.held for item in self.items)
