"""Other files that a fix changes: as the editor holds them, or as they lie on the disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path

from seqlint.model import UnreadableSource
from seqlint.server.documents import Document
from seqlint.server.snapshot import Snapshot
from seqlint.sources import Source, disk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.server.documents import Encoding


@dataclass(frozen=True)
class Held:
    """The texts that are open, by the paths of their files.

    Attributes:
        encoding: what positions count.
    """

    encoding: Encoding
    texts: Mapping[str, Document] = field(default_factory=dict)

    def snapshot(self, path: str) -> Snapshot | None:
        """Another file; None where it can't be read, or is open with changes that are not saved: the fix was made for what is on the disk."""
        try:
            lies = Source.from_bytes(disk.read(Path(path)), path).whole
        except UnreadableSource:
            return None
        document = self.texts.get(path) or Document(from_fs_path(path) or "", "python", 0, lies)
        if not document.uri or document.text != lies:
            return None
        return Snapshot(document.uri, (document.version,), (document,), False, self.encoding)

    def version(self, path: str) -> int | None:
        """The version of an open text; None for a file that is not open."""
        document = self.texts.get(path)
        return None if document is None else document.version
