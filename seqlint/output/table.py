"""The list of rules, as columns for the terminal and as the table between the markers of docs/rules.md."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from seqlint.output.prose import summary
from seqlint.output.words import family, fixability, said_by_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.model import LoadedRule

START = "<!-- rules: made by `seqlint rules --output-format markdown` -->"
END = "<!-- /rules -->"
_HEAD = ("Code", "Name", "What it finds", "Keras 2", "3.0-3.9", "3.10+", "Fix")


def markdown(rules: Sequence[LoadedRule]) -> str:
    """The rules in Markdown: a heading and a table for each family."""
    families = groupby(rules, key=lambda loaded: family(loaded.rule.code))
    return "\n".join(f"### {title}\n\n{_table(list(members))}" for title, members in families)


def _table(rules: Sequence[LoadedRule]) -> str:
    rows = [_HEAD, ("---",) * len(_HEAD), *(_row(loaded) for loaded in rules)]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def columns(rules: Sequence[LoadedRule]) -> str:
    """Code, name, levels and fix in columns."""
    rows = [(code, name, *rest) for code, name, _, *rest in (_HEAD, *(_row(loaded) for loaded in rules))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in padded)


def updated(text: str, rules: Sequence[LoadedRule]) -> str:
    """A text with the table of these rules between its markers.

    Raises:
        ValueError: the text lacks a marker.
    """
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"the text needs the markers {START} and {END}")
    return f"{before}{START}\n{markdown(rules)}{END}{after}"


def _row(loaded: LoadedRule) -> tuple[str, ...]:
    rule = loaded.rule
    return (rule.code, rule.name, summary(loaded), *said_by_line(rule, "-").values(), fixability(rule))
