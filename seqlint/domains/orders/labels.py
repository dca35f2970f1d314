"""Labels as a program makes them: one value many times, and such parts one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Container, Result, Tuple, Value, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run

_SAME = frozenset(
    {"array", "asarray", "astype", "constant", "convert_to_tensor", "cast", "to_categorical", "one_hot", "list"}
)
_OF_FRAME = frozenset({"astype", "values", "to_numpy", "tolist", "to_list"})
_FILLED = {"zeros": 0, "ones": 1, "zeros_like": 0, "ones_like": 1}
_JOINS = frozenset({"concatenate", "hstack", "append", "concat", "r_"})
_DEEPEST = 24


class Labels:
    """The labels of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def plain(self, found: Object | None) -> Object | None:
        """What arrays, encodings and lists of labels are made from."""
        while isinstance(found, Result):
            of_frame = found.method in _OF_FRAME and found.receiver is not None
            if not of_frame and (found.op != "call" or found.method not in _SAME):
                break
            found = found.receiver if of_frame else found.args[0].only if found.args else None
        return found

    def one(self, found: Object | None) -> str | None:
        """The one value of rows that are all alike, as text: `[0] * n`, `np.zeros(n)`, `np.full(n, 2)`; None where they are not.

        Pairs are alike where all of a list have one label: `[(path, 0) for path in paths]`.
        """
        found = self.plain(found)
        if isinstance(found, Container):
            return self._of_pairs(found)
        if not isinstance(found, Result):
            return None
        if found.op == "operator" and found.name == "*":
            lists = [value.only for value in found.args if isinstance(value.only, Container)]
            items = self._run.items(lists[0]) if lists else None
            return text(items[0]) if items is not None and len(items) == 1 else None
        if found.op != "call":
            return None
        if found.method == "full" and len(found.args) > 1:
            return text(found.args[1])
        filled = _FILLED.get(found.method)
        return str(filled) if filled is not None and self._is_flat(found) else None

    def _of_pairs(self, found: Container) -> str | None:
        pieces = self._run.pieces(found)
        rows = [piece.value.only for piece in pieces if piece.loops and piece.how == "append"]
        labels = {text(row.items[-1]) for row in rows if isinstance(row, Tuple) and len(row.items) > 1}
        all_pairs = len(rows) == len(pieces) and all(isinstance(row, Tuple) for row in rows)
        return labels.pop() if all_pairs and len(labels) == 1 else None

    def joined(self, found: Object | None) -> tuple[Object | None, ...]:
        """The parts of labels that are put one after the other, those of sums in sums as well; none for other labels."""
        return tuple(self._joined(self.plain(found), _DEEPEST))

    def _joined(self, found: Object | None, depth: int) -> Iterator[Object | None]:
        if not isinstance(found, Result) or depth <= 0:
            return
        if found.op == "operator" and found.name == "+" and len(found.args) == 2:
            parts = [value.only for value in found.args]
        elif found.op == "call" and found.method in _JOINS and found.args:
            parts = [value.only for value in self._run.items(found.args[0]) or found.args]
        else:
            return
        for part in parts:
            yield from [*self._joined(part, depth - 1)] or [part]

    def parts(self, source: Result) -> list[Value]:
        """The parts of `from_tensor_slices((rows, labels))`, the labels last; none for one array alone."""
        tensors = self._pipelines.argument(source, "tensors") if source.method == "from_tensor_slices" else None
        only = tensors.only if tensors is not None else None
        return list(only.items) if isinstance(only, Tuple) else []

    def _is_flat(self, found: Result) -> bool:
        """Whether an array of zeros or ones is one of labels: it has no more than one column."""
        shape = found.args[0].only if found.args and not found.method.endswith("_like") else None
        if isinstance(shape, (Tuple, Container)):
            items = self._run.items(shape)
            return items is not None and all(constant(item) == 1 for item in items[1:])
        return True


def text(value: Value) -> str | None:
    """A constant as text; None where a value is none."""
    found = constant(value)
    return None if found is ... else repr(found)
