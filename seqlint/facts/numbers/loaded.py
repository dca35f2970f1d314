"""Arrays of the data sets that Keras loads: `(x, y), _ = keras.datasets.mnist.load_data()` gives pixels of uint8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.origins import Origins

_OF_PIXELS = frozenset(
    f"keras.datasets.{name}.load_data" for name in ("mnist", "fashion_mnist", "cifar10", "cifar100")
)  # fmt: skip
_STEPS = 6


class LoadedPixels:
    """The loaded arrays of one file."""

    def __init__(self, tree: Tree, names: Names, origins: Origins) -> None:
        self._tree = tree
        self._names = names
        self._origins = origins

    def is_whole(self, node: cst.BaseExpression) -> bool:
        """Whether an expression surely is the array of images, with all of its rows."""
        leaves = self._origins.of(node)
        return all(leaf is not None and self._is_loaded(leaf) for leaf in leaves)

    def dtype(self, node: cst.BaseExpression) -> str | None:
        """ "uint8" for the images as they were loaded, and for parts of them."""
        return "uint8" if all(self._is_of(leaf, _STEPS) for leaf in self._origins.of(node)) else None

    def _is_of(self, leaf: Traced | None, steps: int) -> bool:
        part = _part_of(leaf.node) if leaf is not None and leaf.node is not None else None
        if leaf is not None and part is not None and steps:
            return all(self._is_of(one, steps - 1) for one in self._origins.behind(Traced(part, leaf.frame)))
        return leaf is not None and self._is_loaded(leaf)

    def _is_loaded(self, leaf: Traced) -> bool:
        bindings = self._origins.reaching(leaf)
        return bool(bindings) and all(self._is_first(binding) for binding in bindings)

    def _is_first(self, binding: Binding) -> bool:
        """The `x` of `(x, y), _ = mnist.load_data()`."""
        value = binding.value if binding.kind == "unpack" else None
        if not isinstance(value, cst.Call) or self._names.qualified(value.func) not in _OF_PIXELS:
            return False
        pair = self._tree.parents.get(self._tree.parents[binding.node])
        outer = self._tree.parents.get(pair) if pair is not None else None
        first = isinstance(pair, cst.Tuple) and pair.elements[0].value is binding.node
        return first and isinstance(outer, cst.Element)


def _part_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What an expression takes a part or a copy of."""
    if isinstance(node, cst.Subscript):
        return node.value
    func = node.func if isinstance(node, cst.Call) else None
    return func.value if isinstance(func, cst.Attribute) and func.attr.value == "copy" else None
