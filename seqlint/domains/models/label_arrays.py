"""Labels that are joined, reduced along an axis, or calculated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.models import label_shapes
from seqlint.domains.models.label_shapes import ELEMENTWISE, JOINS, REDUCES, axes_of
from seqlint.domains.models.target import UNKNOWN, Target
from seqlint.run import Container, Result, Tuple, Value, constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.run import Run

_ARRAYS = frozenset({
    "numpy", "numpy.linalg", "tensorflow", "tensorflow.math", "tensorflow.linalg", "keras.ops", "keras.backend", "pandas",
})  # fmt: skip
"""The modules whose functions work on arrays."""
_MAKES_ARRAY = frozenset({"numpy.array", "numpy.asarray", "numpy.vstack", "numpy.stack", "tensorflow.constant"})


class LabelArrays:
    """What functions of arrays make of labels.

    Args:
        of: what a value is, at a depth.
    """

    def __init__(self, run: Run, of: Callable[[Value, int], Target]) -> None:
        self._run = run
        self._of = of
        self._counts = run.domain(Counts)

    def of(self, found: Result, depth: int) -> Target | None:
        """What a call makes; None where it is none of these functions."""
        module, _, name = found.name.rpartition(".")
        if name in JOINS and module in _ARRAYS and found.args:
            return self._joined(found, name, depth)
        is_method = isinstance(found.receiver, Result)
        if name.removeprefix("reduce_") in REDUCES and (is_method or (module in _ARRAYS and found.args)):
            return self._reduced(found, depth)
        if name in ELEMENTWISE and module in _ARRAYS and found.args:
            return self.calculated(found, depth)
        if found.name in ("numpy.arange", "tensorflow.range") or (
            found.name == "numpy.linspace" and self._is_even(found)
        ):
            return Target("", 1, None, found)
        if found.name == "builtins.zip" and found.args:
            parts = [self._of(value, depth) for value in found.args]
            return Target("", 2, len(parts)) if all(part.rank == 1 for part in parts) else UNKNOWN
        if name == "transpose" and module in _ARRAYS and len(found.args) == 1:
            return self.turned(found.args[0], depth)
        return None

    def _joined(self, found: Result, name: str, depth: int) -> Target:
        """One array of several: `tf.concat([a, b], axis=1)`, `np.stack((a, b))`."""
        items = self._run.items(found.args[0].only) if name != "append" else list(found.args[:2])
        if not items:
            return UNKNOWN
        place = 2 if name == "append" else 1
        given = found.keyword("axis") or (found.args[place] if len(found.args) > place else None)
        parts = [self._of(item, depth) for item in items]
        axes = label_shapes.joined(name, [axes_of(part) for part in parts], constant(given))
        kinds = {part.kind for part in parts}
        below = name not in ("stack", "column_stack") and axes == axes_of(parts[0])
        kind = parts[0].kind if len(kinds) == 1 and (below or kinds == {"real"}) else ""
        return Target(kind, axes.rank, axes.width, found)

    def _reduced(self, found: Result, depth: int) -> Target:
        """One number along an axis: `y.sum(axis=1)`, `tf.reduce_mean(y, axis=-1, keepdims=True)`."""
        inner = (
            self._of(Value.of(found.receiver), depth)
            if isinstance(found.receiver, Result)
            else self._of(found.args[0], depth)
        )
        args = found.args if isinstance(found.receiver, Result) else found.args[1:]
        keeps = found.keyword("keepdims")
        others = len(args) > 1 or any(name not in ("axis", "keepdims", "dtype", "name") for name, _ in found.keywords)
        kept = None if others else False if keeps is None else constant(keeps)
        by_place = args[0] if args and found.method != "norm" else None
        axis = constant(found.keyword("axis") or by_place)
        axes = label_shapes.reduced(axes_of(inner), axis, keeps=kept if isinstance(kept, bool) else None)
        by_pandas = found.receiver is not None and not found.name.startswith(("numpy.", "tensorflow."))
        return Target("", axes.rank, axes.width, found, is_column=by_pandas)

    def calculated(self, found: Result, depth: int) -> Target:
        """Numbers that are worked out one by one, with others of the same form or one number for all."""
        parts = [self._of(value, depth) for value in found.args if not self._is_number(value)]
        axes = label_shapes.together([axes_of(part) for part in parts])
        is_real = bool(parts) and all(part.kind == "real" for part in parts)
        column = any(part.is_column for part in parts)
        return Target("real" if is_real else "", axes.rank, axes.width, found, is_column=column)

    def _is_number(self, value: Value) -> bool:
        """Whether a value is one number: a constant, a size, `y.mean()`."""
        only = value.only
        if isinstance(constant(value), (int, float)) or self._counts.whole(value) is not None:
            return True
        if not isinstance(only, Result) or only.op != "call" or only.method.removeprefix("reduce_") not in REDUCES:
            return False
        of_method = isinstance(only.receiver, Result)
        return not only.keywords and len(only.args) == (0 if of_method else 1)

    def _is_even(self, found: Result) -> bool:
        return len(found.args) > 1 and all(isinstance(constant(value), (int, float)) for value in found.args[:2])

    def turned(self, value: Value, depth: int) -> Target:
        """`np.array([a, b]).T` has a column for each of the rows."""
        only = value.only
        while isinstance(only, Result) and only.name in _MAKES_ARRAY and only.args:
            only = only.args[0].only
        items = self._run.items(only) if isinstance(only, (Container, Tuple)) else None
        rows = [self._of(item, depth) for item in items or ()]
        axes = (
            label_shapes.turned(label_shapes.Axes(2), len(rows))
            if rows and all(row.rank == 1 for row in rows)
            else None
        )
        return Target("", *axes) if axes is not None else UNKNOWN
