"""What every fix must hold, whichever rule made it: the text parses, comments stay with their code, the finding is gone."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from seqlint.engine.own import UNUSED
from seqlint.model import LEVELS, Edit
from seqlint.sources import head

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.engine.check import Checked
    from seqlint.engine.compose import Choice

_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT)

_MAKES_COMMENTS = re.compile(rb"#|\"\"\"|'''")


@dataclass(frozen=True)
class _Comment:
    """A comment and the code that it speaks of: that of its own line, or of the next line that holds code.

    At the end of a block, indented like it, that of the line above. At the top of the file, no code.

    Attributes:
        word: the first token of that line.
        code: the whole line, white space and comment left out.
        at, code_at: where the comment and the line's first token start, in bytes.
    """

    text: str
    word: str
    code: str
    at: int
    code_at: int


def objection(before: Checked, after: Checked, choices: tuple[Choice, ...], edits: tuple[Edit, ...]) -> str | None:
    """Why the fixes must not be applied; None where nothing speaks against them."""
    if any(diagnostic.code == "SEQ001" and diagnostic.level == "error" for diagnostic in after.diagnostics):
        return "the text no longer parses"
    if lost := _lost_comment(before, after, choices, edits):
        return f"the comment {lost!r} would lose its code"
    return _not_gone(before, after, choices) or _worse(before, after)


def _not_gone(before: Checked, after: Checked, choices: tuple[Choice, ...]) -> str | None:
    was, now = Counter(d.code for d in before.diagnostics), Counter(d.code for d in after.diagnostics)
    for code, number in Counter(choice.diagnostic.code for choice in choices).items():
        if now[code] > was[code] - number:
            return f"{code} would still be reported"
    return None


def _worse(before: Checked, after: Checked) -> str | None:
    highest = min((LEVELS.index(d.level) for d in before.diagnostics), default=len(LEVELS))
    was, now = Counter(d.code for d in before.diagnostics), Counter(d.code for d in after.diagnostics)
    for diagnostic in after.diagnostics:
        if now[diagnostic.code] > was[diagnostic.code] and LEVELS.index(diagnostic.level) < highest:
            return f"{diagnostic.code} would be new: {diagnostic.message}"
    return None


def _lost_comment(before: Checked, after: Checked, choices: tuple[Choice, ...], edits: tuple[Edit, ...]) -> str | None:
    """The first comment that is gone, or that stands by other code though its own is still there."""
    if all(_is_far_from_comments(before.source.utf8, edit) for edit in edits):
        return None
    removed = [edit for choice in choices if choice.diagnostic.code == UNUSED.rule.code for edit in choice.fix.edits]
    old = [comment for comment in _comments(before.source.text) if not _rewritten(comment, removed)]
    new = _comments(after.source.text)
    texts = Counter(comment.text for comment in new)
    by_word = Counter((comment.text, comment.word) for comment in new)
    by_code = Counter((comment.text, comment.code) for comment in new)
    was, now = _lines(before.source.text), _lines(after.source.text)
    for comment in old:
        texts[comment.text] -= 1
        if texts[comment.text] < 0:
            return comment.text
        if not _is_edited(comment, edits):
            kept = _take(by_word, (comment.text, comment.word))
        else:  # where its code was rewritten, that the comment is still there must do
            kept = now[comment.code] < was[comment.code] or _take(by_code, (comment.text, comment.code))
        if not kept:
            return comment.text
    return None


def _is_far_from_comments(text: bytes, edit: Edit) -> bool:
    """Whether no comment can be on the lines of an edit, or on the lines with code round them; spares reading the whole text."""
    if _MAKES_COMMENTS.search(edit.text.encode("utf-8") + text[edit.start : edit.end]):
        return False
    line = text.rfind(b"\n", 0, edit.start) + 1
    start = text.rfind(b"\n", 0, len(text[:line].rstrip())) + 1
    below = len(text) - len(text[_line_end(text, edit.end) :].lstrip())
    return b"#" not in text[start : _line_end(text, below)]


def _line_end(text: bytes, offset: int) -> int:
    newline = text.find(b"\n", offset)
    return newline if newline >= 0 else len(text)


def _take(counter: Counter[tuple[str, str]], key: tuple[str, str]) -> bool:
    counter[key] -= 1
    return counter[key] >= 0


def _rewritten(comment: _Comment, edits: Iterable[Edit]) -> bool:
    """Whether an edit means the comment itself, as the removal of a dead suppression does."""
    end = comment.at + len(comment.text.encode("utf-8"))
    return any(edit.start < end and comment.at < edit.end for edit in edits)


def _is_edited(comment: _Comment, edits: Iterable[Edit]) -> bool:
    """Whether an edit begins with the first token of the comment's line, or changes a part of it: `"val_acc"` into `"val_accuracy"`."""
    start, end = comment.code_at, comment.code_at + len(comment.word.encode("utf-8"))
    return any(
        edit.start <= start < max(edit.end, edit.start + 1) or (start < edit.start and edit.end <= end)
        for edit in edits
    )


def _lines(text: str) -> Counter[str]:
    return Counter(line.partition("#")[0].strip() for line in text.splitlines())


@lru_cache(maxsize=2)
def _comments(text: str) -> tuple[_Comment, ...]:
    if "#" not in text:
        return ()
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return ()
    starts = _line_offsets(text)
    first: dict[int, tokenize.TokenInfo] = {}
    for token in tokens:
        if token.type not in _LAYOUT:
            first.setdefault(token.start[0], token)
    lines = sorted(first)
    top = head.ends(text)
    return tuple(
        _of_file(token, starts) if token.start[0] <= top else _comment(token, first, lines, starts)
        for token in tokens
        if token.type == tokenize.COMMENT
    )


def _of_file(token: tokenize.TokenInfo, starts: list[int]) -> _Comment:
    at = _offset(token, starts)
    return _Comment(token.string, "", "", at, at)


def _comment(
    token: tokenize.TokenInfo, first: dict[int, tokenize.TokenInfo], lines: list[int], starts: list[int]
) -> _Comment:
    at = _offset(token, starts)
    here = bisect_left(lines, token.start[0])  # the first line from this one on that holds code
    code = first[lines[here]] if here < len(lines) else None
    if code is not None and code.start[0] > token.start[0] and code.start[1] < token.start[1] and here:
        code = first[lines[here - 1]]
    if code is None:
        return _Comment(token.string, "", "", at, at)
    line = code.line.split("\n")[0].partition("#")[0].strip()
    return _Comment(token.string, code.string, line, at, _offset(code, starts))


def _offset(token: tokenize.TokenInfo, starts: list[int]) -> int:
    line = token.line.split("\n")[0]
    return starts[token.start[0] - 1] + len(line[: token.start[1]].encode("utf-8"))


def _line_offsets(text: str) -> list[int]:
    starts, here = [0], 0
    for line in io.StringIO(text, newline=""):
        here += len(line.encode("utf-8"))
        starts.append(here)
    return starts
