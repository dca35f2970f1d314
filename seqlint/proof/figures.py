"""What must hold of numbers and settings that a contract lets change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.compare import differing, series_of
from seqlint.proof.observables import ASKED, observe
from seqlint.proof.run import Difference
from seqlint.proof.values import Vector, distance

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.proof.rows import Sides

_ROUNDED = 1e-5
"""The relative difference of a number that was computed in 32 bits from the same in 64."""
_UNEVEN = 0.1
_RISING = ("acc", "auc", "precision", "recall", "f1", "iou", "dice", "r2", "psnr", "ssim", "bleu", "top_k")
_FALLING = ("loss", "error", "mse", "mae", "rmse", "mape", "crossentropy", "perplexity", "fid", "wer")


def only_rounded(sides: Sides) -> Difference | None:
    """Each sample has the numbers that it had, as 32 bits can tell."""
    if sides.before.recording is None or sides.after.recording is None:
        return None
    was, now = sides.before.recording["sketches"], sides.after.recording["sketches"]
    pairs = zip(observe("samples", sides.before).entries, observe("samples", sides.after).entries, strict=False)
    for (place, one), (_, other) in pairs:
        if one != other and str(one) in was and str(other) in now and not _near(was[str(one)], now[str(other)]):
            return Difference(place, str(one), str(other))
    return None


def _near(one: list[float], other: list[float]) -> bool:
    scale = max(map(abs, (*one, *other)), default=0.0)
    return len(one) == len(other) and all(
        abs(a - b) <= _ROUNDED * max(abs(a), abs(b), scale * 1e-2) for a, b in zip(one, other, strict=True)
    )


def single_for_double(sides: Sides) -> Difference | None:
    """Batches have the structure and shapes that they had, with 32 bits where there were 64."""
    before, after = (observe("spec", run).entries for run in (sides.before, sides.after))
    for (place, one), (_, other) in zip(before, after, strict=False):
        if str(one).replace("float64", "float32") != str(other).replace("float64", "float32"):
            return Difference(place, str(one), str(other))
    return None


def losses_stay(sides: Sides) -> Difference | None:
    """Of what a fit logs, the losses are as they were."""
    was, now = (dict(observe("history", run).entries) for run in (sides.before, sides.after))
    for name, value in was.items():
        if series_of(name).endswith("loss") and distance(value, now.get(name)) > _ROUNDED:
            return Difference(name, str(value), str(now.get(name)))
    return None


def answers_stay(sides: Sides) -> Difference | None:
    """What was predicted are the same numbers, in whatever order."""
    was, now = (dict(observe("history", run).entries) for run in (sides.before, sides.after))
    for name, value in was.items():
        other = now.get(name)
        if name.startswith("predict") and isinstance(value, Vector) and isinstance(other, Vector):
            one, two = sorted(value.numbers), sorted(other.numbers)
            if not _near(one, two):
                return Difference(name, f"{len(one)} numbers", f"{len(two)} numbers, and others")
    return None


def as_on_one_replica(sides: Sides) -> Difference | None:
    """Uneven shares of a last batch move a mean a little; what counts twice moves it by half."""
    if sides.single is None:
        return None
    alone, after = (dict(observe("history", run).entries) for run in (sides.single, sides.after))
    for name, value in alone.items():
        if name in after and distance(value, after[name]) > _UNEVEN:
            return Difference(name, str(value), str(after[name]))
    return None


# -- settings --------------------------------------------------------------------------------------------------------


def only(*endings: str) -> Callable[[Sides], Difference | None]:
    """Of what was asked for, nothing differs but values of these things."""

    def seen(sides: Sides) -> Difference | None:
        found = differing(observe("settings", sides.before), observe("settings", sides.after))
        return next((one for one in found if not any(end in one.where for end in endings)), None)

    return seen


def better_by_name(sides: Sides) -> Difference | None:
    """What is watched is better where it is higher or lower, as its name says."""
    for name, value in observe("settings", sides.after).entries:
        entity, _, which = name.partition(ASKED)
        monitor = dict(observe("settings", sides.after).entries).get(f"{entity}{ASKED}monitor")
        if which == "better" and monitor is not None and (wanted := _wanted(str(monitor))) not in ("", value):
            return Difference(name, wanted, str(value))
    return None


def _wanted(monitor: str) -> str:
    name = monitor.lower()
    if any(word in name for word in _FALLING):
        return "lower"
    return "higher" if any(word in name for word in _RISING) else ""
