"""What was measured so far, kept from one run to the next: a file for each Keras in the folder `measured`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.measure.outcomes import Failed, Said

if TYPE_CHECKING:
    from tests.measure.outcomes import Outcomes

FOLDER = Path(__file__).parent / "measured"


@dataclass(frozen=True)
class Column:
    """One Keras, as it was measured last.

    Attributes:
        keras: its version.
        when: the day, as in "2026-11-30".
        versions: the packages it ran with, by name.
        passed: how many tests passed on it.
        said: what held: the rule, a space, and the sentence that its experiment holds the page to.
        examples: the rules whose examples kept their contract in the same environment.
        failed: the tests that failed.
    """

    keras: str
    when: str
    versions: dict[str, str]
    passed: int
    said: frozenset[str]
    examples: frozenset[str]
    failed: tuple[Failed, ...]

    @property
    def family(self) -> str:
        """What takes the place of what: all versions of Keras 3.9 are one column, and all of tf-keras from 2.16."""
        parts = self.keras.split(".")
        if parts[0] == "2":
            return "Keras 2.15" if parts[1] == "15" else "tf-keras"
        return f"Keras {parts[0]}.{parts[1]}"

    @property
    def line(self) -> str:
        """What pages call the line that it belongs to: "Keras 2", "Keras 3.0 to 3.9" or "Keras 3.10 and later"."""
        major, minor = (int(part) for part in self.keras.split(".")[:2])
        if major == 2:
            return "Keras 2"
        return "Keras 3.0 to 3.9" if minor < 10 else "Keras 3.10 and later"


@dataclass(frozen=True)
class Measured:
    """All columns, oldest Keras first.

    Attributes:
        columns: by the name of their family.
        before: what each was before its last whole run, for the list of changes.
    """

    columns: dict[str, Column] = field(default_factory=dict)
    before: dict[str, Column] = field(default_factory=dict)


def columns(found: Outcomes, versions: dict[str, str], when: str) -> list[Column]:
    """What one environment measured: a column for each Keras in it."""
    return [
        Column(
            keras,
            when,
            versions,
            passed,
            frozenset(_sentence(said) for said in found.said if said.keras == keras),
            found.examples,
            tuple(one for one in found.failed if one.keras in ("", keras)),
        )
        for keras, passed in sorted(found.ran.items())
    ]


def _sentence(said: Said) -> str:
    return f"{said.code} {said.sentence}"


def load(folder: Path = FOLDER) -> Measured:
    """What was measured so far; nothing where there is no folder."""
    files = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    now, before = ([_column(data[part]) for data in files if data.get(part)] for part in ("now", "before"))
    return Measured(_in_order(now), _in_order(before))


def _in_order(found: list[Column]) -> dict[str, Column]:
    return {one.family: one for one in sorted(found, key=lambda column: _order(column.keras))}


def _order(keras: str) -> tuple[int, ...]:
    return tuple(int(part) for part in keras.split(".") if part.isdigit())


def save(column: Column, folder: Path = FOLDER, *, begun_anew: bool = True) -> None:
    """Keep a column: one sentence a line, so that a change reads well in a diff.

    Args:
        begun_anew: the column of the run before is kept, too; what a run only goes on with has that already.
    """
    folder.mkdir(exist_ok=True)
    file = folder / f"{column.family.lower().replace(' ', '-')}.json"
    earlier = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    data = {"now": _plain(column), "before": earlier.get("now" if begun_anew else "before")}
    file.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def _plain(column: Column) -> dict[str, Any]:
    return {
        "keras": column.keras,
        "when": column.when,
        "versions": column.versions,
        "passed": column.passed,
        "said": sorted(column.said),
        "examples": sorted(column.examples),
        "failed": [[one.code, one.keras, one.test, one.why] for one in column.failed],
    }


def _column(data: dict[str, Any]) -> Column:
    said, examples = (frozenset(data[name]) for name in ("said", "examples"))
    failed = tuple(Failed(*one) for one in data["failed"])
    return Column(data["keras"], data["when"], data["versions"], data["passed"], said, examples, failed)
