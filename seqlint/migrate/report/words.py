"""What a report says, whatever its format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.output.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.migrate.values import Migration, Part, Row

PARTS: tuple[Part, ...] = ("done", "verified", "by hand", "not covered", "unsure")


def headline(migration: Migration) -> str:
    """What came of it in one sentence, such as "3 of 5 files would change; 2 points are left to do by hand"."""
    number = len(migration.changed)
    change = "changed" if migration.written else "would change"
    files = f"{count(number, 'file')} {change}"
    left = [f"{_points(len(migration.part('by hand')))} left to do by hand" if migration.part("by hand") else ""]
    left.append(
        f"{count(len(migration.part('not covered')), 'name')} not covered" if migration.part("not covered") else ""
    )
    left.append(f"{_points(len(migration.part('unsure')))} not sure" if migration.part("unsure") else "")
    told = [text for text in left if text]
    return f"{files}; {', '.join(told) if told else 'nothing is left'}"


def _points(number: int) -> str:
    return f"{count(number, 'point')} {'is' if number == 1 else 'are'}"


def title(migration: Migration) -> str:
    """The title of the report."""
    both = "to code that runs on Keras 2 and Keras 3" if migration.aim.keep_both else "from Keras 2 to Keras 3"
    return f"The way {both}"


def heading(part: Part, migration: Migration) -> str:
    """The heading of a part."""
    done = "Done" if migration.written else "To be done by `--write`"
    return {
        "done": done,
        "verified": "Verified by running",
        "by hand": "To do by hand",
        "not covered": "Not covered",
        "unsure": "Not sure",
    }[part]


def about(part: Part) -> str:
    """What a part holds."""
    return {
        "done": "Fixes and requirements, each with what it changes in a program that works on Keras 3.",
        "verified": "The old program on tf-keras and the new one on Keras 3, with the same data and initial weights.",
        "by hand": "Found, and not changed: what to write there.",
        "not covered": "Names of Keras that the project uses, that not every Keras 3 has, and that no rule judges.",
        "unsure": "True only if a condition holds that the code does not show, or not looked at.",
    }[part]


def told(row: Row) -> str:
    """A row as a sentence, with its rule."""
    return f"{row.code} {row.what}" if row.code else row.what


def parts(migration: Migration) -> Iterator[tuple[Part, tuple[Row, ...]]]:
    """The parts that hold something."""
    return ((part, migration.part(part)) for part in PARTS if migration.part(part))
