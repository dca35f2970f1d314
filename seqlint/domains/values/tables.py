"""Tables of pandas, and what only looks like one of their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run import Result

if TYPE_CHECKING:
    from seqlint.run import Object


def is_table(found: Object | None) -> bool:
    """Whether a name in brackets is a column of something: dictionaries, archives and HDF5 files hold collections of their own by name."""
    while isinstance(found, Result):
        if found.name.startswith("pandas."):
            return True
        first = found.args[0].only if found.args and found.receiver is None else None
        found = found.receiver if found.receiver is not None else first
    return False
