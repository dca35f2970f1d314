"""What a project has found and not mended yet: recorded once, and left out of later checks."""

from seqlint.baseline.file import NAME, Baseline, read, written
from seqlint.baseline.keys import Key, key_of
from seqlint.baseline.known import Left, find, held, is_kept, leave_out, path_in

__all__ = [
    "NAME",
    "Baseline",
    "Key",
    "Left",
    "find",
    "held",
    "is_kept",
    "key_of",
    "leave_out",
    "path_in",
    "read",
    "written",
]
