"""What holds rows: an array, a list, or an object of pandas. They differ in what an index returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.slices import first_index
from seqlint.facts.code.tree import is_none

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.flow.allocation_sites import AllocationSites
    from seqlint.facts.flow.call_frames import Traced

Container = Literal["array", "list", "series", "frame"]

_LISTS = frozenset({
    "builtins.list", "builtins.sorted", "os.listdir", "glob.glob", "random.sample", "random.choices", "natsort.natsorted",
})  # fmt: skip
_NO_ARRAYS = frozenset({
    "numpy.load", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.where", "numpy.nonzero", "numpy.split",
    "numpy.array_split", "numpy.meshgrid", "numpy.savez", "numpy.savez_compressed", "numpy.float32", "numpy.int32", "numpy.float64",
    "numpy.int64", "numpy.prod", "numpy.sum", "numpy.mean", "numpy.max", "numpy.min",
})  # fmt: skip
_ARRAYS = frozenset({"keras.utils.to_categorical", "keras.utils.img_to_array"})
_FRAMES = frozenset({"pandas.DataFrame", "pandas.read_csv", "pandas.read_excel", "pandas.read_parquet", "pandas.read_pickle",
                     "pandas.read_json", "pandas.read_table", "pandas.concat", "pandas.get_dummies"})  # fmt: skip
_KEPT = frozenset({"astype", "copy", "fillna", "dropna", "sample", "reset_index", "sort_values", "head", "tail"})
_MADE_LISTS = frozenset({"tolist", "to_list", "split", "splitlines", "readlines"})
_MADE_ARRAYS = frozenset({"to_numpy", "reshape", "ravel", "flatten"})
_SPLITS = frozenset({"sklearn.model_selection.train_test_split", "sklearn.utils.shuffle"})
_STEPS = 8


class Containers:
    """The containers of one file."""

    def __init__(self, names: Names, allocation_sites: AllocationSites) -> None:
        self._names = names
        self._allocation_sites = allocation_sites
        self._known: dict[cst.BaseExpression, Container | None] = {}

    def kind(self, node: cst.BaseExpression) -> Container | None:
        """What an expression surely is; None if it can be anything else."""
        if node not in self._known:
            self._known[node] = None  # `x = x[order]` in a loop recurses to here
            self._known[node] = self._agreed(self._allocation_sites.of(node), _STEPS)
        return self._known[node]

    def _agreed(self, leaves: tuple[Traced | None, ...], steps: int) -> Container | None:
        known = [leaf for leaf in leaves if leaf is None or not is_none(leaf.node)]
        kinds = {self._of(leaf, steps) if leaf is not None else None for leaf in known}
        return kinds.pop() if len(kinds) == 1 else None

    def _inner(self, node: cst.BaseExpression, leaf: Traced, steps: int) -> Container | None:
        return self._agreed(self._allocation_sites.sites(type(leaf)(node, leaf.frame)), steps - 1) if steps else None

    def _of(self, leaf: Traced, steps: int) -> Container | None:
        node = leaf.node
        if isinstance(node, (cst.List, cst.ListComp)):
            return "list"
        if isinstance(node, cst.Call):
            return self._of_call(node, leaf, steps)
        if isinstance(node, cst.Subscript):
            return self._of_part(node, leaf, steps)
        if isinstance(node, cst.BinaryOperation):
            sides = [self._inner(side, leaf, steps) for side in (node.left, node.right)]
            return "array" if "array" in sides else "list" if sides == ["list", "list"] else None
        if isinstance(node, cst.Attribute):
            inner = self._inner(node.value, leaf, steps) if self._names.qualified(node) is None else None
            if inner == "frame":
                return "array" if node.attr.value == "values" else None
            return "array" if inner == "series" and node.attr.value == "values" else None
        return self._unpacked(leaf, steps) if isinstance(node, cst.Name) else None

    def _of_call(self, node: cst.Call, leaf: Traced, steps: int) -> Container | None:
        name = self._names.qualified(node.func)
        if name is not None:
            if name in _LISTS:
                return "list"
            if name in _FRAMES:
                return "frame"
            if name == "pandas.Series":
                return "series"
            is_array = name in _ARRAYS or (name.startswith("numpy.") and name not in _NO_ARRAYS)
            if name == "sklearn.utils.shuffle" and len([a for a in node.args if a.keyword is None]) == 1:
                return self._inner(node.args[0].value, leaf, steps)
            return "array" if is_array else None
        if not isinstance(node.func, cst.Attribute):
            return None
        word = node.func.attr.value
        if word in _MADE_ARRAYS:
            return "array"
        if word in _MADE_LISTS:
            return "list"
        if word in ("permutation", "integers", "standard_normal", "random", "normal", "uniform") and node.args:
            maker = self._allocation_sites.sites(type(leaf)(node.func.value, leaf.frame))
            made = [found.node.func for found in maker if found is not None and isinstance(found.node, cst.Call)]
            known = made and all((self._names.qualified(f) or "").startswith("numpy.random.") for f in made)
            return "array" if known and len(made) == len(maker) else None
        return self._inner(node.func.value, leaf, steps) if word in _KEPT else None

    def _of_part(self, node: cst.Subscript, leaf: Traced, steps: int) -> Container | None:
        whole = self._inner(node.value, leaf, steps)
        part = first_index(self._names, node)
        if len(node.slice) == 1 and isinstance(part, cst.Slice):
            return whole
        if len(node.slice) == 1 and isinstance(part, cst.Index) and whole == "frame":
            if isinstance(part.value, cst.SimpleString):
                return "series"
            return "frame" if isinstance(part.value, (cst.List, cst.Comparison, cst.BinaryOperation)) else None
        if whole == "array" and (len(node.slice) > 1 or not isinstance(part, cst.Index)):
            return "array"
        if whole in ("array", "series") and isinstance(part, cst.Index):
            chosen = self._inner(part.value, leaf, steps)
            return whole if chosen in ("array", "list") else None
        return None

    def _unpacked(self, leaf: Traced, steps: int) -> Container | None:
        """`x_train, x_test = train_test_split(x)`, `(x, y), _ = keras.datasets.mnist.load_data()`."""
        kinds: set[Container | None] = set()
        for binding in self._allocation_sites.reaching(leaf):
            value = binding.value
            if binding.kind != "unpack" or not isinstance(value, cst.Call):
                return None
            name = self._names.qualified(value.func) or ""
            if name.startswith("keras.datasets.") and name.endswith(".load_data"):
                kinds.add("array")
            elif name in _SPLITS:
                given = [a.value for a in value.args if a.keyword is None and not a.star]
                kinds.update({self._inner(each, leaf, steps) for each in given})
            else:
                return None
        return kinds.pop() if len(kinds) == 1 else None
