"""Texts that are kept between runs, in a folder of the project. Where that fails in any way, a run goes on without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.sources.database import Database

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_MOST = 200_000_000  # bytes; then all is forgotten, which costs one slow run
_SCHEMA = ("CREATE TABLE texts (key BLOB PRIMARY KEY, text TEXT NOT NULL)",)
_VERSION = 1


class Cache:
    """Texts by their keys. Any number of processes may use one folder at once. No method raises."""

    def __init__(self, folder: Path) -> None:
        """A cache.

        Args:
            folder: where the database is, or is to be.
        """
        self._database = Database(folder, "texts.db", _SCHEMA, _VERSION)
        self._new: dict[bytes, str] = {}

    def get(self, key: bytes) -> str | None:
        """The text under a key, of this run or an earlier one; None if there is none."""
        if self._database.off or key in self._new:
            return self._new.get(key)
        row = self._database.read(
            lambda connection: connection.execute("SELECT text FROM texts WHERE key = ?", (key,)).fetchone()
        )
        return row[0] if row is not None and isinstance(row[0], str) else None

    def put(self, key: bytes, text: str) -> None:
        """Keep a text once `flush` is called."""
        if not self._database.off:
            self._new[key] = text

    def flush(self) -> None:
        """Write what is new, all or nothing. Without anything new this costs nothing."""
        if self._new:
            self._database.write(self._write)
        self._new.clear()

    def add(self, other: Cache) -> int:
        """Keep all that another cache has, too; gives the number of texts."""
        count = last = 0
        while rows := other.after(last):
            self._new.update((key, text) for _, key, text in rows)
            self.flush()
            count, last = count + len(rows), rows[-1][0]
        return count

    def after(self, row: int) -> list[tuple[int, bytes, str]]:
        """Some of the texts with their keys, by the numbers of their rows; none after the last."""
        query = "SELECT rowid, key, text FROM texts WHERE rowid > ? ORDER BY rowid LIMIT 500"
        return self._database.read(lambda connection: connection.execute(query, (row,)).fetchall()) or []

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _write(self, connection: sqlite3.Connection) -> None:
        if self._database.used(connection) > _MOST:
            connection.execute("DELETE FROM texts")
        connection.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?)", self._new.items())
