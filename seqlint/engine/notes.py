"""The note of a finding for the Keras lines of one project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.model import KERAS_LINES

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqlint.model import KerasLine, Note

_NAMES = {
    ("2",): "Keras 2",
    ("3.0-3.9",): "Keras 3.0 to 3.9",
    ("3.10+",): "Keras 3.10 and later",
    ("3.0-3.9", "3.10+"): "Keras 3",
}


def note_on(note: Note, lines: Collection[KerasLine]) -> str:
    """What a reader is told of a note: what holds on every line, then what single lines of the project do.

    A line is named where the project may run on others too, such as "Keras 3: rotated by 2 batches".
    """
    by_line = {"2": note.keras2, "3.0-3.9": note.early, "3.10+": note.keras3}
    here = [line for line in KERAS_LINES if line in lines]
    groups: dict[str, list[KerasLine]] = {}
    for line in here:
        groups.setdefault(by_line[line], []).append(line)
    newest_first = reversed([(text, tuple(some)) for text, some in groups.items() if text])
    parts = [text if len(some) == len(here) else f"{named(some)}: {text}" for text, some in newest_first]
    return "; ".join(part for part in (note.every, *parts) if part)


def named(lines: tuple[KerasLine, ...]) -> str:
    """Lines of Keras in words, such as "Keras 3.0 to 3.9"."""
    return _NAMES.get(lines) or " and ".join(_NAMES[(line,)] for line in lines)
