"""Elements of a list that is written out: put in, taken out, in the layout that the list already has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts


def insert_element(facts: Facts, before: cst.Element, text: str) -> Edit:
    """An element in front of another one and the comments above it, on a line of its own where that one has one."""
    utf8 = facts.source.utf8
    start = facts.tree.outer_span(before.value)[0]
    line = utf8.rfind(b"\n", 0, start) + 1
    lead = utf8[line:start]
    if lead.strip() or not lead:
        return Edit(start, start, f"{text}, ")
    while utf8[(above := utf8.rfind(b"\n", 0, line - 1) + 1) : line].startswith(lead + b"#"):
        line = above
    return Edit(line, line, f"{lead.decode()}{text},{facts.source.newline}")


def remove_element(facts: Facts, element: cst.Element) -> Edit | None:
    """An element out of its list, with its comma and its line; None where a comment would go, or nothing be left."""
    holder = facts.tree.parents[element]
    if not isinstance(holder, (cst.List, cst.Tuple)) or len(holder.elements) < 2:
        return None
    if isinstance(holder, cst.Tuple) and len(holder.elements) == 2:  # it would be no tuple any more
        return None
    if (line := _own_line(facts, element)) is not None:
        return line
    place = list(holder.elements).index(element)
    if place + 1 < len(holder.elements):
        start = facts.tree.outer_span(element.value)[0]
        end = facts.tree.outer_span(holder.elements[place + 1].value)[0]
    else:
        start = facts.tree.outer_span(holder.elements[place - 1].value)[1]
        end = facts.tree.outer_span(element.value)[1]
        if "#" in facts.source.slice(end, facts.span(holder)[1]):
            return None
    return None if "#" in facts.source.slice(start, end) else Edit(start, end, "")


def _own_line(facts: Facts, element: cst.Element) -> Edit | None:
    """The lines that an element has to itself, with its comma; a comment right above would be about it."""
    utf8 = facts.source.utf8
    start, end = facts.tree.outer_span(element.value)
    line, stop = utf8.rfind(b"\n", 0, start) + 1, utf8.find(b"\n", end)
    alone = stop >= 0 and not utf8[line:start].strip() and utf8[end:stop].strip() in (b"", b",")
    above = utf8[utf8.rfind(b"\n", 0, max(line - 1, 0)) + 1 : line]
    return Edit(line, stop + 1, "") if alone and not above.strip().startswith(b"#") else None
