"""The prompts of a session after an edit: `>>>` where a statement starts, `...` where one goes on."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.sources.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.sources.pages.lines import Line, Place

_PROMPT = re.compile(r"(>>>|\.\.\.) ?$")


def prompted(
    lines: Sequence[Line], text: str, old_lines: Sequence[Line], old_text: str, places: Sequence[Place]
) -> list[Line] | None:
    """The lines with the prompts that they need; None where output would no longer follow the statement that it is of.

    Args:
        lines: those after the edit, with the prompts of the lines that they came from.
        text: the program after the edit.
        old_lines, old_text: those before.
        places: of the blocks.
    """
    try:
        statements, old_statements = _statements(text, len(lines)), _statements(old_text, len(old_lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return list(lines)  # which the engine refuses anyway
    codes = text.encode("utf-8").splitlines()
    found = []
    for number, line in enumerate(lines):
        if line.block is None or not places[line.block].session:
            found.append(line)
            continue
        inside = number > 0 and statements[number] is not None and statements[number] == statements[number - 1]
        if line.gap and inside:
            return None
        found.append(_with_prompt(line, inside, empty=not codes[number].strip()))
    answered = _answered(old_lines, old_statements, places)
    return found if answered == _answered(found, statements, places, old_statements) else None


def _with_prompt(line: Line, inside: bool, *, empty: bool) -> Line:
    if empty:
        if line.origin is not None:
            return line
        return replace(line, lead=_PROMPT.sub("...", line.lead), shown=inside)
    prompt = "... " if inside else ">>> "
    return replace(line, lead=_PROMPT.sub(lambda found: prompt, line.lead), shown=True)


def _statements(text: str, lines: int) -> list[int | None]:
    """For each line the number of the statement of the top level that it is in; the first of two on one line."""
    found: list[int | None] = [None] * lines
    for number, statement in enumerate(ast.parse(text).body):
        first = first_line(statement)
        for line in range(first - 1, statement.end_lineno or first):
            if found[line] is None:
                found[line] = number
    return found


def _answered(
    lines: Sequence[Line],
    statements: Sequence[int | None],
    places: Sequence[Place],
    old_statements: Sequence[int | None] | None = None,
) -> list[int | None]:
    """The statements that output follows, as they were numbered before an edit."""
    ends = [number - 1 for number, line in enumerate(lines) if line.gap.strip()]
    for block, place in enumerate(places):
        if place.answered:
            mine = [
                number for number, line in enumerate(lines) if line.block == block and statements[number] is not None
            ]
            ends.append(mine[-1] if mine else -1)
    if old_statements is None:
        return [statements[end] for end in ends]
    return [_old(lines, statements, end, old_statements) for end in ends]


def _old(lines: Sequence[Line], statements: Sequence[int | None], end: int, old: Sequence[int | None]) -> int | None:
    """The number that the statement of a line had: that of the last line of it which has stayed."""
    if end < 0:
        return None
    here = end
    while here >= 0 and statements[here] == statements[end]:
        origin = lines[here].origin
        if origin is not None:
            return old[origin]
        here -= 1
    return None
