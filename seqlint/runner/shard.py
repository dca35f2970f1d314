"""A part of the files for each of several machines: who has which depends on the paths alone."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from seqlint.model import ConfigError
from seqlint.sources.discovery import Found

if TYPE_CHECKING:
    from pathlib import Path

_PART = re.compile(r"([0-9]{1,6})/([1-9][0-9]{0,5})")


@dataclass(frozen=True)
class Shard:
    """One of the parts of a run.

    Attributes:
        number: from 1.
        count: how many parts there are.
    """

    number: int
    count: int

    def __str__(self) -> str:
        """Such as "shard 2 of 4"."""
        return f"shard {self.number} of {self.count}"

    def of(self, found: Found) -> Found:
        """The files of this part, and what could not be looked at there."""
        files = tuple(path for path in found.files if self._has(path))
        problems = tuple(problem for problem in found.problems if self._has(problem.path))
        skipped = tuple(item for item in found.skipped if self._has(item.path))
        return Found(files, problems, skipped, outside=tuple(link for link in found.outside if self._has(link)))

    def _has(self, path: Path | str) -> bool:
        number = int.from_bytes(blake2b(_relative(path), digest_size=8).digest(), "big")
        return number % self.count == self.number - 1


@dataclass(frozen=True)
class Part:
    """What a report says of itself, so that it is put together with those of the same run.

    Attributes:
        run: the same in all parts of a run, and nowhere else: a digest of what was asked for and of the names of all files.
    """

    shard: Shard
    run: str


def shard(text: str) -> Shard:
    """What an option such as "2/4" stands for.

    Raises:
        ConfigError: it stands for nothing.
    """
    found = _PART.fullmatch(text.strip())
    if found is None:
        raise ConfigError(f"--shard: {text!r} is no part of a run; 2/4 is the second of four")
    number, count = int(found[1]), int(found[2])
    if not 1 <= number <= count:
        raise ConfigError(f"--shard: there is no part {number} of {count}; they are numbered from 1 to {count}")
    return Shard(number, count)


def run_of(found: Found, asked: object) -> str:
    """The digest of a run.

    Args:
        found: all files, those of other parts too.
        asked: what is to be done with them; equal wishes look the same.
    """
    digest = blake2b(repr(asked).encode("utf-8", "surrogatepass"), digest_size=16)
    problems = (problem.path for problem in found.problems)
    for path in sorted([*map(_relative, found.files), *map(_relative, problems)]):
        digest.update(b"\0" + path)
    return digest.hexdigest()


def _relative(path: Path | str) -> bytes:
    """A path from the working directory on: machines keep their checkouts in different places."""
    relative = os.path.relpath(path).replace(os.sep, "/")
    return relative.encode("utf-8", "surrogateescape")
