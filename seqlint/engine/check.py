"""Rules times facts gives diagnostics."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.checked import Assumed, Checked
from seqlint.engine.elsewhere import divided, why_not
from seqlint.engine.notes import named, note_on
from seqlint.engine.own import CRASHED, LATE, OWN, UNPARSABLE
from seqlint.engine.parse import Unparsable, ask_for_stack, parse, with_tree, worded
from seqlint.engine.suppress import Suppressions, suppressions
from seqlint.model import (
    KERAS_3_LINES,
    KERAS_LINES,
    LEVELS,
    Diagnostic,
    Finding,
    Fix,
    KerasLine,
    Level,
    Levels,
    LoadedRule,
    Position,
    Rule,
    UnreadableSource,
)  # fmt: skip
from seqlint.sources import surroundings
from seqlint.sources.reading import Memo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from seqlint.config import Config
    from seqlint.facts import Facts
    from seqlint.facts.code.prefilter import Words
    from seqlint.facts.keras import Declarations, KerasInUse
    from seqlint.facts.project import Project
    from seqlint.run import Run
    from seqlint.sources import Source
    from seqlint.trees import Grown


def check(
    source: Source,
    rules: Sequence[LoadedRule],
    config: Config,
    known: Sequence[LoadedRule] | None = None,
) -> Checked:
    """Run the rules over one file.

    Args:
        rules: those that are selected for this file.
        known: all rules there are; suppressions of a rule that is known but not selected are left alone.
    """
    try:
        return with_tree(source, lambda grown: _check(source, grown, rules, config, rules if known is None else known))
    except UnreadableSource as error:
        return Checked(source, (unreadable(source, error),), broken=True)
    finally:
        if config.cache is not None:
            _around(config).keep()


def unreadable(source: Source, error: UnreadableSource) -> Diagnostic:
    """SEQ001 for a file that can't be read or parsed; the source of one that can't be decoded is empty."""
    at = _place(source, error.line, error.column) if isinstance(error, Unparsable) else Position(1, 1, 0)
    return Diagnostic(UNPARSABLE.rule.code, UNPARSABLE.rule.name, "error", str(error), source.path, at, at)


def late(source: Source, seconds: float) -> Diagnostic:
    """SEQ006 for a file whose time is over."""
    at = Position(1, 1, 0)
    message = f"the file took more than {seconds:g} s of processor time"
    return Diagnostic(
        LATE.rule.code, LATE.rule.name, "error", message, source.path, at, at,
        note="it was not checked", help="exclude it, or give it more time with `file-time-limit`",
    )  # fmt: skip


def _place(source: Source, line: int, column: int) -> Position:
    """A place that a parser names; it may be after the end of a line, or of the file."""
    if (line, column) == (1, 1):
        return Position(1, 1, 0)
    return source.position(source.offset(min(line, len(source.line_starts)), column))


def _check(
    source: Source,
    grown: Callable[[], Grown],
    rules: Sequence[LoadedRule],
    config: Config,
    known: Sequence[LoadedRule],
) -> Checked:
    from seqlint.facts.code.prefilter import Words

    facts = facts_of(source, config, grown)
    text = source.text.replace("\r", "\n") if source.is_mixed else source.text
    project = facts.project
    words = Words(text, lambda words: _may_import_source(project, words), lambda words: _imported_texts(project, words))
    hidden = suppressions(source)
    found: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    broken = False
    for loaded in rules:
        if not all(words.have(need) for need in loaded.rule.needs):
            continue
        try:
            for diagnostic, said in _run(loaded, facts, config):
                if hidden.hides(diagnostic):
                    suppressed.append(diagnostic)
                elif said:
                    found.append(diagnostic)
        except UnreadableSource:  # a text that the parser refuses which is asked last is no fault of a rule
            raise
        except (Exception, SystemExit) as error:  # a rule may fail in any way; the others go on
            if isinstance(error, RecursionError):
                ask_for_stack()
            found.append(_crash(loaded, source, error))
            broken = True
    found = [_beside(diagnostic, suppressed) for diagnostic in found]
    file = None if source.path.startswith("<") else Path(source.path)
    found += [own for own in _own_diagnostics(hidden, rules, known, config) if config.reports(own.code, own.name, file)]
    found += [over for over in _passed_over(source) if not config.ignores(over.code, over.name, file)]
    found = [_allowed(_takable(diagnostic, source), source, config) for diagnostic in found]
    assumed = _assumed(facts)
    facts.end()
    return Checked(source, tuple(sorted(found, key=lambda diagnostic: diagnostic.key)), broken, assumed)


def _assumed(facts: Facts) -> Assumed | None:
    """The Keras of a file that is looked at; a notebook in another language than Python is not."""
    if facts.source.notebook is not None and not facts.source.notebook.cells:
        return None
    keras = facts.keras
    return Assumed(tuple(line for line in KERAS_LINES if line in keras.lines), keras.range, keras.source)


def _may_import_source(project: Project | None, words: Words) -> bool:
    if project is None or project.path is None:
        return False
    from seqlint.facts.training.imported_sources import may_import_source

    return may_import_source(project.at(project.path), project.path, words.text, words.import_statements)


def _imported_texts(project: Project | None, words: Words) -> Iterable[str]:
    if project is None or project.path is None:
        return ()
    from seqlint.facts.project.imported_texts import imported_texts

    return imported_texts(project.modules, project.path, words.import_statements)


def facts_of(source: Source, config: Config, grown: Callable[[], Grown] | None = None) -> Facts:
    """The facts of one file.

    Args:
        grown: makes its tree.

    Raises:
        Unparsable: it is no Python.
    """
    from seqlint.facts import Facts
    from seqlint.facts.keras import keras_in_use

    path = Path(source.path)
    file = path if os.path.isfile(path) else None
    around = _around(config)

    def keras() -> KerasInUse:
        found = keras_in_use(file, config.root, config.keras, source.text, around.declared, source.with_magics)
        return replace(found, migrating=True) if config.migrating else found

    def run() -> Run:
        from seqlint.run import Run

        return Run(source, file, project.modules if project is not None else None)

    project = around.project.at(file) if file is not None else None
    return Facts(source, grown or parse(source), keras, project, run)


@dataclass(frozen=True)
class _Surroundings:
    """What is read of a project in addition to the files that are checked: each module and each requirement file once a run.

    Attributes:
        keep: writes the modules that were read to the cache, if there is one.
    """

    project: Project
    declared: Declarations
    keep: Callable[[], None]


def _around(config: Config) -> _Surroundings:
    """Those of the project; of its own for as long as files are supposed to hold something else than they do."""
    if not surroundings.supposed():
        return _surroundings(config.root, config.cache)
    if not _imagined or _imagined[0][:2] != (surroundings.supposed(), config.root):
        _imagined[:] = [(surroundings.supposed(), config.root, _surroundings.__wrapped__(config.root, None))]
    return _imagined[0][2]


_imagined: list[tuple[Mapping[str, bytes], Path, _Surroundings]] = []


@cache
def _surroundings(root: Path, folder: Path | None) -> _Surroundings:
    from seqlint.facts.project import Project

    if folder is None:
        return _Surroundings(Project(root), Memo(), lambda: None)
    from seqlint.facts.project.kept import Kept
    from seqlint.facts.project.modules import Modules
    from seqlint.sources.cache import Cache

    kept = Kept(Cache(folder))
    return _Surroundings(Project(root, Modules(root, kept.summarise)), Memo(), kept.cache.flush)


def forget() -> None:
    """Read the modules and requirements of projects anew: something may have changed on the disk."""
    _surroundings.cache_clear()
    _imagined.clear()


def _run(loaded: LoadedRule, facts: Facts, config: Config) -> Iterator[tuple[Diagnostic, bool]]:
    """What a rule finds, and whether it speaks of that on this Keras, and here.

    A rule that is silent still uses up its suppression: the same file is checked under other ranges too.
    """
    for finding in loaded.check(facts):
        level = level_for(finding.levels or loaded.rule.levels, facts.keras.lines)
        asked = finding.default or config.selects(loaded.code, loaded.name)
        said = asked and level is not None and not (_is_ours(loaded.rule) and _is_meant_to_fail(finding, facts))
        yield _placed(loaded.rule, finding, level or "advice", facts), said


def _is_ours(rule: Rule) -> bool:
    """A project's own rules may speak of its tests."""
    return rule.code.startswith("SEQ")


def _is_meant_to_fail(finding: Finding, facts: Facts) -> bool:
    """Whether a finding stands in a block that expects an error: a test of that very error, say."""
    return any(start <= finding.start and finding.end <= end for start, end in facts.expected_errors)


def _beside(diagnostic: Diagnostic, suppressed: Sequence[Diagnostic]) -> Diagnostic:
    """The diagnostic without the fixes that would change code of a suppressed finding as well."""
    fixes = tuple(
        fix
        for fix in diagnostic.fixes
        if not any(
            edit.start < other.end.offset and other.start.offset < edit.end
            for edit in fix.edits
            for other in suppressed
        )
    )
    return _with(diagnostic, fixes, "it would change code whose finding is suppressed")


def _takable(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """The diagnostic without the fixes that the file can't take, as one that would cross the cells of a notebook."""
    fixes = tuple(fix for fix in diagnostic.fixes if source.takes(fix.edits))
    if source.is_mixed:
        return _with(diagnostic, fixes, "some lines of the file end in a lone carriage return, and others do not")
    if source.notebook is not None and source.notebook.together:
        return _with(diagnostic, fixes, "it would change a magic")
    what = "one cell, or a magic" if source.notebook else "one code block, or which blocks go together"
    return _with(diagnostic, fixes, f"it would change more than {what}")


def _allowed(diagnostic: Diagnostic, source: Source, config: Config) -> Diagnostic:
    """The diagnostic without the fixes that would change other files which they must not change."""
    reasons = [why_not(fix, source, config) for fix in diagnostic.fixes]
    fixes = tuple(fix for fix, reason in zip(diagnostic.fixes, reasons, strict=True) if not reason)
    return _with(diagnostic, fixes, next(filter(None, reasons), ""))


def _with(diagnostic: Diagnostic, fixes: tuple[Fix, ...], why: str) -> Diagnostic:
    """The diagnostic with those of its fixes that are left, and why none is."""
    if len(fixes) == len(diagnostic.fixes):
        return diagnostic
    return replace(diagnostic, fixes=fixes, no_fix="" if fixes else diagnostic.no_fix or why)


def level_for(levels: Levels, lines: frozenset[KerasLine]) -> Level | None:
    """The level of a finding on the lines of Keras that a project may run on."""
    by_line = dict(zip(KERAS_LINES, (levels.keras2, levels.early, levels.keras3), strict=True))
    found = [by_line[line] for line in KERAS_LINES if line in lines]
    if len(set(found)) == 1:
        return found[0]
    return found[-1] if levels.mixed == "newest" else levels.mixed


def _placed(rule: Rule, finding: Finding, level: Level, facts: Facts) -> Diagnostic:
    at = facts.source.position
    levels = finding.levels or rule.levels
    by_line = dict(zip(KERAS_LINES, (levels.keras2, levels.early, levels.keras3), strict=True))
    lines = tuple(line for line in KERAS_LINES if line in facts.keras.lines and by_line[line] is not None)
    fixes = tuple(replace(_divided(rule, fix, facts), contract=fix.contract or rule.contract) for fix in finding.fixes)
    offered = tuple(fix for fix in fixes if facts.keras.lines.issubset(fix.lines))
    return Diagnostic(
        rule.code, rule.name, level, finding.message, facts.source.path, at(finding.start), at(finding.end), lines, offered,
        note_on(finding.note, lines or facts.keras.lines), finding.help, _no_fix(rule, finding, fixes, offered), finding.condition,
        rule.migration or _is_worse_on_keras_3(levels),
    )  # fmt: skip


def _divided(rule: Rule, fix: Fix, facts: Facts) -> Fix:
    """The fix with the edits of each other file on their own.

    Raises:
        ValueError: the rule does not say that it edits other files, or has not read this one.
    """
    if not any(edit.path for edit in fix.edits):
        return fix
    if not rule.edits_elsewhere:
        raise ValueError(f"{rule.code} edits another file, and does not say so by `edits_elsewhere`")
    return divided(fix, facts.files.source)


def _is_worse_on_keras_3(levels: Levels) -> bool:
    """Whether something that runs on Keras 2 fails, or may go wrong, on Keras 3."""
    newer = [level for level in (levels.early, levels.keras3) if level in ("error", "warning")]
    worst = min(newer, key=LEVELS.index, default=None)
    return worst is not None and (levels.keras2 is None or LEVELS.index(worst) < LEVELS.index(levels.keras2))


def _no_fix(rule: Rule, finding: Finding, fixes: tuple[Fix, ...], offered: tuple[Fix, ...]) -> str:
    """Why a finding has no fix; nothing is said where the rule has none for any."""
    if fixes and not offered:
        return _held_back(fixes[0])
    fixable = any(example.after is not None for example in rule.examples)
    return finding.no_fix if fixable and not offered else ""


def _held_back(fix: Fix) -> str:
    """What a reader does to get a fix that is not for all of the range."""
    wanted = {KERAS_3_LINES: ">=3", KERAS_3_LINES[1:]: ">=3.10", KERAS_LINES[:1]: "<3"}.get(fix.lines)
    others = named(tuple(line for line in KERAS_LINES if line not in fix.lines))
    return f"it does not work on {others}" + (
        f': set `keras = "{wanted}"` if the project does not run there' if wanted else ""
    )


def _crash(loaded: LoadedRule, source: Source, error: BaseException) -> Diagnostic:
    from seqlint.version import __version__

    what = " ".join(f"{type(error).__name__}: {error}".split())  # a message is one line
    message = f"the rule {loaded.rule.code} ({loaded.path.name}) crashed with {what}"
    at = Position(1, 1, 0)
    return Diagnostic(
        CRASHED.rule.code, CRASHED.rule.name, "error", message, source.path, at, at,
        note=f"this is seqlint {__version__}; the other rules went on", help="report it, or ignore the rule for this file",
    )  # fmt: skip


def _passed_over(source: Source) -> Iterator[Diagnostic]:
    """SEQ001 for each cell of a notebook that was not checked: a warning where Python refuses it; the others are checked."""
    for number, offset, why in source.notebook.refused if source.notebook is not None else ():
        at = replace(source.position(offset), column=why.column)  # what is blank has other columns
        what = "is refused by Python" if why.parses else "is not valid Python"
        message = f"cell {number} {what}: {worded(why.reason)}"
        level: Level = "warning"
        if why.indented:
            message, level = f"cell {number} starts with an indent", "advice"
        note = "" if why.parses else "it was not checked; the other cells were"
        yield Diagnostic(UNPARSABLE.rule.code, UNPARSABLE.rule.name, level, message, source.path, at, at, note=note)


def _own_diagnostics(
    hidden: Suppressions, rules: Sequence[LoadedRule], known: Sequence[LoadedRule], config: Config
) -> Iterator[Diagnostic]:
    for diagnostic in hidden.complaints((*rules, *OWN), (*known, *OWN), all_known=not config.untrusted):
        if not hidden.hides(diagnostic, by_name=True):
            yield diagnostic


__all__ = ["Checked", "check", "facts_of", "forget", "late", "level_for", "unreadable"]
