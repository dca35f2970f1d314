"""How often a dataset is read from its start to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.domains.pipelines.pipelines import Pipelines, Reading
    from seqlint.run import Result, Run

_EPOCHS_PLACE = 3
_TRAINING = ("trained", "looped", "given")
_CUTS = ("take", "take_while")


def trains_again(run: Run, pipelines: Pipelines, step: Result) -> bool:
    """Whether a training reads a dataset, or what is made from it, more than once, or may: its readers are elsewhere."""
    found = pipelines.reached(step)
    if not found:
        return run.complete
    full = [reading for reading in found if reading.role in _TRAINING and not _is_cut(pipelines, reading, step)]
    return len(full) > 1 or any(_is_repeated(reading) for reading in full)


def repeats_for_ever(pipelines: Pipelines, step: Result) -> bool:
    """Whether a step is a `repeat` that never ends: without a number, or with None or -1."""
    if step.method != "repeat" or pipelines.hides_arguments(step):
        return False
    count = pipelines.argument(step, "count")
    return count is None or constant(count) in (None, -1)


def _is_repeated(reading: Reading) -> bool:
    if reading.role == "given" or reading.context.loops:
        return True
    return reading.trainer is not None and epochs(reading) != 1


def epochs(reading: Reading) -> int | None:
    """How many epochs a fit trains; None where that is not known."""
    assert reading.trainer is not None
    result = reading.trainer.result
    given = result.keyword("epochs")
    if given is None and result.method == "fit" and len(result.args) > _EPOCHS_PLACE:
        given = result.args[_EPOCHS_PLACE]
    if given is None:
        return None if any(name in ("*", "**") for name, _ in result.keywords) else 1
    number = constant(given)
    return number if isinstance(number, int) else None


def _is_cut(pipelines: Pipelines, reading: Reading, step: Result) -> bool:
    """Whether a reader never gets to the end of a step, since only a part is taken."""
    line = pipelines.line(reading.dataset)
    later = line[: line.index(step)] if step in line else ()
    return any(each.method in _CUTS for each in later)
