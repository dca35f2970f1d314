"""What is asked of a file, and the answer for each of its fixes: the values of a proof, before and after it has run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.proof.contracts import union
from seqlint.proof.programs import SCRIPT, Program
from seqlint.proof.run import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from seqlint.model import Contract
    from seqlint.proof.run import Outcome, Proof
    from seqlint.proof.trial import Trial

_WORST: tuple[Outcome, ...] = ("DIFFERENT", "NOT RUN", "CHANGED AS DECLARED", "SAME")


def _worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The answer of several; NOT RUN where there are none."""
    found = {*outcomes} or {"NOT RUN"}
    return next(outcome for outcome in _WORST if outcome in found)


@dataclass(frozen=True, slots=True)
class Change:
    """One fix of a file, before anything has run.

    Attributes:
        line: of the finding, from 1; in a notebook from the start of its cell.
        title: what the fix does.
        diff: the change of this fix alone, as a unified diff; empty where it only follows from other fixes.
        after: the text with this fix alone; None where it only follows from other fixes.
        cell: of the finding, from 1; None in a file that is no notebook.
    """

    code: str
    name: str
    line: int
    message: str
    title: str
    contract: Contract
    diff: str
    after: bytes | None
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that no run can prove anything about: it has no fix, or the fix was refused."""

    code: str
    line: int
    message: str
    reason: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A file with its fixes, and how it is run.

    Attributes:
        path: what the report calls it.
        before, after: the text as it is, and with all fixes.
        diff: of the two, as a unified diff.
        folder: where the file lies; the small files next to it are copied for each run.
        script: the name that the file has while it runs.
    """

    path: str
    before: bytes
    after: bytes
    diff: str
    changes: tuple[Change, ...]
    left: tuple[Left, ...] = ()
    folder: Path | None = None
    script: str = "program.py"
    program: Program = SCRIPT

    def pair(self, after: bytes, changes: Sequence[Change]) -> Pair:
        """The file before, and after some of its fixes."""
        contract = union(change.contract for change in changes)
        return Pair(self.path, self.before, after, contract, self.folder, self.script, self.program)


@dataclass(frozen=True, slots=True)
class Item:
    """One fix of a file and its answer.

    Attributes:
        line: of the finding, from 1; in a notebook from the start of its cell.
        title: what the fix does.
        diff: the change of this fix alone, as a unified diff; empty where it only follows from other fixes.
        proofs: those that decide about this fix, one for each Keras line that it ran on: of the whole file where all
            its fixes hold together, else of this fix alone.
        unproved: why those proofs say nothing about this fix; empty where they do.
        cell: of the finding, from 1; None in a file that is no notebook.
    """

    code: str
    name: str
    line: int
    message: str
    title: str
    contract: Contract
    diff: str
    proofs: tuple[Proof, ...]
    unproved: str = ""
    cell: int | None = None

    @property
    def outcome(self) -> Outcome:
        """The answer: the worst of its proofs."""
        found = _worst(proof.outcome for proof in self.proofs)
        return "NOT RUN" if self.unproved and found != "DIFFERENT" else found

    @property
    def held(self) -> bool:
        """Whether the contract of this fix held on every Keras line that was asked for."""
        return self.outcome in ("SAME", "CHANGED AS DECLARED")


@dataclass(frozen=True, slots=True)
class FileProof:
    """What is known of one file after its proof.

    Attributes:
        diff: all fixes together, as a unified diff.
        proofs: of all fixes together, one for each Keras line.
        corrupt: the same with one truncated data file; only where a fix declares that errors change.
        written: the text that `fix --verify` keeps; None where nobody asked, or nothing held.
        kept: the fixes in that text.
        trial: one run of the file as it is, where there is no fix to prove.
    """

    path: str
    items: tuple[Item, ...]
    left: tuple[Left, ...]
    diff: str
    proofs: tuple[Proof, ...]
    corrupt: tuple[Proof, ...] = ()
    written: bytes | None = None
    kept: tuple[Item, ...] = ()
    trial: Trial | None = None

    @property
    def held(self) -> bool:
        """Whether every fix was proved."""
        return bool(self.items) and all(item.held for item in self.items)

    @property
    def outcome(self) -> Outcome:
        """The worst answer of its fixes."""
        return _worst(item.outcome for item in self.items)
