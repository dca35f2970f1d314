"""How often a dataset is read from its start to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run.objects import constant, is_setting

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
    return reading.trainer is not None and epochs(reading.trainer.result) != 1


def epochs(trainer: Result, *, by_default: bool = False) -> int | None:
    """How many epochs a call of `fit` asks for; None where that is not known.

    Args:
        by_default: whether the default of a setting counts, which somebody can replace.
    """
    given = trainer.keyword("epochs")
    if given is None and trainer.method == "fit" and len(trainer.args) > _EPOCHS_PLACE:
        given = trainer.args[_EPOCHS_PLACE]
    if given is None:
        return None if any(name in ("*", "**") for name, _ in trainer.keywords) else 1
    number = given.constant if by_default and is_setting(given) else constant(given)
    return number if isinstance(number, int) else None


def _is_cut(pipelines: Pipelines, reading: Reading, step: Result) -> bool:
    """Whether a reader never gets to the end of a step, since only a part is taken."""
    line = pipelines.line(reading.dataset)
    later = line[: line.index(step)] if step in line else ()
    return any(each.method in _CUTS for each in later)
