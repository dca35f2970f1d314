"""A cell of a notebook as Python: what is meant for the kernel or the shell becomes code that says nothing, of equal length."""

from __future__ import annotations

import ast
import re

_LINE = re.compile(r"([^\n]*?)(\r?\n|\Z)")
_TIMED = re.compile(r"^(\s*)%time(?=[ \t]+\S)")
_ASSIGNED = re.compile(r"^(\s*[\w.\[\], ]+=\s*)[%!](?!=).+$")
_COMMAND = re.compile(r"^\s*(?:!|%{1,2}[A-Za-z])")
_HELP = re.compile(r"^\s*(?:\?{1,2}\s*[%\w.*]+|[%\w.*]+\s*\?{1,2})\s*;?\s*$")
_AROUND = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics whose cell is Python that runs in the notebook itself."""


def as_python(cell: str) -> str:
    """The cell with each line at its place and of the same length in UTF-8; blank where it is no Python even so."""
    if _parses(cell):
        return cell
    head = cell.lstrip().split("\n", 1)[0]
    if head.startswith("%%") and re.split(r"\s", head[2:], maxsplit=1)[0] not in _AROUND:
        return _blank(cell)
    found = _without_magics(cell)
    return found if _parses(found) else _blank(cell)


def _without_magics(cell: str) -> str:
    lines, goes_on = [], False
    for body, newline in _LINE.findall(cell):
        plain = _blank(body) if goes_on else _plain(body)
        goes_on = plain != body and body.endswith("\\")
        lines.append(plain + newline)
    return "".join(lines)


def _plain(line: str) -> str:
    if _TIMED.match(line):
        return _TIMED.sub(r"\1pass;", line)
    if found := _ASSIGNED.match(line):
        # A name that nothing binds: what the shell answers is not known.
        return found[1] + _filled("__", "_", line[found.end(1) :])
    if not _COMMAND.match(line) and not _HELP.match(line):
        return line
    lead = line[: len(line) - len(line.lstrip())]
    return lead + _filled("pass", "0", line[len(lead) :])


def _filled(word: str, short: str, instead_of: str) -> str:
    width = len(instead_of.encode("utf-8"))
    return (word if len(word) <= width else short).ljust(width)


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]+", lambda found: " " * len(found[0].encode("utf-8")), text)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
