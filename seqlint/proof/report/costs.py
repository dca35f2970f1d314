"""What a run took. It is reported, and never compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.proof.run import Run


@dataclass(frozen=True, slots=True)
class Costs:
    """The throughput and the memory of one run; None where nothing was trained or recorded.

    Attributes:
        samples_per_second: over the time inside `fit`.
        bytes_per_batch: the mean.
    """

    seconds: float
    samples_per_second: float | None
    bytes_per_batch: int | None
    peak_memory_mib: float | None


def costs(run: Run) -> Costs:
    """What a run took."""
    fits = run.recording["fits"] if run.recording else []
    steps = run.recording["steps"] if run.recording else []
    seconds = sum(fit["seconds"] for fit in fits if not fit["depth"])
    samples = sum(len(step["rows"]) for step in steps)
    return Costs(
        round(run.seconds, 3),
        round(samples / seconds, 1) if seconds else None,
        round(sum(step["size"] for step in steps) / len(steps)) if steps else None,
        round(run.recording["memory"], 1) if run.recording else None,
    )
