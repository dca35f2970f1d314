"""A database in a cache folder of the user. Where it fails in any way, a run goes on without."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.sources import user

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeVar

    Result = TypeVar("Result")

_WAIT = 0.25  # seconds for another process; then this one does without
_USED = """SELECT (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""


@dataclass(eq=False)
class Database:
    """One file of SQLite. Any number of processes may use it at once.

    No method raises: a folder that can't be written, a database that is locked or a full disk turn it off for the rest of
    the run. One that is broken, foreign, or of another version is removed, and made anew when there is something to
    keep. The folder is made then, too, for this user alone, with a .gitignore that hides it. A folder that others may write is
    not believed, and nothing is written there.

    Attributes:
        folder: where the file is, or is to be.
        file: its name.
        schema: the statements that make its tables.
        version: changes with the schema, and with what the values in it mean.
        off: whether it is done without.
    """

    folder: Path
    file: str
    schema: tuple[str, ...]
    version: int
    off: bool = False
    _connection: sqlite3.Connection | None = None
    _anew: bool = False

    def read(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        """What the work gives; None where there is no database, or it fails."""
        if self._connection is None and not os.path.isfile(self.folder / self.file):
            return None
        return self._tried(lambda: work(self._opened()))

    def write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do the work, all or nothing; with room for it, if need be."""
        self._tried(lambda: self._written(work))

    def used(self, connection: sqlite3.Connection) -> int:
        """How many bytes are used in it."""
        return int(connection.execute(_USED).fetchone()[0])

    def close(self) -> None:
        """Let go of the file; what asks next opens it again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _written(self, work: Callable[[sqlite3.Connection], None]) -> None:
        self._make_folder()
        connection = self._opened()
        connection.execute("BEGIN IMMEDIATE")
        work(connection)
        connection.execute("COMMIT")

    def _make_folder(self) -> None:
        self._refuse_others()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError), open(self.folder / ".gitignore", "x", encoding="utf-8") as file:
            file.write("*\n")

    def _refuse_others(self) -> None:
        """What others may write could say anything, and a link of theirs lead anywhere."""
        if os.path.islink(self.folder) or os.path.islink(self.folder / self.file):
            raise OSError("the cache is a symbolic link")
        if os.path.exists(self.folder) and not user.is_ours(self.folder):
            raise OSError("others may write the cache")

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            import sqlite3

            self._refuse_others()
            # Deep sources are read on a thread of their own, one at a time.
            self._connection = sqlite3.connect(
                self.folder / self.file, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            if self._connection.execute("PRAGMA user_version").fetchone()[0] != self.version:
                self._make_tables(self._connection)
            self._connection.execute("PRAGMA synchronous=NORMAL")
        return self._connection

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        import sqlite3

        with suppress(sqlite3.OperationalError):  # another process may be doing the same; the first one is enough
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] != self.version:
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise sqlite3.DatabaseError("made by another version, or by another program")
            for statement in self.schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={self.version}")
        connection.execute("COMMIT")

    def _tried(self, work: Callable[[], Result]) -> Result | None:
        """What the work gives; None where it fails."""
        if self.off:
            return None
        try:
            import sqlite3
        except ImportError:  # some builds of Python have none
            self.off = True
            return None
        try:
            return work()
        except (sqlite3.Error, OSError, ValueError) as error:
            with suppress(sqlite3.Error):
                self.close()
            broken = type(error) is sqlite3.DatabaseError
            if broken:
                self._remove()
            self.off = self._anew or not broken
            self._anew = broken
            return None

    def _remove(self) -> None:
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.unlink(self.folder / f"{self.file}{end}")
