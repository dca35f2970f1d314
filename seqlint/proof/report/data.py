"""A proof as values for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from seqlint.proof.report.batches import first_differing
from seqlint.proof.report.costs import costs
from seqlint.proof.report.curves import curves
from seqlint.proof.report.groups import distinct
from seqlint.proof.report.words import answer, are_digests, previews, replicas, stderr, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.proof.answers import FileProof, Item
    from seqlint.proof.recorder.recording import Leaf
    from seqlint.proof.report.curves import Curve
    from seqlint.proof.run import Proof, Run, Verdict

FORMAT = 1
"""The version of the JSON form; it grows when a key changes its meaning or goes away."""


def files_as_dict(file: FileProof) -> dict[str, object]:
    """The proof of a file as plain values: every proof once, and the places of those that belong to something, from 0."""
    proofs = distinct(file)
    return {
        "format": FORMAT,
        "path": file.path,
        "held": file.held,
        "diff": file.diff,
        "items": [_item(item, proofs) for item in file.items],
        "left": [asdict(left) for left in file.left],
        "proofs": [as_dict(proof) for proof in proofs],
        "together": _places(file.proofs, proofs),
        "corrupt": _places(file.corrupt, proofs),
    }


def as_dict(proof: Proof) -> dict[str, object]:
    """The proof as plain values; numbers that JSON lacks are strings."""
    return {
        "format": FORMAT,
        "name": proof.name,
        "outcome": proof.outcome,
        "obstacle": proof.obstacle,
        "stderr": stderr(proof) if proof.obstacle else [],
        "factory": proof.factory,
        "versions": versions(proof),
        "keras": proof.settings.keras,
        "device": proof.settings.device,
        "replicas": replicas(proof),
        "changes": sorted(proof.contract.changes),
        "repairs": sorted(proof.contract.repairs),
        "observables": [_verdict(verdict) for verdict in proof.verdicts],
        "samples": _samples(proof),
        "history": [_curve(curve) for curve in curves(proof)],
        "batch": _batch(proof),
        "runs": {"before": _run(proof.before), "after": _run(proof.after)},
        "speed": {"before": asdict(costs(proof.before)), "after": asdict(costs(proof.after))},
        "notes": list(proof.notes),
    }


def _item(item: Item, proofs: Sequence[Proof]) -> dict[str, object]:
    return {
        "code": item.code,
        "name": item.name,
        "cell": item.cell,
        "line": item.line,
        "message": item.message,
        "title": item.title,
        "safe": item.contract.safe,
        "changes": sorted(item.contract.changes),
        "repairs": sorted(item.contract.repairs),
        "diff": item.diff,
        "outcome": item.outcome,
        "held": item.held,
        "answer": answer(item),
        "unproved": item.unproved,
        "proofs": _places(item.proofs, proofs),
    }


def _places(some: Iterable[Proof], proofs: Sequence[Proof]) -> list[int]:
    ids = [id(proof) for proof in proofs]
    return [ids.index(id(proof)) for proof in some]


def _verdict(verdict: Verdict) -> dict[str, object]:
    found = verdict.difference
    place = {"where": found.where, "before": found.before, "after": found.after} if found else None
    return {
        "observable": verdict.observable, "outcome": verdict.outcome, "detail": verdict.detail, "difference": place,
    }  # fmt: skip


def _samples(proof: Proof) -> dict[str, str]:
    """The samples that the differences name by their digests."""
    differences = [verdict.difference for verdict in proof.verdicts if verdict.difference]
    sides = [side.split() for found in differences for side in (found.before, found.after)]
    known = previews(proof)
    return {digest: known[digest] for side in sides if are_digests(side) for digest in side if digest in known}


def _curve(curve: Curve) -> dict[str, object]:
    return {
        "fit": curve.fit,
        "series": curve.series,
        "epochs": list(curve.epochs),
        "before": [_number(value) for value in curve.before],
        "after": [_number(value) for value in curve.after],
    }


def _number(value: Leaf) -> Leaf:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _batch(proof: Proof) -> dict[str, object] | None:
    batch = first_differing(proof)
    if batch is None:
        return None
    known = previews(proof)
    rows = [
        {"before": known.get(row.before, row.before), "after": known.get(row.after, row.after), "equal": row.equal}
        for row in batch.rows
    ]
    return {"where": batch.place, "reordered": batch.reordered, "rows": rows}


def _run(run: Run) -> dict[str, object]:
    """How a run ended and what it trained on."""
    recording = run.recording
    error = recording["error"] if recording else None
    steps = recording["steps"] if recording else []
    return {
        "status": run.status,
        "detail": run.detail,
        "hung": run.hung,
        "error": f"{error['type']}: {error['text']}" if error else "",
        "samples": sum(len(step["rows"]) for step in steps),
    }
