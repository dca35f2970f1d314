"""The file that holds a baseline: JSON, one entry a line, so that two branches merge and a review shows what came or went."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqlint.baseline.keys import Key
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAME = "seqlint-baseline.json"
FORMAT = 1
"""The version of the format; it grows when a key changes its meaning or goes away."""


@dataclass(frozen=True)
class Baseline:
    """The findings that a project knows.

    Attributes:
        file: where it is written, absolute. Paths in it are relative to its folder.
        entries: for each path, with slashes, the number of findings of each key.
    """

    file: Path
    entries: Mapping[str, Counter[Key]]

    @property
    def count(self) -> int:
        """How many findings it holds."""
        return sum(sum(keys.values()) for keys in self.entries.values())


def read(file: Path, data: bytes) -> Baseline:
    """The baseline in a file.

    Raises:
        ConfigError: this is none; the message names the file.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: this is not JSON: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get("findings"), list):
        raise ConfigError(f"{file}: this is not a baseline; `seqlint baseline` writes one")
    if found.get("format") != FORMAT:
        raise ConfigError(
            f"{file}: the baseline has the format {found.get('format')!r}, and this seqlint reads {FORMAT}"
        )
    entries: dict[str, Counter[Key]] = {}
    for number, entry in enumerate(found["findings"], 1):
        try:
            path, key, count = _entry(entry)
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{file}: entry {number} is not one that `seqlint baseline` writes") from error
        entries.setdefault(path, Counter())[key] += count
    return Baseline(file, entries)


def written(baseline: Baseline) -> bytes:
    """The text of a file."""
    lines = [
        json.dumps({"path": path, "rule": key.rule, "scope": key.scope, "text": key.text, "count": count})
        for path in sorted(baseline.entries)
        for key, count in sorted(baseline.entries[path].items())
        if count
    ]
    listed = ",\n".join(f"    {line}" for line in lines)
    inner = f"\n{listed}\n  " if lines else ""
    return f'{{\n  "format": {FORMAT},\n  "findings": [{inner}]\n}}\n'.encode()


def _entry(entry: Mapping[str, Any]) -> tuple[str, Key, int]:
    texts = [entry[name] for name in ("path", "rule", "scope", "text")]
    count = entry.get("count", 1)
    if not all(isinstance(text, str) for text in texts) or isinstance(count, bool) or not isinstance(count, int):
        raise TypeError
    if count < 1:
        raise ValueError
    path, rule, scope, text = texts
    return path, Key(rule, scope, text), count
