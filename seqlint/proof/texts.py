"""The text of a program that comes with other files: those that its fixes change, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class WithFiles(bytes):
    """The bytes of a program, which finds other files changed when it runs.

    Attributes:
        files: the bytes of these files, by their paths relative to the folder that is run.
    """

    files: Mapping[str, bytes]

    def __new__(cls, data: bytes, files: Mapping[str, bytes]) -> WithFiles:
        """The same bytes with other files."""
        made = super().__new__(cls, data)
        made.files = files
        return made


def files_of(text: str | bytes) -> Mapping[str, bytes]:
    """The other files that a text comes with; none for a plain one."""
    return text.files if isinstance(text, WithFiles) else {}
