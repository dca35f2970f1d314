"""Many mutants on several processors, and what is said of them."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fuzz.judge import Fault, Judged, judged
from tests.fuzz.mutants import mutant
from tests.fuzz.shrink import shrunk

if TYPE_CHECKING:
    from collections.abc import Iterable

_AT_ONCE = 25


@dataclass
class Tally:
    """What a run has seen so far."""

    mutants: int = 0
    readable: int = 0
    findings: int = 0
    applied: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[tuple[int, Fault]]] = field(default_factory=dict)

    def add(self, number: int, one: Judged) -> None:
        """Count one mutant."""
        self.mutants += 1
        self.readable += one.readable
        self.findings += one.findings
        self.applied += one.applied
        self.refused.update(one.refused)
        if one.fault is not None:
            self.faults.setdefault(one.fault.kind, []).append((number, one.fault))

    def __str__(self) -> str:
        bad = sum(map(len, self.faults.values()))
        fixes = f"{self.applied} fixes applied, {self.refused.total()} refused"
        lines = [f"{self.mutants} mutants ({self.readable} of them programs), {self.findings} findings, {fixes}"]
        lines += [f"{bad} faults of {len(self.faults)} kinds"]
        lines += [f"  {len(found):5}  {kind}  (such as {found[0][0]})" for kind, found in sorted(self.faults.items())]
        lines += [f"  {number:5}  fixes refused, {what}" for what, number in self.refused.most_common()]
        return "\n".join(lines)


def run(seed: int, numbers: range, jobs: int, *, quiet: bool = True) -> Tally:
    """Judge the mutants of some numbers.

    Args:
        seed: another one gives other mutants.
        numbers: which of them.
        jobs: how many processes; 1 stays in this one.
    """
    tally = Tally()
    parts = [(seed, numbers[at : at + _AT_ONCE]) for at in range(0, len(numbers), _AT_ONCE)]
    if jobs == 1:
        _count(tally, map(_some, parts), quiet)
        return tally
    with ProcessPoolExecutor(jobs) as pool:
        _count(tally, pool.map(_some, parts), quiet)
    return tally


def _count(tally: Tally, parts: Iterable[list[tuple[int, Judged]]], quiet: bool) -> None:
    for number, one in itertools.chain.from_iterable(parts):
        tally.add(number, one)
        if one.fault is not None and not quiet:
            print(f"{number}: {one.fault.kind}", file=sys.stderr, flush=True)
        if tally.mutants % 1000 == 0 and not quiet:
            print(f"{tally.mutants} mutants, {len(tally.faults)} kinds of faults", file=sys.stderr, flush=True)


def _some(part: tuple[int, range]) -> list[tuple[int, Judged]]:
    seed, numbers = part
    return [(number, judged(mutant(seed, number))) for number in numbers]


def _keep(seed: int, tally: Tally, folder: Path) -> None:
    """Write the first mutant of each kind of fault, as short as it can be, with what it shows."""
    for place, (kind, found) in enumerate(sorted(tally.faults.items()), 1):
        number, fault = found[0]
        home = folder / f"{place:02}-{number}"
        home.mkdir(parents=True, exist_ok=True)
        subject = shrunk(mutant(seed, number), kind)
        (home / subject.name).write_bytes(subject.data)
        for name, text in subject.others:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text)
        (home / "fault.txt").write_text(
            f"seed {seed}, mutant {number}, keras {subject.keras!r}\n{kind}\n\n{fault.detail}\n"
        )


def main() -> int:
    """Run from the command line; 1 where a fault was found."""
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz", description="Check and fix mutants of all programs of this repository."
    )
    parser.add_argument("--mutants", type=int, default=1000, help="how many")
    parser.add_argument("--start", type=int, default=0, help="the number of the first")
    parser.add_argument("--seed", type=int, default=0, help="another one gives other mutants")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-faults"), help="where the inputs that fail go, shrunk")
    asked = parser.parse_args()
    numbers = range(asked.start, asked.start + asked.mutants)
    tally = run(asked.seed, numbers, asked.jobs, quiet=False)
    print(tally)
    if tally.faults:
        _keep(asked.seed, tally, asked.keep)
        print(f"the inputs are in {asked.keep}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
