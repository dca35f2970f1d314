"""How the parts of a run are written: small objects of which a file makes tens of thousands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self, dataclass_transform

    Made = TypeVar("Made")

    @dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
    def record(cls: type[Made]) -> type[Made]:
        """A frozen dataclass whose objects are equal to themselves alone."""

else:
    # mypy sees to it that nobody sets a field. At run time a frozen dataclass would set each of its own through
    # `object.__setattr__`, which makes an object of seven fields three times as dear.
    record = dataclass(eq=False)

Found = TypeVar("Found")


class once(Generic[Found]):  # noqa: N801 -- a decorator
    """A property that is worked out when it is first asked for, as `cached_property`, which takes a lock for it before Python 3.12."""

    def __init__(self, work: Callable[[Any], Found]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Found: ...
    def __get__(self, instance: object | None, owner: type) -> Self | Found:
        if instance is None:
            return self
        found = instance.__dict__[self._name] = self._work(instance)
        return found
