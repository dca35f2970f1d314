"""What labels are, as far as the code tells: numbers of classes, rows with one place for each class, measurements; and how wide they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.models import label_shapes
from seqlint.domains.models.label_arrays import LabelArrays
from seqlint.domains.models.label_shapes import OPERATORS, axes_of, with_axes
from seqlint.domains.models.target import UNKNOWN, Kind, Target
from seqlint.domains.rows.frames import Frames
from seqlint.knowledge.labels import ENCODERS, LOADED, ONE_HOT, SAME, SKLEARN
from seqlint.run import Constant, Container, External, Result, Tuple, Value, constant

if TYPE_CHECKING:
    from seqlint.run import Object, Run

_DEEPEST = 40
_DRAWN_REAL = frozenset({"rand", "randn", "random", "random_sample", "normal", "uniform", "standard_normal"})
_COMPARES = frozenset({">", "<", ">=", "<=", "==", "!=", "not", "compare"})
_FILLED = frozenset({"zeros", "ones", "empty", "full"})
_MARKS = frozenset({"zeros", "ones", "zeros_like", "ones_like"})
_JOINS = frozenset({"concatenate", "concat", "vstack", "hstack", "append", "r_"})


_ANY = UNKNOWN


class Targets:
    """The labels of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counts = run.domain(Counts)
        self._arrays = LabelArrays(run, self.of)
        self._frames = run.domain(Frames)

    def of(self, value: Value | None, depth: int = 0) -> Target:
        """What labels surely are; where there are several possibilities, what they have in common."""
        found = [self._of(each, depth) for each in value] if value is not None else []
        if not found:
            return _ANY
        first = found[0]
        for other in found[1:]:
            first = Target(
                first.kind if first.kind == other.kind else "",
                first.rank if first.rank == other.rank else None,
                first.width if first.width == other.width else None,
                first.made,
                first.is_column or other.is_column,
            )
        return first

    def _of(self, found: Object, depth: int) -> Target:
        if depth > _DEEPEST:
            return _ANY
        if isinstance(found, (Container, Tuple)):
            return self._written(found)
        if not isinstance(found, Result):
            return _ANY
        if found.op == "item":
            return self._of_item(found, depth + 1)
        if found.op == "attribute":
            return self._of_attribute(found, depth + 1)
        if found.op == "operator" and found.name in _COMPARES and found.args:
            inner = self.of(found.args[0], depth + 1)
            if found.name == "not":
                return inner
            return Target("classes" if inner.rank == 1 else "several", inner.rank, inner.width, found)
        if found.op == "operator" and found.name in OPERATORS:
            return self._arrays.calculated(found, depth + 1)
        return self._of_call(found, depth + 1) if found.op == "call" else _ANY

    # -- calls ------------------------------------------------------------------------------------------------------

    def _of_call(self, found: Result, depth: int) -> Target:
        if found.name in ONE_HOT:
            return self._one_hot(found, depth)
        module, _, name = found.name.rpartition(".")
        if name in ("fit_transform", "transform") and isinstance(found.receiver, Result):
            return self._encoded(found, found.receiver, depth)
        if module in ("numpy.random", "numpy.random.Generator", "tensorflow.random", "keras.random") or (
            module == "numpy" and name in _FILLED
        ):
            return self._drawn(found, module, name)
        if found.name == "pandas.get_dummies":
            column = self.of(found.args[0], depth) if found.args else _ANY
            return Target("one-hot" if column.rank == 1 else "", 2, None, found)
        if name == "map" and found.args and isinstance(found.args[0].only, Container):
            return Target("classes", 1, None, found)
        if name in _JOINS and (joined := self._joined(found, depth)) is not None:
            return joined
        if name in ("argmax", "reshape", "expand_dims", "ravel", "flatten", "squeeze"):
            return self._reshaped(found, name, depth)
        made = self._arrays.of(found, depth)
        if made is not None:
            return made
        inner = found.receiver if name in SAME and isinstance(found.receiver, (Result, Container)) else None
        if inner is None and name in SAME and found.args:
            return replace(self.of(found.args[0], depth), is_column=False)
        same = self._of(inner, depth) if inner is not None else _ANY
        return replace(same, is_column=False) if name == "to_numpy" else same

    def _joined(self, found: Result, depth: int) -> Target | None:
        """Zeros for the rows of one class, and ones for those of the other; None where they are something else."""
        first = found.args[0].only if found.args else None
        parts = self._run.items(first) if isinstance(first, (Tuple, Container)) else list(found.args[:2])
        made = [each.only for each in parts or ()]
        if len(made) < 2 or not all(isinstance(each, Result) and each.method in _MARKS for each in made):
            return None
        one = self._of(made[0], depth) if made[0] is not None else _ANY
        is_column = one.rank == 1 or one.width == 1
        return Target("classes", one.rank, one.width, found) if is_column else None

    def _one_hot(self, found: Result, depth: int) -> Target:
        name, place = ONE_HOT[found.name]
        given = found.keyword(name) or (found.args[place] if len(found.args) > place else None)
        inner = self.of(found.args[0], depth) if found.args else _ANY
        rank = 2 if inner.rank == 1 or (inner.rank == 2 and inner.width == 1 and "to_cat" in name) else None
        width = self._counts.whole(given) if given is not None and constant(given) is not None else None
        return Target("one-hot", rank, width, found)

    def _encoded(self, found: Result, encoder: Result, depth: int) -> Target:
        kind = ENCODERS.get(encoder.name)
        given = self.of(found.args[0], depth) if found.args else _ANY
        if kind == "classes":
            return Target("classes", 1 if encoder.method == "LabelEncoder" else given.rank, None, found)
        if kind == "real":
            return Target("real", given.rank, given.width, found)
        return Target(kind, 2, None, found) if kind in ("one-hot", "several") else _ANY  # type: ignore[arg-type]

    def _drawn(self, found: Result, module: str, name: str) -> Target:
        shape = self._shape(found, name)
        rank = len(shape) if shape is not None else None
        width = shape[-1] if shape is not None and len(shape) > 1 else None
        if name in _DRAWN_REAL and not _asks_for_whole(found):
            return Target("real", rank, width, found)
        return Target("classes" if name in ("randint", "integers") and rank == 1 else "", rank, width, found)

    def _shape(self, found: Result, name: str) -> list[int | None] | None:
        """The shape that a call is asked for."""
        if name in ("rand", "randn"):
            return [self._counts.whole(value) for value in found.args]
        given = found.keyword("size") or found.keyword("shape")
        if given is None and name in (*_FILLED, "random", "random_sample", "standard_normal") and found.args:
            given = found.args[0]
        place = 2 if found.name.startswith("numpy.") else 0
        if given is None and name in ("normal", "uniform", "randint", "integers") and len(found.args) > place:
            given = found.args[place]
        only = given.only if given is not None else None
        if isinstance(only, (Tuple, Container)):
            items = self._run.items(only)
            return [self._counts.whole(item) for item in items] if items is not None else None
        return [None] if given is not None and self._counts.whole(given) is not None else None

    def _reshaped(self, found: Result, name: str, depth: int) -> Target:
        source = found.receiver if isinstance(found.receiver, Result) else None
        args = found.args if source is not None else found.args[1:]
        inner = self._of(source, depth) if source is not None else self.of(found.args[0], depth) if found.args else _ANY
        if name == "argmax":
            return Target("classes", inner.rank - 1 if inner.rank else None, None, found)
        if name in ("ravel", "flatten"):
            return replace(inner, rank=1, width=None)
        if name == "reshape":
            given = found.keyword("shape") or found.keyword("newshape")
            args = (given,) if given is not None else args
            if len(args) == 1 and isinstance(args[0].only, (Tuple, Container)):
                args = tuple(self._run.items(args[0].only) or ())
            return replace(inner, rank=len(args) or None, width=self._counts.whole(args[-1]) if len(args) > 1 else None)
        axis = constant(found.keyword("axis") or (args[0] if args else None))
        if name == "expand_dims" and inner.rank == 1 and axis in (1, -1):
            return replace(inner, rank=2, width=1)
        if name == "squeeze" and inner.rank == 2 and inner.width == 1 and axis in (None, 1, -1):
            return replace(inner, rank=1, width=None)
        return Target(inner.kind, None, None, inner.made)

    # -- parts ------------------------------------------------------------------------------------------------------

    def _of_attribute(self, found: Result, depth: int) -> Target:
        if found.receiver is None:
            return _ANY
        if found.method == "target" and isinstance(found.receiver, Result) and found.receiver.method in SKLEARN:
            return Target(_kind(SKLEARN[found.receiver.method]), 1, None, found.receiver)
        if found.method == "codes":
            return Target("classes", 1, None, found)
        if found.method == "T":
            return self._arrays.turned(Value.of(found.receiver), depth)
        if found.method not in SAME:
            return _ANY
        inner = self._of(found.receiver, depth)
        return replace(inner, is_column=False) if found.method == "values" else inner

    def _of_item(self, found: Result, depth: int) -> Target:
        known = self._of_library(found)
        if known is not None or not found.args or found.receiver is None:
            return known or _ANY
        split = self._of_split(found, depth)
        if split is not None:
            return split
        if isinstance(found.receiver, Result) and found.receiver.name in ("numpy.eye", "numpy.identity"):
            index = self.of(found.args[0], depth)
            width = self._counts.whole(found.receiver.args[0]) if found.receiver.args else None
            return Target("one-hot", 2 if index.rank == 1 else None, width, found.receiver)
        columns = self._in_columns(found, depth)
        return columns if columns is not None else self._indexed(found, self._of(found.receiver, depth))

    def _in_columns(self, found: Result, depth: int) -> Target | None:
        """`np.c_[a, b]`; `y[:, None]` and `y[..., np.newaxis]`."""
        index = found.args[0].only
        if not isinstance(index, Tuple):
            return None
        if isinstance(found.receiver, External):
            parts = [axes_of(self.of(item, depth)) for item in index.items]
            is_c = found.receiver.name == "numpy.c_" and len(parts) > 1
            return Target("", *label_shapes.joined("column_stack", parts, None)) if is_c else None
        first, last = index.items[0].only, index.items[-1].only
        is_new = (isinstance(last, Constant) and last.value is None) or (
            isinstance(last, External) and last.name.endswith(".newaxis")
        )
        is_all = (isinstance(first, Constant) and first.value is ...) or _is_whole(first)
        if len(index.items) != 2 or not is_new or not is_all:
            return None
        inner = self._of(found.receiver, depth) if found.receiver is not None else _ANY
        return with_axes(inner, label_shapes.with_new_axis(axes_of(inner)))

    def _indexed(self, found: Result, whole: Target) -> Target:
        """Rows of labels, or columns of a table."""
        index = found.args[0].only
        if isinstance(index, Tuple) and len(index.items) == 2:
            return self._columns(found.receiver, whole, index.items[1])
        if isinstance(index, Constant) and isinstance(index.value, str):  # or what a dict, or a file, has by this name
            return Target("", 1, None, found, is_column=True) if self._frames.has(found.receiver) else _ANY
        if isinstance(index, Container):
            items = self._run.items(index)
            if items and all(isinstance(constant(item), str) for item in items):
                return Target("", 2, len(items), found)
            return whole
        if isinstance(index, Result) and index.op == "operator" and index.name == "slice":
            return whole
        if isinstance(index, Result):  # rows by a mask, or by numbers; or one row
            return Target(whole.kind, None, None, whole.made)
        return _ANY

    def _is_table(self, table: Object | None) -> bool:
        """Whether brackets are those of pandas: `table.iloc[:, 0]`."""
        return isinstance(table, Result) and table.method in ("iloc", "loc")

    def _columns(self, table: Object | None, whole: Target, column: Value) -> Target:
        """`table[:, 0]` has one axis, `table[:, :2]` two columns."""
        only = column.only
        if isinstance(only, Constant) and isinstance(only.value, (int, str)):
            return Target("", 1, None, whole.made, is_column=isinstance(only.value, str) or self._is_table(table))
        items = self._run.items(only) if isinstance(only, Container) else None
        if items:
            return Target("", 2, len(items), whole.made)
        if not (isinstance(only, Result) and only.op == "operator" and only.name == "slice"):
            return _ANY
        low, high, step = (constant(value) for value in only.args)
        if step is not None:
            return Target("", 2, None, whole.made)
        if low is None and high is None:
            return whole
        first = 0 if low is None else low
        if isinstance(first, int) and isinstance(high, int) and (first < 0) == (high < 0) and high > first:
            return Target("", 2, high - first, whole.made)
        if isinstance(first, int) and first < 0 and high is None:
            return Target("", 2, -first, whole.made)
        return Target("", 2, None, whole.made)

    def _of_split(self, found: Result, depth: int) -> Target | None:
        """A part of what `train_test_split` cuts in two."""
        source, number = found.receiver, constant(found.args[0])
        if not isinstance(source, Result) or source.method != "train_test_split" or not isinstance(number, int):
            return None
        place = number // 2
        return self.of(source.args[place], depth) if 0 <= place < len(source.args) else _ANY

    def _of_library(self, found: Result) -> Target | None:
        """The labels of a data set that a library loads."""
        part, second = found.receiver, constant(found.args[0]) if found.args else None
        if isinstance(part, Result) and part.op == "call" and part.method.startswith("make_") and second == 1:
            return Target(_kind(SKLEARN.get(part.method, "")), 1, None, part) if part.method in SKLEARN else None
        if isinstance(part, Result) and part.method == "target":
            return None
        if not isinstance(part, Result) or part.op != "item" or not isinstance(part.receiver, Result) or second != 1:
            return None
        name = part.receiver.name
        if not name.startswith("keras.datasets.") or name.split(".")[2] not in LOADED:
            return None
        kind, rank = LOADED[name.split(".")[2]]
        return Target(_kind(kind), rank, 1 if rank > 1 else None, part.receiver)

    # -- written out ------------------------------------------------------------------------------------------------

    def _written(self, found: Container | Tuple) -> Target:
        """A list of numbers, or of rows of numbers."""
        items = self._run.items(found)
        if not items:
            return _ANY
        rows = [self._run.items(item.only) if isinstance(item.only, (Container, Tuple)) else None for item in items]
        if all(row is not None for row in rows):
            widths = {len(row) for row in rows if row is not None}
            return Target("", 2, widths.pop() if len(widths) == 1 else None)
        numbers = [constant(item) for item in items]
        if not all(isinstance(number, (int, float)) for number in numbers):
            return _ANY
        if all(isinstance(number, int) for number in numbers):
            return Target("classes" if set(numbers) <= {0, 1} else "", 1)
        return Target("real" if any(number % 1 for number in numbers) else "", 1)  # type: ignore[operator]


def _asks_for_whole(found: Result) -> bool:
    """Whether whole numbers are asked for: `tf.random.uniform(..., dtype=tf.int32)`."""
    given = found.keyword("dtype")
    only = given.only if given is not None else None
    return "int" in str(only.name if isinstance(only, External) else constant(given) if given is not None else "")


def _is_whole(found: Object | None) -> bool:
    """Whether an index is `:`."""
    is_slice = isinstance(found, Result) and found.op == "operator" and found.name == "slice"
    return is_slice and all(constant(value) is None for value in found.args)  # type: ignore[union-attr]


def _kind(name: str) -> Kind:
    return name if name in ("classes", "one-hot", "several", "real") else ""  # type: ignore[return-value]
