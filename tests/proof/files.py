"""Proofs of files made by hand, for what a reader sees of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.model import OBSERVABLES, Contract
from seqlint.proof import Proof, Settings, judge
from seqlint.proof.answers import FileProof, Item, Left
from seqlint.proof.run import Verdict
from tests.proof.recordings import fit, raised, ran, recording, step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.proof import KerasChoice, Run

NAMES = ("0123456789abcdef", "1123456789abcdef", "2123456789abcdef", "3123456789abcdef")
"""Digests of four samples; the k-th one has the preview `x [k]`."""
DIFF = "--- a/train.py\n+++ b/train.py\n@@ -3,3 +3,4 @@\n import keras\n--- old\n+x = 1\n+y = 2\n z = 3\n"
ALL = Contract(changes=frozenset({"samples", "order", "grouping", "history", "output"}))


def trained(
    rows: str = " ".join(NAMES),
    loss: tuple[float, ...] = (0.5, 0.25),
    more: Mapping[str, tuple[float, ...]] | None = None,
) -> Run:
    """A run of one fit with one batch."""
    one = fit(loss)
    one["history"].update({name: list(values) for name, values in (more or {}).items()})
    made = recording(steps=(step(rows),), fits=(one,))
    made["versions"] = "keras 3.15.0, TensorFlow 2.21.0"
    made["previews"] = {name: f"x [{number}]" for number, name in enumerate(NAMES)}
    return ran(made)


def failed(rows: str) -> Run:
    """The same with an error at its end."""
    run = trained(rows)
    assert run.recording
    return raised(run.recording, "could not load wave.npy")


def proof(before: Run, after: Run, contract: Contract | None = None, keras: KerasChoice = "3") -> Proof:
    contract = contract or Contract()
    return Proof("train.py", contract, Settings(keras), before, after, (), judge(contract, before, after))


def not_run(obstacle: str, factory: str = "") -> Proof:
    verdicts = tuple(Verdict(observable, "NOT RUN") for observable in OBSERVABLES)
    nothing = replace(trained(), recording=None)
    return Proof("train.py", Contract(), Settings(), nothing, nothing, (), verdicts, obstacle, factory=factory)


def item(*proofs: Proof, code: str = "SEQ201", line: int = 7) -> Item:
    contract = proofs[0].contract if proofs else Contract()
    return Item(
        code, "swallowed-exception", line, "`load` drops the error", "Raise it", contract, DIFF, proofs
    )  # fmt: skip


def file(*proofs: Proof, items: int = 1, left: tuple[Left, ...] = (), corrupt: tuple[Proof, ...] = ()) -> FileProof:
    """A file whose fixes share their proofs."""
    made = tuple(item(*proofs, line=7 + number) for number in range(items))
    return FileProof("train.py", made, left, DIFF, proofs, corrupt)


SAME = proof(trained(), trained())
DECLARED = proof(trained(), trained(loss=(0.5, 0.125)), ALL)
DIFFERENT = proof(trained(), trained(" ".join(NAMES[:1] + NAMES[2:])))
NOT_RUN = not_run("the program can't be run: exit 1\nlast line", factory="def feed():\n    return Feed(...)\n")
CORRUPT = replace(
    proof(trained(" ".join(NAMES[:3])), failed(" ".join(NAMES[:3])), Contract(changes=frozenset({"errors"}))),
    name="train.py, with bad input",
    notes=("before: 1 of 4 samples never comes to a train step",),
)
