"""What the tests of one environment said, read from pytest's own report (JUnit's XML)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from pathlib import Path

_RULE = re.compile(r"seq(\d{3})", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """A measured sentence of a page that held on one Keras.

    Attributes:
        code: the rule whose page says it.
        keras: the version of the Keras.
        sentence: as the page has it.
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
    """What one run of pytest found.

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


def read(report: Path) -> Outcomes:
    """The outcomes that a report of pytest holds.

    Raises:
        OSError: there is no report.
        ElementTree.ParseError: pytest was ended while it wrote the report.
    """
    said: set[Said] = set()
    failed: list[Failed] = []
    examples: set[str] = set()
    ran: dict[str, int] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        keras = next(iter(_properties(case, "keras")), "")
        why = _failure(case)
        if why is not None:
            failed.append(Failed(_code(case), keras, _name(case), why))
        elif case.find("skipped") is None and keras:
            ran[keras] = ran.get(keras, 0) + 1
            for text in _properties(case, "says"):
                code, _, sentence = text.partition(" ")
                said.add(Said(code, keras, sentence))
        elif case.find("skipped") is None:
            examples.add(_code(case))
    return Outcomes(frozenset(said), tuple(failed), frozenset(examples - {""}), ran)


def _properties(case: ElementTree.Element, name: str) -> list[str]:
    return [found.get("value", "") for found in case.iter("property") if found.get("name") == name]


def _failure(case: ElementTree.Element) -> str | None:
    found = case.find("failure")
    if found is None:
        found = case.find("error")
    if found is None:
        return None
    return (found.get("message") or "").strip().partition("\n")[0]


def _name(case: ElementTree.Element) -> str:
    return f"{case.get('classname')}::{case.get('name')}"


def _code(case: ElementTree.Element) -> str:
    found = _RULE.search(case.get("name") or "") or _RULE.search(case.get("classname") or "")
    return f"SEQ{found[1]}" if found else ""
