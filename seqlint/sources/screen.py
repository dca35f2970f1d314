"""A look at the bytes of a file that tells whether it can concern seqlint at all.

Most files of a project don't mention Keras. They cost one search here; no parser is imported for them. Such a file is
never parsed, so its syntax errors are not reported either.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.sources import surroundings
from seqlint.sources.ancestry import Ancestry, ancestry, bases, brings
from seqlint.sources.reading import Memo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A suppression comment passes too: what it names must be judged even where the code no longer mentions Keras.
_CODE = re.compile(rb"SEQ[0-9]{3}")
_NOQA = re.compile(rb"noqa[^\n]*seq")


def mentions_keras(data: bytes) -> bool:
    """Whether a file with these bytes can hold a finding: it names Keras, TensorFlow, Horovod or seqlint."""
    # Words are looked for one by one: that is ten times as fast as one expression with all of them.
    if b"keras" in data or b"tensorflow" in data or b"horovod" in data or b"seqlint" in data:
        return True
    if b"SEQ" in data and _CODE.search(data):
        return True
    lower = data.lower()
    return b"noqa" in lower and _NOQA.search(lower) is not None


# -- a file that names no Keras, but inherits from a class that does, or trains what another file makes ---------------------

# Each begins with a newline, which is faster to look for than a place after one.
_HOOKS = re.compile(rb"\n[ \t]+(?:async )?def (?:__getitem__|__len__|on_(?:epoch|train|test|predict|batch)\w*)\b")
_DERIVED = re.compile(rb"\n[ \t]*class \w+\([^)\s]")
_FITS = (b"fit", b"predict", b"evaluate")
_WORDS = (b"class ", *_FITS)
_TRAINS = re.compile(rb"\.\s*(?:fit|evaluate|predict)(?:_generator)?\s*\(")
_IMPORT = re.compile(rb"\n[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t(]+([\w, \t]*)|import[ \t]+([\w.]+))")
_SHUFFLES = re.compile(rb"\n[ \t]+(?:[\w.]+\.)?(?:\w*shuffle|permutation|permuted|sample)\(")
_DEPTH = 3
_BESIDE = 100  # scripts that are looked at for the name of a module


def _can_inherit(data: bytes) -> bool:
    """Whether there is a derived class, and a hook or a batch method."""
    if b"class " not in data or not (b"__getitem__" in data or b"__len__" in data or b"def on_" in data):
        return False
    lines = b"\n" + data
    return bool(_DERIVED.search(lines) and _HOOKS.search(lines))


class Imports:
    """The modules of projects, as far as imports of files led to them: folders are listed once, modules read once."""

    def __init__(self) -> None:
        self._names: Memo[str, frozenset[str]] = Memo()
        self._above: Memo[str, tuple[str, ...]] = Memo()
        self._modules: Memo[str, _Module | None] = Memo()
        self._ancestries: Memo[str, Ancestry | None] = Memo()

    def module(self, path: str) -> _Module | None:
        """A module; None if it can't be read."""
        return self._modules.get(path, _read)

    def ancestry(self, path: str) -> Ancestry | None:
        """What a module says of classes; None if it can't be read."""
        return self._ancestries.get(path, _ancestry)

    def of_bases(self, module: Ancestry, names: frozenset[bytes]) -> Iterator[str]:
        """The files of the project from which a module may take one of some names."""
        for name, members, words in module.imports:
            if brings(words, names):
                yield from self._of(module.folder, name, members)

    def found(self, module: _Module) -> Iterator[str]:
        """The files of the project that a module may import, some of them more than once."""
        for name, members in module.imports:
            yield from self._of(module.folder, name, members)

    def _of(self, home: str, name: str, members: Sequence[str]) -> Iterator[str]:
        dots = len(name) - len(name.lstrip("."))
        parts = [part for part in name.split(".") if part]
        for start in self._starts(home, dots):
            yield from self._files(start, parts, members)

    def _starts(self, folder: str, dots: int) -> tuple[str, ...]:
        if not dots:
            return (folder, *self._above.get(folder, _above))
        for _ in range(dots - 1):
            folder = os.path.dirname(folder)
        return (folder,)

    def _files(self, start: str, parts: Sequence[str], members: Sequence[str]) -> Iterator[str]:
        folder = start
        for part in parts:
            names = self._names.get(folder, _listed)
            folder = f"{folder.rstrip(os.sep)}{os.sep}{part}"
            if part is parts[-1] and f"{part}.py" in names:
                yield f"{folder}.py"
            if part not in names:
                return
        names = self._names.get(folder, _listed)
        yield from (f"{folder}{os.sep}{name}.py" for name in ("__init__", *members) if f"{name}.py" in names)


@dataclass(frozen=True)
class _Module:
    """What the bytes of a module say.

    Attributes:
        folder: where it is.
        screened: whether it names Keras.
        imports: each module that it imports, as it is written, with the names that it takes from it.
    """

    folder: str
    screened: bool
    imports: tuple[tuple[str, tuple[str, ...]], ...]


def has_class_or_fit(data: bytes) -> bool:
    """Whether there are words without which nothing reaches Keras, also in the bytes of a notebook."""
    return any(word in data for word in _WORDS)


def may_reach_keras(path: Path, data: bytes, imports: Imports | None = None) -> bool:
    """Whether a class of the file can have a base of Keras's, or a call of `fit` a model, through another module of the project.

    A generator that shuffles may be given to a model by a script near it.

    Where a derived class has a hook or a batch method, or a `fit` is called, the imports are followed to modules of the project, up
    to three steps, and their bytes are looked at; where a derived class has other methods alone, only to the bases that may call them.

    Args:
        path: the file.
        data: its bytes.
        imports: what other files of the run have led to.
    """
    imports = imports or Imports()
    inherits = _can_inherit(data)
    if (inherits or _trains(data)) and _leads_to_keras(path, data, imports):
        return True
    if _may_feed(path, data):
        return True
    return not inherits and _may_be_called(path, data, imports)


def _trains(data: bytes) -> bool:
    return any(word in data for word in _FITS) and _TRAINS.search(data) is not None


def _may_feed(path: Path, data: bytes) -> bool:
    """Whether a generator in which a shuffle is a statement may be given to a model by a script next to it, or one folder above."""
    if b"yield" not in data or _SHUFFLES.search(data) is None:
        return False
    word, folder = path.stem.encode(), Path(os.path.abspath(path)).parent
    files = (home / name for home in (folder, folder.parent) for name in sorted(surroundings.names(home)))
    scripts = (file for file in files if file.suffix == ".py" and file.name != path.name)
    texts = (surroundings.mentioning(file, word) for file in islice(scripts, _BESIDE))
    return any(text is not None and mentions_keras(text) and any(each in text for each in _FITS) for text in texts)


def _leads_to_keras(path: Path, data: bytes, imports: Imports) -> bool:
    """Whether a module that mentions Keras is among those of the project that a file imports, up to three steps away."""
    own = os.path.abspath(path)
    seen, level = {own}, [_module(own, data)]
    for _ in range(_DEPTH):
        below = dict.fromkeys(file for module in level for file in imports.found(module) if file not in seen)
        seen.update(below)
        level = [module for file in below if (module := imports.module(file)) is not None]
        if any(module.screened for module in level):
            return True
    return False


def _may_be_called(path: Path, data: bytes, imports: Imports) -> bool:
    """Whether a base in another file may be Keras's, and have a batch method or hook that calls methods of its subclasses."""
    names = bases(data)
    if not names:
        return False
    own = os.path.abspath(path)
    seen, level = {own}, [(ancestry(own, data, screened=False), names)]
    screened = gives = False
    for _ in range(_DEPTH):
        below: list[tuple[Ancestry, frozenset[bytes]]] = []
        for module, wanted in level:
            for file in imports.of_bases(module, wanted):
                found = imports.ancestry(file) if file not in seen else None
                seen.add(file)
                if found is not None:
                    below.append((found, wanted.union(*(found.classes.get(name, ()) for name in wanted))))
        level = below
        screened = screened or any(module.screened for module, _ in level)
        gives = gives or any(module.gives for module, _ in level)
        if screened and gives:
            return True
    return False


def _ancestry(path: str) -> Ancestry | None:
    data = surroundings.content(Path(path))
    return None if data is None else ancestry(path, data, screened=mentions_keras(data))


def _read(path: str) -> _Module | None:
    data = surroundings.content(Path(path))
    return None if data is None else _module(path, data)


def _module(path: str, data: bytes) -> _Module:
    found = (
        ((match[1] or match[3]).decode(), tuple(_members((match[2] or b"").decode())))
        for match in _IMPORT.finditer(b"\n" + data)
    )
    return _Module(os.path.dirname(path), mentions_keras(data), tuple(dict.fromkeys(found)))


def _members(text: str) -> Iterator[str]:
    return (name.split()[0] for name in text.split(",") if name.strip())


def _listed(folder: str) -> frozenset[str]:
    return surroundings.names(Path(folder))


def _above(folder: str) -> tuple[str, ...]:
    """The folders above that absolute imports can start from, up to the root of the repository."""
    found = []
    while not surroundings.exists(Path(folder, ".git")) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        found += [folder, os.path.join(folder, "src")]
    return tuple(found)
