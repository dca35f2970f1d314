"""Pages: each program of one is checked and fixed as a file is, and what is found is told in places of the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import engine
from seqlint.engine import Checked, Fixed, Tried
from seqlint.engine.suppress import suppressions
from seqlint.model import Position, UnreadableSource
from seqlint.sources.screen import may_reach_keras, mentions_keras

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.config import Config
    from seqlint.engine.suppress import Suppression
    from seqlint.model import Diagnostic, Fix, LoadedRule
    from seqlint.sources import Source

_UNPARSABLE, _UNUSED, _UNSETTLED = "SEQ001", "SEQ003", "SEQ005"


def check(page: Source, rules: Sequence[LoadedRule], config: Config, known: Sequence[LoadedRule]) -> Checked:
    """What the rules find in the programs of a page."""
    return _broken(page) or _Page(page, rules, config, known).checked()


def glance(page: Source, rules: Sequence[LoadedRule], config: Config, known: Sequence[LoadedRule]) -> Checked:
    """The same at once, with fixes that may turn out not to be possible."""
    return _broken(page) or _Page(page, rules, config, known).checked(guarded=False)


def fix(page: Source, rules: Sequence[LoadedRule], config: Config, known: Sequence[LoadedRule]) -> Fixed:
    """The page with its programs fixed; the text between them stays."""
    if (broken := _broken(page)) is not None:
        return Fixed(page, page, (), (), broken)
    return _Page(page, rules, config, known).fixed()


def attempt(
    page: Source,
    diagnostic: Diagnostic,
    fix: Fix,
    rules: Sequence[LoadedRule],
    config: Config,
    known: Sequence[LoadedRule],
) -> Tried:
    """The page after one fix, and why it must not be applied; None where nothing speaks against it."""
    return _Page(page, rules, config, known).attempted(diagnostic, fix)


def _broken(page: Source) -> Checked | None:
    """What is said of a text that holds half of a character: a file can't, a text of a program can."""
    try:
        page.utf8  # noqa: B018 - it is worked out once
    except UnicodeEncodeError as error:
        problem = UnreadableSource(f"the text is no Unicode: {error}")
        return Checked(page, (engine.unreadable(page, problem),), broken=True)
    return None


class _Page:
    def __init__(self, page: Source, rules: Sequence[LoadedRule], config: Config, known: Sequence[LoadedRule]) -> None:
        from seqlint.sources.pages import programs

        self._page = page
        self._rules = rules
        self._config = config
        self._known = known
        self._programs = [program for program in programs(page) if _concerns(program)]
        # A comment that ignores a rule in a file does so on the whole page.
        self._ignoring = {number: tuple(_for_file(program)) for number, program in enumerate(self._programs)}
        self._comments = [(number, found) for number, comments in self._ignoring.items() for found in comments]

    def checked(self, *, guarded: bool = True) -> Checked:
        look = self._guarded if guarded else self._checked
        found = [look(number) for number in range(len(self._programs))]
        diagnostics = (
            _on_page(diagnostic, program, self._page)
            for number, (program, checked) in enumerate(zip(self._programs, found, strict=True))
            for diagnostic in checked.diagnostics
            if not self._hides_elsewhere(number, diagnostic)
        )
        broken = any(checked.broken for checked in found)
        keras = next((checked.keras for checked in found if checked.keras is not None), None)
        return Checked(self._page, tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.key)), broken, keras)

    def fixed(self) -> Fixed:
        from seqlint.sources.pages import amid, with_programs

        found: list[Fixed] = []
        for number, program in enumerate(self._programs):
            found.append(self._fixed(number, amid(program, found[-1].source) if found else program))
        after = with_programs(self._page, (fixed.source for fixed in found))
        checked = _Page(after, self._rules, self._config, self._known).checked()
        for fixed in found:
            unsettled = tuple(one for one in fixed.checked.diagnostics if one.code == _UNSETTLED)
            if unsettled:
                checked = Checked(after, (*unsettled, *checked.diagnostics), True, checked.keras)
        applied = tuple(replace(one, start=one.start.shown) for fixed in found for one in fixed.applied)
        refused = tuple(replace(one, start=one.start.shown) for fixed in found for one in fixed.refused)
        return Fixed(after, self._page, applied, refused, checked)

    def attempted(self, diagnostic: Diagnostic, fix: Fix) -> Tried:
        from seqlint.sources.pages import with_programs

        for number in range(len(self._programs)):
            checked = self._checked(number)
            own = next(
                (pair for one in checked.diagnostics for pair in self._pairs(number, one, diagnostic, fix)), None
            )
            if own is None:
                continue
            tried = engine.attempt(checked, *own, self._rules_of(number), self._config, self._known)
            page = with_programs(self._page, [tried.after.source])
            return Tried(_Page(page, self._rules, self._config, self._known).checked(guarded=False), tried.reason)
        return Tried(self.checked(guarded=False), "it is not found any more")

    def _pairs(
        self, number: int, own: Diagnostic, diagnostic: Diagnostic, fix: Fix
    ) -> Iterator[tuple[Diagnostic, Fix]]:
        """A finding of a program and a fix of it, where those are what the page shows as the two given."""
        shown = _on_page(own, self._programs[number], self._page)
        if replace(shown, fixes=()) == replace(diagnostic, fixes=()):
            yield from ((own, mine) for mine, there in zip(own.fixes, shown.fixes, strict=True) if there == fix)

    def _checked(self, number: int) -> Checked:
        program = self._programs[number]
        checked = engine.check(program, self._rules_of(number), self._config, self._known)
        # What Python's parser takes and libcst does not is no more the reader's fault than other code that is no Python.
        return Checked(program, (), False) if _unparsable(checked) else checked

    def _guarded(self, number: int) -> Checked:
        return engine.guarded(self._checked(number), self._rules_of(number), self._config, self._known)

    def _fixed(self, number: int, program: Source) -> Fixed:
        config = self._config
        if any(self._hides_elsewhere(number, diagnostic) for diagnostic in self._checked(number).diagnostics):
            config = replace(config, ignore=(*config.ignore, _UNUSED))
        return engine.fix(program, self._rules_of(number), config, unsafe=config.unsafe, known=self._known)

    def _rules_of(self, number: int) -> Sequence[LoadedRule]:
        """The rules that no other program of the page ignores."""
        others = [found for other, found in self._comments if other != number]
        return [loaded for loaded in self._rules if not any(_names(found, loaded) for found in others)]

    def _hides_elsewhere(self, number: int, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic says that a comment hides nothing, which does hide something in another program."""
        if diagnostic.code != _UNUSED:
            return False
        start, end = diagnostic.start.offset, diagnostic.end.offset
        comment = next((one for one in self._ignoring[number] if one.start <= start and end <= one.end), None)
        if comment is None:
            return False
        words = [word.text for word in comment.words if (word.start, word.end) == (start, end)]
        rules = [loaded for loaded in self._rules if not words or words[0] in (loaded.code, loaded.name)]
        others = (program for other, program in enumerate(self._programs) if other != number)
        return any(engine.check(program, rules, self._config, self._known).diagnostics for program in others)


def _concerns(program: Source) -> bool:
    return mentions_keras(program.utf8) or may_reach_keras(Path(program.path), program.utf8)


def _for_file(program: Source) -> Iterator[Suppression]:
    return (found for found in suppressions(program).found if found.scope == "file-ignore" and not found.fault)


def _names(found: Suppression, loaded: LoadedRule) -> bool:
    words = [word.text for word in found.words]
    return not words or loaded.code in words or loaded.name in words


def _unparsable(checked: Checked) -> bool:
    return any(diagnostic.code == _UNPARSABLE for diagnostic in checked.diagnostics)


def _on_page(diagnostic: Diagnostic, program: Source, page: Source) -> Diagnostic:
    start, end = diagnostic.start.shown, diagnostic.end.shown
    if diagnostic.end.column == 1 and diagnostic.end.offset > diagnostic.start.offset:
        end = Position(end.line, 1, page.line_starts[end.line - 1])  # not after what is before the code of that line
    return replace(diagnostic, start=start, end=end, fixes=tuple(_fixes(diagnostic.fixes, program)))


def _fixes(fixes: Iterable[Fix], program: Source) -> Iterator[Fix]:
    if program.excerpt is not None:
        for one in fixes:
            yield replace(one, edits=program.excerpt.on_page(program.utf8, one.edits))
