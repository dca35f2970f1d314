"""A name that NumPy has removed, such as `np.int` or `np.Inf`.

## Why
NumPy took `np.asscalar` out in 1.23, the second names of Python's own types in 1.24, and about a hundred more in 2.0. Whoever moves to a
TensorFlow with Keras 3 gets such a NumPy with it, and the code fails where the name is first read: often in `__getitem__`,
at the first batch.

## Measured
- Keras 3.10 and later: TensorFlow 2.21 runs on NumPy 2.4: AttributeError for every name that this rule reports.
- Keras 3.0 to 3.9: TensorFlow 2.16 and 2.17 need NumPy below 2, which has no `np.int`, `np.float`, `np.object`, `np.bool`, `np.asscalar`, but
  still has `np.Inf`, `np.product` and `np.float_`.
- Keras 2: TensorFlow up to 2.15 runs with a NumPy before 1.24 too, where all of them are there.
- `from numpy import float` and the like raise ImportError there.
- `np.bool` and `np.long` are back in NumPy 2, as `np.bool_` and `np.int64`: they fail from 1.24 to 1.26 alone.

## Instead
Write the name that has always been there: `int` for `np.int`, `np.inf` for `np.Inf`, `np.prod` for `np.product`,
`np.float64` for `np.float_`.

## Silent when
The NumPy of the project has the name, or the file sets it or asks for it first.
"""

from collections.abc import Iterator

from seqlint.api import (
    OF_NUMPY,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Sometimes,
    a_member_of,
    cst,
    replace,
    without_import,
)

_FEED = """
import keras
import numpy as np


class Windows(keras.utils.Sequence):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = np.array(self.rows[index * 4 : index * 4 + 4], dtype=np.float)
        low = np.min(rows, initial=np.Inf)
        return rows - low, np.array([np.product(row) for row in rows])


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Windows([[1, 2], [3, 4]] * 4), epochs=2, verbose=0)
"""

_SINCE_1_24 = {"int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str", "unicode": "str"}
_SINCE_1_23 = {"asscalar": "", "alen": "", "loads": ""}
_BACK_IN_2 = {"bool": "bool", "long": "int"}
_SINCE_2_0 = {
    "Inf": "np.inf", "Infinity": "np.inf", "infty": "np.inf", "PINF": "np.inf", "NINF": "-np.inf", "NaN": "np.nan", "NAN": "np.nan",
    "PZERO": "0.0", "NZERO": "-0.0", "product": "np.prod", "cumproduct": "np.cumprod", "alltrue": "np.all", "sometrue": "np.any",
    "float_": "np.float64", "complex_": "np.complex128", "unicode_": "np.str_", "string_": "np.bytes_", "round_": "np.round",
    "cfloat": "np.complex128", "singlecomplex": "np.complex64", "longfloat": "np.longdouble", "mat": "np.asmatrix",
    "bool8": "np.bool_", "int0": "np.intp", "uint0": "np.uintp", "object0": "np.object_", "str0": "np.str_", "bytes0": "np.bytes_",
    "in1d": "", "trapz": "", "asfarray": "", "msort": "", "cast": "", "find_common_type": "", "safe_eval": "", "issubclass_": "",
    "recfromcsv": "", "recfromtxt": "", "sctypes": "", "math": "", "obj2sctype": "", "issubsctype": "", "nbytes": "",
}  # fmt: skip
_ALL = {**_SINCE_1_23, **_SINCE_1_24, **_BACK_IN_2, **_SINCE_2_0}

RULE = Rule(
    code="SEQ707",
    name="removed-numpy-alias",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(keras2=("error",), early=("warning",), keras3=("warning",)),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_member_of(OF_NUMPY, *_ALL),),
    examples=(
        Example(
            _FEED,
            _FEED.replace("np.float)", "float)").replace("np.Inf", "np.inf").replace("np.product", "np.prod"),
            keras=">=3",
        ),
        Example(
            """
import keras
import numpy as np

edges = np.asfarray([1, 2, 4])
model = keras.Sequential([keras.layers.Dense(1)])
""",
        ),
        Example.ok(
            """
import keras
import numpy as np

rows = np.zeros((2, 3), dtype=np.float32)
count = np.int64(3)
mask = rows > np.inf
scale = np.bool_(True)
model = keras.Sequential([keras.layers.Dense(1)])
"""
        ),
        Example.ok(
            """
import keras
import numpy as np

if not hasattr(np, "int"):
    np.int = int
rows = np.zeros(3, dtype=np.int)
model = keras.Sequential([keras.layers.Dense(1)])
"""
        ),
        Example.ok(
            """
import keras
import numpy as np

rows = np.zeros(3, dtype=np.float_)
mask = np.zeros(3, dtype=np.bool)
model = keras.Sequential([keras.layers.Dense(1)])
""",
            keras="tensorflow<2.16",
        ),
    ),
    sources=("numpy/numpy#22607",),
)

# By the release that took them out; "" where no other name stands for exactly the same.


def check(facts: Facts) -> Iterator[Finding]:
    if not facts.evidence.imports_keras:
        return
    yield from _imported(facts)
    for node in facts.tree.all(cst.Attribute):
        name = node.attr.value
        if name not in _ALL or facts.names.origins(node.value) != {"numpy"} or _is_provided(facts, node):
            continue
        levels = _levels(facts, name)
        if levels is None:
            continue
        start, end = facts.pointer(node)
        finding = Finding(start, end, _message(facts, node), levels=levels)
        better = _better(facts, node)
        yield finding.fixed_by(f"Write `{better}`", replace(facts, node, better)) if better else finding


def _imported(facts: Facts) -> Iterator[Finding]:
    """`from numpy import float`."""
    for mention in facts.mentions.imported:
        library, _, name = mention.name.rpartition(".")
        levels = _levels(facts, name) if library == "numpy" and name in _ALL else None
        alias = mention.node
        if (
            levels is None
            or not isinstance(alias, cst.ImportAlias)
            or not isinstance(mention.statement, cst.ImportFrom)
        ):
            continue
        if facts.mentions.optional(alias) or facts.evidence.guarded(alias):
            continue
        gone = "does not exist in" if name in _BACK_IN_2 else "was removed in"
        message = f"`numpy.{name}` {gone} NumPy {_release(name)}: ImportError"
        finding = Finding(*facts.pointer(alias), message, levels=levels)
        edits = without_import(facts, alias) if _ALL[name] == name and alias.asname is None else ()
        yield finding.fixed_by(f"Use Python's own `{name}`", *edits) if edits else finding


def _is_provided(facts: Facts, node: cst.Attribute) -> bool:
    """Whether the file sets the name itself, or stands ready for its not being there."""
    if facts.mentions.optional(node) or facts.evidence.guarded(node):
        return True
    same = facts.tree.attributes(node.attr.value)
    return any(facts.values.stored(other) is not None for other in same)


def _levels(facts: Facts, name: str) -> Levels | None:
    """The levels under the NumPy of the project; None where it has the name."""
    if name in _BACK_IN_2 and not facts.keras.numpy:
        return None  # the newest has it
    low = "1.23" if name in _SINCE_1_23 else "2.0a0" if name in _SINCE_2_0 else "1.24"
    high = "2.0a0" if name in _BACK_IN_2 else ""
    if not facts.keras.numpy_may_be(low, high):
        return None
    sure = bool(facts.keras.numpy) and not facts.keras.numpy_may_be("0", low)
    back = name in _BACK_IN_2 and facts.keras.numpy_may_be("2.0a0")
    levels = Levels(
        keras2="error" if sure else None,
        early="warning" if name in _SINCE_2_0 and not sure else "error",
        keras3="error",
    )
    return levels.at_most("warning") if back else levels


def _message(facts: Facts, node: cst.Attribute) -> str:
    name = node.attr.value
    if name in _BACK_IN_2:
        return f"`{facts.text(node)}` does not exist in NumPy 1.24 to 1.26: AttributeError where it is read"
    return f"`{facts.text(node)}` was removed in NumPy {_release(name)}: AttributeError where it is read"


def _release(name: str) -> str:
    """The NumPy that has it no more."""
    if name in _BACK_IN_2:
        return "1.24 to 1.26"
    return "1.23" if name in _SINCE_1_23 else "1.24" if name in _SINCE_1_24 else "2.0"


def _better(facts: Facts, node: cst.Attribute) -> str:
    """What can stand in its place for sure."""
    found = _ALL[node.attr.value]
    if found.startswith("-"):
        parent = facts.tree.parents[node]
        plain = isinstance(parent, (cst.Arg, cst.Assign, cst.Return, cst.Element, cst.Param)) and not node.lpar
        return f"-{facts.text(node.value)}{found[3:]}" if plain and found != "-0.0" else found if plain else ""
    if found in ("int", "float", "complex", "object", "str", "bool"):
        return found if facts.names.scope(node).home(found) is None else ""
    return found.replace("np.", f"{facts.text(node.value)}.") if found.startswith("np.") else found
