"""Which tables have columns of one length: frames. What a dict holds under its keys may be rows of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.rows.terms import are_names
from seqlint.run import Result, Tuple, Value

if TYPE_CHECKING:
    from seqlint.run import Object, Run

_OF_FRAMES = frozenset({
    "iloc", "loc", "columns", "dtypes", "sample", "drop", "dropna", "fillna", "reset_index", "set_index", "sort_values", "drop_duplicates",
    "query", "rename", "assign", "groupby", "merge", "head", "tail", "iterrows", "itertuples", "to_csv", "describe", "isnull", "isna", "astype",
    "apply", "value_counts", "select_dtypes", "nunique", "corr", "melt", "pivot", "applymap", "to_numpy",
})  # fmt: skip
"""Methods and attributes that frames have, and dicts and files do not."""
_HOLD_SEVERAL = frozenset({"pandas.HDFStore", "pandas.ExcelFile", "pandas.read_pickle"})
_SPLIT = "sklearn.model_selection.train_test_split"
_DEEPEST = 12


class Frames:
    """The frames of a run, by where they come from and by what is asked of them."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._asked = frozenset(self._all_asked())

    def has(self, found: Object | None, depth: int = _DEEPEST) -> bool:
        """Whether an object surely is a frame."""
        if not isinstance(found, Result) or depth <= 0:
            return False
        if found.term in self._asked or found.method in _OF_FRAMES:
            return True
        if found.op == "call":
            if found.name.startswith("pandas."):
                return found.name not in _HOLD_SEVERAL
            return self.has(found.receiver, depth - 1)
        return found.op == "item" and (self._takes_rows(found) or self._is_side(found, depth))

    def _all_asked(self) -> set[object]:
        """What code asks for something that frames alone have, in any place."""
        found: set[object] = set()
        for each in self._run.results:
            if isinstance(each.receiver, Result) and (each.method in _OF_FRAMES or self._takes_rows(each)):
                found.add(each.receiver.term)
        return found

    def _takes_rows(self, found: Result) -> bool:
        """Whether brackets hold a mask, or a list of columns."""
        if found.op != "item" or not found.args:
            return False
        index = found.args[0].only
        is_mask = isinstance(index, Result) and index.op == "operator" and index.name != "slice"
        return is_mask or (not isinstance(index, Tuple) and _is_list_of_names(self._run, found.args[0]))

    def _is_side(self, found: Result, depth: int) -> bool:
        """Whether it is one side of a frame that is split."""
        split, number = found.receiver, found.args[0].constant
        if not isinstance(split, Result) or split.name != _SPLIT or not isinstance(number, int):
            return False
        return number // 2 < len(split.args) and self.has(split.args[number // 2].only, depth - 1)


def _is_list_of_names(run: Run, index: Value) -> bool:
    return not isinstance(index.constant, str) and are_names(run, index)
