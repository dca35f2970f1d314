"""What ended a program, in one line: what it raised and where, and what was missing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run

_SAYS_NOTHING = ("Graph execution error:", "Exception encountered when calling")
_NOT_FOUND = frozenset({"FileNotFoundError", "NotFoundError", "NotADirectoryError"})
_NO_NETWORK = "the proof has no network"
_NAMED = 3
"""File names in a note."""


def telling(text: str) -> list[str]:
    """The lines of a message that say something; an empty one where none does."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [line for line in lines if not line.startswith(_SAYS_NOTHING)] or lines or [""]


def said(recording: Recording) -> str:
    """The type of what ended a program, and the first line that says something; empty where nothing was raised."""
    error = recording["error"]
    return f"{error['type']}: {telling(error['text'])[0]}".rstrip(": ") if error is not None else ""


def placed(recording: Recording) -> str:
    """The same, with the last line of the program on the way there."""
    line = recording["raised"][1]
    text = said(recording)
    return f"{text} (line {line})" if text and line else text


def missed(run: Run) -> Iterator[str]:
    """What a program that failed may have missed, and how it gets it."""
    if run.status == "limit" and not run.hung:
        yield "--time-limit gives a run more time; --epochs and --steps make it shorter"
    recording = run.recording
    if recording is None or recording["error"] is None:
        return
    error, names = recording["error"], recording["left"]
    if recording["lacking"]:
        yield f"this Python has no {recording['lacking']}: install it, or name one that has it with --python PATH"
    if _NO_NETWORK in error["text"]:
        yield "a proof has no network: run the program once by itself, so that what it downloads is on this machine, or bring it in with --data PATH"
    if names:
        listed = ", ".join((*names[:_NAMED], *(["and more"] if len(names) > _NAMED else [])))
        yield f"not there for the run was {listed}: --data PATH brings it in"
    elif error["type"] in _NOT_FOUND:
        yield f"relative paths start in {recording['start']}; --data PATH brings in what is elsewhere"
