"""Lines of progress bars: how often one is drawn is a matter of time, what the last one says is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x08")
_TQDM = re.compile(
    r"^(?P<text>.*?)\s*(?:\d+%)?\|.*\| *(?P<at>[\d.]+\w?)/(?P<of>[\d.?]+\w?) \[(?P<rest>(?:\d+:)*\d\d:\d\d<.*)\]"
    r"|^(?P<open>.*?)(?P<count>\d+\w*) \[(?P<more>\d\d:\d\d, +[\d.?]+ ?(?:\w+/s|s/\w+).*)\]"
)
_KERAS = re.compile(
    r"^\s*(?P<at>\d+)/(?P<of>\d+|Unknown) (?P<rest>(?:[━=\[]|.*\b\d+(?:\.\d+)? ?(?:us|ms|s)/(?:step|epoch|sample)\b).*)"
)
_TIMES = re.compile(
    r"(?:ETA: *)?(?<![\w.])(?:\d+:)+\d\d(?:<[\d:?]+)?|ETA: *\S+|(?<![\w.])[\d.?]+ ?(?:us|ms|s|it|\w+)/(?:s|step|epoch|sample|it|\w+)\b"
    r"|(?<![\w.])\d+(?:us|ms|s)\b"
)
_TIMED = re.compile(r"ETA|\d ?(?:us|ms|s)(?:/|\b)|/s\b|\d:\d\d")
_DRAWN = re.compile(r"[━=>.\[\]#█▏▎▍▌▋▊▉ -]*[━=>#█][━=>.\[\]#█▏▎▍▌▋▊▉ -]*")

Bar = tuple[str, float, str]
"""What tells one bar from others, how far it is, and what it says without times."""


def thinned(lines: Iterable[str]) -> Iterator[str]:
    """The lines with the last one alone of each bar that tells the time, without it; a bar that tells none is a line like others."""
    drawn: dict[str, Bar] = {}
    for raw in lines:
        line = _CONTROL.sub("", raw)
        bar = _bar(line)
        if bar is None:
            if line.strip():
                yield from (said for _, _, said in drawn.values())
                drawn.clear()
            yield line
            continue
        last = drawn.pop(bar[0], None)
        if last is not None and last[1] > bar[1]:  # it has begun anew
            yield last[2]
        drawn[bar[0]] = bar
    yield from (said for _, _, said in drawn.values())


def _bar(line: str) -> Bar | None:
    if (found := _TQDM.search(line)) is not None:
        text, at = found["text"] or found["open"] or "", found["at"] or found["count"]
        total = found["of"] or "?"
        said = " ".join(_TIMES.sub("", found["rest"] or found["more"] or "").replace("<", " ").split()).strip(", ")
        return f"{text}/{total}", _number(at), " ".join(f"{text} {at}/{total} {said}".split())
    found = _KERAS.search(line)
    if found is None or not _TIMED.search(found["rest"]):
        return None
    said = _DRAWN.sub(" ", _TIMES.sub("", found["rest"]))
    words = " ".join(word for word in said.split() if word.strip("-"))
    return f"/{found['of']}", _number(found["at"]), f"{found['at']}/{found['of']} {words}".strip()


def _number(text: str) -> float:
    digits = re.match(r"[\d.]*\d", text)
    return float(digits[0]) if digits else 0.0
