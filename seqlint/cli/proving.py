"""What `verify` and `fix --verify` share: the way from fixes to a proof."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console, inputs
from seqlint.cli.choices import On

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.config import Config
    from seqlint.engine import Alone, Fixed, Other
    from seqlint.facts.keras import KerasInUse
    from seqlint.model import Position
    from seqlint.proof import Asked, Change, FileProof, KerasChoice, Left, Settings
    from seqlint.sources import Source

NO_FIX = "no fix is offered"


@dataclass(frozen=True)
class Trial:
    """How programs are to be run, as the command line says it.

    Attributes:
        root: the folder of the project; empty: it is found.
        data: files and folders that a program reads, as whole paths.
        factory: "module:function", which makes what is driven.
        argv: the arguments of scripts.
        keras: the range of Keras that the user names.
        script: whether the user says that the file is a script.
    """

    device: On = On.cpu
    replicas: int = 0
    time_limit: float = 120.0
    epochs: int = 3
    steps: int = 500
    python: str = ""
    root: str = ""
    data: tuple[str, ...] = ()
    factory: str = ""
    argv: tuple[str, ...] = ()
    keras: str = ""
    script: bool = False

    @property
    def names_keras(self) -> bool:
        """Whether the user has said which Keras to run on."""
        return self.keras not in ("", inputs.AUTO)

    def lines(self, found: KerasInUse) -> tuple[KerasChoice, ...]:
        """The Keras to run on: all that the user names, or else one that the project uses."""
        if not self.names_keras:
            return (line_of(found),)
        newer: tuple[KerasChoice, ...] = ("3",) if found.lines - {"2"} else ()
        return (*newer, *(("legacy",) if "2" in found.lines else ()))

    def root_of(self, script: Path) -> Path | None:
        """The folder of the project that a script belongs to; None where nobody has named it.

        Raises:
            ConfigError: it is not a folder, or the script lies elsewhere.
        """
        from seqlint.model import ConfigError

        if not self.root:
            return None
        root = Path(os.path.abspath(self.root))
        if not root.is_dir():
            raise ConfigError(f"--root: {self.root} is not a folder")
        if not script.is_relative_to(root):
            raise ConfigError(f"--root: {script} is not in {self.root}")
        return root

    def settings(self, keras: KerasChoice) -> Settings:
        """The settings of the runs on one Keras.

        Raises:
            ConfigError: there is no such interpreter, or it lacks what a proof needs.
        """
        from seqlint.model import ConfigError
        from seqlint.proof import INSTALL, Settings, missing

        if self.python and not os.access(self.python, os.X_OK):
            raise ConfigError(f"--python: {self.python} is not a program that can be run")
        python = os.path.abspath(self.python) if self.python else sys.executable
        settings = Settings(
            keras, self.device.value, self.replicas, float(self.time_limit), self.epochs, self.steps, python=python
        )
        if lacking := missing(settings):
            where = f" by {self.python}" if self.python else ""
            raise ConfigError(f"a proof runs programs, and {' and '.join(lacking)} can't be imported{where}: {INSTALL}")
        return settings


def refuse(trial: Trial, report: str = "") -> None:
    """Refuse options of a proof where none is asked for.

    Raises:
        ConfigError: there is such an option.
    """
    from seqlint.model import ConfigError

    given = [field.name for field in fields(Trial) if getattr(trial, field.name) != field.default]
    for name in (*(["report"] if report else []), *given):
        raise ConfigError(f"--{name.replace('_', '-')} needs --verify")


def can_run(trial: Trial) -> bool:
    """Whether there is something to run programs with."""
    from seqlint.model import ConfigError

    try:
        trial.settings("3")
    except ConfigError:
        if trial.python:
            raise
        return False
    return True


@dataclass(frozen=True)
class Prepared:
    """A file whose fixes are to be proved, and the fixes as the engine knows them."""

    asked: Asked
    alone: tuple[tuple[Change, Alone], ...]
    source: Source

    def join(self, changes: Sequence[Change]) -> bytes:
        """The text with some of the fixes and no other."""
        from seqlint.engine import together

        source, others = together(self.source, [one for change, one in self.alone if change in changes])
        return _bytes(source, others, self.asked.folder)


def prepare(path: str, fixed: Fixed, config: Config, trial: Trial) -> Prepared:
    """A file with its fixes, ready to be run.

    Raises:
        ConfigError: the file is not in the project that the user names.
    """
    from seqlint.proof import Asked, place_of, program_for
    from seqlint.runner import text

    script = Path(os.path.abspath(path))
    program = program_for(script, fixed.before.text, trial.argv, trial.factory, script=trial.script)
    place = place_of(script, fixed.before.text, program, trial.root_of(script))
    program = replace(program, start=place.start, data=trial.data)
    alone = _applied(text.alone(fixed.before, config), fixed)
    changes = [(_change(fixed.before, one, place.folder), one) for one in alone]
    late = Counter((done.code, done.title) for done in fixed.applied)
    late.subtract((one.diagnostic.code, one.fix.title) for one in alone)
    asked = Asked(
        path, fixed.before.to_bytes(), _bytes(fixed.source, fixed.others, place.folder),
        _diff(fixed.before, fixed.source, fixed.others),
        (*(change for change, _ in changes), *_following(fixed, late)), tuple(left(fixed)), place.folder, place.script, program,
    )  # fmt: skip
    return Prepared(asked, tuple(changes), fixed.before)


def _applied(alone: Iterable[Alone], fixed: Fixed) -> list[Alone]:
    """Those of the fixes that were applied in the end."""
    left = Counter((done.code, done.title) for done in fixed.applied)
    found = []
    for one in alone:
        key = (one.diagnostic.code, one.fix.title)
        if left[key] > 0:
            left[key] -= 1
            found.append(one)
    return found


def _bytes(source: Source, others: Sequence[Other], folder: Path | None) -> bytes:
    """The bytes of a file, with those of other files that its fixes change.

    Raises:
        ConfigError: one of them is not in the folder that is run.
    """
    from seqlint.model import ConfigError
    from seqlint.proof import WithFiles

    files = {}
    for other in others:
        path = os.path.relpath(other.path, folder or os.path.dirname(os.path.abspath(source.path)))
        if path.startswith(os.pardir):
            raise ConfigError(f"a fix changes {other.path}, which is not in the folder that is run: name one by --root")
        files[path] = other.after.to_bytes()
    return WithFiles(source.to_bytes(), files) if files else source.to_bytes()


def _diff(before: Source, after: Source, others: Sequence[Other]) -> str:
    from seqlint.output.fixes import file_diff
    from seqlint.output.words import short

    far = [[replace(source, path=short(one.path)) for source in (one.before, one.after)] for one in others]
    return "".join(file_diff(*pair) for pair in ((before, after), *far))


def _change(before: Source, one: Alone, folder: Path | None) -> Change:
    from seqlint.proof import Change

    found = one.diagnostic
    return Change(
        found.code, found.name, found.start.shown.line, found.message, one.fix.title, one.contract,
        _diff(before, one.source, one.others), _bytes(one.source, one.others, folder), cell_of(found.start),
    )  # fmt: skip


def _following(fixed: Fixed, late: Counter[tuple[str, str]]) -> Iterator[Change]:
    """The fixes of findings that only other fixes brought to light."""
    from seqlint.proof import Change

    for done in reversed(fixed.applied):
        if late[done.code, done.title] > 0:
            late[done.code, done.title] -= 1
            line, cell = done.start.shown.line, cell_of(done.start)
            yield Change(done.code, done.name, line, "", done.title, done.contract, "", None, cell)


def left(fixed: Fixed) -> Iterator[Left]:
    """What no run can prove: findings without a fix, and fixes that the engine refused."""
    from seqlint.proof import Left

    refused = {(item.code, item.start.line) for item in fixed.refused}
    for item in fixed.refused:
        reason = f"the fix was refused: {item.reason}"
        yield Left(item.code, item.start.shown.line, item.title, reason, cell_of(item.start))
    for found in fixed.checked.diagnostics:
        if (found.code, found.start.line) not in refused:
            reason = found.message if fixed.checked.broken else NO_FIX
            yield Left(found.code, found.start.shown.line, found.message, reason, cell_of(found.start))


def cell_of(place: Position) -> int | None:
    """The number of the cell of a notebook that a place is in."""
    return place.cell.number if place.cell is not None else None


def in_use(source: Source, config: Config) -> KerasInUse:
    """The Keras that the project of a file uses."""
    from seqlint.facts.keras import keras_in_use

    path, written = Path(os.path.abspath(source.path)), source.with_magics
    return keras_in_use(path, config.root, config.keras, source.text, written=written)


def line_of(found: KerasInUse) -> KerasChoice:
    """The Keras to run on where nobody says it: tf-keras where the project leaves no other."""
    return "legacy" if found.lines == frozenset({"2"}) else "3"


def data(paths: Iterable[str] | None) -> tuple[str, ...]:
    """Files and folders that a program reads, as whole paths.

    Raises:
        ConfigError: one of them is not there.
    """
    paths = tuple(paths or ())
    inputs.refuse_missing(paths, "--data")
    return tuple(map(os.path.abspath, paths))


def check_report(path: str) -> None:
    """See that a report can be written before anything runs.

    Raises:
        ConfigError: it can't.
    """
    from seqlint.model import ConfigError

    if not path:
        return
    try:
        with open(path, "ab"):
            pass
    except OSError as error:
        raise ConfigError(f"--report: {path} can't be written: {error.strerror}") from error


def write_report(path: str, proofs: Sequence[FileProof]) -> None:
    """Write the page, and say so."""
    from seqlint.proof import page

    if path:
        Path(path).write_text(page(proofs), "utf-8")
        console.remark(f"wrote {path}\n")
