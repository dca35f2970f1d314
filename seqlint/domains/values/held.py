"""What a list held when a call got it, also where some of it is only there at times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.run import Constant, Container, Tuple
from seqlint.run.heap import excluded
from seqlint.run.objects import Option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Run, Value
    from seqlint.run.objects import Guards

_MOST = 64


@dataclass(frozen=True)
class Held:
    """The items of a list or tuple, in order.

    Attributes:
        items: each with the conditions under which it is there.
        complete: whether there can be no others.
    """

    items: tuple[Option, ...]
    complete: bool


def options(value: Value, way: Guards) -> tuple[Option, ...]:
    """What a value can be on a way, with the conditions that the way leaves open."""
    return tuple(
        Option(option.object, option.guards - way) for option in value.options if not excluded(option.guards, way)
    )


def held(run: Run, value: Value, way: Guards, clock: int) -> Held:
    """What a list or tuple holds at a time. Something else than these is its only item.

    Args:
        way: the conditions that hold.
        clock: the time.
    """
    found: list[Option] = []
    complete = True
    for option in options(value, way):
        here = way | option.guards
        if isinstance(option.object, Container) and option.object.kind != "dict":
            items = _of_container(run, option.object, here, clock)
            complete = complete and items.complete
            found += [Option(each.object, each.guards | option.guards) for each in items.items]
        elif isinstance(option.object, (Tuple, Constant)):
            known = run.items(option.object)
            for item in known if known is not None else ():
                found += [Option(each.object, each.guards | option.guards) for each in options(item, here)]
            if known is None and not (isinstance(option.object, Constant) and option.object.value is None):
                found.append(option)
        else:
            found.append(option)
    return Held(tuple(found), complete)


def _of_container(run: Run, container: Container, way: Guards, clock: int) -> Held:
    heap = run.machine.heap
    length = heap.read((container.serial, "len"), way, clock)
    numbers = [option.object.value for option in length.options if isinstance(option.object, Constant)]
    counts = [number for number in numbers if isinstance(number, int)]
    known = length.sure and len(counts) == len(length.options) and max(counts, default=0) <= _MOST
    found: list[Option] = []
    for number in range(max(counts, default=0) if known else _MOST):
        found += heap.read((container.serial, f"[{number}]"), way, clock).options
    for piece in run.pieces(container) if not known else ():
        if piece.context.clock <= clock:
            found += _of_piece(run, piece.value, piece.how, way, clock)
    return Held(tuple(found), known)


def _of_piece(run: Run, value: Value, how: str, way: Guards, clock: int) -> Iterator[Option]:
    """What a container got in a loop: one item, or all of a list."""
    if how == "extend" and all(isinstance(each, (Container, Tuple)) for each in value):
        yield from held(run, value, way, clock).items
    elif how != "extend":
        yield from options(value, way)
