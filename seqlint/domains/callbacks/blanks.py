"""Calls of an exercise that somebody shall still fill in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.run import Call

_MUST_HAVE = ("loss", "optimizer")


def is_blank_fit(call: Call) -> bool:
    """Whether a fit gets nothing: `model.fit()`."""
    return not call.result.args and not call.result.keywords


def is_blank_compile(call: Call) -> bool:
    """Whether a `compile` gets nothing, or `loss=None, optimizer=None`."""
    if not call.result.args and not call.result.keywords:
        return True
    given = [call.result.keyword(name) for name in _MUST_HAVE]
    return all(value is not None and value.constant is None for value in given)
