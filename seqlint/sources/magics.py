"""A cell of a notebook as Python: what is meant for the kernel or the shell becomes code that says nothing, of equal length."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from seqlint.sources.syntax import uncompiled

_LINE = re.compile(r"([^\n]*?)(\r?\n|\Z)")
_TIMED = re.compile(r"^(\s*)%time(?=[ \t]+\S)")
_ASSIGNED = re.compile(r"^(\s*[\w.\[\], ]+=\s*)[%!](?!=).+$")
_COMMAND = re.compile(r"^\s*(?:!|%{1,2}[A-Za-z])")
_AUTOMAGIC = re.compile(
    r"^(?:pip3?|conda|mamba|cd|ls|ll|pwd|cat|cp|mv|rm|mkdir|rmdir|man|env|run|load|load_ext|reload_ext|matplotlib|pylab|timeit|time"
    r"|autoreload|tensorflow_version|config|alias|who|whos|history|reset)(?:[ \t]+[^\s=(.,:\[].*)?\s*$"
)
"""Commands that IPython knows without their `%`."""
_HELP = re.compile(r"^\s*(?:\?{1,2}\s*[%\w.*]+|[%\w.*]+\s*\?{1,2})\s*;?\s*$")
_AROUND = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics whose cell is Python that runs in the notebook itself."""


@dataclass(frozen=True)
class Refused:
    """Why Python does not run a cell.

    Attributes:
        reason: in Python's own words.
        line, column: where, from 1; the column counts characters.
        parses: whether the cell can be read all the same, as one with a `return` outside of a function.
        indented: whether the cell as a whole is indented. IPython runs it; where its code is in the file is another matter.
    """

    reason: str
    line: int
    column: int
    parses: bool = False
    indented: bool = False


def as_python(block: str) -> str:
    """A block of a page in the same way: `pip install keras` is a line for the shell there."""
    return _read(block, automagic=False)[0]


def read_cell(cell: str) -> tuple[str, Refused | None]:
    """The cell with each line at its place and of the same length in UTF-8, blank where it still is not valid Python.

    With it comes why Python refuses the cell; None for one that it takes, and for one in another language.
    """
    return _read(cell, automagic=True)


def _read(cell: str, *, automagic: bool) -> tuple[str, Refused | None]:
    refused = _refused(cell)
    if refused is None:
        return cell, None
    head = next((line for line in cell.split("\n") if line.strip() and not line.startswith("#")), "").lstrip()
    if head.startswith("%%") and re.split(r"\s", head[2:], maxsplit=1)[0] not in _AROUND:
        return _blank(cell), None
    found = _without_magics(cell, automagic=automagic)
    refused = _refused(found)
    if refused is None or refused.parses:
        return found, refused
    indented = automagic and _refused(_dedented(found)) is None
    return _blank(cell), replace(refused, indented=indented)


def _dedented(cell: str) -> str:
    """The cell as IPython runs it: without the indent of its first line in all lines that have it."""
    lines = cell.lstrip("\r\n").split("\n")
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in lines)


def _without_magics(cell: str, *, automagic: bool) -> str:
    lines, goes_on = [], False
    for body, newline in _LINE.findall(cell):
        plain = _blank(body) if goes_on else _plain(body, automagic=automagic)
        goes_on = plain != body and body.endswith("\\")
        lines.append(plain + newline)
    return "".join(lines)


def _plain(line: str, *, automagic: bool) -> str:
    if _TIMED.match(line):
        return _TIMED.sub(r"\1pass;", line)
    if found := _ASSIGNED.match(line):
        # A name that nothing binds: what the shell answers is not known.
        return found[1] + _filled("__", "_", line[found.end(1) :])
    if not _COMMAND.match(line) and not _HELP.match(line) and not (automagic and _AUTOMAGIC.match(line)):
        return line
    lead = line[: len(line) - len(line.lstrip())]
    return lead + _filled("pass", "0", line[len(lead) :])


def _filled(word: str, short: str, instead_of: str) -> str:
    width = len(instead_of.encode("utf-8"))
    return (word if len(word) <= width else short).ljust(width)


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]+", lambda found: " " * len(found[0].encode("utf-8")), text)


def _refused(text: str) -> Refused | None:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return Refused(error.msg, error.lineno or 1, error.offset or 1)
    except (ValueError, RecursionError, MemoryError) as error:
        return Refused(str(error) or "too complex", 1, 1)
    left = uncompiled(tree, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return Refused(left.msg, left.lineno or 1, left.offset or 1, parses=True) if left is not None else None
