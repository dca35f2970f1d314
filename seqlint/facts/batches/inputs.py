"""Whether an expression is an array of the batch, and whether a loop makes one for each input and not one for each sample."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.slices import first_index, is_slice
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.flow.call_frames import Flow, Frame

_VIEWS = ("values", "items", "keys")
_MOST_STEPS = 6  # `zip` of `zip`
_STACKS = frozenset({"numpy.stack", "numpy.array", "numpy.asarray", "numpy.concatenate", "tensorflow.stack"})
_LOCATED = ("iloc", "loc")
_BLANK = frozenset({"numpy.zeros", "numpy.empty", "numpy.ones", "numpy.full"})

_SAYS_SIZE = re.compile(r"(?i)^(?:len|index|idx|item|bs|n?batch|.*batch_?size|.*batch_?len.*|size)$")


class Inputs:
    """Arrays and loops over the inputs of a model."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names

    def is_array(self, node: cst.BaseExpression, frame: Frame) -> bool:
        """Whether an expression surely is an array: a slice, or made by NumPy, TensorFlow or Keras."""
        for row in self._batches.rows(Traced(node, frame)):
            inner = row.node
            if isinstance(inner, cst.Subscript) and self._takes_rows(inner, row.frame):
                return True
            name = self._names.qualified(inner.func) if isinstance(inner, cst.Call) else None
            if name is not None and name.startswith(("numpy.", "keras.", "tensorflow.")):
                return True
            if isinstance(inner, (cst.List, cst.ListComp)) and row.node is not node:  # `np.array(rows)`
                return True
        return False

    def _takes_rows(self, node: cst.Subscript, frame: Frame) -> bool:
        first = first_index(self._names, node)
        if isinstance(first, cst.Slice):
            return True
        assert isinstance(first, cst.Index)
        leaves = self._flow.trace(Traced(first.value, frame))
        return all(self._is_range(leaf.node) for leaf in leaves)

    def _is_range(self, node: cst.BaseExpression | None) -> bool:
        if isinstance(node, cst.Subscript):
            return is_slice(self._names, node)
        name = self._names.qualified(node.func) if isinstance(node, cst.Call) else None
        return name in (
            "builtins.slice",
            "builtins.range",
            "numpy.arange",
            "numpy.random.permutation",
            "numpy.random.choice",
        )

    # -- one array for each input ------------------------------------------------------------------------------------

    def has(self, item: cst.BaseExpression, loop: cst.CompFor | cst.For, frame: Frame) -> bool:
        """Whether a loop goes over the inputs, not over the samples, and takes the rows of the batch from each."""
        if isinstance(loop, cst.CompFor) and (loop.inner_for_in is not None or loop.ifs):
            return False
        targets = frozenset(name.value for name in self._tree.inside(loop.target, cst.Name))
        if self._is_column(item, targets) or self._is_transposed(item, loop.iter):
            return True
        if self._is_of_table(item, targets, frame):
            return True
        leaves = self._flow.trace(Traced(loop.iter, frame))
        if leaves and all(self._holds_arrays(leaf) for leaf in leaves):
            return True
        if leaves and all(_holds_words(leaf.node) for leaf in leaves) and self._is_named(item, targets, frame):
            return True
        if leaves and all(self._holds_lists(leaf) for leaf in leaves):
            return self._is_stack_of(item, targets)
        fixed = bool(leaves) and all(self._is_fixed(leaf) for leaf in leaves)
        return fixed and (self._takes_batch(item, targets, frame) or self._is_blank(item, frame))

    def _is_blank(self, item: cst.BaseExpression, frame: Frame) -> bool:
        """`np.zeros((batch_size, *size))`: an array with a row for each sample, that is filled later."""
        name = self._names.qualified(item.func) if isinstance(item, cst.Call) else None
        if name not in _BLANK or not isinstance(item, cst.Call) or not item.args:
            return False
        shape = item.args[0].value
        first = shape.elements[0].value if isinstance(shape, (cst.Tuple, cst.List)) and shape.elements else None
        return first is not None and self.counts_rows(Traced(first, frame))

    def _is_column(self, item: cst.BaseExpression, targets: frozenset[str]) -> bool:
        """`x[:, column]` and `x[..., column]`: all rows, and one of something else."""
        if not isinstance(item, cst.Subscript) or len(item.slice) < 2:
            return False
        first = item.slice[0].slice
        whole = isinstance(first, cst.Slice) and first.lower is None and first.upper is None
        whole = whole or (isinstance(first, cst.Index) and isinstance(first.value, cst.Ellipsis))
        later = {name.value for part in item.slice[1:] for name in self._tree.inside(part, cst.Name)}
        return whole and bool(targets & later)

    def _is_of_table(self, item: cst.BaseExpression, targets: frozenset[str], frame: Frame) -> bool:
        """`table[column]`, with the rows of the batch in the table: `table = self.table.iloc[a:b]`."""
        node = item.func.value if isinstance(item, cst.Call) and isinstance(item.func, cst.Attribute) else item
        node = node.value if isinstance(node, cst.Attribute) and node.attr.value == "values" else node
        index = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
        named = isinstance(index, cst.Index) and isinstance(index.value, cst.Name) and index.value.value in targets
        if not named or not isinstance(node, cst.Subscript) or not isinstance(node.value, cst.Name):
            return False
        return all(_is_located(one.node) for one in self._flow.trace(Traced(node.value, frame)))

    def _is_transposed(self, item: cst.BaseExpression, rows: cst.BaseExpression) -> bool:
        """`np.stack(samples) for samples in zip(*data)`: samples that hold several items each, item by item."""
        return self._is_zipped(rows) and isinstance(item, cst.Call) and self._names.qualified(item.func) in _STACKS

    def are_mapped(self, node: cst.BaseExpression | None) -> bool:
        """`map(np.stack, zip(*data))`: the same in other words."""
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) != "builtins.map" or len(node.args) != 2:
            return False
        made, rows = (argument.value for argument in node.args)
        return self._names.qualified(made) in _STACKS and self._is_zipped(rows)

    def _is_zipped(self, rows: cst.BaseExpression) -> bool:
        if not isinstance(rows, cst.Call) or self._names.qualified(rows.func) != "builtins.zip":
            return False
        return len(rows.args) == 1 and rows.args[0].star == "*"

    def _holds_arrays(self, leaf: Traced) -> bool:
        """A literal of several arrays of the batch."""
        node = leaf.node
        if not isinstance(node, (cst.Tuple, cst.List)) or len(node.elements) < 2:
            return False
        return all(self.is_array(element.value, leaf.frame) for element in node.elements)

    def _is_named(self, item: cst.BaseExpression, targets: frozenset[str], frame: Frame) -> bool:
        """`batch[name]`: what the rows of a frame or an archive hold by that name."""
        if not isinstance(item, cst.Subscript) or len(item.slice) > 1:
            return False
        index = item.slice[0].slice
        by_name = isinstance(index, cst.Index) and isinstance(index.value, cst.Name) and index.value.value in targets
        return by_name and self.is_array(item.value, frame)

    def _holds_lists(self, leaf: Traced) -> bool:
        """`[[], []]` and `[[] for _ in range(3)]`: a list for the rows of each input, to be filled."""
        node = leaf.node
        if isinstance(node, cst.ListComp):
            return is_empty(node.elt) and self._counts_inputs(Traced(node.for_in.iter, leaf.frame))
        if not isinstance(node, (cst.Tuple, cst.List)) or len(node.elements) < 2:
            return False
        return all(is_empty(element.value) for element in node.elements)

    def _counts_inputs(self, rounds: Traced) -> bool:
        node = rounds.node
        counts = isinstance(node, cst.Call) and self._names.qualified(node.func) == "builtins.range"
        return counts and not self.counts_rows(rounds)

    def counts_rows(self, rounds: Traced) -> bool:
        """Whether `range(...)` counts samples: it speaks of the index, of a length, or of a size; not `range(outputs)`."""
        for part in self._flow.mentioned(rounds):
            name = part.node
            if isinstance(name, cst.Attribute):
                name = name.attr
            if isinstance(name, cst.Name) and _SAYS_SIZE.search(name.value):
                return True
        return False

    def _is_stack_of(self, item: cst.BaseExpression, targets: frozenset[str]) -> bool:
        """`np.stack(column)`, for what the loop gives."""
        if not isinstance(item, cst.Call) or self._names.qualified(item.func) not in _STACKS or not item.args:
            return False
        given = item.args[0].value
        return isinstance(given, cst.Name) and given.value in targets

    def _is_fixed(self, leaf: Traced, steps: int = _MOST_STEPS) -> bool:
        """Something that does not grow with the batch: a literal, an attribute, the views of a dict."""
        node = leaf.node
        if isinstance(node, (cst.Tuple, cst.List)):
            return bool(node.elements)
        if isinstance(node, cst.Attribute):
            return True
        if not isinstance(node, cst.Call):
            return False
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in _VIEWS:
            return not node.args
        name = self._names.qualified(node.func)
        if name == "builtins.range":
            return all(isinstance(argument.value, cst.Integer) for argument in node.args)
        if name not in ("builtins.zip", "builtins.enumerate") or not steps:
            return False
        parts = [self._flow.trace(Traced(argument.value, leaf.frame)) for argument in node.args]
        return all(self._is_fixed(one, steps - 1) for found in parts for one in found)

    def _takes_batch(self, item: cst.BaseExpression, targets: frozenset[str], frame: Frame) -> bool:
        """Whether each round takes the rows of the batch: `source[rows]`, or an array that is collected from them."""
        for row in self._batches.rows(Traced(item, frame)):
            node = row.node
            if isinstance(node, (cst.List, cst.ListComp)) and node is not item:
                continue
            if not isinstance(node, cst.Subscript):
                return False
            inside = {name.value for name in self._tree.inside(node.value, cst.Name)}
            index = {name.value for name in self._tree.inside(node.slice[0].slice, cst.Name)}
            if not targets & inside or targets & index or not index:
                return False
        return True


def _is_located(node: cst.BaseExpression | None) -> bool:
    """`table.iloc[a:b]`."""
    return (
        isinstance(node, cst.Subscript) and isinstance(node.value, cst.Attribute) and node.value.attr.value in _LOCATED
    )


def is_empty(node: cst.BaseExpression) -> bool:
    """Whether a node is the literal of an empty list."""
    return isinstance(node, cst.List) and not node.elements


def _holds_words(node: cst.CSTNode | None) -> bool:
    """Whether a node is a literal of several strings."""
    if not isinstance(node, (cst.Tuple, cst.List)) or len(node.elements) < 2:
        return False
    return all(isinstance(element.value, cst.SimpleString) for element in node.elements)
