"""Runs programs before and after a fix on TensorFlow, and compares what they do under a contract.

Nothing here imports TensorFlow: the child processes do.
"""

from seqlint.proof.answers import Asked, Change, FileProof, Item, Left
from seqlint.proof.contracts import judge, never_seen, union
from seqlint.proof.corrupt import prove_corrupt
from seqlint.proof.files import keep_what_held, prove_file, with_notes
from seqlint.proof.kinds import program_for
from seqlint.proof.pairs import INSTALL, UNREACHED, missing, prove, prove_all, prove_pair
from seqlint.proof.programs import Program
from seqlint.proof.report import as_dict, files_as_dict, page, render, summary
from seqlint.proof.roots import place_of
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
from seqlint.proof.running import Worker, Workers, worker, workers
from seqlint.proof.texts import WithFiles, files_of
from seqlint.proof.trial import Trial, try_program

__all__ = [
    "DEVICES",
    "INSTALL",
    "KERAS_CHOICES",
    "UNREACHED",
    "Asked",
    "Change",
    "Device",
    "Difference",
    "FileProof",
    "Item",
    "KerasChoice",
    "Left",
    "Outcome",
    "Pair",
    "Program",
    "Proof",
    "Run",
    "Settings",
    "Trial",
    "Verdict",
    "WithFiles",
    "Worker",
    "Workers",
    "as_dict",
    "files_as_dict",
    "files_of",
    "judge",
    "keep_what_held",
    "missing",
    "never_seen",
    "page",
    "place_of",
    "program_for",
    "prove",
    "prove_all",
    "prove_corrupt",
    "prove_file",
    "prove_pair",
    "render",
    "summary",
    "try_program",
    "union",
    "with_notes",
    "worker",
    "workers",
]
