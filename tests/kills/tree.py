"""A tree of files with something to fix in each, and what became of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.cli import run

if TYPE_CHECKING:
    from pathlib import Path

_PROGRAM = """# File {number}
import keras


class Rows{number}(keras.utils.PyDataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) // 8  # seqlint: ignore[SEQ102]

    def __getitem__(self, index):
        return self.x[index * 8 : index * 8 + 8], self.y[index * 8 : index * 8 + 8]
"""
_FILLER = "# A line that says nothing but makes the file longer.\n"


@dataclass(frozen=True)
class Tree:
    """Files that can be fixed.

    Attributes:
        root: where they are.
        old, new: their bytes before and after `seqlint fix`, by their paths from there.
    """

    root: Path
    old: dict[str, bytes]
    new: dict[str, bytes]

    def reset(self) -> None:
        """Put the old files there, and nothing else."""
        shutil.rmtree(self.root, ignore_errors=True)
        _write(self.root, self.old)

    def torn(self) -> list[str]:
        """The files that are neither as they were nor as they should be."""
        found = {name: _bytes(self.root / name) for name in self.old}
        return [name for name, data in found.items() if data not in (self.old[name], self.new[name])]

    def unfixed(self) -> list[str]:
        """The files that are not as they should be."""
        return [name for name, data in self.new.items() if _bytes(self.root / name) != data]

    def left(self) -> list[str]:
        """What lies between the files that nobody has put there."""
        found = (path for path in self.root.rglob("*") if path.is_file() and ".seqlint_cache" not in path.parts)
        return sorted({path.relative_to(self.root).as_posix() for path in found} - self.old.keys())


def tree(root: Path, files: int, lines: int = 40) -> Tree:
    """A tree.

    Args:
        root: a folder that is to be made.
        files: how many.
        lines: by how many each is longer than it need be.
    """
    old = {f"part{number % 4}/file{number}.py": _text(number, lines).encode() for number in range(files)}
    old["pyproject.toml"] = b'[tool.seqlint]\nkeras = ">=3.10"\nselect = ["ALL"]\n'
    _write(root, old)
    if run(["fix", "--no-cache", "--jobs", "1", str(root)]) == 2:
        raise AssertionError("the tree can't be fixed")
    new = {name: (root / name).read_bytes() for name in old}
    found = Tree(root, old, new)
    found.reset()
    return found


def _text(number: int, lines: int) -> str:
    return _PROGRAM.replace("{number}", str(number)) + _FILLER * lines


def _write(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
