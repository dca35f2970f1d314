"""A unified diff as a table with the numbers of the lines on both sides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.proof.report.tags import NOTHING, Html, element
from seqlint.proof.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 400
"""Lines of one diff that are shown."""
_LONGEST = 400
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_FILE = re.compile(r"\+\+\+ b/(?:.*:(?=cell \d+\t?$))?([^\t]*)\t?")
_KINDS = {"-": "gone", "+": "come", " ": "kept"}


def diff_table(diff: str, label: str) -> Html:
    """The diff, with the names of its cells, and of all files but the first; nothing where it is empty."""
    rows = list(_rows(diff))
    if not rows:
        return NOTHING
    left_out = len(rows) - MOST
    more = element("p", f"{counted(left_out, 'more line')} of the diff", class_="quiet") if left_out > 0 else NOTHING
    body = element("table", element("tbody", *rows[:MOST]), class_="diff", aria_label=label)
    return Html(element("div", body, class_="scroll", tabindex="0", role="group", aria_label=label) + more)


def _rows(diff: str) -> Iterator[Html]:
    old = new = last_old = last_new = files = 0
    for line in re.findall(r"[^\n]+|(?<=\n)(?=\n)", diff):
        start = _HUNK.match(line)
        if start:
            old, new = int(start[1]), int(start[3])
            last_old, last_new = old + int(start[2] or 1), new + int(start[4] or 1)
            yield _row("", "", line, "hunk")
        elif line.startswith("\\"):
            yield _row("", "", line, "hunk")
        elif old < last_old or new < last_new:
            kind = _KINDS.get(line[:1], "kept")
            yield _row("" if kind == "come" else str(old), "" if kind == "gone" else str(new), line, kind)
            old, new = old + (kind != "come"), new + (kind != "gone")
        elif named := _FILE.fullmatch(line):
            files += 1
            if files > 1 or named[1] != line.removeprefix("+++ b/").rstrip("\t"):
                yield _row("", "", named[1], "hunk")


def _row(old: str, new: str, line: str, kind: str) -> Html:
    text = line.rstrip("\r")
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return element(
        "tr", element("td", old, class_="n"), element("td", new, class_="n"), element("td", text), class_=kind
    )  # fmt: skip
