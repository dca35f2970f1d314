"""The version demands of Poetry and conda, as PEP 440 specifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_RELEASE = re.compile(r"v?(\d+(?:\.\d+)*)")
_OPERATOR = re.compile(r"===|==|~=|!=|<=|>=|<|>")
_PIECE = re.compile(r"(?:[<>=!~^]+\s*)?[^\s,<>=!~^]+")


def poetry(demand: str) -> tuple[str, ...]:
    """Poetry's way: `^2.4`, `~2.4`, `2.4.*`, `2.4`, `*`, `>=2,<3`, alternatives with `||`. "" admits every version."""
    return tuple(",".join(filter(None, map(_poetry, _PIECE.findall(part)))) for part in demand.split("||"))


def _poetry(piece: str) -> str:
    piece = piece.replace(" ", "")
    if piece in ("*", "") or piece == "==*":
        return ""
    if piece[0] == "^":
        return _up_to(piece[1:], _caret)
    if piece[0] == "~" and piece[1:2] != "=":
        return _up_to(piece[1:], _tilde)
    if piece[0] == "=" and piece[1:2] != "=":
        return "=" + piece
    return piece if _OPERATOR.match(piece) else "==" + piece


def _up_to(version: str, end: Callable[[list[int]], list[int]]) -> str:
    found = _RELEASE.match(version)
    if found is None:
        return "==" + version  # not a version, so the reader of specifiers refuses it
    parts = [int(part) for part in found[1].split(".")]
    return f">={version.removeprefix('v')},<{'.'.join(map(str, end(parts)))}"


def _caret(parts: list[int]) -> list[int]:
    """The first part that is not zero may not change."""
    fixed = next((index for index, part in enumerate(parts) if part), len(parts) - 1)
    return [*parts[:fixed], parts[fixed] + 1]


def _tilde(parts: list[int]) -> list[int]:
    """The second part may not change, nor the first if it stands alone."""
    return [parts[0] + 1] if len(parts) == 1 else [parts[0], parts[1] + 1]


def conda(demand: str) -> tuple[str, ...]:
    """Conda's way: `=2.4` and `2.4.*` are any 2.4, `==2.4` and `2.4` are 2.4; builds follow a second `=`; `|` is or."""
    return tuple(",".join(filter(None, map(_conda, part.split(",")))) for part in demand.split("|"))


def _conda(piece: str) -> str:
    piece = piece.strip()
    if _OPERATOR.match(piece):
        return piece
    fuzzy = piece.startswith("=")
    version = re.split(r"[=\s]", piece.lstrip("= "))[0]
    if version in ("", "*"):
        return ""
    if version.endswith("*"):
        return "==" + version.rstrip(".*") + ".*"
    return f"=={version}.*" if fuzzy else f"=={version}"
