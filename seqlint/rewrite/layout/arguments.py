"""Arguments of a call: added, named and taken out in the layout that the call already has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts


def add_argument(facts: Facts, call: cst.Call, *texts: str) -> Edit:
    """Arguments at the end of a call, in front of a closing `**kwargs`; each on its line where the call has it so."""
    source = facts.source
    close = facts.span(call)[1] - 1
    if not call.args:
        return Edit(close, close, ", ".join(texts))
    last = call.args[-1]
    if last.star == "**":
        start = facts.span(last)[0]
        return Edit(start, start, "".join(f"{text}, " for text in texts))
    end = _arg_end(facts, last)
    tail = source.utf8[end:close]
    if b"\n" not in tail:  # the bracket closes on the line of the last argument
        return Edit(end, end, "".join(f", {text}" for text in texts))
    lead = source.newline + _lead_of(facts, last)
    if tail.lstrip().startswith(b","):
        comma = end + tail.index(b",") + 1
        line_end = comma + _to_line_end(source.utf8[comma:close])
        return Edit(line_end, line_end, "".join(f"{lead}{text}," for text in texts))
    return Edit(end, end, "".join(f",{lead}{text}" for text in texts))


def _to_line_end(tail: bytes) -> int:
    """Bytes up to the newline, after a comment on the line."""
    newline = tail.find(b"\n")
    return len(tail[:newline].rstrip(b"\r")) if newline >= 0 else 0


def _lead_of(facts: Facts, argument: cst.Arg) -> str:
    text = facts.source.utf8
    start = facts.span(argument)[0]
    line = text[text.rfind(b"\n", 0, start) + 1 : start]
    return line.decode() if not line.strip() else line[: len(line) - len(line.lstrip())].decode()


def _arg_end(facts: Facts, argument: cst.Arg) -> int:
    return max(facts.span(argument)[1], facts.tree.outer_span(argument.value)[1])


def remove_argument(facts: Facts, call: cst.Call, argument: cst.Arg) -> tuple[Edit, ...]:
    """One argument out of a call, with its comma; its line goes too where it stands alone on it.

    Nothing where a comment speaks of it: that would be left over, by other code or by none.
    """
    return () if _is_spoken_of(facts, call, argument) else remove_arguments(facts, call, (argument,))


def _is_spoken_of(facts: Facts, call: cst.Call, argument: cst.Arg) -> bool:
    """Whether an argument that stands alone on its lines has a comment after it or above it."""
    text = facts.source.utf8
    first, last = facts.span(argument)[0], _arg_end(facts, argument)
    start = text.rfind(b"\n", 0, first) + 1
    rest = text[last : text.find(b"\n", last) if b"\n" in text[last:] else len(text)].strip().lstrip(b",").lstrip()
    if text[start:first].strip() or (rest and not rest.startswith(b"#")):
        return False
    above = text[text.rfind(b"\n", 0, max(start - 1, 0)) + 1 : start].strip()
    return bool(rest) or (above.startswith(b"#") and start > facts.span(call)[0])


def remove_arguments(facts: Facts, call: cst.Call, arguments: tuple[cst.Arg, ...]) -> tuple[Edit, ...]:
    """Several arguments out of one call; neighbours go in one edit. What stands alone on its lines goes with them.

    A comment after such a line stays, on a line of its own. Elsewhere it stays only when other code is left on its
    line, so the engine refuses a fix that would lose one.
    """
    groups: list[list[int]] = []
    for position, argument in enumerate(call.args):
        if argument not in arguments:
            continue
        if groups and groups[-1][-1] == position - 1:
            groups[-1].append(position)
        else:
            groups.append([position])
    return tuple(_remove_lines(facts, call, group) or _remove_group(facts, call, group) for group in groups)


def _remove_lines(facts: Facts, call: cst.Call, group: list[int]) -> Edit | None:
    """The lines of arguments that stand alone on them, comments left; None where other code stands there too."""
    text = facts.source.utf8
    first, close = facts.span(call.args[group[0]])[0], facts.span(call)[1] - 1
    start = text.rfind(b"\n", 0, first) + 1
    lead = text[start:first]
    stop = text.find(b"\n", _arg_end(facts, call.args[group[-1]])) + 1
    if lead.strip() or not 0 < stop <= close:
        return None
    last = group[-1] + 1 == len(call.args)
    if not last and facts.span(call.args[group[-1] + 1])[0] < stop:
        return None
    gaps = [_gap(facts, call, position, stop) for position in group]
    comments = [line.strip() for gap in gaps for line in gap.split(b"\n") if b"#" in line]
    code = gaps[-1].partition(b"#")[0].strip()
    above = _gap(facts, call, group[0] - 1, first) if group[0] else b""
    if code not in (b"", b",") or (last and not code and not comments and b"#" not in above):
        return None  # without a comma after it, the argument before gives up its own
    kept = b"".join(lead + line[line.index(b"#") :] + facts.source.newline.encode() for line in comments)
    return Edit(start, stop, kept.decode())


def _gap(facts: Facts, call: cst.Call, position: int, stop: int) -> bytes:
    """What stands between an argument and the next one, or the end of its line."""
    start = _arg_end(facts, call.args[position])
    following = facts.span(call.args[position + 1])[0] if position + 1 < len(call.args) else stop
    return facts.source.utf8[start : min(following, stop)]


def _remove_group(facts: Facts, call: cst.Call, group: list[int]) -> Edit:
    text = facts.source.utf8
    start = facts.span(call.args[group[0]])[0]
    end = _arg_end(facts, call.args[group[-1]])
    close = facts.span(call)[1] - 1
    if group[-1] + 1 < len(call.args):  # others follow: up to the next one
        return Edit(start, facts.span(call.args[group[-1] + 1])[0], "")
    if group[0] == 0:  # nothing is left
        return Edit(start, close, "")
    before = _arg_end(facts, call.args[group[0] - 1])
    rest = text[end:close]
    trailing_comma = rest.lstrip().startswith(b",")
    if b"\n" in rest and trailing_comma:  # the comma of the argument before becomes the trailing one
        comma = end + rest.index(b",") + 1
        kept = before + text[before:start].index(b",") + 1
        return Edit(kept, comma, "")
    return Edit(before, end + (rest.index(b",") + 1 if trailing_comma else 0), "")


def name_argument(facts: Facts, argument: cst.Arg, name: str) -> Edit:
    """Give a positional argument its keyword, or a keyword argument another one."""
    start = facts.tree.outer_span(argument.value)[0]
    if argument.keyword is None:
        return Edit(start, start, f"{name}=")
    return Edit(*facts.span(argument.keyword), name)


def realign(facts: Facts, call: cst.Call, shift: int, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Keeps arguments below the first one, where the text in front of the bracket gets shorter by `shift` columns.

    None where the lines of the call are laid out in another way, or a string spans some of them. Lines that `edits` take
    away are left out.
    """
    text = facts.source.utf8
    end = facts.span(call)[1]
    bracket = text.index(b"(", facts.span(call.func)[1])
    column = len(text[text.rfind(b"\n", 0, bracket) + 1 : bracket + 1].decode())
    starts = [bracket + at + 1 for at, byte in enumerate(text[bracket:end]) if byte == ord("\n")]
    lines = [start for start in starts if text[start : text.find(b"\n", start)].strip()]
    strings = facts.tree.inside(call, cst.SimpleString) + facts.tree.inside(call, cst.FormattedString)
    if any("\n" in facts.text(string) for string in strings):
        return ()
    if text[bracket + 1 : bracket + 2].isspace() or any(text[start : start + column].strip(b" ") for start in lines):
        return ()
    moved = [Edit(start, start + shift, "") for start in lines]
    return tuple(one for one in moved if not any(one.start < edit.end and edit.start < one.end for edit in edits))
