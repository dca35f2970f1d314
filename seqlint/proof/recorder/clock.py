"""Takes times out of texts: readings of the clock during a run, and what a program says it took. They differ in each run, or do not by chance."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[float, float]
"""The first and the last second of a run, since the epoch."""

_DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y_%m_%d", "%Y%m%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%y%m%d",
    "%a, %d %b %Y", "%a %b %d", "%d %b %Y", "%b %d, %Y", "%B %d, %Y", "%d %B %Y",
)  # fmt: skip
_DATE, _TIME = "<date>", "<time>"
_CLOCK = re.compile(r"(?<![\d:.])(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?: ?[AaPp][Mm]\b)?(?![\d:])(?: 20\d\d\b)?")
_CLOSE = re.compile(rf"{_DATE}([T_ -]*)(\d\d)([-_.h]?)(\d\d)(?:\3(\d\d)(?:\d{{6}}|[.,_-]\d+)?)?(?!\d)")
"""A time without colons, which is one because a date comes before it."""
_EPOCH = re.compile(r"(?<![\d.])(\d{10})(?:\.\d+|\d{3}|\d{6}|\d{9})?(?![\d])")
_SLACK_S = 2.0

_TOOK = re.compile(
    r"\b(?:took|takes|elapsed|duration|time|timing|runtime|eta|seconds? per|speed|throughput|latency|(?:finished|done|completed|trained|ran|ready) (?:in|after))\b"
    r"|(?:/|\bper )s(?:ec(?:ond)?)?\b|\bms/",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?<![\w.])[-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d+)? ?"
    r"(?:n|u|µ|μ|m)?(?:s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|milliseconds?|microseconds?)\b"
    r"|(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)? ?(?:\w+ ?/ ?|\w+ per )s(?:ec(?:ond)?)?\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(\b(?:time|elapsed|duration|took)\b[^\d\n]{0,12}?)[-+]?\d+(?:\.\d{2,}(?:e[-+]?\d+)?|(?:\.\d)?e[-+]?\d+)",
    re.IGNORECASE,
)
"""A fraction right after a word for time, without a unit."""
_DELTA = re.compile(r"(?<![\d:])\d+:\d\d:\d\d\.\d{6}(?!\d)")
"""A `timedelta` as Python shows it."""
_AMOUNTS = "<duration>"


def untimed(text: str, run: Span) -> str:
    """The text without times of the clock during a run, and without durations."""
    for date in _dates(run):
        text = re.sub(rf"(?<!\d){re.escape(date)}(?!\d\d?\b(?!:))", _DATE, text) if date in text else text
    text = _CLOSE.sub(lambda found: _read(found, (2, 4, 5), run, f"{_DATE}{found[1]}{_TIME}"), text)
    text = _CLOCK.sub(lambda found: _read(found, (1, 2, 3), run, _TIME), text)
    text = _EPOCH.sub(lambda found: _TIME if _within(float(found[1]), run) else found[0], text)
    return "\n".join(_without_durations(line) for line in text.split("\n"))


def _within(second: float, run: Span) -> bool:
    return run[0] - _SLACK_S <= second <= run[1] + _SLACK_S


def _dates(run: Span) -> Iterator[str]:
    """The days of a run in the ways that they are written, here and in Greenwich."""
    days = {
        moment.date() for second in run for moment in (datetime.fromtimestamp(second), datetime.fromtimestamp(second, timezone.utc))
    }  # fmt: skip
    written = {day.strftime(form) for day in days for form in _DATES}
    loose = {re.sub(r"\b0(\d\b)", r" \1", date) for date in written if date[:1].isalpha()}
    yield from sorted(written | loose, key=len, reverse=True)


def _read(found: re.Match[str], groups: tuple[int, int, int], run: Span, mark: str) -> str:
    """The mark where hours, minutes and seconds are of the run, else the text."""
    hours, minutes, seconds = (int(found[group]) if found[group] else None for group in groups)
    assert hours is not None
    assert minutes is not None
    if hours > 23 or minutes > 59 or (seconds or 0) > 60:
        return found[0]
    for day in {_midnight(second) for second in run}:
        for zone in {0.0, time.timezone, time.altzone}:
            start = day + timedelta(hours=hours, minutes=minutes, seconds=seconds or 0).total_seconds() + zone
            last = start + (0 if seconds is not None else 59)
            if any(
                start + half <= run[1] + _SLACK_S and last + half >= run[0] - _SLACK_S
                for half in (-86400, 0, 43200, 86400)
            ):
                return mark
    return found[0]


def _midnight(second: float) -> float:
    return second - second % 86400


def _without_durations(line: str) -> str:
    line = _DELTA.sub(_AMOUNTS, line)
    if not _TOOK.search(line):
        return line
    return _NAMED.sub(rf"\1{_AMOUNTS}", _AMOUNT.sub(_AMOUNTS, line))
