"""A proof as values for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.proof.run import Proof, Run, Verdict

FORMAT = 1
"""The version of the JSON form; it grows when a key changes its meaning or goes away."""


def as_dict(proof: Proof) -> dict[str, object]:
    """The proof as plain values; numbers that JSON lacks are strings."""
    return {
        "format": FORMAT,
        "name": proof.name,
        "outcome": proof.outcome,
        "obstacle": proof.obstacle,
        "versions": versions(proof),
        "keras": proof.settings.keras,
        "device": proof.settings.device,
        "changes": sorted(proof.contract.changes),
        "repairs": sorted(proof.contract.repairs),
        "observables": [_verdict(verdict) for verdict in proof.verdicts],
        "speed": {"before": costs(proof.before), "after": costs(proof.after)},
        "notes": list(proof.notes),
    }


def _verdict(verdict: Verdict) -> dict[str, object]:
    found = verdict.difference
    place = {"where": found.where, "before": found.before, "after": found.after} if found else None
    return {
        "observable": verdict.observable, "outcome": verdict.outcome, "detail": verdict.detail, "difference": place,
    }  # fmt: skip


def costs(run: Run) -> dict[str, object]:
    """What a run took; None where nothing was trained or recorded."""
    fits = run.recording["fits"] if run.recording else []
    steps = run.recording["steps"] if run.recording else []
    seconds = sum(fit["seconds"] for fit in fits if not fit["depth"])
    samples = sum(len(step["rows"]) for step in steps)
    return {
        "seconds": round(run.seconds, 3),
        "samples_per_second": round(samples / seconds, 1) if seconds else None,
        "bytes_per_batch": round(sum(step["size"] for step in steps) / len(steps)) if steps else None,
        "peak_memory_mib": round(run.recording["memory"], 1) if run.recording else None,
    }


def versions(proof: Proof) -> str:
    """What the program ran on, as a sentence."""
    recording = proof.before.recording
    if recording is not None:
        return recording["versions"]
    return "tf-keras" if proof.settings.keras == "legacy" else "Keras 3"
