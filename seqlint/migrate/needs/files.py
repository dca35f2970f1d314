"""Each kind of file that says what a project needs, and its edits."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.keras.declared import is_conda, locked
from seqlint.facts.keras.ranges import LEGACY, lines
from seqlint.migrate.needs.demand import answer
from seqlint.migrate.needs.plain import is_locked, of_conda, of_pip, of_setup_cfg
from seqlint.migrate.needs.setup_py import of_setup_py
from seqlint.migrate.needs.toml import of_pipfile, of_pyproject, values
from seqlint.migrate.values import Row
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from seqlint.migrate.needs.demand import Answer
    from seqlint.migrate.needs.spots import Spot

    Read = Callable[[str], Iterator[Spot]]

_LOCKS = {
    "uv.lock": "uv lock",
    "poetry.lock": "poetry lock",
    "pdm.lock": "pdm lock",
    "pylock.toml": "the tool that made it",
    "Pipfile.lock": "pipenv lock",
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"", "utf-8"),
)


@dataclass(frozen=True, slots=True)
class Needs:
    """What became of one file.

    Attributes:
        after: its bytes afterwards; those that it has where nothing changes.
        done: each change.
        left: what a person has to do.
        names: the distributions that it asks for, normalised.
    """

    path: str
    before: bytes
    after: bytes
    done: tuple[Row, ...] = ()
    left: tuple[Row, ...] = ()
    names: frozenset[str] = frozenset()


def is_need(path: str) -> bool:
    """Whether a file says what a project needs, by its path, be it a lock file."""
    return _reader(path) is not None or os.path.basename(path) in _LOCKS


def _reader(path: str) -> Read | None:
    name = os.path.basename(path)
    folder = os.path.basename(os.path.dirname(path))
    exact = {"pyproject.toml": of_pyproject, "Pipfile": of_pipfile, "setup.cfg": of_setup_cfg, "setup.py": of_setup_py}
    if name in exact:
        return exact[name]
    if is_conda(name):
        return of_conda
    if not name.endswith((".txt", ".in")):
        return None
    is_list = re.search(r"requirement|constraint", name, re.IGNORECASE) is not None or folder == "requirements"
    return of_pip if is_list else None


def needs(path: str, data: bytes, *, keep_tf_keras: bool, keep_both: bool = False) -> Needs | None:
    """What becomes of a file; None where it says nothing about Keras.

    Args:
        keep_tf_keras: whether code still uses `tf_keras`.
        keep_both: whether the project is to run on Keras 2 as well; then nothing is edited.
    """
    name = os.path.basename(path)
    text, mark, encoding = _decoded(data)
    if name in _LOCKS:
        row = None if keep_both else _locked(path, text or "")
        return None if row is None else Needs(path, data, data, left=(row,))
    read = _reader(path)
    if read is None:
        return None
    if text is None:
        unread = Row(path, "", "this file is neither UTF-8 nor UTF-16", "see what it asks for by yourself")
        return Needs(path, data, data, left=(unread,)) if b"keras" in data or b"tensorflow" in data else None
    if keep_both:
        return _open_to_both(path, data, text, read)
    return _changed(path, data, text, read, keep_tf_keras, lambda after: mark + after.encode(encoding))


def _decoded(data: bytes) -> tuple[str | None, bytes, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding), mark, encoding
            except UnicodeDecodeError:
                return None, mark, encoding
    return None, b"", "utf-8"


def _locked(path: str, text: str) -> Row | None:
    """What to say of a lock file that holds Keras 2."""
    found = next((one for one in locked(os.path.basename(path), text) if _is_old(one.name, one.specifier)), None)
    if found is None:
        return None
    what = f"{found.name} {found.specifier.removeprefix('==')} is locked; a lock file is never edited here"
    command = _LOCKS[os.path.basename(path)]
    return Row(
        path,
        str(found.line),
        what,
        f"make it anew with `{command}`" if " " in command[:12] else f"make it anew with {command}",
    )


def _is_old(name: str, specifier: str) -> bool:
    return name == LEGACY or (name != "numpy" and name != "pandas" and lines((((name, specifier),),)) == {"2"})


def _open_to_both(path: str, data: bytes, text: str, read: Read) -> Needs | None:
    """What keeps Keras 3 out where the project is to run on both."""
    spots = [(spot, spot.demand) for spot in read(text) if spot.demand is not None]
    left = tuple(
        Row(path, _line(text, spot.start), f"`{spot.text}` keeps Keras 3 out", "let it admit Keras 3 as well")
        for spot, demand in spots
        if demand.name != LEGACY and _is_old(demand.name, demand.specifier)
    )
    return Needs(path, data, data, left=left, names=frozenset(demand.name for _, demand in spots)) if spots else None


def _changed(
    path: str, data: bytes, text: str, read: Read, keep: bool, encoded: Callable[[str], bytes]
) -> Needs | None:
    spots = list(read(text))
    asked = frozenset(spot.demand.name for spot in spots if spot.demand is not None)
    if not spots:
        return None
    found = [(spot, None if spot.demand is None else answer(spot.demand, keep_tf_keras=keep)) for spot in spots]
    wrong = [_unread(path, text, spot) for spot, _ in found if spot.demand is None]
    chosen = [(spot, one) for spot, one in found if one is not None]
    if read is of_pip and is_locked(text) and any(not one.refused for _, one in chosen):
        todo = "change what it is made of, and make it anew"
        row = Row(path, "", "a tool has written this file, so it is not edited here", todo)
        return Needs(path, data, data, left=(row,), names=asked)
    made = [(spot, one, _edit(spot, one, spots)) for spot, one in chosen]
    edits = [edit for _, _, edit in made if edit is not None]
    refused = [_refused(path, text, spot, one) for spot, one, edit in made if edit is None]
    after = _edited(text, [(start, end, new) for start, end, new, _ in edits])
    if not _same_otherwise(read, text, after, len(edits)):
        todo = "; ".join(f"{old}: {new or 'leave it out'}" for *_, (old, new) in edits)
        row = Row(path, "", "the layout of this file is not one that can be edited", f"write {todo}")
        return Needs(path, data, data, left=(row, *refused, *wrong), names=asked)
    done = tuple(
        Row(path, _line(text, start), f"`{old}` became `{new}`" if new else f"`{old}` went away")
        for start, _, _, (old, new) in edits
    )
    return Needs(path, data, encoded(after) if edits else data, done, (*refused, *wrong), asked)


def _edit(spot: Spot, one: Answer, spots: Sequence[Spot]) -> tuple[int, int, str, tuple[str, str]] | None:
    """Where to write what, and both as a reader sees them; None where a person has to."""
    if one.refused:
        return None
    if not one.name:
        return None if spot.gone is None else (*spot.gone, "", (spot.text, ""))
    new = spot.written(one)
    if new is not None:
        shown = spot.text.replace(spot.old, new, 1) if spot.style in ("poetry", "table") and spot.old else new.strip()
        return spot.start, spot.end, new, (spot.text, shown)
    name, _, extra = one.name.rstrip("]").partition("[")
    taken = any(other.demand is not None and other.demand.name == name for other in spots)
    if spot.renames is None or not extra or taken:  # a table has each name once
        return None
    entry = f'{name} = {{version = "{one.specifier}", extras = ["{extra}"]}}'
    return *spot.renames, entry, (spot.text, entry)


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _same_otherwise(read: Read, before: str, after: str, edits: int) -> bool:
    """Whether a file says the same afterwards in all but what was edited."""
    if before == after:
        return True
    if read is of_setup_py:
        return neighbour(after) is not None
    if read not in (of_pyproject, of_pipfile):
        return True
    old, new = values(before), values(after)
    if old is None or new is None:
        return False
    left, more = [one for one in old if one not in new], [one for one in new if one not in old]
    # An entry that got extras has one value more.
    return len(left) <= edits and len(more) <= 2 * edits


def _unread(path: str, text: str, spot: Spot) -> Row:
    return Row(path, _line(text, spot.start), f"`{spot.text}` can't be read as a version", "let it ask for Keras 3")


def _refused(path: str, text: str, spot: Spot, one: Answer) -> Row:
    what = f"`{spot.text}` is left as it is"
    todo = one.refused or (f"ask for `{one.name}{one.specifier}`" if one.name else "leave it out")
    return Row(path, _line(text, spot.start), what, todo)


def _line(text: str, start: int) -> str:
    return str(len(re.findall(r"\r\n|\r|\n", text[:start])) + 1)
