"""What a change costs that no contract names, as notes with numbers: files left open, threads left running, memory, time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run

_NAMED = 3
_TIMES, _MORE_MIB = 1.5, 100
_SLOWER, _MORE_S = 10, 1.0


def burdens(before: Run, after: Run) -> Iterator[str]:
    """What the changed program needs more than the unchanged one; nothing of a run that did not come to its end."""
    old, new = before.recording, after.recording
    if old is None or new is None or before.failed or after.failed:
        return
    more = sorted((Counter(new["open"]) - Counter(old["open"])).elements())
    if more:
        named = ", ".join([*dict.fromkeys(more)][:_NAMED])
        yield f"{len(more)} files more are open when the changed program ends ({len(old['open'])} before, {len(new['open'])} after): {named}"
    if new["threads"] > old["threads"]:
        yield f"{new['threads']} threads still run when the changed program ends, {old['threads']} before"
    if new["memory"] > _TIMES * old["memory"] and new["memory"] > old["memory"] + _MORE_MIB:
        yield f"the changed program takes {new['memory']:.0f} MiB of memory at its peak, {old['memory']:.0f} MiB before"
    slow, fast = _pace(new), _pace(old)
    if len(new["steps"]) == len(old["steps"]) and slow > _SLOWER * fast and slow > fast + _MORE_S:
        yield f"training takes {slow:.1f} s in the changed program, and {fast:.1f} s before, for as many steps"


def _pace(recording: Recording) -> float:
    """Seconds of all calls of fit."""
    return sum(fit["seconds"] for fit in recording["fits"] if not fit["depth"])
