"""The files that a program made, changed or removed in its folder, and what is in them."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

from .contents import of_tensorflow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .recording import FileRecord

_MOST_TEXT = 20_000
"""Characters of a file that are kept as they are, so that the first line that differs can be shown."""
_MOST_BYTES = 200_000_000
"""Larger files are known by their size alone."""
_DATED = frozenset({"metadata.json"})
"""Members of the archive of a saved model that hold the time when it was saved."""
_CONFIG, _ADDRESS = "config.json", re.compile(rb'"shared_object_id": \d+')
"""The member with the layers of a saved model, and what in it is the address of an object."""

Known = tuple[int, int]
"""Size and time of the last change of a file."""


def files(folder: str) -> dict[str, Known]:
    """Every file of a folder, relative to it, with its size and the time of its last change; folders end with a slash."""
    found: dict[str, Known] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found.update({os.path.relpath(os.path.join(place, name), folder) + os.sep: (0, 0) for name in folders})
        for name in names:
            path = os.path.join(place, name)
            with suppress(OSError):
                known = os.stat(path)
                found[os.path.relpath(path, folder)] = (known.st_size, known.st_mtime_ns)
    return found


def changed(folder: str, before: Mapping[str, Known]) -> list[FileRecord]:
    """What became of the files of a folder, sorted by their names."""
    now = files(folder)
    gone = [_record(name, removed=True) for name in before if name not in now]
    come = [_record(name, content=_content(folder, name)) for name, known in now.items() if before.get(name) != known]
    return sorted((*gone, *come), key=lambda record: record["name"])


def _record(name: str, content: str = "", removed: bool = False) -> FileRecord:
    return {"name": name, "content": content, "removed": removed}


def _content(folder: str, name: str) -> str:
    """The text of a small file; of others the size, and a digest of what is in it."""
    path = os.path.join(folder, name)
    if os.path.isdir(path):
        return ""
    known = of_tensorflow(path)
    if known is not None:
        return known
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
            return f"{os.path.getsize(path)} bytes"
        if zipfile.is_zipfile(path):
            return "; ".join(_members(path))
        with open(path, "rb") as file:
            data = file.read().replace(os.path.dirname(folder).encode(), b"\xe2\x80\xa6")
    except (OSError, zipfile.BadZipFile):
        return ""
    if len(data) <= _MOST_TEXT and b"\0" not in data:
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8")
    return _digested(data)


def _members(path: str) -> Iterator[str]:
    """The members of an archive, which holds the time of each, by their checksums."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.filename == _CONFIG:
                yield f"{_CONFIG}: {_digested(_ADDRESS.sub(b'', archive.read(member)))}"
            elif member.filename not in _DATED:
                yield f"{member.filename}: {member.file_size} bytes, checksum {member.CRC:08x}"


def _digested(data: bytes) -> str:
    return f"{len(data)} bytes, digest {hashlib.blake2b(data, digest_size=8).hexdigest()}"
