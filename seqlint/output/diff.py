"""A unified diff that `patch` and `git apply` take: every newline as it is, and a missing one at the end is said."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import PurePath

_NO_NEWLINE = "\n\\ No newline at end of file\n"


def diff(before: str, after: str, path: str, *, context: int = 3) -> str:
    """The diff from one text to another; empty where they are equal."""
    name = PurePath(path).as_posix().lstrip("/")
    name += "\t" if " " in name else ""  # as git writes it: `patch` takes a name up to the first blank else
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}", n=context)
    return "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in lines)


def _lines(text: str) -> list[str]:
    # Not str.splitlines: a form feed or a lone "\r" is part of a line for every tool that reads a diff.
    return re.findall(r"[^\n]*\n|[^\n]+", text)
