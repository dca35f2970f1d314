"""What a run took for granted and what it left out: the line under the summary, and the same for programs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqlint.checked import Assumed
from seqlint.model import KERAS_LINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from seqlint.sources.discovery import Skipped

_REASONS = ("ignored", "excluded", "page")
_NAMES: Mapping[tuple[str, ...], str] = {
    ("2",): "Keras 2",
    ("3.0-3.9",): "Keras 3.0 to 3.9",
    ("3.10+",): "Keras 3.10 or later",
    ("3.0-3.9", "3.10+"): "Keras 3",
    ("2", "3.0-3.9"): "Keras 2 to 3.9",
    ("2", "3.10+"): "Keras 2 or 3.10",
}
_ANY = "Keras 2 or 3"
_UNKNOWN = "Keras unknown (no requirement and no import tells; use --keras)"
_CONFIGURED, _OPTION = "[tool.seqlint] keras", "--keras"
_LINE = re.compile(r" line (\d+)$")
_MOST = 3


@dataclass(frozen=True)
class About:
    """What is said of a run.

    Attributes:
        keras: each Keras that files were checked for, with the number of these files, the most first.
        skipped: the numbers of files and of folders that a walk has left out, by the reason.
        known: how many findings were left out because a baseline holds them.
    """

    keras: tuple[tuple[Assumed, int], ...] = ()
    skipped: tuple[tuple[str, int, int], ...] = ()
    known: int = 0

    @classmethod
    def of(cls, assumed: Iterable[Assumed | None], skipped: Iterable[Skipped], option: str = "") -> About:
        """What is said of files and of what was left out.

        Args:
            assumed: the Keras of each file; None for one that could not be read.
            skipped: what was left out.
            option: what the command line says of the Keras.
        """
        found = Counter(_asked(one, option) for one in assumed if one is not None)
        items = list(skipped)
        kinds: Counter[tuple[str, bool]] = Counter((item.reason, item.folder) for item in items)
        numbers = tuple((reason, kinds[reason, False], kinds[reason, True]) for reason in _reasons(items))
        return cls(_in_order(found), numbers)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> About:
        """What `values` gave.

        Raises:
            KeyError, TypeError, ValueError: it never gave these.
        """
        keras = Counter(
            {
                Assumed(tuple(one["lines"]), str(one["range"]), str(one["source"])): int(one["files"])
                for one in values["keras"]
            }
        )
        skipped = values["skipped"]
        numbers = ((reason, int(skipped[reason]["files"]), int(skipped[reason]["folders"])) for reason in _REASONS)
        return cls(_in_order(keras), tuple(one for one in numbers if any(one[1:])), int(values["baseline"]))

    @classmethod
    def sum(cls, parts: Iterable[About]) -> About:
        """What is said of all parts of a run."""
        keras, files, folders = Counter[Assumed](), Counter[str](), Counter[str]()
        known = 0
        for part in parts:
            known += part.known
            keras.update(dict(part.keras))
            files.update({reason: number for reason, number, _ in part.skipped})
            folders.update({reason: number for reason, _, number in part.skipped})
        numbers = ((reason, files[reason], folders[reason]) for reason in _REASONS)
        return cls(_in_order(keras), tuple(one for one in numbers if any(one[1:])), known)

    def line(self) -> str:
        """For people; empty where there is nothing to say."""
        skipped = ", ".join(_skipped(*numbers) for numbers in self.skipped)
        left_out = f"in the baseline: {_count(self.known, 'finding')}" if self.known else ""
        parts = (self._kerases(), f"skipped: {skipped}" if skipped else "", left_out)
        return "; ".join(part for part in parts if part)

    def values(self) -> dict[str, object]:
        """For programs."""
        keras = [
            {"lines": list(one.lines), "range": one.range, "source": one.source, "files": files}
            for one, files in self.keras
        ]
        skipped = {reason: {"files": 0, "folders": 0} for reason in _REASONS}
        skipped |= {reason: {"files": files, "folders": folders} for reason, files, folders in self.skipped}
        return {"keras": keras, "skipped": skipped, "baseline": self.known}

    def _kerases(self) -> str:
        if len(self.keras) == 1:
            return _name(self.keras[0][0])
        named = [f"{_name(one)} in {_count(files, 'file')}" for one, files in self.keras[:_MOST]]
        more = len(self.keras) - len(named)
        return ", ".join([*named, f"{more} more"] if more else named)


def _asked(one: Assumed, option: str) -> Assumed:
    return Assumed(one.lines, one.range, _OPTION) if option and one.source == _CONFIGURED else one


def _reasons(items: Iterable[Skipped]) -> list[str]:
    found = {item.reason for item in items}
    return [reason for reason in _REASONS if reason in found]


def _in_order(found: Counter[Assumed]) -> tuple[tuple[Assumed, int], ...]:
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0].source, pair[0].range, pair[0].lines)))


def _name(one: Assumed) -> str:
    if not one.range:
        return _UNKNOWN
    lines = tuple(line for line in KERAS_LINES if line in one.lines)
    source = _LINE.sub(r":\1", one.source)
    return f"{_NAMES.get(lines, _ANY)} ({one.range}, {source})"


def _skipped(reason: str, files: int, folders: int) -> str:
    if reason == "page":
        return f"{_count(files, 'page')} (`docs = true` reads {'it' if files == 1 else 'them'})"
    numbers = (_count(number, word) for number, word in ((files, "file"), (folders, "folder")) if number)
    return f"{' and '.join(numbers)} {'ignored by git' if reason == 'ignored' else reason}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
