"""Arrays of the data sets that Keras loads: `(x, y), _ = keras.datasets.mnist.load_data()` gives pixels of uint8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.allocation_sites import AllocationSites
    from seqlint.facts.values.values import Values

_OF_PIXELS = frozenset(
    f"keras.datasets.{name}.load_data" for name in ("mnist", "fashion_mnist", "cifar10", "cifar100")
)  # fmt: skip
_STEPS = 6


class LoadedPixels:
    """The loaded arrays of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, allocation_sites: AllocationSites) -> None:
        self._tree = tree
        self._values = values
        self._names = names
        self._allocation_sites = allocation_sites

    def is_whole(self, node: cst.BaseExpression) -> bool:
        """Whether an expression surely is the array of images, with all of its rows."""
        if self._is_stored(node):
            return True
        leaves = self._allocation_sites.of(node)
        return all(leaf is not None and self._is_loaded(leaf) for leaf in leaves)

    def dtype(self, node: cst.BaseExpression) -> str | None:
        """ "uint8" for the images as they were loaded, and for parts of them."""
        known = self._is_stored(node) or all(self._is_of(leaf, _STEPS) for leaf in self._allocation_sites.of(node))
        return "uint8" if known else None

    def _is_of(self, leaf: Traced | None, steps: int) -> bool:
        part = _part_of(leaf.node) if leaf is not None and leaf.node is not None else None
        if part is not None and self._is_stored(part):
            return True
        if leaf is not None and part is not None and steps:
            return all(self._is_of(one, steps - 1) for one in self._allocation_sites.sites(Traced(part, leaf.frame)))
        return leaf is not None and self._is_loaded(leaf)

    def _is_loaded(self, leaf: Traced) -> bool:
        bindings = self._allocation_sites.reaching(leaf)
        return bool(bindings) and all(self._is_first(binding) for binding in bindings)

    def _is_first(self, binding: Binding) -> bool:
        """The `x` of `(x, y), _ = mnist.load_data()`."""
        return binding.kind == "unpack" and self._is_unpacked(binding.node)

    def _is_stored(self, node: cst.BaseExpression) -> bool:
        """`self.x` of `(self.x, self.y), _ = mnist.load_data()`, where nothing else is given to it."""
        owner = self._values.self_class(node.value) if isinstance(node, cst.Attribute) else None
        if owner is None or not isinstance(node, cst.Attribute):
            return False
        same = (each for each in self._tree.attributes(node.attr.value) if self._values.self_class(each.value) is owner)
        stores = [each for each in same if self._values.stored(each) is not None]
        return bool(stores) and all(self._is_unpacked(each) for each in stores)

    def _is_unpacked(self, target: cst.CSTNode) -> bool:
        """Whether a name or attribute is the first of the first pair, or of the second, that is loaded."""
        pair = self._tree.parents[self._tree.parents[target]]
        outer = self._tree.parents[pair] if isinstance(pair, cst.Tuple) else None
        if (
            not isinstance(pair, cst.Tuple)
            or pair.elements[0].value is not target
            or not isinstance(outer, cst.Element)
        ):
            return False
        assign = self._tree.enclosing(target, cst.Assign)
        value = assign.value if assign is not None else None
        return isinstance(value, cst.Call) and self._names.qualified(value.func) in _OF_PIXELS


def _part_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What an expression takes a part or a copy of."""
    if isinstance(node, cst.Subscript):
        return node.value
    func = node.func if isinstance(node, cst.Call) else None
    return func.value if isinstance(func, cst.Attribute) and func.attr.value == "copy" else None
