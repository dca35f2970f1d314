"""A proof in words: the terminal and the page say it the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.model import OBSERVABLES, Contract
from seqlint.proof.contracts import union

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from seqlint.proof.answers import Item, Left
    from seqlint.proof.run import Outcome, Proof, Run, Verdict

_TRACEBACK = "Traceback (most recent call last):"
_DIGEST = 16


def versions(proof: Proof) -> str:
    """What the program ran on, as a sentence."""
    recording = proof.before.recording or proof.after.recording
    if recording is not None:
        return recording["versions"]
    return "tf-keras" if proof.settings.keras == "legacy" else "Keras 3"


def place(proof: Proof) -> str:
    """Where it was asked to run: the devices, and the replicas where there are several."""
    words = {"cpu": "on CPU", "gpu": "on GPU", "auto": "on the devices at hand"}[proof.settings.device]
    recording = proof.before.recording or proof.after.recording
    if recording is not None and recording["cards"]:
        words = f"{words} ({', '.join(dict.fromkeys(recording['cards']))})"
    number = replicas(proof)
    return f"{words}, {number} replicas" if number > 1 else words


def replicas(proof: Proof) -> int:
    """How many replicas a strategy of the program had, or would have had."""
    recording = proof.before.recording or proof.after.recording
    return recording["replicas"] if recording is not None else proof.settings.replicas or 1


def conclusion(proof: Proof) -> str:
    """What follows from the proof, in a sentence."""
    if proof.outcome == "DIFFERENT":
        return f"the contract is broken: {turned(proof) or f'{differing(proof)}, and no fix declares that'}"
    if proof.outcome == "NOT RUN":
        return "nothing was proved"
    return f"the contract holds: {unchanged(proof.contract, (proof,), many=True)}"


def answer(item: Item) -> str:
    """What was proved of a fix: "the fix holds: nothing has changed but the warnings that it repairs"."""
    if item.held:
        contract = union((item.contract, *(proof.contract for proof in item.proofs)))
        return f"the fix holds: {unchanged(contract, item.proofs, many=contract != item.contract)}"
    if item.outcome == "DIFFERENT":
        return f"the fix does not hold: {turned(*item.proofs) or f'{differing(*item.proofs)}, and it does not declare that'}"
    why = item.unproved or next((proof.obstacle for proof in item.proofs if proof.obstacle), "it was not run")
    return f"nothing was proved: {why.splitlines()[0]}"


def unchanged(contract: Contract, proofs: Collection[Proof], *, many: bool = False) -> str:
    """What of a program has changed where a contract has held: no more than it allows.

    Args:
        contract: of one fix, or of several.
        proofs: those that decide about it.
        many: whether several fixes are spoken of.
    """
    seen = {v.observable for proof in proofs for v in proof.verdicts if v.outcome in ("CHANGED AS DECLARED", "NEW")}
    if not seen:
        return "nothing that was observed has changed"
    repaired = [name for name in OBSERVABLES if name in seen & contract.repairs]
    if contract.safe and repaired:
        return f"nothing has changed but the {listed(repaired)} that {'the fixes repair' if many else 'it repairs'}"
    return f"nothing has changed but what {'the fixes declare' if many else 'it declares'}"


def outcome_label(outcome: Outcome, contract: Contract) -> str:
    """The answer for fixes in capitals. What repairs alone change is no change of a program that worked."""
    return "HOLDS" if contract.safe and outcome in ("SAME", "CHANGED AS DECLARED") else outcome


def verdict_label(verdict: Verdict, contract: Contract) -> str:
    """The answer for one observable in capitals."""
    repaired = verdict.observable in contract.repairs - contract.changes
    return "REPAIRED" if repaired and verdict.outcome == "CHANGED AS DECLARED" else verdict.outcome


def differing(*proofs: Proof) -> str:
    """What is different and should not be: "order and samples differ"."""
    found = {v.observable for proof in proofs for v in proof.verdicts if v.outcome == "DIFFERENT"}
    names = [name for name in OBSERVABLES if name in found]
    one = len(names) == 1 and not names[0].endswith("s")
    return f"{listed(names)} {'differs' if one else 'differ'}"


def turned(*proofs: Proof) -> str:
    """What must hold of what was declared, and does not; empty where something else differs as well."""
    found = [v for proof in proofs for v in proof.verdicts if v.outcome == "DIFFERENT"]
    return found[0].detail if all(verdict.detail for verdict in found) else ""


def located(found: Item | Left) -> str:
    """Where a finding is: "line 3", or "cell 2 line 3"."""
    place = f"line {found.line}"
    return place if found.cell is None else f"cell {found.cell} {place}"


def declared(contract: Contract) -> str:
    """What a fix says of itself: "changes hooks and history, repairs errors"; all else must stay equal."""
    parts = [
        f"{verb} {listed([name for name in OBSERVABLES if name in names])}"
        for verb, names in (("changes", contract.changes), ("repairs", contract.repairs))
        if names
    ]
    return ", ".join(parts) or "changes nothing"


def listed(words: Collection[str]) -> str:
    """Words as in a sentence: "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, word: str, plural: str = "") -> str:
    """A number with its word: "1 fix", "2 fixes"."""
    return f"{number} {word if number == 1 else plural or f'{word}s'}"


def legible(text: str, proof: Proof) -> str:
    """Digests of samples as the samples that they stand for."""
    digests = text.split()
    if not are_digests(digests):
        return text
    known = previews(proof)
    shown = [known.get(digest, digest) for digest in digests]
    return shown[0] if len(shown) == 1 else f"{len(shown)} samples together: {'; '.join(shown[:3])}"


def are_digests(words: Collection[str]) -> bool:
    """Whether words are the digests of samples."""
    return bool(words) and all(len(word) == _DIGEST for word in words)


def previews(proof: Proof) -> Mapping[str, str]:
    """The first values of each sample, by its digest."""
    return {**_previews(proof.after), **_previews(proof.before)}


def _previews(run: Run) -> Mapping[str, str]:
    return run.recording["previews"] if run.recording else {}


def stderr(proof: Proof) -> list[str]:
    """The end of the standard error stream of the run that shows why nothing was proved."""
    run = proof.before if proof.before.recording is None else proof.after
    # Places differ between runs and are taken out, so that of a traceback no more than the error is left, which is told.
    lines = [line for line in run.errors.splitlines() if line != _TRACEBACK and line not in proof.obstacle]
    return lines[-5:]


def short(text: str, most: int) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
