"""The program as it was on tf-keras: what it trained on there, before Keras 3 refused it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.proof.compare import first_difference
from seqlint.proof.observables import observe
from seqlint.proof.pairs import missing
from seqlint.proof.running import worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import Observable
    from seqlint.proof.run import Pair, Proof, Run

_COMPARED: tuple[Observable, ...] = ("samples", "grouping", "epochs", "steps")
"""What both lines of Keras should have in common; their layers start with other weights."""


def with_reference(pair: Pair, proof: Proof) -> Proof:
    """The proof of a program that failed before on Keras 3, with what the unchanged one does on tf-keras, if it runs there."""
    repaired = proof.held and proof.before.failed and not proof.next_failure and proof.settings.keras == "3"
    settings = replace(proof.settings, keras="legacy")
    if not repaired or missing(settings):
        return proof
    with worker(settings) as child:
        run = child.run(pair.before, pair.script, pair.folder, replace(pair.program, changed=()))
    if run.failed or run.recording is None or not run.trained:
        return proof
    return replace(proof, notes=(*proof.notes, _said(run, proof.after)))


def _said(run: Run, after: Run) -> str:
    unlike = list(_unlike(run, after))
    alike = [name for name in _COMPARED if name not in unlike]
    name = run.recording["versions"].partition(",")[0] if run.recording else "tf-keras"
    if not unlike:
        return f"on {name} the unchanged program runs, with the {', '.join(alike)} of the repaired one"
    same = f"the same {', '.join(alike)}, but with " if alike else ""
    return f"on {name} the unchanged program runs with {same}other {', '.join(unlike)} than the repaired one"


def _unlike(run: Run, after: Run) -> Iterator[Observable]:
    for name in _COMPARED:
        one, other = observe(name, run), observe(name, after)
        if one.absent or other.absent or first_difference(name, one, other) is not None:
            yield name
