"""The values that pass between the rooms of seqlint: frozen, and without logic of their own.

Offsets are byte offsets into the UTF-8 text of a file, without its byte order mark. Lines and columns
count from 1; columns count code points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.facts import Facts
    from seqlint.facts.code.prefilter import Words

Level = Literal["error", "warning", "advice"]
"""How bad it is. *error*: crashes, hangs or is silently wrong. *warning*: wrong in some uses. *advice*: costs something."""

KerasLine = Literal["2", "3.0-3.9", "3.10+"]
"""The three lines of Keras that were measured; one piece of code can be an error on one and right on another."""

Observable = Literal[
    "samples", "order", "grouping", "spec", "epochs", "steps", "hooks", "history", "weights", "stop", "settings",
    "state", "errors", "warnings", "output",
]  # fmt: skip
"""What the proof records of a run, and what a contract may declare as changed."""

LEVELS: tuple[Level, ...] = get_args(Level)
KERAS_LINES: tuple[KerasLine, ...] = get_args(KerasLine)
KERAS_3_LINES: tuple[KerasLine, ...] = KERAS_LINES[1:]
OBSERVABLES: tuple[Observable, ...] = get_args(Observable)

Direction = Literal[
    "pairs match", "inputs stay", "epochs equal", "labels stay", "epochs differ", "orders differ", "only rounded", "none lost",
    "parts share no sample", "better by name", "only steps asked", "only rates asked", "only metrics asked", "only losses asked",
    "only moments asked", "only restoring asked", "losses stay", "answers stay", "tests stay", "as on one replica",
]  # fmt: skip
"""What must hold of a declared change: `seqlint.proof.directions` says how each is seen."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The level of a rule on each Keras line; None is silent.

    Attributes:
        keras2: tf-keras, and Keras below 3.
        early: Keras 3.0 to 3.9.
        keras3: Keras 3.10 and later.
        mixed: the level where the project's range spans lines that disagree. "newest" takes the level of the newest
            line in the range.
    """

    keras2: Level | None
    early: Level | None
    keras3: Level | None
    mixed: Level | Literal["newest"] | None = "newest"

    @classmethod
    def everywhere(cls, level: Level) -> Levels:
        """The same level on every line."""
        return cls(level, level, level)

    @classmethod
    def on(cls, level: Level, lines: Iterable[KerasLine]) -> Levels:
        """A level on some lines, and silence on the others."""
        held = frozenset(lines)
        keras2, early, keras3 = (level if line in held else None for line in KERAS_LINES)
        return cls(keras2, early, keras3)

    def at_most(self, level: Level) -> Levels:
        """The same on every line, but nowhere above a level; a line that is silent stays so."""
        mixed = self.mixed if self.mixed == "newest" else _capped(self.mixed, level)
        return Levels(_capped(self.keras2, level), _capped(self.early, level), _capped(self.keras3, level), mixed)


def _capped(level: Level | None, highest: Level) -> Level | None:
    return level if level is None or LEVELS.index(level) > LEVELS.index(highest) else highest


@dataclass(frozen=True, slots=True)
class Sometimes:
    """The levels that some findings of a rule have in place of its own, on each Keras line, the worst first.

    Where the range of a project spans lines, those of Keras 3.10 and later count.
    """

    keras2: tuple[Level, ...] = ()
    early: tuple[Level, ...] = ()
    keras3: tuple[Level, ...] = ()

    @classmethod
    def everywhere(cls, *levels: Level) -> Sometimes:
        """The same on every line."""
        return cls(levels, levels, levels)


@dataclass(frozen=True, slots=True)
class Contract:
    """What a fix may change in what a program does. Everything else must stay equal.

    Attributes:
        changes: observables of a working program that differ afterwards, on purpose.
        repairs: what goes away in a program that always failed or warned.
        holds: what must be seen of the program afterwards, where it changes.
    """

    changes: frozenset[Observable] = frozenset()
    repairs: frozenset[Observable] = frozenset()
    holds: frozenset[Direction] = frozenset()

    @property
    def safe(self) -> bool:
        """Whether no working program changes. Derived, so that it can't disagree with the proof."""
        return not self.changes


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes from `start` to `end` by `text`.

    Attributes:
        path: the file that it changes, absolute; empty: that of the finding. Only rules with `edits_elsewhere` name another.
    """

    start: int
    end: int
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What a fix changes in another file than that of its finding.

    Attributes:
        path: the file, absolute.
        digest: of the bytes for which the edits were made, as `seqlint.sources.reading.digest` gives it.
        edits: in this file; their own paths are empty.
        places: where each of them starts and ends.
    """

    path: str
    digest: bytes
    edits: tuple[Edit, ...]
    places: tuple[tuple[Position, Position], ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that are applied whole or not at all, and the observables that they change.

    Attributes:
        contract: None: that of the rule.
        lines: the lines of Keras on which a program works with what the edits write. Where the range of the project holds
            another one, the fix is not offered.
        elsewhere: the edits in other files. The engine has moved them there from `edits` in what it reports.
    """

    title: str
    edits: tuple[Edit, ...]
    contract: Contract | None = None
    lines: tuple[KerasLine, ...] = KERAS_LINES
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def safe(self) -> bool:
        """Whether no working program changes. The engine has filled in the contract of the rule by then."""
        return self.contract is not None and self.contract.safe


@dataclass(frozen=True, slots=True)
class Note:
    """What happens, as it was measured; a reader sees the texts for the Keras lines of the project alone.

    Each text is a sentence without a capital and without a full stop, such as "every epoch has the same batches".

    Attributes:
        every: what all lines do.
        keras2, early, keras3: what this line alone does; empty where there is nothing to add.
    """

    every: str = ""
    keras2: str = ""
    early: str = ""
    keras3: str = ""

    @classmethod
    def on_keras_3(cls, text: str, keras2: str = "") -> Note:
        """The same on all of Keras 3, and something else, or nothing, on Keras 2."""
        return cls(keras2=keras2, early=text, keras3=text)

    def after(self, text: str) -> Note:
        """The same note with a sentence in front that holds on every line."""
        return replace(self, every="; ".join(part for part in (text, self.every) if part))


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule reports: a span, texts for the reader, and fixes, the best one first.

    All texts are in lower case and without a full stop, since they stand in lists.

    Attributes:
        start, end: the span that a reader should look at, in bytes.
        message: what is wrong, with the names of the user's code; 15 words at most.
        fixes: ways to repair it. `seqlint fix` applies the first.
        levels: overrides the levels of the rule for this finding.
        note: what happens, as it was measured.
        help: what to do by hand; where there is a fix, its title says it.
        no_fix: why this finding has no fix, where its rule has one for others.
        condition: what the finding rests on and nobody can know, such as "`net` is a Keras model".
        default: whether it is reported where nobody has selected its rule.
    """

    start: int
    end: int
    message: str
    fixes: tuple[Fix, ...] = ()
    levels: Levels | None = None
    note: Note = Note()
    help: str = ""
    no_fix: str = ""
    condition: str = ""
    default: bool = True

    def fixed_by(
        self,
        title: str,
        *edits: Edit,
        contract: Contract | None = None,
        lines: tuple[KerasLine, ...] = KERAS_LINES,
    ) -> Finding:
        """The same finding with one more fix. Without `contract` the fix has the contract of the rule.

        Args:
            lines: where the edits work, as in `Fix`.
        """
        return replace(self, fixes=(*self.fixes, Fix(title, edits, contract, lines)))

    def unfixed(self, reason: str) -> Finding:
        """The same finding without its fixes, and why; the reason that was given first stays."""
        return replace(self, fixes=(), no_fix=self.no_fix or reason)

    def provided(self, condition: str, levels: Levels) -> Finding:
        """The same finding where nobody knows whether a condition holds: advice that says so, and no fix.

        Args:
            condition: what is not known, such as "`net` is a Keras model".
            levels: those of the rule.
        """
        own = self.levels or levels
        both = f"{self.condition} and {condition}" if self.condition else condition
        found = self.unfixed("this finding is not certain")
        return replace(found, condition=both, levels=own.at_most("advice"))


@dataclass(frozen=True, slots=True)
class Example:
    """A small program that shows a rule at work: the documentation, the tests and the proof all read it.

    Attributes:
        before: a program that the rule reports. It imports `keras`, `tensorflow as tf` and `numpy as np` by these names, so
            that the bench can spell the imports in other ways.
        after: the program after the first fix; None where no fix is offered.
        keras: the Keras range the program is judged under, such as ">=3.10"; empty: unknown.
        contract: narrows the contract of the rule for this program: what the proof must see here.
        silent: the rule must not report this program.
        unsure: the rule rests on something that can't be known here, so what it reports is advice.
    """

    before: str
    after: str | None = None
    keras: str = ""
    contract: Contract | None = None
    silent: bool = False
    unsure: bool = False

    @classmethod
    def where_unknown(cls, code: str, keras: str = "") -> Example:
        """A program that is only wrong if something is as the rule supposes, which nobody can know: advice, and no fix."""
        return cls(code, keras=keras, unsure=True)

    @classmethod
    def ok(cls, code: str, keras: str = "") -> Example:
        """A program that must stay silent."""
        return cls(code, keras=keras, silent=True)


Need = Callable[["Words"], bool]
"""A question to the words of a text, which may be answered with yes too often and never with no."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule states about itself; all else derives from it.

    Attributes:
        code: stable once shipped, such as "SEQ201".
        name: kebab-case; says what is wrong, never the remedy.
        since: the version of seqlint that shipped it.
        levels: the measured level on each Keras line.
        sometimes: what some findings are reported at instead. Not that of a finding that is advice for want of knowledge.
        migration: whether it speaks of what a program must change on its way to Keras 3. Findings that are worse there than on
            Keras 2 do so in any case.
        contract: what its fixes change.
        examples: programs that are reported and fixed, reported only, or must stay silent.
        sources: public reports of this kind, as "owner/repository#number" or a title.
        default: whether it is on unless configured.
        needs: what the text must hold, all of it; else the rule is not asked, and the text perhaps not even parsed.
        edits_elsewhere: whether its fixes may change other files of the project, too.
    """

    code: str
    name: str
    since: str
    levels: Levels
    contract: Contract = Contract()
    examples: tuple[Example, ...] = ()
    sources: tuple[str, ...] = ()
    default: bool = True
    needs: tuple[Need, ...] = ()
    sometimes: Sometimes = Sometimes()
    edits_elsewhere: bool = False
    migration: bool = False


Check = Callable[["Facts"], Iterator[Finding]]


@dataclass(frozen=True)
class LoadedRule:
    """A rule as the registry found it: its words and its file; the rest is read when somebody asks.

    Attributes:
        load: gives the statement, the function, and the docstring of the file.
    """

    code: str
    name: str
    path: Path
    load: Callable[[], tuple[Rule, Check, str]] = field(repr=False, compare=False)

    @classmethod
    def of(cls, rule: Rule, check: Check, doc: str, path: Path) -> LoadedRule:
        """A rule that is read already."""
        return cls(rule.code, rule.name, path, lambda: (rule, check, doc))

    @cached_property
    def _read(self) -> tuple[Rule, Check, str]:
        return self.load()

    @property
    def rule(self) -> Rule:
        """What it states."""
        return self._read[0]

    @property
    def check(self) -> Check:
        """What it does."""
        return self._read[1]

    @property
    def doc(self) -> str:
        """The docstring of its file."""
        return self._read[2]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook: its number from 1, and how many lines and bytes of the notebook's code are above it."""

    number: int
    lines: int
    offset: int


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file: line and column from 1, offset in bytes from 0.

    In a notebook they count in the code of all its cells, as it is checked; in a program of a page, in that of its blocks.

    Attributes:
        cell: the cell that the place is in; None in a file that is no notebook.
        page: the same place on the page whose program it is in; None in any other file.
    """

    line: int
    column: int
    offset: int
    cell: Cell | None = None
    page: Position | None = None

    @property
    def shown(self) -> Position:
        """The same place as a reader counts: in a notebook, from the start of the cell; on a page, from that of the page."""
        if self.page is not None:
            return self.page
        if self.cell is None:
            return self
        return Position(self.line - self.cell.lines, self.column, self.offset - self.cell.offset, self.cell)

    def __str__(self) -> str:
        """Such as "3:5", or "cell 2:3:5"."""
        shown = self.shown
        place = f"{shown.line}:{shown.column}"
        return place if self.cell is None else f"cell {self.cell.number}:{place}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding as it is reported: placed in a file, with the level that holds for the Keras in use.

    Attributes:
        keras: the lines of Keras on which this level holds in the range of the project.
        fixes: the fixes of the finding; their edits are in bytes.
        note: what happens on these lines, as it was measured; empty where there is nothing to add.
        help: what to do by hand; empty where a fix says it.
        no_fix: why there is no fix, where the rule has one for other findings.
        condition: what the finding rests on and nobody can know; empty where it is sure.
        migration: whether it is about what must change on the way from Keras 2 to Keras 3.
    """

    code: str
    name: str
    level: Level
    message: str
    path: str
    start: Position
    end: Position
    keras: tuple[KerasLine, ...] = KERAS_LINES
    fixes: tuple[Fix, ...] = ()
    note: str = ""
    help: str = ""
    no_fix: str = ""
    condition: str = ""
    migration: bool = False

    @property
    def sentence(self) -> str:
        """The message with the condition that it rests on."""
        return f"{self.message}, if {self.condition}" if self.condition else self.message

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say in addition to the message: what happens, what to do, why there is no fix."""
        texts = (self.note, self.help, self.no_fix and f"no fix: {self.no_fix}")
        return tuple(text for text in texts if text)

    @property
    def key(self) -> tuple[str, int, int, str]:
        """The order in which diagnostics are reported."""
        return (self.path, self.start.offset, self.end.offset, self.code)


Settings = Mapping[str, object]


class SeqlintError(Exception):
    """Something that seqlint can't go on with; the text is meant for the user."""


class ConfigError(SeqlintError):
    """The configuration or a command's arguments are wrong; names file, line and the nearest right word."""


class RuleError(SeqlintError):
    """A rule misbehaved: it crashed, or its file does not state a rule."""


class UnreadableSource(SeqlintError):
    """A file could not be read, decoded or parsed."""
