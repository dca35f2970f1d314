"""What every fix must hold, whichever rule made it: the text parses, comments stay with their code, the finding is gone."""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.model import LEVELS, Edit

if TYPE_CHECKING:
    from seqlint.engine.check import Checked
    from seqlint.engine.compose import Choice

_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT)


@dataclass(frozen=True)
class _Comment:
    """A comment and the code that it speaks of: the first token of its line, or of the next line that holds code."""

    text: str
    anchor: str
    at: int
    anchor_at: int


def objection(before: Checked, after: Checked, choices: tuple[Choice, ...], edits: tuple[Edit, ...]) -> str | None:
    """Why the fixes must not be applied; None where nothing speaks against them."""
    if any(diagnostic.code == "SEQ001" for diagnostic in after.diagnostics):
        return "the text no longer parses"
    if lost := _lost_comment(before, after, edits):
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


def _lost_comment(before: Checked, after: Checked, edits: tuple[Edit, ...]) -> str | None:
    old, new = _comments(before.source.text), _comments(after.source.text)
    texts = Counter(comment.text for comment in new)
    pairs = Counter((comment.text, comment.anchor) for comment in new)
    for comment in old:
        texts[comment.text] -= 1
        if texts[comment.text] < 0:
            return comment.text
        if _touched(comment, edits):  # its code was rewritten: that it is still there must do
            continue
        pairs[comment.text, comment.anchor] -= 1
        if pairs[comment.text, comment.anchor] < 0:
            return comment.text
    return None


def _touched(comment: _Comment, edits: Iterable[Edit]) -> bool:
    return any(edit.start <= comment.anchor_at < max(edit.end, edit.start + 1) for edit in edits)


def _comments(text: str) -> list[_Comment]:
    if "#" not in text:
        return []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    starts = _line_offsets(text)
    first: dict[int, tokenize.TokenInfo] = {}
    for token in tokens:
        if token.type not in _LAYOUT:
            first.setdefault(token.start[0], token)
    lines = sorted(first)
    return [_comment(token, first, lines, starts) for token in tokens if token.type == tokenize.COMMENT]


def _comment(token: tokenize.TokenInfo, first: dict[int, tokenize.TokenInfo], lines: list[int], starts: list[int]) -> _Comment:
    line = token.start[0]
    at = starts[line - 1] + len(token.line[: token.start[1]].encode("utf-8"))
    anchor = first.get(line) or next((first[number] for number in lines if number > line), None)
    if anchor is None:
        return _Comment(token.string, "", at, at)
    anchor_at = starts[anchor.start[0] - 1] + len(anchor.line.split("\n")[0][: anchor.start[1]].encode("utf-8"))
    return _Comment(token.string, anchor.string, at, anchor_at)


def _line_offsets(text: str) -> list[int]:
    starts, here = [0], 0
    for line in io.StringIO(text, newline=""):
        here += len(line.encode("utf-8"))
        starts.append(here)
    return starts
