"""One run of a program as it is: whether it trains here, and what stops it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.proof.failures import placed
from seqlint.proof.observables import observe
from seqlint.proof.plans import planned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.answers import Asked
    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run
    from seqlint.proof.running import Worker


@dataclass(frozen=True, slots=True)
class Trial:
    """What one run has shown.

    Attributes:
        run: the run; it may have stopped early.
        obstacle: why the program does not come to its end, or trains nothing; empty where it trains.
        said: the same, or what it trained, in words.
        factory: for the classes of a module that can't be driven, the smallest factory that would do.
    """

    run: Run
    obstacle: str
    said: str
    factory: str = ""


def try_program(asked: Asked, child: Worker) -> Trial:
    """Run a file once, without any change."""
    pair = asked.pair(asked.before, ())
    if pair.program.kind == "classes":
        pair, undriven = planned(pair, child)
        if undriven is not None:
            run, reason, factory = undriven
            return Trial(run, reason, f"it can't be driven: {reason}", factory)
    run = child.run(pair.before, pair.script, pair.folder, replace(pair.program, changed=()))
    obstacle = _obstacle(run)
    recording = run.recording
    if obstacle or recording is None:
        return Trial(run, obstacle, f"it does not train here: {obstacle}")
    return Trial(run, "", f"it trains here: {', '.join(_trained(run, recording))}, on {recording['versions']}")


def _obstacle(run: Run) -> str:
    if run.recording is None:
        return run.detail
    if stopped := placed(run.recording):
        return stopped
    if run.status == "limit":
        return f"{run.detail}, where it {run.hung}" if run.hung else run.detail
    return "" if run.recording["calls"] else "it calls neither fit, evaluate, predict nor an optimizer"


def _trained(run: Run, recording: Recording) -> Iterator[str]:
    """What was trained, in words: fits, epochs, steps, and the last value of each series."""
    fits = [fit for fit in recording["fits"] if fit["planned"]]
    if not fits:
        yield f"calls of {', '.join(recording['calls'])}"
        return
    yield _counted(len(fits), "call of fit", "calls of fit")
    yield _counted(sum(len(fit["epochs"]) for fit in fits), "epoch", "epochs")
    steps = observe("steps", run).entries
    yield _counted(sum(int(str(count)) for _, count in steps), "step", "steps")
    for name, values in fits[-1]["history"].items():
        if values and isinstance(values[-1], float):
            yield f"{name} {values[-1]:.4g}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
