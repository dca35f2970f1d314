"""A proof as text for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.report.data import costs, versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.proof.run import Difference, Outcome, Proof, Run, Verdict

_COLOURS: Mapping[Outcome, str] = {
    "SAME": "32", "CHANGED AS DECLARED": "36", "NEW": "36", "DIFFERENT": "1;31", "NOT RUN": "2",
}  # fmt: skip
_LONGEST = 100
_TRACEBACK = "Traceback (most recent call last):"
_DIGEST = 16


def render(proof: Proof, colour: bool = False) -> str:
    """The table of observables, with the first difference of each, what it cost, and the conclusion."""
    lines = [f"{proof.name}: {_setting(proof)}", ""]
    if proof.obstacle:
        lines += [*_wrapped(f"NOT RUN: {proof.obstacle}"), *_stderr(proof)]
    else:
        lines += [line for verdict in proof.verdicts for line in _row(verdict, proof, colour)]
        lines += ["", f"speed       before {_speed(proof.before)}", f"            after  {_speed(proof.after)}"]
    lines += [*(f"note: {note}" for note in proof.notes), "", _conclusion(proof)]
    return "\n".join(lines) + "\n"


def _setting(proof: Proof) -> str:
    place = {"cpu": "on CPU", "gpu": "on GPU", "auto": "on the devices at hand"}[proof.settings.device]
    replicas = f", {proof.settings.replicas} replicas" if proof.settings.replicas > 1 else ""
    runs = "run before, after, and before again" if proof.again else "run before and after"
    return f"{runs}, {versions(proof)} {place}{replicas}"


def _row(verdict: Verdict, proof: Proof, colour: bool) -> list[str]:
    outcome = f"{verdict.outcome:<19}"
    painted = f"\x1b[{_COLOURS[verdict.outcome]}m{outcome}\x1b[0m" if colour else outcome
    head = f"{verdict.observable:<11} {painted}  {_short(verdict.detail)}".rstrip()
    if verdict.difference is None:
        return [head]
    return [head, *_difference(verdict.difference, proof)]


def _difference(found: Difference, proof: Proof) -> list[str]:
    return [
        f"            {_short(found.where)}",
        f"              before: {_short(_legible(found.before, proof))}",
        f"              after:  {_short(_legible(found.after, proof))}",
    ]


def _legible(text: str, proof: Proof) -> str:
    """Digests of samples as the samples that they stand for."""
    digests = text.split()
    if not digests or any(len(digest) != _DIGEST for digest in digests):
        return text
    previews = {**_previews(proof.after), **_previews(proof.before)}
    shown = [previews.get(digest, digest) for digest in digests]
    return shown[0] if len(shown) == 1 else f"{len(shown)} samples together: {'; '.join(shown[:3])}"


def _previews(run: Run) -> Mapping[str, str]:
    return run.recording["previews"] if run.recording else {}


def _speed(run: Run) -> str:
    taken = costs(run)
    parts = [f"{run.seconds:.1f} s"]
    if taken["samples_per_second"] is not None:
        parts.append(f"{taken['samples_per_second']:g} samples/s")
    if taken["bytes_per_batch"] is not None:
        parts.append(f"{taken['bytes_per_batch']} bytes a batch")
    return ", ".join(parts) + f", {taken['peak_memory_mib'] or 0:g} MiB at most"


def _conclusion(proof: Proof) -> str:
    if proof.outcome == "DIFFERENT":
        names = [verdict.observable for verdict in proof.verdicts if verdict.outcome == "DIFFERENT"]
        return f"the contract is broken: {', '.join(names)} differ, and no fix declares that"
    if proof.outcome == "NOT RUN":
        return "nothing was proved"
    if proof.outcome == "SAME":
        return "the contract holds: nothing that was observed has changed"
    return "the contract holds: nothing has changed but what the fixes declare"


def _stderr(proof: Proof) -> list[str]:
    run = proof.before if proof.before.recording is None else proof.after
    # Places differ between runs and are taken out, so that of a traceback no more than the error is left, which is told.
    lines = [line for line in run.errors.splitlines() if line != _TRACEBACK and line not in proof.obstacle]
    return [f"  {line}" for line in lines[-5:]]


def _wrapped(text: str) -> list[str]:
    first, *rest = text.splitlines() or [""]
    return [first, *(f"  {line}" for line in rest[:5])]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
