"""Runs programs before and after a fix on TensorFlow, and compares what they do under a contract.

Nothing here imports TensorFlow: the child processes do.
"""

from seqlint.proof.child import Worker, worker
from seqlint.proof.contracts import judge, never_seen, union
from seqlint.proof.pairs import INSTALL, missing, prove, prove_all, prove_pair
from seqlint.proof.report import as_dict, files_as_dict, page, render, summary
from seqlint.proof.run import (
    DEVICES,
    KERAS_CHOICES,
    Device,
    Difference,
    KerasChoice,
    Outcome,
    Pair,
    Proof,
    Run,
    Settings,
    Verdict,
)

__all__ = [
    "DEVICES",
    "INSTALL",
    "KERAS_CHOICES",
    "Device",
    "Difference",
    "KerasChoice",
    "Outcome",
    "Pair",
    "Proof",
    "Run",
    "Settings",
    "Verdict",
    "Worker",
    "as_dict",
    "files_as_dict",
    "judge",
    "missing",
    "never_seen",
    "page",
    "prove",
    "prove_all",
    "prove_pair",
    "render",
    "summary",
    "union",
    "worker",
]
