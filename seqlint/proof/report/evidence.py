"""What the runs of one proof have shown, as a section of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.report import chart, words
from seqlint.proof.report.batches import first_differing
from seqlint.proof.report.curves import curves
from seqlint.proof.report.rows import batch_table
from seqlint.proof.report.speed import speed_table
from seqlint.proof.report.tags import NOTHING, Html, badge, element, hangs, joined, prose, row, table
from seqlint.proof.report.words import (
    conclusion,
    counted,
    legible,
    listed,
    place,
    sentence,
    short,
    stderr,
    versions,
)

if TYPE_CHECKING:
    from seqlint.proof.run import Difference, Outcome, Proof, Verdict

_LONGEST = 600
_FOLDED: tuple[Outcome, ...] = ("SAME", "NEW")
_FACTORY = "A factory that would drive what could not be run, for the file `seqlint_smoke.py` next to it:"
_HEAD = ("Observable", "Answer", "What was seen")


def evidence(proof: Proof, with_notes: bool) -> Html:
    """The answer on one line of Keras, all observables, and what shows them to a reader."""
    seen = obstacle(proof) if proof.obstacle else _seen(proof)
    notes = note_list(proof.notes) if with_notes else NOTHING
    return element("section", _head(proof), *_hung(proof), seen, _speed(proof), notes, class_="proof")


def note_list(notes: tuple[str, ...], class_: str = "notes") -> Html:
    """What the reader of the result should know."""
    return element("ul", *(element("li", prose(note)) for note in notes), class_=class_) if notes else NOTHING


def label(proof: Proof) -> str:
    """The Keras that the proof ran on: "Keras 3.10.0"."""
    return named(versions(proof)).partition(",")[0]


def named(text: str) -> str:
    """Versions with Keras written as its name."""
    return f"Keras{text.removeprefix('keras')}" if text.startswith("keras") else text


def answer(proof: Proof) -> Html:
    """The outcome of a proof, and whether a run hung."""
    hanging = bool(proof.before.hung or proof.after.hung)
    return joined(
        [badge(proof.outcome, words.outcome_label(proof.outcome, proof.contract)), *([" ", hangs()] if hanging else [])]
    )


def _head(proof: Proof) -> Html:
    title = element("h4", f"{label(proof)} {place(proof)}", " ", answer(proof))
    return Html(title + element("p", sentence(conclusion(proof)), class_="conclusion"))


def _hung(proof: Proof) -> list[Html]:
    return [
        element("p", hangs(), f" {side}: it ", element("code", short(run.hung, _LONGEST)), class_="callout")
        for side, run in (("before", proof.before), ("after", proof.after))
        if run.hung
    ]


def obstacle(proof: Proof) -> Html:
    """Why nothing was proved, and what would help."""
    first, *rest = proof.obstacle.splitlines()
    details = [*rest, *stderr(proof)]
    said = element("p", element("b", "Not run: "), first)
    listing = element("pre", "\n".join(details)[:_LONGEST]) if details else NOTHING
    return element("div", said, listing, *pasted(proof), class_="callout")


def pasted(proof: Proof) -> list[Html]:
    """The factory that would drive what could not be driven, ready to paste."""
    return [element("p", prose(_FACTORY)), element("pre", proof.factory)] if proof.factory else []


def _seen(proof: Proof) -> Html:
    noisy = proof.verdict("history").outcome == "SAME"
    drawn = chart.charts(curves(proof), noisy)
    batch = first_differing(proof)
    parts = [*pasted(proof), observables(proof)]
    parts += [element("h5", "First differing batch"), batch_table(batch, proof)] if batch else []
    parts += [element("h5", "Loss and metrics by epoch"), drawn] if drawn else []
    return joined(parts)


def _speed(proof: Proof) -> Html:
    if proof.before.recording is None or proof.after.recording is None or proof.obstacle:
        return NOTHING
    return Html(element("h5", "Throughput and memory") + speed_table(proof))


def observables(proof: Proof) -> Html:
    """The table of observables: what changed is open, what is equal is folded."""
    shown = [verdict for verdict in proof.verdicts if verdict.outcome not in _FOLDED]
    folded = [verdict for verdict in proof.verdicts if verdict.outcome in _FOLDED]
    parts = [_table(shown, proof)] if shown else []
    if folded:
        summary = element("summary", _counted(folded))
        parts.append(element("details", summary, _table(folded, proof)))
    return joined(parts)


def _counted(verdicts: list[Verdict]) -> str:
    counts = {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in _FOLDED}
    parts = [f"{counted(number, 'observable')} {outcome}" for outcome, number in counts.items() if number]
    return listed(parts)


def _table(verdicts: list[Verdict], proof: Proof) -> Html:
    rows = (
        row(v.observable, badge(v.outcome, words.verdict_label(v, proof.contract)), _what(v, proof)) for v in verdicts
    )
    return table(_HEAD, rows, "observables")


def _what(verdict: Verdict, proof: Proof) -> Html:
    detail = element("p", short(verdict.detail, _LONGEST)) if verdict.detail else NOTHING
    return Html(detail + (difference(verdict.difference, proof) if verdict.difference else ""))


def difference(found: Difference, proof: Proof) -> Html:
    """The first place where the runs differ, and what was there."""
    sides = (("before", found.before), ("after", found.after))
    parts = [
        element("div", element("dt", side), element("dd", short(legible(text, proof), _LONGEST)), class_=side)
        for side, text in sides
    ]
    return Html(
        element("p", prose(short(found.where, _LONGEST)), class_="where") + element("dl", *parts, class_="sides")
    )
