"""What the program does with one corrupt file, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.report.evidence import answer, label, note_list, observables, obstacle
from seqlint.proof.report.tags import NOTHING, Html, element, row, table
from seqlint.proof.report.words import conclusion, sentence, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.answers import FileProof
    from seqlint.proof.run import Proof, Run

_LONGEST = 600
_ABOUT = (
    "The same programs were run once more on bad input: does it raise, is it left out, or is it lost without a word?"
)


def corrupt_section(file: FileProof, id_: str) -> Html:
    """Samples that were lost without a word, against the error that is raised now."""
    if not file.corrupt:
        return NOTHING
    whole = {proof.settings.keras: proof for proof in reversed(file.proofs)}
    parts = [_section(proof, whole.get(proof.settings.keras)) for proof in file.corrupt]
    runs = element("div", *parts, class_="proofs")
    return element(
        "section", element("h3", "With one corrupt file"), element("p", _ABOUT), runs, id=id_, class_="group"
    )


def _section(proof: Proof, whole: Proof | None) -> Html:
    head = element("h4", f"{label(proof)} ", answer(proof))
    said = element("p", sentence(conclusion(proof)), class_="conclusion")
    if proof.obstacle:
        return element("section", head, said, obstacle(proof), class_="proof")
    ends = table(("", "Before", "After"), _rows(proof, whole), "ends")
    return element("section", head, said, note_list(proof.notes, "story"), ends, observables(proof), class_="proof")


def _rows(proof: Proof, whole: Proof | None) -> Iterator[Html]:
    yield row("Ended with", _end(proof.before), _end(proof.after))
    yield row("Samples trained on", _samples(proof.before), _samples(proof.after))
    if whole is not None and whole.before is not proof.before:
        yield row("The same on its own input", _samples(whole.before), _samples(whole.after))


def _end(run: Run) -> Html:
    error = run.recording["error"] if run.recording else None
    if error is None:
        return element("span", run.detail or "nothing was raised")
    return element("code", short(f"{error['type']}: {error['text']}", _LONGEST))


def _samples(run: Run) -> str:
    return str(sum(len(step["rows"]) for step in run.recording["steps"])) if run.recording else ""
