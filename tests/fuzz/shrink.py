"""Makes a mutant that shows a fault as short as it can be and still show it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.fuzz.judge import judged

if TYPE_CHECKING:
    from tests.fuzz.subjects import Subject


def shrunk(subject: Subject, kind: str, tries: int = 400) -> Subject:
    """A part of the mutant that shows a fault of the same kind; runs of lines are left out, longer ones first."""

    def shows(one: Subject) -> bool:
        fault = judged(one).fault
        return fault is not None and fault.kind == kind

    if subject.others and shows(replace(subject, others=())):
        subject = replace(subject, others=())
    lines = subject.data.splitlines(keepends=True)
    size = max(len(lines) // 2, 1)
    while size and tries > 0:
        at = 0
        while at < len(lines) and tries > 0:
            fewer = [*lines[:at], *lines[at + size :]]
            tries -= 1
            if shows(replace(subject, data=b"".join(fewer))):
                lines = fewer
            else:
                at += size
        size //= 2
    return replace(subject, data=b"".join(lines))
