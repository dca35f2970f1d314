"""What the tests of one environment said, read from the notes of `tests.measure.noted`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.measure.noted import BEGUN, ENDED, rows

if TYPE_CHECKING:
    from pathlib import Path

_EXAMPLES = "keep_its_contract"
"""What the tests that prove examples have in their names."""
_RULE = re.compile(r"seq(\d{3})", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """A measured sentence of a page that held on one Keras.

    Attributes:
        code: the rule whose page says it.
        keras: the version of the Keras.
        sentence: as the experiment has it.
    """

    code: str
    keras: str
    sentence: str


@dataclass(frozen=True)
class Failed:
    """A test that failed.

    Attributes:
        code: its rule; empty where its name says none.
        keras: the version of the Keras it ran on; empty where it chose by itself.
        test: its name, as pytest shows it.
        why: the first line of what it said.
    """

    code: str
    keras: str
    test: str
    why: str


@dataclass(frozen=True)
class Outcomes:
    """What the tests of one environment found.

    Attributes:
        said: the sentences that held.
        failed: the tests that failed.
        examples: the rules whose examples kept their contract.
        ran: how many tests passed on each Keras, by its version.
    """

    said: frozenset[Said]
    failed: tuple[Failed, ...]
    examples: frozenset[str]
    ran: dict[str, int]


def read(notes: Path) -> Outcomes:
    """The outcomes that a file of notes holds."""
    said: set[Said] = set()
    failed: list[Failed] = []
    examples: set[str] = set()
    ran: dict[str, int] = {}
    for row in rows(notes).values():
        keras = row.get("keras", "")
        if row["outcome"] in ("failed", BEGUN):
            failed.append(Failed(_code(row), keras, row["test"], row.get("why", ENDED)))
        elif row["outcome"] == "passed" and keras:
            ran[keras] = ran.get(keras, 0) + 1
            said.update(Said(code, keras, sentence) for code, _, sentence in _sentences(row))
        elif row["outcome"] == "passed" and _EXAMPLES in row["test"]:
            examples.add(_code(row))
    return Outcomes(frozenset(said), tuple(failed), frozenset(examples - {""}), ran)


def _sentences(row: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [text.partition(" ") for text in row["says"]]


def _code(row: dict[str, Any]) -> str:
    file, _, test = row["test"].partition("::")
    found = _RULE.search(test) or _RULE.search(file)
    return f"SEQ{found[1]}" if found else ""
