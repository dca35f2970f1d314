"""Comments that hide findings: `# seqlint: ignore[SEQ102] reason`, `disable`/`enable`, `file-ignore`, and `# noqa: SEQ102`."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

from seqlint.engine.own import UNKNOWN, UNUSED
from seqlint.model import Contract, Diagnostic, Edit, Fix, LoadedRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.sources import Source

Scope = Literal["ignore", "file-ignore", "disable", "enable"]
_OURS = re.compile(r"#\s*seqlint:\s*(?P<scope>ignore|file-ignore|disable|enable)\b(?:\[(?P<codes>[^\]]*)\])?")
_NOQA = re.compile(r"#\s*noqa\b(?::\s*(?P<codes>[A-Za-z]+[0-9]+(?:[\s,]+[A-Za-z]+[0-9]+)*))?", re.IGNORECASE)


@dataclass(frozen=True)
class Word:
    """One code or name in a suppression, with its place in bytes."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Suppression:
    """One comment.

    Attributes:
        words: what it hides; empty: everything.
        lines: the lines on which a finding that starts there is hidden.
        noqa: a `# noqa`, which other tools read too.
        start, end: the comment, in bytes.
    """

    scope: Scope
    words: tuple[Word, ...]
    lines: range
    noqa: bool
    start: int
    end: int


@dataclass
class Suppressions:
    """The suppressions of a file, and which of them hid something."""

    source: Source
    found: tuple[Suppression, ...]
    used: set[tuple[Suppression, str]] = field(default_factory=set)

    def hides(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment hides the diagnostic. Every comment that does counts as used."""
        hidden = False
        for suppression in self.found:
            if suppression.scope == "enable" or diagnostic.start.line not in suppression.lines:
                continue
            for word in suppression.words or (_EVERYTHING,):
                if word.text in ("", diagnostic.code, diagnostic.name):
                    self.used.add((suppression, word.text))
                    hidden = True
        return hidden

    def hides_by_name(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment names the code: what is said of suppressions is not hidden by one that hides everything."""
        named = [found for found in self.found if found.words]
        return Suppressions(self.source, tuple(named), self.used).hides(diagnostic)

    def complaints(self, active: Iterable[LoadedRule], known: Iterable[LoadedRule]) -> Iterator[Diagnostic]:
        """SEQ003 for what hid nothing though its rule ran, SEQ004 for what names no rule."""
        names = {word for loaded in known for word in (loaded.rule.code, loaded.rule.name)}
        ran = {word for loaded in active for word in (loaded.rule.code, loaded.rule.name)}
        for suppression in self.found:
            if suppression.scope == "enable":
                continue
            for word in suppression.words:
                if word.text not in names:
                    yield self._unknown(suppression, word, names)
                elif word.text in ran and (suppression, word.text) not in self.used:
                    yield self._unused(suppression, word)
            if not suppression.words and not suppression.noqa and not any(s is suppression for s, _ in self.used):
                yield self._unused(suppression, Word("", suppression.start, suppression.end))

    def _unknown(self, suppression: Suppression, word: Word, names: set[str]) -> Diagnostic:
        near = get_close_matches(word.text, names, 1)
        hint = f"; the nearest is {near[0]}" if near else ""
        return self._diagnostic(UNKNOWN, word.start, word.end, f"no rule is called {word.text}{hint}", ())

    def _unused(self, suppression: Suppression, word: Word) -> Diagnostic:
        what = word.text or "anything"
        fix = Fix("Remove the suppression", (self._removal(suppression, word),), Contract())
        return self._diagnostic(
            UNUSED, word.start, word.end, f"this suppression hides nothing: {what} is not reported here", (fix,)
        )

    def _removal(self, suppression: Suppression, word: Word) -> Edit:
        if len(suppression.words) > 1:
            return self._word_removal(suppression, word)
        text = self.source.utf8
        line_start = text.rfind(b"\n", 0, suppression.start) + 1
        if not text[line_start : suppression.start].strip():  # a line of its own goes whole
            newline = text.find(b"\n", suppression.end)
            return Edit(line_start, newline + 1 if newline >= 0 else len(text), "")
        start = line_start + len(text[line_start : suppression.start].rstrip())
        return Edit(start, suppression.end, "")

    def _word_removal(self, suppression: Suppression, word: Word) -> Edit:
        later = [other for other in suppression.words if other.start > word.start]
        if later:
            return Edit(word.start, later[0].start, "")
        earlier = [other for other in suppression.words if other.start < word.start]
        return Edit(earlier[-1].end, word.end, "")

    def _diagnostic(self, own: LoadedRule, start: int, end: int, message: str, fixes: tuple[Fix, ...]) -> Diagnostic:
        at = self.source.position
        return Diagnostic(
            own.rule.code, own.rule.name, "warning", message, self.source.path, at(start), at(end), fixes=fixes
        )  # fmt: skip


_EVERYTHING = Word("", 0, 0)


def suppressions(source: Source) -> Suppressions:
    """All suppression comments of a file that Python can tokenize."""
    text = source.text
    if "seqlint:" not in text and "noqa" not in text.lower():
        return Suppressions(source, ())
    try:
        tokens = tuple(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return Suppressions(source, ())
    return Suppressions(source, tuple(_suppressions(source, tokens)))


def _suppressions(source: Source, tokens: tuple[tokenize.TokenInfo, ...]) -> Iterator[Suppression]:
    logical = _logical_lines(tokens)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    code_lines = {
        line for token in tokens if token.type not in _BLANK for line in range(token.start[0], token.end[0] + 1)
    }
    last = len(source.line_starts)
    for token in comments:
        for pattern in (_OURS, _NOQA):
            match = pattern.search(token.string)
            if match is None:
                continue
            found = _suppression(source, token, match, logical, code_lines, comments, last)
            if found.words or match["codes"] is None:  # else a noqa for codes of other tools alone
                yield found


_BLANK = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def _suppression(
    source: Source,
    token: tokenize.TokenInfo,
    match: re.Match[str],
    logical: dict[int, range],
    code_lines: set[int],
    comments: list[tokenize.TokenInfo],
    last: int,
) -> Suppression:
    base = source.offset(token.start[0], token.start[1] + 1)
    scope: Scope = match["scope"] if "scope" in match.re.groupindex else "ignore"  # type: ignore[assignment]
    start, end = base + _bytes(token.string, match.start()), base + len(token.string.encode())
    words = _words(token.string, match, base)
    line = token.start[0]
    lines = range(line, line + 1)
    if scope == "file-ignore":
        lines = range(1, last + 1)
    elif scope == "disable":
        lines = range(line, _enabled(line, comments, {word.text for word in words}, last))
    elif scope == "ignore":
        lines = _covered(line, logical, code_lines, last, own_line_covers=match.re is _OURS)
    return Suppression(scope, words, lines, match.re is _NOQA, start, end)


def _bytes(text: str, index: int) -> int:
    return len(text[:index].encode())


def _words(comment: str, match: re.Match[str], base: int) -> tuple[Word, ...]:
    if match["codes"] is None:
        return ()
    found = []
    offset = match.start("codes")
    for word in re.finditer(r"[^\s,]+", match["codes"]):
        start, end = offset + word.start(), offset + word.end()
        text = word[0].upper() if re.fullmatch(r"[A-Za-z]+[0-9]+", word[0]) else word[0]
        if match.re is _NOQA and not text.startswith("SEQ"):
            continue
        found.append(Word(text, base + _bytes(comment, start), base + _bytes(comment, end)))
    return tuple(found)


def _covered(line: int, logical: dict[int, range], code_lines: set[int], last: int, *, own_line_covers: bool) -> range:
    """A comment behind code covers the whole statement that it stands in; one on its own line, the statement below."""
    if line in code_lines:
        return logical.get(line, range(line, line + 1))
    if not own_line_covers:
        return range(line, line + 1)
    below = line + 1
    while below <= last and below not in code_lines:
        below += 1
    inside = logical.get(line)  # a comment line between brackets covers the next line, not the statement
    return range(below, below + 1) if inside is not None else logical.get(below, range(below, below + 1))


def _enabled(line: int, comments: list[tokenize.TokenInfo], words: set[str], last: int) -> int:
    for token in comments:
        match = _OURS.search(token.string)
        if match is None or match["scope"] != "enable" or token.start[0] <= line:
            continue
        named = set(re.findall(r"[^\s,]+", match["codes"] or ""))
        if not named or not words or named & words:
            return token.start[0]
    return last + 1


def _logical_lines(tokens: tuple[tokenize.TokenInfo, ...]) -> dict[int, range]:
    """For each line the lines of the statement that it belongs to."""
    found: dict[int, range] = {}
    first: int | None = None
    for token in tokens:
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        first = token.start[0] if first is None else first
        if token.type == tokenize.NEWLINE:
            lines = range(first, token.start[0] + 1)
            found.update(dict.fromkeys(lines, lines))
            first = None
    return found
