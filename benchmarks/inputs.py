"""The files that seqlint and its peers are measured on, drawn from folders of public code with a fixed seed."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from seqlint.sources.discovery import PASSED_OVER
from seqlint.sources.screen import mentions_keras

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

SEED = 1
_KERAS = re.compile(rb"keras|tensorflow")
_DATA = re.compile(rb"Sequence\b|PyDataset|\.fit\(|fit_generator|tf\.data|Callback\b|\.distribute")


@dataclass(frozen=True)
class Drawn:
    """Files that were copied into a folder.

    Attributes:
        folder: where they are.
        files: how many.
        data: how many of them have Keras data code.
        named: how many more of them name Keras or TensorFlow.
        size: bytes.
    """

    folder: Path
    files: int
    data: int
    named: int
    size: int

    def __str__(self) -> str:
        others = f", {self.named:,} more name Keras or TensorFlow" if self.named else ""
        return f"{self.files:,} files, {self.size / 1e6:.1f} MB; {self.data:,} with Keras data code{others}"


@dataclass(frozen=True)
class _File:
    place: str  # in the copy
    data: bytes

    @property
    def kind(self) -> int:
        """2: data code of Keras; 1: names Keras; 0: neither."""
        return 0 if not _KERAS.search(self.data) else 1 + bool(_DATA.search(self.data))


def hundred(folder: Path, sources: Sequence[Path]) -> Drawn:
    """A hundred files with Keras data code, some 10 kB each."""
    return _with_torch(folder, _hundred(sources))


def hundred_in_place(sources: Sequence[Path]) -> list[Path]:
    """The same where they lie, with the other files of their projects around them."""
    places = (file.place.removeprefix("from_").partition("/") for file in _hundred(sources))
    return [sources[int(number)] / place for number, _, place in places]


def _hundred(sources: Sequence[Path]) -> list[_File]:
    return [file for file in _shuffled(sources) if file.kind == 2 and 3_000 < len(file.data) < 40_000][:100]


def taken(folder: Path, source: Path) -> Drawn:
    """The files of a folder."""
    return _with_torch(folder, [_File(path.name, path.read_bytes()) for path in sorted(source.rglob("*.py"))])


def _with_torch(folder: Path, files: Sequence[_File]) -> Drawn:
    # TorchFix passes over files without this word, which are nearly all of them.
    named = [_File(f"part_{n:03}.py", file.data + b"\n# torch\n") for n, file in enumerate(files)]
    return _copied(folder, named)


def tree(folder: Path, sources: Sequence[Path], files: int) -> Drawn:
    """Files of which a sixth have Keras data code. The others don't name Keras, as most files of most projects."""
    shuffled = _shuffled(sources)
    data = [file for file in shuffled if file.kind == 2][: files // 6]
    others = [file for file in shuffled if file.kind == 0][: 5 * len(data)]
    if len(data) + len(others) < files // 6 * 6:
        raise SystemExit(
            f"the folders have {len(data)} files with Keras data code: give more, or ask for fewer --files"
        )
    (folder / ".git").mkdir(parents=True)
    return _copied(folder, [*data, *others])


def ten(folder: Path, sources: Sequence[Path]) -> Drawn:
    """Ten files that don't name Keras or what goes with it, as somebody commits them."""
    plain = (file for file in _shuffled(sources) if len(file.data) > 1_000 and not mentions_keras(file.data))
    return _copied(folder, list(islice(plain, 10)))


def _shuffled(sources: Sequence[Path]) -> list[_File]:
    files = list(_files(sources))
    random.Random(SEED).shuffle(files)
    return files


def _files(sources: Sequence[Path]) -> Iterable[_File]:
    """Every text once, without what a linter passes over."""
    seen: set[bytes] = set()
    for number, source in enumerate(sources):
        for path in sorted(source.rglob("*.py")):
            place = path.relative_to(source)
            if not PASSED_OVER.isdisjoint(place.parts) or path.is_symlink() or not path.is_file():
                continue
            data = path.read_bytes()
            if data not in seen:
                seen.add(data)
                yield _File(f"from_{number}/{place}", data)


def _copied(folder: Path, files: Sequence[_File]) -> Drawn:
    for file in files:
        target = folder / file.place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    return _drawn(folder, files)


def _drawn(folder: Path, files: Sequence[_File]) -> Drawn:
    kinds = [file.kind for file in files]
    return Drawn(folder, len(files), kinds.count(2), kinds.count(1), sum(len(file.data) for file in files))
