"""Recordings made by hand, for what can be judged without TensorFlow."""

from __future__ import annotations

import base64
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.proof import Run
from seqlint.proof.recorder.recording import FORMAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof.recorder.recording import ErrorRecord, FitRecord, Leaf, Recording, StepRecord, WeightRecord


def fit(loss: Sequence[float] = (0.5, 0.25), why: str = "all epochs were run") -> FitRecord:
    return {
        "depth": 0, "asked": len(loss), "planned": len(loss), "epochs": list(range(len(loss))),
        "history": {"loss": list(loss)}, "series": ["loss"], "why": why, "cut": "", "seconds": 1.0,
    }  # fmt: skip


def step(rows: str, epoch: int = 0, replica: int = 0, spec: str = "(float32[n,3], float32[n])") -> StepRecord:
    """A step of the first fit with one sample for each word."""
    return {"fit": 0, "epoch": epoch, "replica": replica, "spec": spec, "rows": rows.split(), "size": 64}


def weights(numbers: Sequence[float]) -> WeightRecord:
    encoded = base64.b64encode(struct.pack(f"<{len(numbers)}d", *numbers)).decode()
    return {"name": "kernel", "shape": [len(numbers)], "digest": encoded, "values": encoded}


def recording(
    steps: Sequence[StepRecord] = (step("a b"), step("c d")),
    fits: Sequence[FitRecord] = (fit(),),
    state: dict[str, Leaf] | None = None,
    hooks: Sequence[tuple[str, str]] = (),
    warnings: Sequence[tuple[str, str]] = (),
    error: ErrorRecord | None = None,
) -> Recording:
    return {
        "format": FORMAT, "versions": "keras 3", "error": error, "partial": False, "fits": list(fits),
        "steps": list(steps), "calls": ["fit"], "previews": {}, "weights": [], "hooks": list(hooks),
        "state": state or {}, "warnings": list(warnings), "devices": [], "cards": [], "ran": [], "initial": [], "saves": [], "results": [], "settings": {}, "sketches": {}, "validated": [], "tables": [], "written": [], "left": [], "start": ".", "lacking": "", "imports": False, "raised": [0, 0], "memory": 1.0, "open": [], "threads": 0, "chances": [], "replicas": 1, "bound": [], "reads": [],
        "read": [], "corrupted": "", "parts": {}, "notes": [], "hung": "",
        "driven": [], "plan": {"targets": [], "left": []},
    }  # fmt: skip


def ran(made: Recording, output: str = "") -> Run:
    return Run(made, "done", output=output)


def killed(made: Recording) -> Run:
    made["partial"] = True
    return replace(ran(made), status="limit", detail="it still ran after 9 s")


def raised(made: Recording, text: str) -> Run:
    made["error"] = {"type": "ValueError", "text": text}
    return ran(made)
