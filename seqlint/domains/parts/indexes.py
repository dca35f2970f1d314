"""What an index takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run import Constant, Result

if TYPE_CHECKING:
    from seqlint.domains.parts.part import Key
    from seqlint.run import Value


def side_of_slice(index: Value) -> Key | None:
    """Start, stop and step of `a:b`: numbers, or what tells others from them; None for other indexes."""
    only = index.only
    if not isinstance(only, Result):
        return None
    if only.op == "operator" and only.name == "slice":
        start, stop, step = (_bound(value) for value in only.args)
        return (None if start == 0 else start, stop, None if step == 1 else step)
    return None


def _bound(value: Value) -> object:
    only = value.only
    if isinstance(only, Constant):
        return only.value
    return ("term", value.term)
