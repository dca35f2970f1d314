"""The Keras that a file runs on: a range of versions, and how it is known."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.facts.keras import ranges
from seqlint.facts.keras.code import Usage, may_need, usage
from seqlint.facts.keras.configured import parse
from seqlint.facts.keras.declared import Declared, declared
from seqlint.facts.keras.installed import INSTALLED, installed
from seqlint.facts.keras.installs import installed_in
from seqlint.facts.keras.ranges import ALL, LEGACY, TENSORFLOW, Lines, Range
from seqlint.sources import surroundings
from seqlint.sources.reading import Memo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Declarations = Memo[Path, tuple[Declared, ...]]
"""What each folder declares. Pass one of them through a run, and no file is read twice."""

_KERAS = frozenset({"keras"})
_NUMPY = frozenset({"numpy"})
_PANDAS = frozenset({"pandas"})
_TF_KERAS: Range = (((LEGACY, ""),),)
_CONFIGURED = "[tool.seqlint] keras"
_BY_IMPORT = "how the code imports it"
_LEGACY_WORDS = re.compile(r"tf_keras|TF_USE_LEGACY_KERAS|tensorflow\.python\.keras")

# What each TensorFlow asks of NumPy, as its releases say; 2.14 names no end, and was built for NumPy 1.
_NUMPY_OF = (
    ("0", "2.12a0", "<2"), ("2.12a0", "2.13a0", ">=1.22,<1.24"), ("2.13a0", "2.14a0", ">=1.22,<=1.24.3"), ("2.14a0", "2.18a0", ">=1.23.5,<2"),
    ("2.18a0", "2.19a0", ">=1.26,<2.1"), ("2.19a0", "2.20a0", ">=1.26,<2.2"), ("2.20a0", "", ">=1.26"),
)  # fmt: skip


@dataclass(frozen=True)
class KerasInUse:
    """The Keras in use.

    Attributes:
        lines: the lines of Keras that the range admits; all of them when nothing is known.
        range: as a user writes it: ">=3.10", "3.3.3", "tensorflow<2.16", "tf-keras"; "" when nothing is known.
            `parse_range` reads it back.
        source: where the range comes from: "uv.lock line 12", "[tool.seqlint] keras", "how the code imports it",
            "unknown".
        legacy: whether `tf.keras` is `tf_keras`, and so differs from `keras`, which stays Keras 3.
        demands: the whole range. `range` leaves out what changes no line, such as the 2.11 of ">=2.11,<3".
        tensorflow: the demands of the project on TensorFlow; empty when nothing is known.
        numpy: the demands of the project on NumPy, or those of its TensorFlow; empty when nothing is known.
        pandas: the demands of the project on pandas; empty when nothing is known.
        migrating: whether the code was written for Keras 2, and is looked at for this one.
    """

    lines: Lines = ALL
    range: str = ""
    source: str = "unknown"
    legacy: bool = False
    demands: Range = ()
    tensorflow: Range = ()
    numpy: Range = ()
    pandas: Range = ()
    migrating: bool = False

    @property
    def was_2(self) -> bool:
        """Whether the code surely has to do with Keras 2 and 3: it moves from one to the other, or its range holds both."""
        return self.migrating or (self.known and self.may_be("2", "3") and self.may_be("3"))

    @property
    def known(self) -> bool:
        """Whether anything says which Keras it is. A lower bound is something, though it may admit every line."""
        return self.range != ""

    def may_be(self, low: str, high: str = "") -> bool:
        """Whether Keras can be from `low` to below `high` ("" is no end). True when nothing is known."""
        window = f">={low},<{high}" if high else f">={low}"
        return not self.known or bool(ranges.possible(ranges.both(self.demands, ((("keras", window),),))))

    def may_be_older(self, version: str) -> bool:
        """Whether Keras can be older than a release of 2.x: one from 2.4 on, where TensorFlow counts the same. True when nothing is known.

        `tf_keras` is older than none of them: its first release is 2.14.
        """
        if not self.known:
            return True
        older: Range = ((("keras", f"<{version}"),),)
        found = tuple(one for one in self.demands if all(name != LEGACY for name, _ in one))
        return bool(found and ranges.possible(ranges.both(found, older))) and self.tensorflow_may_be("0", version)

    @property
    def logs_short_names(self) -> bool:
        """Whether Keras is older than 2.3, or that of TensorFlow 1: both log `metrics=["accuracy"]` as "acc"."""
        return not self.may_be("2.3") or not self.tensorflow_may_be("2.0a0")

    def tensorflow_may_be(self, low: str, high: str = "") -> bool:
        """Whether TensorFlow can be from `low` to below `high` ("" is no end). True when nothing is known."""
        return ranges.may_be(self.tensorflow, low, high)

    def numpy_may_be(self, low: str, high: str = "") -> bool:
        """Whether NumPy can be from `low` to below `high` ("" is no end). True when nothing is known."""
        return ranges.may_be(self.numpy, low, high)

    def pandas_may_be(self, low: str, high: str = "") -> bool:
        """Whether pandas can be from `low` to below `high` ("" is no end). True when nothing is known."""
        return ranges.may_be(self.pandas, low, high)


_BOTH = "2 or 3"


def parse_range(text: str) -> KerasInUse:
    """The Keras of a range that a user wrote, in the configuration or in an example; "" is unknown.

    `>=3.10`, `3.3.3`, `3.10`, `>=3,<3.10`, `3.0-3.9`, `tf-keras`, `2`, `3`, `both` and `tensorflow<2.16` are understood.

    Raises:
        ConfigError: the text is no range, or admits no Keras. The message holds the nearest right form.
    """
    found = parse(_BOTH if text.strip() == "both" else text)
    legacy = any(name == LEGACY for alternative in found for name, _ in alternative)
    return _answer(found, _CONFIGURED, ranges.of(found, TENSORFLOW), legacy) if found else KerasInUse()


def keras_in_use(
    path: Path | None,
    root: Path | None,
    configured: str = "",
    text: str = "",
    memo: Declarations | None = None,
    written: str = "",
) -> KerasInUse:
    """The Keras that a file runs on.

    The configured range comes first. Then a file that uses `tf_keras` alone, or sets TF_USE_LEGACY_KERAS, is on Keras 2
    whatever is installed. Then what a notebook installs itself. Then the nearest folder up the tree that declares a version, up to the root of the
    repository: its lock, requirement files, manifests, environments of conda. Then, with "installed" for the configured range, what
    is installed next to seqlint. Then the names that the code uses.

    Args:
        path: the file; None for text without one.
        root: the folder of the project; the search starts here without `path`, and names of files in `source` are
            relative to it.
        configured: what the user wrote in the configuration: a range, "installed", or "" for nothing.
        text: the text of the file.
        memo: what other calls have read; filled by this one.
        written: the text of a notebook with its magics; "" for a script.

    Raises:
        ConfigError: `configured` is no range.
    """
    start = path.absolute().parent if path is not None else root.absolute() if root is not None else None
    chain = tuple(_chain(start, Memo() if memo is None else memo)) if start is not None else ()
    chain = (*installed_in(written, path.absolute()), *chain) if written and path is not None else chain
    code = cache(lambda: usage(text))
    found = parse_range(configured)
    if not found.known:
        found = _with_legacy(_found(chain, code, text, root, ask=configured.strip() == INSTALLED), code, text)
    tensorflow = found.tensorflow or _first(chain, TENSORFLOW)
    numpy = _first(chain, _NUMPY) or _implied(tensorflow)
    return replace(found, tensorflow=tensorflow, numpy=numpy, pandas=_first(chain, _PANDAS))


def _chain(start: Path, memo: Declarations) -> Iterator[Declared]:
    """What the folders declare, from a folder up to the root of its repository, the nearest first."""
    stop = surroundings.repository(start)
    for folder in (start, *start.parents):
        yield from memo.get(folder, declared)
        if folder == stop:
            return


def _first(chain: tuple[Declared, ...], names: frozenset[str]) -> Range:
    return next((found for one in chain if (found := one.range_of(names))), ())


def _found(
    chain: tuple[Declared, ...], code: Callable[[], Usage], text: str, root: Path | None, *, ask: bool
) -> KerasInUse:
    if _LEGACY_WORDS.search(text) and (decided := code().decided):
        return _answer(decided, _BY_IMPORT, (), decided == _TF_KERAS and code().legacy)
    for one in chain:
        if (found := _judged(one, code)) is not None:
            return replace(found, source=_source(one, root))
    if ask and (found := _installed()).known:
        return found
    needs = code().needs if may_need(text) else ()
    return _answer(needs, _BY_IMPORT, ranges.of(needs, TENSORFLOW)) if needs else KerasInUse()


def _installed() -> KerasInUse:
    both, words = installed(("keras", "tensorflow"))
    tensorflow, _ = installed(("tensorflow",))
    found = ranges.possible(both) or tensorflow
    return _answer(found, f"installed here: {words}", tensorflow) if found else KerasInUse()


def _with_legacy(found: KerasInUse, code: Callable[[], Usage], text: str) -> KerasInUse:
    """Add Keras 2 where a file uses `tf_keras`, or the switch, besides another Keras."""
    if not _LEGACY_WORDS.search(text) or not (code().legacy or code().tf_keras):
        return found
    legacy = found.legacy or code().legacy
    if not found.known or found.lines == ranges.KERAS2:
        return replace(found, legacy=legacy)
    demands = (*found.demands, *_TF_KERAS)
    shown = f"{found.range} or {LEGACY}"
    return replace(found, lines=found.lines | ranges.KERAS2, range=shown, legacy=legacy, demands=demands)


def _judged(one: Declared, code: Callable[[], Usage]) -> KerasInUse | None:
    """The Keras that one file declares; None if it is silent."""
    keras, tensorflow = one.range_of(_KERAS), one.range_of(TENSORFLOW)
    if one.legacy and not code().keras:
        return _answer(_TF_KERAS, "", tensorflow, legacy=True)
    if not keras and not tensorflow:
        return None
    found = ranges.possible(ranges.both(keras, tensorflow))
    if not found:  # Keras 3 besides an older TensorFlow, say: `keras` and `tf.keras` are then two things
        through_tensorflow = not code().keras or not keras
        found = tensorflow if through_tensorflow and tensorflow else keras
    if one.names(LEGACY) and not code().keras:
        # Whether TF_USE_LEGACY_KERAS is set where this runs can't be seen.
        found = ranges.either([found, _TF_KERAS])
    return _answer(found, "", tensorflow)


def _answer(found: Range, source: str, tensorflow: Range, legacy: bool = False) -> KerasInUse:
    return KerasInUse(ranges.lines(found), ranges.text(ranges.narrowed(found)), source, legacy, found, tensorflow)


def _source(one: Declared, root: Path | None) -> str:
    """The file and line that speak, relative to the project: "requirements/base.txt line 3"."""
    spoken = [names for names in (_KERAS, TENSORFLOW) if one.range_of(names)]
    name, line = one.place(spoken[0]) if spoken else (one.legacy, 0)
    file = Path(os.path.normpath(one.folder / name))
    base = root.absolute() if root is not None else one.folder
    shown = file.relative_to(base).as_posix() if file.is_relative_to(base) else name
    return f"{shown} line {line}" if line else shown


def _implied(tensorflow: Range) -> Range:
    """The NumPy that a range of TensorFlow can run with; empty if it may be any."""
    bounds = [bound for low, high, bound in _NUMPY_OF if tensorflow and ranges.may_be(tensorflow, low, high)]
    if bounds and "<" not in bounds[-1]:  # without an end the newest counts, and that is as good as unknown
        bounds = [bounds[-1]] if all(bound.startswith(bounds[-1]) for bound in bounds) else []
    return tuple((("numpy", bound),) for bound in dict.fromkeys(bounds))
