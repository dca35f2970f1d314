"""Mutations of lines: what merges, editors and half-finished edits do to a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

COMMENTS = ("# why", "# ü 日本 𝔘", "#", "# type: ignore", "# noqa: E501", "#: x", "# fmt: off", "# seqlint: ignore")


def delete(text: str, random: Random) -> str:
    """Up to three lines are gone."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines) or 1)
    del lines[at : at + random.randint(1, 3)]
    return "".join(lines)


def duplicate(text: str, random: Random) -> str:
    """Up to four lines are there twice."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines) or 1)
    some = lines[at : at + random.randint(1, 4)]
    return "".join([*lines[:at], *some, *lines[at:]])


def swap(text: str, random: Random) -> str:
    """Two lines change places."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    one, other = random.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def truncate(text: str, random: Random) -> str:
    """The text ends early."""
    return text[: random.randrange(len(text) + 1)]


def without_last_newline(text: str, random: Random) -> str:
    """The last line does not end."""
    return text.rstrip("\r\n") + random.choice(("", "", " ", "  # end", "\\", "\f"))


def crlf(text: str, random: Random) -> str:
    """Lines end as on Windows; sometimes only some of them do."""
    lines = text.splitlines(keepends=True)
    every = random.random() < 0.7
    return "".join(
        line.rstrip("\r\n") + "\r\n" if line.endswith("\n") and (every or random.random() < 0.5) else line
        for line in lines
    )


def carriage_returns(text: str, random: Random) -> str:
    """Lines end as on the oldest Macs."""
    return text.replace("\r\n", "\n").replace("\n", "\r")


def tabs(text: str, random: Random) -> str:
    """Each four blanks of an indent are a tab, or two blanks."""
    unit = random.choice(("\t", "  ", " ", "        "))
    return re.sub(r"(?m)^(?:    )+", lambda found: unit * (len(found[0]) // 4), text)


def comments(text: str, random: Random) -> str:
    """Comments stand above, behind and below lines, indented in one way or another."""
    lines = []
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        indent = bare[: len(bare) - len(bare.lstrip())]
        if random.random() < 0.15:
            lines.append(random.choice((indent, "", indent + "    ")) + random.choice(COMMENTS) + "\n")
        if bare.strip() and random.random() < 0.15:
            line = f"{bare}  {random.choice(COMMENTS)}{line[len(bare) :]}"
        lines.append(line)
    return "".join(lines)


def blanks(text: str, random: Random) -> str:
    """Empty lines, lines of blanks, form feeds, and blanks behind the code."""
    lines = []
    for line in text.splitlines(keepends=True):
        if random.random() < 0.1:
            lines.append(random.choice(("\n", "   \n", "\t\n", "\f\n", "\n\n\n")))
        if random.random() < 0.05 and not line.startswith((" ", "\t")):
            line = "\f" + line
        if random.random() < 0.1:
            bare = line.rstrip("\r\n")
            line = bare + random.choice((" ", "\t", "   ")) + line[len(bare) :]
        lines.append(line)
    return "".join(lines)


def dense(text: str, random: Random) -> str:
    """All empty lines are gone."""
    return "".join(line for line in text.splitlines(keepends=True) if line.strip())


def joined(text: str, random: Random) -> str:
    """Two neighbours of one indent stand on one line."""
    lines = text.splitlines(keepends=True)
    places = [at for at in range(len(lines) - 1) if _simple(lines[at]) and _simple(lines[at + 1], lines[at])]
    if not places:
        return text
    at = random.choice(places)
    lines[at : at + 2] = [lines[at].rstrip("\r\n") + random.choice(("; ", ";", " ; ")) + lines[at + 1].lstrip()]
    return "".join(lines)


def one_line_block(text: str, random: Random) -> str:
    """A line of a block moves up, behind the colon of its head."""
    lines = text.splitlines(keepends=True)
    places = [at for at in range(len(lines) - 1) if lines[at].rstrip().endswith(":") and _simple(lines[at + 1])]
    if not places:
        return text
    at = random.choice(places)
    lines[at : at + 2] = [lines[at].rstrip() + " " + lines[at + 1].lstrip()]
    return "".join(lines)


def indented(text: str, random: Random) -> str:
    """A run of lines stands a step further right under a head, or further left."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines) or 1)
    end = at + random.randint(1, 8)
    step = random.choice(("    ", "\t", " "))
    some = [step + line if line.strip() else line for line in lines[at:end]]
    lead = re.match(r"\s*", lines[at])[0] if at < len(lines) else ""  # type: ignore[index]
    head = random.choice(("if True:\n", "try:\n", "with open('x') as f:\n", ""))
    tail = f"{lead}finally:\n{lead}    pass\n" if head == "try:\n" else ""
    return "".join([*lines[:at], *([lead + head] if head else []), *some, tail, *lines[end:]])


def _simple(line: str, other: str = "") -> bool:
    """Whether a line seems to be a statement of its own, of the indent of another."""
    bare = line.strip()
    whole = bare and not bare.endswith((":", ",", "(", "[", "{", "\\")) and "#" not in bare
    same = not other or len(line) - len(line.lstrip()) == len(other) - len(other.lstrip())
    return bool(whole and same and not bare.startswith((")", "]", "}", "@", "def ", "class ", "else", "except")))


ALL = (
    delete, duplicate, swap, truncate, without_last_newline, crlf, carriage_returns, tabs, comments, comments, blanks, dense,
    joined, one_line_block, indented,
)  # fmt: skip
