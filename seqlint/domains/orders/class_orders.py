"""Rows that surely come class by class: folders in order, a list of paths that is sorted, arrays and datasets of one class each."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from seqlint.domains.orders.labels import Labels, text
from seqlint.domains.orders.shuffles import Shuffles
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, Result, Tuple, Value, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run
    from seqlint.run.machine import Piece

_LOADERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")
_OF_FOLDERS = re.compile(r"\*[^/\\]*[/\\]")
"""A pattern with a star for folders: `shells/*/*.png`."""
_GLOBS = ("glob", "rglob", "iglob", "list_files")
_MIXING = frozenset({
    "shuffle", "permutation", "permuted", "sample", "choice", "choices", "train_test_split", "KFold", "StratifiedKFold",
    "ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit", "resample",
})  # fmt: skip
_SAME_ROWS = frozenset({"reset_index", "copy", "dropna", "fillna", "astype", "drop"})
"""Methods of a frame that leave its rows in their order."""
_LISTINGS = frozenset({"listdir", "scandir", "iterdir", *_GLOBS})
_MOST_PARTS, _NESTED = 300, 2


class ClassOrders:
    """Which datasets of a run come class by class."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._shuffles = run.domain(Shuffles)
        self._labels = run.domain(Labels)

    def source(self, step: Result) -> Result | None:
        """What gives the rows of a dataset class by class; None where they are mixed, or nobody knows."""
        if self._shuffles.may_be_mixed(step):
            return None
        above = (step, *self._pipelines.ancestors(step))
        if any(each.method in ("zip", "window", "group_by_window") for each in above):
            return None
        return next((each for each in above if self._is_by_class(each)), None)

    def is_of_labels(self, source: Result) -> bool:
        """Whether labels say that a source gives the rows class by class; paths alone say that it gives them folder by folder."""
        if source.method == "list_files":
            return False
        tensors = self._pipelines.argument(source, "tensors") if source.method == "from_tensor_slices" else None
        return tensors is None or isinstance(tensors.only, Tuple)

    def in_memory(self, value: Value | None) -> bool:
        """Whether labels, or one of a tuple of arrays, surely come class by class, and nothing in the program mixes arrays."""
        if value is None or self._is_mixed_in_memory:
            return False
        only = value.only
        parts = [item.only for item in only.items] if isinstance(only, Tuple) else [only]
        return any(self._are_labels(part) or self._is_sorted_by_label(part) for part in parts)

    def _is_sorted_by_label(self, found: Object | None) -> bool:
        """Whether a column is one that its frame was sorted by: `frame.sort_values("kind")["kind"]`."""
        column, found = None, self._labels.plain(found)
        for _ in range(_NESTED * 4):
            if not isinstance(found, Result):
                return False
            if found.op == "item" and isinstance(found.args[0].constant, str):
                column = found.args[0].constant
            if found.op == "item" and _is_argsort_of(found.args[0].only, found.receiver):
                return True
            if found.method == "sort_values":
                by = found.args[0] if found.args else found.keyword("by")
                return column is not None and by is not None and by.constant == column
            found = self._labels.plain(found.receiver)
        return False

    def _is_by_class(self, step: Result) -> bool:
        if step.method in _LOADERS:
            return self._is_of_classes(step)
        if step.method == "list_files":
            return bool(_OF_FOLDERS.search(self._pattern(self._pipelines.argument(step, "file_pattern"))))
        if self._is_mixed_in_memory:
            return False
        if step.method == "from_tensor_slices":
            return self._holds_classes(self._pipelines.argument(step, "tensors"))
        if step.method == "concatenate":
            kinds = [self._kind_of(parent) for parent in self._pipelines.parents(step)]
            return None not in kinds and len(set(kinds)) == len(kinds) > 1
        return False

    def _is_of_classes(self, step: Result) -> bool:
        """Whether a loader gives the folders one after the other, as classes. One that splits by classes has a worse fault (SEQ416)."""
        labels = self._pipelines.argument(step, "label_mode")
        return (
            self._pipelines.argument(step, "shuffle") is not None
            and all(self._pipelines.argument(step, name) is None for name in ("labels", "validation_split"))
            and (labels is None or isinstance(constant(labels), str))
            and not self._pipelines.hides_arguments(step)
        )

    def _pattern(self, value: Value | None) -> str:
        """The texts that a path is made of, joined as a path; empty where there are none."""
        parts = [each.value for each in self._parts(value) if isinstance(each, Constant)] if value is not None else []
        return "/".join(part for part in parts if isinstance(part, str))

    def _holds_classes(self, value: Value | None) -> bool:
        """Whether an array, or one of a tuple of arrays, is sorted by classes."""
        only = value.only if value is not None else None
        items = list(only.items) if isinstance(only, Tuple) else [value] if value is not None else []
        return any(self._are_paths(item) or self._are_labels(item.only) for item in items if item is not None)

    def _are_paths(self, value: Value) -> bool:
        """Whether a list has the sorted paths of several folders, as `sorted(glob("shells/*/*.png"))` gives."""
        parts = list(self._parts(value))
        globs = [each for each in parts if isinstance(each, Result) and each.method in _GLOBS]
        is_sorted = any(isinstance(each, Result) and each.name == "builtins.sorted" for each in parts)
        return is_sorted and any(
            _OF_FOLDERS.search(self._pattern(glob.args[0])) for glob in globs if glob.op == "call" and glob.args
        )

    def _are_labels(self, found: Object | None) -> bool:
        """Whether labels are `[0] * n + [1] * m`, or zeros and ones one after the other."""
        found = self._labels.plain(found)
        if isinstance(found, Container):
            return self._are_filled_by_folder(found)
        if not isinstance(found, Result):
            return False
        if found.op == "item":
            return self._is_of_joined_frames(found)
        if found.name == "numpy.repeat" and found.args:
            repeated = self._run.items(found.args[0]) or []
            return len({text(kind) for kind in repeated} - {None}) == len(repeated) > 1
        parts = self._labels.joined(found)
        kinds = [self._labels.one(part) for part in parts]
        return None not in kinds and len(set(kinds)) == len(kinds) > 1

    def _is_of_joined_frames(self, column: Result) -> bool:
        """Whether a column has one label in each of the frames that were joined: `good["label"] = 0`, `bad.assign(label=1)`."""
        name, frame = column.args[0].constant, column.receiver
        while isinstance(frame, Result) and frame.op == "call" and frame.method in _SAME_ROWS:
            frame = frame.receiver
        if (
            not isinstance(name, str)
            or not isinstance(frame, Result)
            or frame.name != "pandas.concat"
            or not frame.args
        ):
            return False
        parts = [item.only for item in self._run.items(frame.args[0]) or ()]
        kinds = [self._label_in(part, name) for part in parts]
        return frame.keyword("axis") is None and None not in kinds and len(set(kinds)) == len(kinds) > 1

    def _label_in(self, frame: Object | None, column: str) -> str | None:
        """The one value that a column of a frame was given; None where it has none, or several."""
        if not isinstance(frame, Result):
            return None
        if frame.method == "assign" and (given := frame.keyword(column)) is not None:
            return text(given)
        stored = self._run.machine.heap.log.get((frame.term, f"k:{column!r}"), [])
        value = stored[0].value if len(stored) == 1 else None
        return text(value) if value is not None else None

    def _are_filled_by_folder(self, found: Container) -> bool:
        """Whether a list gets the label of a folder once for each file in it: the loop over files is inside of the one over folders."""
        pieces = self._run.pieces(found)
        by_class = all(self._is_of_folder(piece) or self._is_extended_by_label(piece) for piece in pieces)
        return bool(pieces) and (by_class or self._are_folder_by_folder(pieces))

    def _are_folder_by_folder(self, pieces: tuple[Piece, ...]) -> bool:
        """Whether a list gets one label in a loop over the files of one folder, or many times at once, then the next label."""
        found: list[tuple[object, int]] = []
        for place, piece in enumerate(pieces):
            label = piece.value if piece.how == "append" else self._repeated(piece)
            iterable = piece.loops[-1].iterable if piece.loops else None
            if label is None or constant(label) is ... or (iterable is None and piece.how == "append"):
                return False
            found.append((constant(label), iterable.term if iterable is not None else -place))
        labels, folders = {label for label, _ in found}, {folder for _, folder in found}
        changes = sum(one[0] != other[0] for one, other in pairwise(found))
        return len(labels) == len(folders) == len(set(found)) > 1 and changes == len(labels) - 1

    def _is_extended_by_label(self, piece: Piece) -> bool:
        """`labels += [number] * len(files)` in a loop over the classes."""
        label = self._repeated(piece)
        if label is None or len(piece.loops) != 1:
            return False
        loop = id(piece.loops[-1].node)
        return any(
            isinstance(each, Result) and each.op == "each" and id(each.node) == loop for each in self._parts(label)
        )

    def _repeated(self, piece: Piece) -> Value | None:
        """The one item of `[label] * count`."""
        only = piece.value.only
        if piece.how != "extend" or not isinstance(only, Result) or only.name != "*":
            return None
        found = next((value.only for value in only.args if isinstance(value.only, Container)), None)
        if found is None or not isinstance(found.node, ast.List) or len(found.node.elts) != 1:
            return None
        return self._run.machine.read((found.serial, "[0]"))[0]

    def _is_of_folder(self, piece: Piece) -> bool:
        if len(piece.loops) < _NESTED or piece.how != "append" or piece.loops[-1].iterable is None:
            return False
        outer, inner = {id(loop.node) for loop in piece.loops[:-1]}, id(piece.loops[-1].node)
        read = {id(each.node) for each in self._parts(piece.value) if isinstance(each, Result) and each.op == "each"}
        listed = [each for each in self._parts(piece.loops[-1].iterable) if isinstance(each, Result)]
        return (
            bool(read & outer)
            and inner not in read
            and any(each.method in _LISTINGS for each in listed)
            and any(each.op == "each" and id(each.node) in outer for each in listed)
        )

    def _kind_of(self, step: Result) -> object:
        """The label that all rows of a dataset have: what its last `map` gives, or the array that it is made from."""
        for each in self._pipelines.line(step):
            row: Object | None = None
            if each.method == "map":
                given = self._run.returned(each)
                row = given[0].only if len(given) == 1 else None
                label = row.items[-1] if isinstance(row, Tuple) and len(row.items) > 1 else None
                if label is not None and constant(label) is not ...:
                    return text(label)
            elif each.method == "from_tensor_slices":
                parts = self._labels.parts(each)
                return self._labels.one(parts[-1].only) if parts else None
        return None

    @property
    def _is_mixed_in_memory(self) -> bool:
        """Whether something in the program draws an order that may be that of an array or list."""
        return any(
            call.result.method in _MIXING and not self._pipelines.is_step(call.result) for call in self._run.calls
        )

    def _parts(self, value: Value) -> Iterator[Object]:
        """Every object that a value is made of, in the order of the text."""
        waiting, count = [*value], 0
        while waiting and count < _MOST_PARTS:
            each = waiting.pop(0)
            count += 1
            yield each
            inner: list[Object] = []
            if isinstance(each, Result):
                inner = [each.receiver] if each.receiver is not None else []
                inner += [part for given in each.args for part in given]
            elif isinstance(each, (Container, Tuple)):
                inner = [part for item in self._run.items(each) or () for part in item]
                inner += self._iterables(each) if isinstance(each, Container) else []
            waiting = inner + waiting

    def _iterables(self, found: Container) -> list[Object]:
        """What the loops go through that fill a list."""
        iterables = [loop.iterable for piece in self._run.pieces(found) for loop in piece.loops]
        return [part for iterable in iterables if iterable is not None for part in iterable]


def _is_argsort_of(index: Object | None, labels: Object | None) -> bool:
    """Whether an index brings labels into their own order: `labels[np.argsort(labels)]`."""
    if not isinstance(index, Result) or index.method != "argsort" or labels is None:
        return False
    sorted_by = index.args[0].only if index.args else index.receiver
    return sorted_by is not None and sorted_by.term == labels.term
