"""The tables in which results are kept: what was found in a file, and the answers of the disk that it depends on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from seqlint.sources.database import Database
from seqlint.sources.reading import Answer

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_VERSION = 3
_SCHEMA = (
    "CREATE TABLE programs (surface BLOB PRIMARY KEY, digest BLOB NOT NULL, packs INTEGER NOT NULL)",
    "CREATE TABLE scopes (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE)",
    # An answer that is not the same any more is another row, and no number is ever given twice.
    """CREATE TABLE answers (id INTEGER PRIMARY KEY AUTOINCREMENT, question TEXT NOT NULL, digest BLOB NOT NULL,
    state TEXT NOT NULL, UNIQUE (question, digest))""",
    "CREATE TABLE groups (id INTEGER PRIMARY KEY AUTOINCREMENT, answers TEXT NOT NULL UNIQUE)",
    """CREATE TABLE results (scope INTEGER NOT NULL, path TEXT NOT NULL, own INTEGER NOT NULL, answers TEXT NOT NULL,
    searches TEXT NOT NULL, found TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (scope, path)) WITHOUT ROWID""",
)
_MOST = 200_000_000  # bytes; then all is forgotten, which costs one slow run
KEPT = 30  # days after the last use
_FEW = 400  # values in one statement: old builds of SQLite take 999


class Kept(NamedTuple):
    """A result as it is kept.

    Attributes:
        path: the file, as it was shown.
        own: the number of the answer that its bytes were.
        answers: the numbers of all others, as JSON.
        searches: words that other files don't have, with the groups of their answers, as JSON.
        found: what was found, as text; empty where the file does not concern seqlint.
        used: the day of the last use.
    """

    path: str
    own: int
    answers: str
    searches: str
    found: str
    used: int


class Known(NamedTuple):
    """An answer of the disk as it is kept."""

    question: str
    digest: bytes
    state: str


@dataclass(frozen=True)
class New:
    """A result to keep.

    Attributes:
        scope: what it depends on in addition to what was read.
        own: the question that the bytes of the file answered.
        answers: what else was read.
        searches: for each word the files that don't have it.
    """

    scope: bytes
    path: str
    own: str
    answers: Mapping[str, Answer]
    searches: Mapping[bytes, Mapping[str, Answer]]
    found: str


@dataclass
class Change:
    """What one run has to write.

    Attributes:
        day: today, in days since 1970.
        results: what it found.
        used: the scopes and paths of results that were used, and not for some days before.
        states: what the disk says now, by the numbers of answers that it says again.
        programs: by its surface what a program is, and whether rules of other packages are installed next to it.
    """

    day: int
    results: list[New] = field(default_factory=list)
    used: list[tuple[bytes, str]] = field(default_factory=list)
    states: dict[int, str] = field(default_factory=dict)
    programs: dict[bytes, tuple[bytes, bool]] = field(default_factory=dict)


class Store:
    """Results of earlier runs. No method raises: what can't be read is as if it were not there."""

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder, "results.db", _SCHEMA, _VERSION)

    def program(self, surface: bytes) -> tuple[bytes, bool] | None:
        """What a program is, and whether rules of other packages are installed next to it; None if nobody has looked."""
        rows = self._rows("SELECT digest, packs FROM programs WHERE surface = ?", (surface,))
        return (rows[0][0], bool(rows[0][1])) if rows else None

    def results(self, scope: bytes, paths: Sequence[str]) -> list[Kept]:
        """The results of some files in a scope, and maybe of others."""
        query = """SELECT path, own, answers, searches, found, used FROM results
        WHERE scope = (SELECT id FROM scopes WHERE digest = ?)"""
        return [Kept._make(row) for row in self._rows(query, (scope,), "path", paths)]

    def answers(self, numbers: Sequence[int]) -> dict[int, Known]:
        """Some answers by their numbers, and maybe others."""
        rows = self._rows("SELECT id, question, digest, state FROM answers WHERE true", (), "id", numbers)
        return {number: Known(question, answer, state) for number, question, answer, state in rows}

    def groups(self, numbers: Sequence[int]) -> dict[int, list[int]]:
        """Some groups of answers by their numbers, and maybe others."""
        rows = self._rows("SELECT id, answers FROM groups WHERE true", (), "id", numbers)
        return {number: json.loads(answers) for number, answers in rows}

    def _rows(
        self, query: str, values: Sequence[object], column: str = "", wanted: Sequence[object] = ()
    ) -> list[tuple[Any, ...]]:
        if column and len(wanted) <= _FEW:
            query += f" AND {column} IN ({','.join('?' * len(wanted))})"
            values = (*values, *wanted)
        return self._database.read(lambda connection: connection.execute(query, values).fetchall()) or []

    def add(self, other: Store) -> int:
        """Keep all that another store has, too; gives the number of results."""
        count = 0
        for change in other.changes():
            self.keep(change)
            count += len(change.results)
        return count

    def changes(self) -> Iterator[Change]:
        """All that is kept, as it was written."""
        rows = self._rows(
            """SELECT scopes.digest, path, own, answers, searches, found, used FROM results
            JOIN scopes ON scopes.id = scope ORDER BY used""",
            (),
        )
        for start in range(0, len(rows), _FEW):
            for day, some in groupby(rows[start : start + _FEW], key=lambda row: int(row[-1])):
                yield Change(day, [self._new(row[0], Kept._make(row[1:])) for row in some])

    def _new(self, scope: bytes, kept: Kept) -> New:
        searches = {
            word.encode("utf-8", "surrogateescape"): self._answered(self.groups([group])[group])
            for word, group in json.loads(kept.searches)
        }
        ((own, digest, state),) = [self.answers([kept.own])[kept.own]]
        answers = {own: Answer(digest, state), **self._answered(json.loads(kept.answers))}
        return New(scope, kept.path, own, answers, searches, kept.found)

    def _answered(self, numbers: Sequence[int]) -> dict[str, Answer]:
        known = self.answers(numbers)
        return {known[number].question: Answer(known[number].digest, known[number].state) for number in numbers}

    def keep(self, change: Change) -> None:
        """Write what is new, all or nothing."""
        self._database.write(lambda connection: _Writing(connection, change).write(self._database.used(connection)))

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()


class _Writing:
    def __init__(self, connection: sqlite3.Connection, change: Change) -> None:
        self._connection = connection
        self._change = change
        self._numbers: dict[tuple[str, bytes], int] = {}
        self._groups: dict[str, int] = {}

    def write(self, used: int) -> None:
        if used > _MOST:
            self._forget_all()
        change, run = self._change, self._connection.executemany
        programs = ((surface, *found) for surface, found in change.programs.items())
        run("INSERT OR REPLACE INTO programs VALUES (?, ?, ?)", programs)
        run("UPDATE answers SET state = ? WHERE id = ?", ((state, number) for number, state in change.states.items()))
        scopes = {new.scope: self._scope(new.scope) for new in change.results}
        used_now = ((change.day, scopes.get(scope) or self._scope(scope), path) for scope, path in change.used)
        run("UPDATE results SET used = ? WHERE scope = ? AND path = ?", used_now)
        self._number()
        run("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", map(self._row, change.results))
        if self._connection.execute("SELECT 1 FROM results WHERE used < ? LIMIT 1", (change.day - KEPT,)).fetchone():
            self._sweep()

    def _row(self, new: New) -> tuple[object, ...]:
        own = self._numbers[new.own, new.answers[new.own].digest]
        others = self._numbered({question: answer for question, answer in new.answers.items() if question != new.own})
        searches = [
            [word.decode("utf-8", "surrogateescape"), self._group(files)] for word, files in new.searches.items()
        ]
        return self._scope(new.scope), new.path, own, others, json.dumps(searches), new.found, self._change.day

    def _scope(self, scope: bytes) -> int:
        self._connection.execute("INSERT OR IGNORE INTO scopes (digest) VALUES (?)", (scope,))
        return int(self._connection.execute("SELECT id FROM scopes WHERE digest = ?", (scope,)).fetchone()[0])

    def _number(self) -> None:
        """Give numbers to all answers of the new results."""
        new = self._change.results
        parts = [part for result in new for part in (result.answers, *result.searches.values())]
        answers = {(question, answer.digest): answer.state for part in parts for question, answer in part.items()}
        rows = [(*key, state) for key, state in answers.items()]
        self._connection.executemany(
            """INSERT INTO answers (question, digest, state) VALUES (?, ?, ?)
            ON CONFLICT (question, digest) DO UPDATE SET state = excluded.state WHERE excluded.state != ''""",
            rows,
        )
        find = "SELECT id FROM answers WHERE question = ? AND digest = ?"
        self._numbers = {key: self._connection.execute(find, key).fetchone()[0] for key in answers}

    def _numbered(self, answers: Mapping[str, Answer]) -> str:
        return json.dumps(sorted(self._numbers[question, answer.digest] for question, answer in answers.items()))

    def _group(self, answers: Mapping[str, Answer]) -> int:
        text = self._numbered(answers)
        if text not in self._groups:
            self._connection.execute("INSERT OR IGNORE INTO groups (answers) VALUES (?)", (text,))
            find = "SELECT id FROM groups WHERE answers = ?"
            self._groups[text] = self._connection.execute(find, (text,)).fetchone()[0]
        return self._groups[text]

    def _sweep(self) -> None:
        """Delete what was not used for long, and the answers that nothing depends on any more."""
        run = self._connection.execute
        run("DELETE FROM results WHERE used < ?", (self._change.day - KEPT,))
        run("DELETE FROM scopes WHERE id NOT IN (SELECT scope FROM results)")
        groups = {group for (text,) in run("SELECT searches FROM results") for _, group in json.loads(text)}
        gone = [(number,) for (number,) in run("SELECT id FROM groups") if number not in groups]
        self._connection.executemany("DELETE FROM groups WHERE id = ?", gone)
        needed = {number for (text,) in run("SELECT answers FROM results") for number in json.loads(text)}
        needed |= {number for (text,) in run("SELECT answers FROM groups") for number in json.loads(text)}
        needed |= {number for (number,) in run("SELECT own FROM results")}
        left = [(number,) for (number,) in run("SELECT id FROM answers") if number not in needed]
        self._connection.executemany("DELETE FROM answers WHERE id = ?", left)

    def _forget_all(self) -> None:
        for table in ("programs", "scopes", "answers", "groups", "results"):
            self._connection.execute(f"DELETE FROM {table}")
