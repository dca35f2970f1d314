"""What `verify` says: the findings of the file, and the proof of its fixes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.engine import Fixed
    from seqlint.proof import FileProof


def as_text(path: str, fixed: Fixed | None, proof: FileProof | None, colour: bool) -> str:
    """The fixes that were proved, the findings that were not, and the tables of observables."""
    from seqlint.proof import summary

    return summary(proof or _unproved(path, fixed), colour)


def as_json(path: str, fixed: Fixed | None, proof: FileProof | None, colour: bool) -> str:
    """The same for programs."""
    from seqlint.proof import files_as_dict

    return json.dumps(files_as_dict(proof or _unproved(path, fixed)), indent=2, allow_nan=False) + "\n"


def _unproved(path: str, fixed: Fixed | None) -> FileProof:
    """A file of which nothing was run."""
    from seqlint.cli.proving import left
    from seqlint.proof import FileProof

    return FileProof(path, (), tuple(left(fixed)) if fixed else (), "", ())
