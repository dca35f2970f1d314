"""What was measured so far, kept from one run to the next: `measured.json` in this folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.experiments.lines import measured
from tests.measure.outcomes import Failed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.measure.outcomes import Outcomes

FILE = Path(__file__).parent / "measured.json"


@dataclass(frozen=True)
class Column:
    """One Keras, as it was measured last.

    Attributes:
        keras: its version.
        when: the day, as in "2026-11-30".
        versions: the packages it ran with, by name.
        passed: how many tests passed on it.
        held: the claims that held: the rule, and the claim as its page has it.
        examples: the rules whose examples kept their contract in the same environment.
        failed: the tests that failed.
    """

    keras: str
    when: str
    versions: dict[str, str]
    passed: int
    held: frozenset[tuple[str, str]]
    examples: frozenset[str]
    failed: tuple[Failed, ...]

    @property
    def family(self) -> str:
        """What takes the place of what: all versions of Keras 3.9 are one column, and all of tf-keras from 2.16."""
        parts = self.keras.split(".")
        if parts[0] == "2":
            return "Keras 2.15" if parts[1] == "15" else "tf-keras"
        return f"Keras {parts[0]}.{parts[1]}"


@dataclass(frozen=True)
class Measured:
    """All columns, oldest Keras first.

    Attributes:
        columns: by the name of their family.
        before: what each held before its last run, for the list of changes.
    """

    columns: dict[str, Column] = field(default_factory=dict)
    before: dict[str, Column] = field(default_factory=dict)

    def with_columns(self, new: Iterable[Column]) -> Measured:
        """The same with some columns measured again."""
        fresh = {column.family: column for column in new}
        together = {**self.columns, **fresh}
        before = {**self.before, **{name: self.columns[name] for name in fresh if name in self.columns}}
        return Measured(dict(sorted(together.items(), key=lambda pair: _order(pair[1].keras))), before)


def _order(keras: str) -> tuple[int, ...]:
    return tuple(int(part) for part in keras.split(".") if part.isdigit())


def columns(found: Outcomes, versions: dict[str, str], when: str) -> list[Column]:
    """What one environment measured: a column for each Keras in it."""
    made = []
    for keras, passed in sorted(found.ran.items()):
        held = {
            (said.code, claim)
            for said in found.said
            if said.keras == keras
            for claim in measured(said.code)
            if said.sentence in claim
        }
        failed = tuple(one for one in found.failed if one.keras in ("", keras))
        made.append(Column(keras, when, versions, passed, frozenset(held), found.examples, failed))
    return made


def load(file: Path = FILE) -> Measured:
    """What was measured so far; nothing where there is no file."""
    if not file.is_file():
        return Measured()
    data = json.loads(file.read_text(encoding="utf-8"))
    return Measured(*({name: _column(found) for name, found in data[part].items()} for part in ("columns", "before")))


def save(found: Measured, file: Path = FILE) -> None:
    """Keep it: one claim a line, so that a change reads well in a diff."""
    data = {
        part: {name: _plain(column) for name, column in columns.items()}
        for part, columns in (("columns", found.columns), ("before", found.before))
    }
    file.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def _plain(column: Column) -> dict[str, object]:
    return {
        "keras": column.keras,
        "when": column.when,
        "versions": column.versions,
        "passed": column.passed,
        "held": [f"{code} {claim}" for code, claim in sorted(column.held)],
        "examples": sorted(column.examples),
        "failed": [[one.code, one.keras, one.test, one.why] for one in column.failed],
    }


def _column(data: dict[str, object]) -> Column:
    values = dict(data)
    held, examples, failed = (values.pop(name) for name in ("held", "examples", "failed"))
    assert isinstance(held, list)
    assert isinstance(examples, list)
    assert isinstance(failed, list)
    pairs = frozenset((text[:6], text[7:]) for text in held)
    return Column(**values, held=pairs, examples=frozenset(examples), failed=tuple(Failed(*one) for one in failed))  # type: ignore[arg-type]
