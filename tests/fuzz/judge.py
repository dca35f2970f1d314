"""What must hold of every mutant, whatever it says."""

from __future__ import annotations

import io
import signal
import tempfile
import tokenize
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import engine
from seqlint.config import Config
from seqlint.model import UnreadableSource
from seqlint.runner import text as runner
from seqlint.sources import Source
from seqlint.sources.pages import programs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.engine import Checked, Fixed
    from tests.fuzz.subjects import Subject

BROKEN = frozenset({"SEQ002", "SEQ005", "SEQ006"})
"""What seqlint says of itself where something is wrong with it."""
LIMIT: float = 20
"""Seconds of a processor that a mutant may take: it counts no waiting, so that a busy machine judges as an idle one does."""


class TookTooLong(BaseException):
    """A mutant has used up its time; no `except Exception` may catch it."""


@dataclass(frozen=True)
class Fault:
    """What is wrong.

    Attributes:
        kind: the same for all mutants that show the same.
        detail: what this mutant shows.
    """

    kind: str
    detail: str


@dataclass(frozen=True)
class Judged:
    """What became of one mutant.

    Attributes:
        findings, applied, refused: how many of each, over all rounds.
        readable: whether it could be read as a program.
    """

    fault: Fault | None
    findings: int = 0
    applied: int = 0
    refused: tuple[str, ...] = ()
    readable: bool = False


def judged(subject: Subject) -> Judged:
    """Check and fix a mutant, safely and unsafely, and hold the outcome against what was promised."""
    with tempfile.TemporaryDirectory(prefix="fuzz") as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        _write(subject, folder)
        try:
            with _limited():
                return _judged(subject, folder)
        except TookTooLong:
            return Judged(Fault(f"took more than {LIMIT} seconds of a processor", ""))
        except _Wrong as wrong:
            return Judged(wrong.fault)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            at = f"{type(error).__name__} in {Path(frame.filename).name}, {frame.name}"
            return Judged(Fault(at, traceback.format_exc()))
        finally:
            engine.forget()


def compared(before: Subject, after: bytes) -> Fault | None:
    """What is wrong with the bytes that fixes have made of a file, as far as they show it themselves."""
    old, new = (Source.from_bytes(data, before.name) for data in (before.data, after))
    try:
        _parses(old, new, "fixes")
        _keeps_comments(old, new, "fixes")
    except _Wrong as wrong:
        return wrong.fault
    return None


class _Wrong(Exception):
    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind)
        self.fault = Fault(kind, detail)


def _write(subject: Subject, folder: Path) -> None:
    for name, text in subject.others:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (folder / subject.name).write_bytes(subject.data)
    (folder / "pyproject.toml").write_text('[project]\nname = "shown"\nversion = "1"\n')


def _judged(subject: Subject, folder: Path) -> Judged:
    path = str(folder / subject.name)
    try:
        source = Source.from_bytes(subject.data, path)
    except UnreadableSource:
        return Judged(None)
    config = replace(Config.default(), root=folder, keras=subject.keras, select=("ALL",))
    checked = runner.check(source, config)
    _sound(checked, "check")
    applied, refused = 0, []
    for unsafe in (False, True):
        fixed = _fixed(source, replace(config, unsafe=unsafe))
        applied += len(fixed.applied)
        refused += [f"{one.code}: {one.reason.partition(' ')[0]}" for one in fixed.refused]
    readable = not any(found.code == "SEQ001" for found in checked.diagnostics)
    return Judged(None, len(checked.diagnostics), applied, tuple(refused), readable)


def _fixed(source: Source, config: Config) -> Fixed:
    """One round of fixes, and another that must change nothing."""
    kind = "unsafe" if config.unsafe else "safe"
    fixed = runner.fix(source, config)
    rules = " ".join(sorted({one.code for one in fixed.applied}))
    _sound(fixed.checked, f"fix ({kind}) {rules}")
    try:
        data = fixed.source.to_bytes()
    except (
        UnreadableSource
    ):  # a fix may need a character that the file's encoding lacks: it is reported, and not written
        return fixed
    if fixed.source.text == source.text:
        _same(data, source.to_bytes(), f"nothing was fixed, yet the bytes differ ({kind})")
        return fixed
    after = Source.from_bytes(data, source.path)
    _parses(source, after, rules)
    _keeps_comments(source, after, rules)
    again = runner.fix(after, config)
    _sound(again.checked, f"second round of {rules}")
    if again.applied:
        more = " ".join(sorted({one.code for one in again.applied}))
        raise _Wrong(f"a second round applies {more} ({kind})", f"after {rules}:\n{after.text}")
    _same(again.source.to_bytes(), data, f"a second round changes bytes ({kind}) after {rules}")
    return fixed


def _sound(checked: Checked, where: str) -> None:
    for found in checked.diagnostics:
        if found.code in BROKEN:
            raise _Wrong(f"{found.code} {found.message}", where)


def _same(one: bytes, other: bytes, kind: str) -> None:
    if one != other:
        raise _Wrong(kind, f"{other!r}\n{one!r}")


def _parses(before: Source, after: Source, rules: str) -> None:
    old, new = _texts(before), _texts(after)
    if len(old) != len(new):
        raise _Wrong(f"the page has other programs after {rules}", after.text)
    for one, other in zip(old, new, strict=True):
        if _compiles(one) and (error := _error(other)):
            raise _Wrong(f"the text no longer compiles after {rules}: {error}", other)


def _keeps_comments(before: Source, after: Source, rules: str) -> None:
    """Comments that steer seqlint may go: that they are needless is a finding of its own."""
    for one, other in zip(_texts(before), _texts(after), strict=True):
        lost = _comments(one) - _comments(other)
        if lost:
            raise _Wrong(f"comments are lost after {rules}", f"{dict(lost)}\n{other}")


def _texts(source: Source) -> list[str]:
    return [program.text for program in programs(source)] if source.is_page else [source.text]


def _compiles(text: str) -> bool:
    return not _error(text)


def _error(text: str) -> str:
    try:
        compile(text, "mutant.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return str(error)
    return ""


def _comments(text: str) -> Counter[str]:
    try:
        found = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return Counter()
    return Counter(one.string.rstrip() for one in found if one.type == tokenize.COMMENT and "seqlint" not in one.string)


@contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise TookTooLong

    old = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
