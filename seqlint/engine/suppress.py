"""Comments that hide findings: `# seqlint: ignore[SEQ102] reason`, `disable`/`enable`, `file-ignore`, and `# noqa: SEQ102`."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from seqlint.engine.own import UNKNOWN, UNUSED
from seqlint.model import Contract, Diagnostic, Edit, Fix, LoadedRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.sources import Source

Scope = Literal["ignore", "file-ignore", "disable", "enable"]
_SCOPES: tuple[Scope, ...] = get_args(Scope)
_OURS = re.compile(r"#\s*seqlint:\s*(?P<scope>[A-Za-z-]+)(?:\s*\[(?P<codes>[^\]]*)\])?")
_NOQA = re.compile(r"#\s*noqa\b(?::\s*(?P<codes>[A-Za-z]+[0-9]+(?:[\s,]+[A-Za-z]+[0-9]+)*))?", re.IGNORECASE)
# A line that may hold one of ours: most `noqa` name rules of other tools, and tokens cost as much as a tree.
_MAY_HIDE = re.compile(r"#\s*(?:seqlint:|(?i:noqa)\b(?:(?!:[^\S\r\n]*[A-Za-z]+[0-9])|[^\r\n]*(?i:seq)))")


_FEW = 20  # lines


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
        lines: the lines on which a finding that starts there is hidden; for `disable` as far as no `enable` ends that.
        noqa: a `# noqa`, which other tools read too.
        start, end: the comment, in bytes.
        fault: why it hides nothing, where it is not written as one must be.
    """

    scope: Scope
    words: tuple[Word, ...]
    lines: range
    noqa: bool
    start: int
    end: int
    fault: str = ""

    def names(self, diagnostic: Diagnostic) -> tuple[str, ...]:
        """Those of its words that stand for the diagnostic; an empty one where it has none and so means everything."""
        words = (word.text for word in self.words or (_EVERYTHING,))
        return tuple(word for word in words if word in ("", diagnostic.code, diagnostic.name))


@dataclass
class Suppressions:
    """The suppressions of a file, and which of them hid something."""

    source: Source
    found: tuple[Suppression, ...]
    used: set[tuple[Suppression, str]] = field(default_factory=set)

    def hides(self, diagnostic: Diagnostic, *, by_name: bool = False) -> bool:
        """Whether a comment hides the diagnostic. Every comment that does counts as used.

        Args:
            diagnostic: the finding.
            by_name: only a comment that names it: what is said of suppressions is not hidden by one that hides everything.
        """
        near = (*self._far, *self._near.get(diagnostic.start.line, ()))
        hiding = [found for found in near if (found.words or not by_name) and self._covers(found, diagnostic)]
        used = {(found, word) for found in hiding for word in found.names(diagnostic)}
        self.used |= used
        return bool(used)

    @cached_property
    def _near(self) -> dict[int, list[Suppression]]:
        """By their lines those that cover few: a file may have thousands."""
        near: dict[int, list[Suppression]] = {}
        for found in self.found:
            if len(found.lines) <= _FEW:
                for line in found.lines:
                    near.setdefault(line, []).append(found)
        return near

    @cached_property
    def _far(self) -> tuple[Suppression, ...]:
        return tuple(found for found in self.found if len(found.lines) > _FEW)

    @cached_property
    def _enabling(self) -> tuple[Suppression, ...]:
        return tuple(found for found in self.found if found.scope == "enable" and not found.fault)

    def _covers(self, found: Suppression, diagnostic: Diagnostic) -> bool:
        line = diagnostic.start.line
        if found.fault or found.scope == "enable" or line not in found.lines:
            return False
        return found.scope != "disable" or not any(
            found.start < other.start and other.lines.start <= line and other.names(diagnostic)
            for other in self._enabling
        )

    def complaints(
        self, active: Iterable[LoadedRule], known: Iterable[LoadedRule], *, all_known: bool = True
    ) -> Iterator[Diagnostic]:
        """SEQ003 for what hid nothing though its rule ran, SEQ004 for what names no rule.

        Args:
            active: the rules that ran.
            known: the rules there are.
            all_known: there are no others; else a word may name one of them, and a comment without words may hide one.
        """
        if not self.found:
            return
        names = {word for loaded in known for word in (loaded.code, loaded.name)}
        ran = {word for loaded in active for word in (loaded.code, loaded.name)}
        for found in self.found:
            if found.fault:
                yield self._diagnostic(UNKNOWN, found.start, found.end, found.fault, ())
                continue
            if all_known:
                yield from (self._unknown(word, names) for word in found.words if word.text not in names)
            if found.scope != "enable" and (all_known or found.words):
                yield from (self._unused(found, word) for word in self._dead(found, ran))

    def _dead(self, found: Suppression, ran: set[str]) -> Iterator[Word]:
        """What of a comment hid nothing."""
        for word in found.words:
            if word.text in ran and (found, word.text) not in self.used:
                yield word
        if not found.words and not found.noqa and (found, "") not in self.used:
            yield Word("", found.start, found.end)

    def _unknown(self, word: Word, names: set[str]) -> Diagnostic:
        near = get_close_matches(word.text, names, 1)
        return self._diagnostic(UNKNOWN, word.start, word.end, f"unknown rule {word.text}{_nearest(near)}", ())

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
    if _MAY_HIDE.search(text) is None:
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
            if not _is_one(match):
                continue
            found = _suppression(source, token, match, logical, code_lines, last)
            if found.words or found.fault or match["codes"] is None:  # else a noqa for codes of other tools alone
                yield found


_BLANK = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def _is_one(match: re.Match[str]) -> bool:
    """Whether a comment is meant to be a suppression: a word that is not quite one of ours may begin a sentence."""
    if match.re is _NOQA or match["codes"] is not None:
        return True
    return bool(get_close_matches(match["scope"].lower(), _SCOPES, 1, 0.8))


def _suppression(
    source: Source,
    token: tokenize.TokenInfo,
    match: re.Match[str],
    logical: dict[int, range],
    code_lines: set[int],
    last: int,
) -> Suppression:
    base = source.offset(token.start[0], token.start[1] + 1)
    written = "ignore" if match.re is _NOQA else match["scope"].lower()
    scope = next((known for known in _SCOPES if known == written), None)
    start, end = base + _bytes(token.string, match.start()), base + len(token.string.encode())
    words = _words(token.string, match, base)
    line = token.start[0]
    lines = range(line, last + 1)
    if scope == "file-ignore":
        lines = range(1, last + 1)
    elif scope == "ignore":
        lines = _covered(line, logical, code_lines, last, own_line_covers=match.re is _OURS)
    fault = _fault(match, words, scope)
    return Suppression(scope or "ignore", words, lines, match.re is _NOQA, start, end, fault)


def _fault(match: re.Match[str], words: tuple[Word, ...], scope: Scope | None) -> str:
    """What is wrong with how a comment is written."""
    if scope is None:
        near = get_close_matches(match["scope"].lower(), _SCOPES, 1)
        return f"unknown suppression {match['scope']}{_nearest(near)}"
    if match.re is _OURS and match["codes"] is not None and not words:
        return "this suppression names no rule between its brackets"
    return ""


def _nearest(near: list[str]) -> str:
    return f"; did you mean {near[0]}?" if near else ""


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
    """A comment after code covers the whole statement that it is in; one on its own line, the statement below."""
    if line in code_lines:
        return logical.get(line, range(line, line + 1))
    if not own_line_covers:
        return range(line, line + 1)
    below = line + 1
    while below <= last and below not in code_lines:
        below += 1
    inside = logical.get(line)  # a comment line between brackets covers the next line, not the statement
    return range(below, below + 1) if inside is not None else logical.get(below, range(below, below + 1))


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
