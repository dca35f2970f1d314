"""Texts that are kept between runs, in a folder of the project. Where that fails in any way, a run goes on without."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeVar

    Result = TypeVar("Result")

_FILE = "texts.db"
_WAIT = 0.25  # seconds for another process; then this one does without
_MOST = 200_000_000  # bytes; then all is forgotten, which costs one slow run
_TABLE = "CREATE TABLE IF NOT EXISTS texts (key BLOB PRIMARY KEY, text TEXT NOT NULL)"
_USED = """SELECT (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""


@dataclass(eq=False)
class Cache:
    """Texts by their keys. Any number of processes may use one folder at once.

    No method raises: a folder that can't be written, a database that is locked or broken, or a full disk turn the cache
    off for the rest of the run. The folder is made when there is something to keep, with a .gitignore that hides it.

    Attributes:
        folder: where the database is, or is to be.
    """

    folder: Path
    _new: dict[bytes, str] = field(default_factory=dict)
    _connection: sqlite3.Connection | None = None
    _off: bool = False

    def get(self, key: bytes) -> str | None:
        """The text under a key, of this run or an earlier one; None if there is none."""
        if self._off or key in self._new:
            return self._new.get(key)
        if self._connection is None and not os.path.isfile(self.folder / _FILE):
            return None
        row = self._tried(lambda: self._database().execute("SELECT text FROM texts WHERE key = ?", (key,)).fetchone())
        return row[0] if row is not None and isinstance(row[0], str) else None

    def put(self, key: bytes, text: str) -> None:
        """Keep a text once `flush` is called."""
        if not self._off:
            self._new[key] = text

    def flush(self) -> None:
        """Write what is new, all or nothing. Without anything new this costs nothing."""
        if self._new and not self._off:
            self._tried(self._write)
        self._new.clear()

    def _write(self) -> None:
        self._make_folder()
        database = self._database()
        database.execute("BEGIN IMMEDIATE")
        if database.execute(_USED).fetchone()[0] > _MOST:
            database.execute("DELETE FROM texts")
        database.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?)", self._new.items())
        database.execute("COMMIT")

    def _make_folder(self) -> None:
        self._refuse_links()
        self.folder.mkdir(exist_ok=True)
        with suppress(FileExistsError), open(self.folder / ".gitignore", "x", encoding="utf-8") as file:
            file.write("*\n")

    def _refuse_links(self) -> None:
        """A link in somebody's repository could lead anywhere; nothing is written there."""
        if os.path.islink(self.folder) or os.path.islink(self.folder / _FILE):
            raise OSError("the cache is a symbolic link")

    def _database(self) -> sqlite3.Connection:
        if self._connection is None:
            import sqlite3

            self._refuse_links()
            # Deep sources are read on a thread of their own, one at a time.
            self._connection = sqlite3.connect(
                self.folder / _FILE, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            with suppress(sqlite3.OperationalError):  # another process may be doing the same; the first one is enough
                self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(_TABLE)
        return self._connection

    def _tried(self, work: Callable[[], Result]) -> Result | None:
        """What the work gives; None, and no cache any more, where it fails."""
        try:
            import sqlite3
        except ImportError:  # some builds of Python have none
            self._off = True
            return None
        try:
            return work()
        except (sqlite3.Error, OSError, ValueError) as error:
            self._off = True
            self._new.clear()
            self._close()
            if type(error) is sqlite3.DatabaseError:  # broken, or no database: the next run starts anew
                self._remove()
            return None

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _remove(self) -> None:
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.unlink(self.folder / f"{_FILE}{end}")
