"""The curves of both runs drawn over each other, as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from seqlint.proof.report.tags import NOTHING, Html, element
from seqlint.proof.report.words import counted
from seqlint.proof.values import same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.proof.recorder.recording import Leaf
    from seqlint.proof.report.curves import Curve

MOST = 12
"""Series that are drawn; what more there is stands in the data."""
MOST_EPOCHS = 200
_FIRST = {"loss": 0, "val_loss": 1}
_DOTTED = 12
"""Epochs up to which each value has a point."""
_LABELLED = 8
"""Epochs that have their number on the axis."""
_LARGEST = 1e300
_SMALLEST = 1e-300
_WIDTH, _HEIGHT = 320, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 12, 12, 36
_SIDES = ("before", "after")


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis: values from `low` to `high` lie on `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value, in units of the drawing."""
        part = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + part * (self.end - self.start), 2)


def charts(curves: Sequence[Curve], noisy: bool = False) -> Html:
    """One small chart for each series, with its answer in words; `noisy`: what differs is noise."""
    if not curves:
        return NOTHING
    curves = sorted(curves, key=lambda curve: (curve.fit, _FIRST.get(curve.series, len(_FIRST))))
    several = len({curve.fit for curve in curves}) > 1
    figures = [_figure(_cut(curve), several, noisy) for curve in curves[:MOST]]
    left_out = len(curves) - MOST
    more = element("p", f"{counted(left_out, 'more series', 'more series')} not drawn", class_="quiet")
    return Html(_legend() + element("div", *figures, class_="charts") + (more if left_out > 0 else ""))


def _legend() -> Html:
    keys = [
        element("span", element("svg", _key(side), viewBox="0 0 30 10", aria_hidden="true"), side) for side in _SIDES
    ]
    return element("p", *keys, class_="legend")


def _key(side: str) -> Html:
    return element("path", d="M1 5H29", class_=f"line {side}")


def _cut(curve: Curve) -> Curve:
    kept = slice(0, MOST_EPOCHS)
    before, after = curve.before[kept], curve.after[kept]
    return replace(curve, epochs=curve.epochs[kept], before=before, after=after)


def _figure(curve: Curve, several: bool, noisy: bool) -> Html:
    name = f"fit {curve.fit}, {curve.series}" if several else curve.series
    said = _said(curve, noisy)
    caption = element("figcaption", element("b", name), element("span", said))
    return element("figure", caption, _drawing(curve, f"{name} by epoch, {said}"))


def _said(curve: Curve, noisy: bool) -> str:
    if curve.only:
        return f"only {curve.only}"
    if curve.equal:
        return "equal in every epoch" if len(curve.epochs) > 1 else "equal"
    if noisy:
        return "equal within the noise of two equal runs"
    values = zip(curve.epochs, curve.before, curve.after, strict=True)
    epoch, one, other = next(found for found in values if not same(found[1], found[2]))
    return f"epoch {epoch}: {' before, '.join(_distinct(one, other))} after"


def _distinct(one: Leaf, other: Leaf) -> tuple[str, str]:
    """Two values with as many digits as it takes to see that they differ."""
    for digits in (4, 6, 9):
        if (texts := (_text(one, digits), _text(other, digits)))[0] != texts[1]:
            return texts
    return _text(one, 17), _text(other, 17)


def _drawing(curve: Curve, label: str) -> Html:
    numbers = [value for side in (curve.before, curve.after) for value in side if _is_drawn(value)]
    ticks = nice_ticks(min(numbers, default=0.0), max(numbers, default=1.0))
    across = Axis(min(curve.epochs), max(curve.epochs), _LEFT + 10, _WIDTH - _RIGHT - 10)
    up = Axis(ticks[0], ticks[-1], _HEIGHT - _BOTTOM, _TOP)
    parts = [*_grid(ticks, up), *_epochs(curve.epochs, across)]
    for side, values in zip(_SIDES, (curve.before, curve.after), strict=True):
        parts += [*_line(curve.epochs, values, side, across, up), *_gaps(curve.epochs, values, side, across)]
    parts += _tooltips(curve, across)
    return element("svg", *parts, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_label=label)


def nice_ticks(low: float, high: float, wanted: int = 4) -> list[float]:
    """Round numbers that span a range: steps of 1, 2 or 5 times a power of ten."""
    if high - low <= max(_SMALLEST, 1e-9 * max(abs(low), abs(high))):
        margin = abs(low) / 2 or 0.5
        low, high = low - margin, high + margin
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [number * step for number in range(first, last + 1)]


def _grid(ticks: Sequence[float], up: Axis) -> Iterator[Html]:
    step = ticks[1] - ticks[0]
    for tick in ticks:
        y = up.at(tick)
        yield element("path", d=f"M{_LEFT} {y}H{_WIDTH - _RIGHT}", class_="grid")
        yield element("text", _tick(tick, step), x=f"{_LEFT - 6}", y=f"{y + 3.5:g}", class_="end")


def _tick(value: float, step: float) -> str:
    if max(abs(value), step) >= 1e5 or step < 1e-4:
        return f"{value:.3g}"
    return f"{value:.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"


def _epochs(epochs: Sequence[int], across: Axis) -> Iterator[Html]:
    steps = (factor * 10**power for power in range(4) for factor in (1, 2, 5))
    stride = next(step for step in steps if len(epochs) <= _LABELLED * step)
    y = f"{_HEIGHT - _BOTTOM + 16}"
    for epoch in epochs:
        if stride == 1 or epoch % stride == 0:
            yield element("text", str(epoch), x=f"{across.at(epoch)}", y=y, class_="middle")
    yield element("text", "epoch", x=f"{(_LEFT + _WIDTH - _RIGHT) / 2:g}", y=f"{_HEIGHT - 4}", class_="middle title")


def _line(epochs: Sequence[int], values: Sequence[Leaf], side: str, across: Axis, up: Axis) -> Iterator[Html]:
    """One path, with a gap where there is no number, and a point for each number where there are few."""
    d, points = "", []
    for stretch in _stretches(epochs, values):
        places = [f"{across.at(epoch):g} {up.at(value):g}" for epoch, value in stretch]
        d += f"M{'L'.join(places)}" if len(places) > 1 else ""
        points += places if len(places) == 1 or len(epochs) <= _DOTTED else []
    if d:
        yield element("path", d=d, class_=f"line {side}")
    if points:
        yield element("path", d="".join(f"M{place}h0" for place in points), class_=f"point {side}")


def _stretches(epochs: Sequence[int], values: Sequence[Leaf]) -> list[list[tuple[int, float]]]:
    """The numbers that follow each other without a gap."""
    found: list[list[tuple[int, float]]] = [[]]
    for epoch, value in zip(epochs, values, strict=True):
        if _is_drawn(value):
            found[-1].append((epoch, value))
        elif found[-1]:
            found.append([])
    return found


def _gaps(epochs: Sequence[int], values: Sequence[Leaf], side: str, across: Axis) -> Iterator[Html]:
    """A cross on the axis for each value that is no number that can be drawn."""
    y = _HEIGHT - _BOTTOM - 5
    for epoch, value in zip(epochs, values, strict=True):
        if value is not None and not _is_drawn(value):
            x = across.at(epoch) + (-5 if side == "before" else 5)
            yield element("path", d=f"M{x - 3:g} {y - 3}l6 6m0 -6l-6 6", class_=f"gap {side}")


def _tooltips(curve: Curve, across: Axis) -> Iterator[Html]:
    """A strip for each epoch, whose title says both values."""
    half = (across.end - across.start) / max(1, len(curve.epochs) - 1) / 2 if len(curve.epochs) > 1 else 40
    for epoch, one, other in zip(curve.epochs, curve.before, curve.after, strict=True):
        title = element("title", f"epoch {epoch}: before {_text(one)}, after {_text(other)}")
        x, width = across.at(epoch) - half, 2 * half
        yield element(
            "rect", title, x=f"{x:.2f}", y=f"{_TOP}", width=f"{width:.2f}", height=f"{_HEIGHT - _TOP - _BOTTOM}",
            class_="strip",
        )  # fmt: skip


def _is_drawn(value: Leaf) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST


def _text(value: Leaf, digits: int = 6) -> str:
    if value is None:
        return "nothing"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)
