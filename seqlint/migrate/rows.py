"""What there is to say of a file after its fixes, as rows of the report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from seqlint.engine import FAULTS
from seqlint.facts.keras import keras_in_use, parse_range
from seqlint.facts.keras.installs import installed_in
from seqlint.facts.keras.ranges import LEGACY, TENSORFLOW, lines
from seqlint.migrate.values import Row
from seqlint.output.words import safety

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from seqlint.config import Config
    from seqlint.migrate.code import File
    from seqlint.model import Diagnostic


def done(file: File) -> Iterator[Row]:
    """The fixes that were applied."""
    for fix in file.applied:
        yield Row(file.path, str(fix.start), fix.title, safety(fix.contract), fix.code)


def by_hand(file: File) -> Iterator[Row]:
    """What a person has to change, with what to write there."""
    for found in _found(file):
        if found.migration and not found.condition and found.level != "advice":
            yield _row(found)
    for one in file.refused.values():
        yield Row(file.path, str(one.start), one.title, f"no fix: {one.reason}", one.code)


def unsure(file: File) -> Iterator[Row]:
    """What may have to change, and what could not be looked at."""
    for found in _found(file):
        if found.code in FAULTS:
            yield Row(file.path, str(found.start), found.message, found.help, found.code, found.note)
        elif found.migration and found.condition:
            yield _row(found)
    if file.late:
        todo = "give it more time with `--file-time-limit`"
        yield Row(file.path, "", "the file took too long, and was left as it was", todo)
    if file.unwritable:
        yield Row(file.path, "", "the fixes can't be written, and the file was left as it was", file.unwritable)


def _found(file: File) -> tuple[Diagnostic, ...]:
    return () if file.checked is None or file.late else file.checked.diagnostics


def _row(found: Diagnostic) -> Row:
    title = (
        f"{found.fixes[0].title} ({safety(found.fixes[0].contract)})"
        if found.fixes[:1] and found.fixes[0].contract
        else ""
    )
    todo = "; ".join(text for text in (found.help or title, found.no_fix and f"no fix: {found.no_fix}") if text)
    return Row(found.path, str(found.start), found.sentence, todo, found.code, found.note)


def installs(file: File) -> Iterator[Row]:
    """What the cells of a notebook install that keeps it on Keras 2."""
    written = file.source.with_magics
    for found in installed_in(written, _absolute(file.path)) if written else ():
        for one in found.requirements:
            if one.name == LEGACY or (
                (one.name == "keras" or one.name in TENSORFLOW) and _is_old(one.name, one.specifier)
            ):
                new = "leave `tf-keras` out" if one.name == LEGACY else f"install `{_asked(one.name)}`"
                yield Row(file.path, "", f"a cell installs `{one.name}{one.specifier}`, which is Keras 2", new)


def _asked(name: str) -> str:
    return "keras>=3" if name == "keras" else "tensorflow>=2.16"


def _is_old(name: str, specifier: str) -> bool:
    return lines((((name, specifier),),)) == {"2"}


def elsewhere(file: File, config: Config, edited: frozenset[str]) -> Row | None:
    """What says in a file that is not edited that this one runs on Keras 2.

    Args:
        config: as it was before the range of Keras 3 was put over it.
        edited: the absolute paths of the requirement files that were looked at.
    """
    if config.keras and "2" in parse_range(config.keras).lines:
        where = os.path.relpath(config.file) if config.file is not None else "the configuration"
        return Row(
            where, "", f'`keras = "{config.keras}"` says that the project runs on Keras 2', 'write `keras = ">=3"`'
        )
    found = keras_in_use(_absolute(file.path), config.root, "", file.source.text, written="")
    name, _, line = found.source.partition(" line ")
    place = os.path.normpath(os.path.join(config.root.absolute(), name))
    if found.lines != {"2"} or place in edited or not os.path.isfile(place):
        return None
    what = f"it asks for {found.range or 'Keras 2'}, and was not among the paths"
    return Row(os.path.relpath(place), line, what, "let it ask for Keras 3, or name its folder")


def _absolute(path: str) -> Path:
    from pathlib import Path

    return Path(os.path.abspath(path))
