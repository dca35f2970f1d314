"""What a ModelCheckpoint watches, and when it saves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.paths.saves import Saves, argument
from seqlint.run import Constant, Result, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_ARITHMETIC = frozenset({"+", "-", "*", "//"})
_WHOLE = frozenset(
    {"builtins.int", "builtins.len", "builtins.round", "builtins.max", "builtins.min", "math.ceil", "math.floor"}
)


@dataclass(frozen=True, eq=False)
class BestByBatch:
    """A ModelCheckpoint that keeps the best by a metric of validation, and saves after a number of batches.

    Attributes:
        number: its `save_freq`.
        by_default: whether somebody outside can set it otherwise.
    """

    call: Call
    monitor: str
    number: Value
    by_default: bool


class Checkpoints:
    """The ModelCheckpoints of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @property
    def best_by_batch(self) -> Iterator[BestByBatch]:
        """Those that never see the metric that they watch."""
        for saved in self._run.domain(Saves).all:
            if saved.kind != "checkpoint":
                continue
            best, number, monitor = (
                argument(saved.call, "checkpoint", name) for name in ("save_best_only", "save_freq", "monitor")
            )
            hidden = any(name in ("*", "**") for name, _ in saved.call.result.keywords)
            watched = monitor.constant if monitor is not None else None if hidden else "val_loss"
            if (
                best is None
                or best.constant is not True
                or not isinstance(watched, str)
                or not watched.startswith("val_")
            ):
                continue
            if number is not None and number.options and all(map(_is_number, number)):
                given = (value for value in (best, number, monitor) if value is not None)
                by_default = any(isinstance(each, Setting) for value in given for each in value)
                yield BestByBatch(saved.call, watched, number, by_default)


def _is_number(found: Object) -> bool:
    if isinstance(found, Setting):
        found = found.default
    if isinstance(found, Constant):
        return isinstance(found.value, int) and not isinstance(found.value, bool)
    if not isinstance(found, Result):
        return False
    return (found.op == "operator" and found.name in _ARITHMETIC) or (found.op == "call" and found.name in _WHOLE)
