"""Names that every NumPy has, in the place of those that it has removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts import Facts

NUMPY_INSTEAD = {
    "int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str", "unicode": "str", "bool": "bool", "long": "int",
    "Inf": "np.inf", "Infinity": "np.inf", "infty": "np.inf", "PINF": "np.inf", "NINF": "-np.inf", "NaN": "np.nan", "NAN": "np.nan",
    "PZERO": "0.0", "NZERO": "-0.0", "product": "np.prod", "cumproduct": "np.cumprod", "alltrue": "np.all", "sometrue": "np.any",
    "float_": "np.float64", "complex_": "np.complex128", "unicode_": "np.str_", "string_": "np.bytes_", "round_": "np.round",
    "cfloat": "np.complex128", "singlecomplex": "np.complex64", "longfloat": "np.longdouble", "mat": "np.asmatrix",
    "bool8": "np.bool_", "int0": "np.intp", "uint0": "np.uintp", "object0": "np.object_", "str0": "np.str_", "bytes0": "np.bytes_",
}  # fmt: skip
"""What can replace a name for sure. Python's own types also need that nothing hides them."""


def numpy_instead(facts: Facts, node: cst.Attribute) -> str:
    """What can replace `np.float` and the like at its place, in the spelling of the file; empty where that is not sure."""
    found = NUMPY_INSTEAD.get(node.attr.value, "")
    if found.startswith("-"):
        parent = facts.tree.parents[node]
        plain = isinstance(parent, (cst.Arg, cst.Assign, cst.Return, cst.Element, cst.Param)) and not node.lpar
        return f"-{facts.text(node.value)}{found[3:]}" if plain and found != "-0.0" else found if plain else ""
    if found in ("int", "float", "complex", "object", "str", "bool"):
        return found if facts.names.scope(node).home(found) is None else ""
    return found.replace("np.", f"{facts.text(node.value)}.") if found.startswith("np.") else found
