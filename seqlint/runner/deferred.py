"""Functions of dataclasses that are written when they are first called: of some 1,600 in libcst and seqlint a run calls 30."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PLACE = "_create_fn"
_create: Callable[..., Callable[..., Any]] | None = getattr(dataclasses, _PLACE, None)


def dataclass_functions() -> None:
    """Let the dataclasses that are made in this process from here on write `__init__`, `__eq__` and the like when they are first called.

    Python compiles each of them while its class is made, which is half of the time that importing libcst and the rules takes.
    For processes that belong to seqlint alone. Python 3.13 compiles the functions of a class in one go, by other means: nothing changes there.
    """
    if _create is not None:
        setattr(dataclasses, _PLACE, _deferred)


def _deferred(name: str, *given: Any, **known: Any) -> Callable[..., Any]:
    """What stands for a function of a dataclass until it is called; takes what `dataclasses` hands on to write that function."""
    written: list[Callable[..., Any]] = []

    def first(self: object, /, *arguments: Any, **named: Any) -> Any:
        if not written:
            assert _create is not None
            written.append(_create(name, *given, **known))
            _replace(first, written[0], type(self))
        return written[0](self, *arguments, **named)

    first.__name__ = name
    return first


def _replace(old: Callable[..., Any], new: Callable[..., Any], kind: type[object]) -> None:
    """Put a function in the place of another, in the class or the base that has it."""
    for each in kind.__mro__:
        if vars(each).get(new.__name__) is old:
            new.__qualname__ = old.__qualname__
            setattr(each, new.__name__, new)
