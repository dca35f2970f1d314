"""Whether the `__len__` of a Sequence is the number of batches in a tf.data dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.datasets.chains import Chain
    from seqlint.facts.numbers.counts import Counts
    from seqlint.facts.values.values import Values

Steps = Literal["all", "counted"]
"""*all*: `len` is the number of batches in the dataset. *counted*: the dataset never ends, so `len` says how many are taken."""

_KEPT_SIZE = frozenset({"map", "shuffle", "cache", "prefetch", "with_options"})
_CARDINALITY = ("builtins.len", "tensorflow.data.experimental.cardinality")


class Lengths:
    """The lengths of the Sequences of one file."""

    def __init__(self, names: Names, values: Values, counts: Counts) -> None:
        self._tree = names.tree
        self._names = names
        self._values = values
        self._counts = counts

    def steps(self, owner: ClassFacts, chain: Chain, dataset: cst.BaseExpression) -> Steps | None:
        """What the length of a Sequence says about the dataset that it wraps; None where the two may differ."""
        if chain.state.endless == "yes":
            return "counted"
        if chain.state.endless != "no":
            return None
        length = owner.methods["__len__"]
        returned = [node.value for node in self._values.own(length, cst.Return)]
        if len(returned) != 1 or returned[0] is None:
            return None
        same = self._is_cardinality(returned[0], dataset) or self._counts_batches(length, chain)
        return "all" if same else None

    def _is_cardinality(self, node: cst.BaseExpression, dataset: cst.BaseExpression) -> bool:
        """`len(self.rows)`, `int(self.rows.cardinality())`, also with `.numpy()`."""
        while isinstance(node, cst.Call):
            name, func = self._names.qualified(node.func), node.func
            if name in _CARDINALITY and len(node.args) == 1:
                return self._tree.text(node.args[0].value) == self._tree.text(dataset)
            if name == "builtins.int" and len(node.args) == 1:
                node = node.args[0].value
            elif isinstance(func, cst.Attribute) and func.attr.value == "numpy":
                node = func.value
            else:
                cardinal = isinstance(func, cst.Attribute) and func.attr.value == "cardinality"
                return cardinal and self._tree.text(func.value) == self._tree.text(dataset)  # type: ignore[attr-defined]
        return False

    def _counts_batches(self, length: cst.FunctionDef, chain: Chain) -> bool:
        """Whether `__len__` divides the rows of the source by the size of a batch, and rounds as the dataset does."""
        (count, *others), source = self._counts.returned(length), chain.source
        batches = chain.find("batch")
        plain = all(set(link.does) <= _KEPT_SIZE or link in (source, *batches) for link in chain.links)
        if (
            count is None
            or others
            or source is None
            or source.name != "from_tensor_slices"
            or len(batches) != 1
            or not plain
        ):
            return False
        rest, size = batches[0].arg("drop_remainder"), batches[0].arg("batch_size")
        drops = self._values.constant(rest) if rest is not None else None
        if size is None or (rest is not None and drops is None):
            return False
        wanted = "floor" if drops is not None and drops.value else "ceil"
        rows = self._rows(count.numerator)
        given = {self._root(part) for part in parts(source.arg("tensors"))} - {None}
        root = self._root(count.denominator)
        return count.kind == wanted and rows in given and root is not None and root == self._root(size)

    def _rows(self, node: cst.BaseExpression) -> object:
        """Where the rows that a number counts come from: `len(paths)`, also by another name."""
        value = self._followed(node)
        if isinstance(value, cst.Call) and self._names.qualified(value.func) == "builtins.len" and len(value.args) == 1:
            return self._root(value.args[0].value)
        return None

    def _root(self, node: cst.BaseExpression) -> object:
        """The parameter or literal that an expression surely is, through names and attributes that are set once."""
        value = self._followed(node)
        if isinstance(value, (cst.Integer, cst.Float)):
            return value.value
        return value if isinstance(value, cst.Param) else None

    def _followed(self, node: cst.BaseExpression) -> cst.CSTNode | None:
        here: cst.BaseExpression | None = node
        for _ in range(6):
            if isinstance(here, cst.Attribute) and (owner := self._values.self_class(here.value)) is not None:
                stored = self._values.attribute_values(owner, here.attr.value)
                here = stored[0] if len(stored) == 1 else None
            elif isinstance(here, cst.Name):
                bindings = self._names.bindings(here)
                if len(bindings) != 1:
                    return None
                if bindings[0].kind == "parameter":
                    return bindings[0].node
                here = bindings[0].value if bindings[0].kind == "assign" else None
            else:
                return here
        return None


def parts(node: cst.BaseExpression | None) -> Iterator[cst.BaseExpression]:
    """The items of a tuple; anything else is the one item."""
    if isinstance(node, cst.Tuple):
        yield from (element.value for element in node.elements)
    elif node is not None:
        yield node
