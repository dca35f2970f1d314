"""A name that NumPy has removed, such as `np.int` or `np.Inf`.

## Why
NumPy took `np.asscalar` out in 1.23, the second names of Python's own types in 1.24, about a hundred more in 2.0, and `np.trapz` and
`np.in1d` in 2.4. Whoever moves to a TensorFlow with Keras 3 gets such a NumPy with it, and the code fails where the name is first read: often
in `__getitem__`, at the first batch.

## Measured
- Every Keras: the names, and the release from which on each is missing, come from NumPy 1.17 to 2.4, each installed and asked.
- Keras 3.10 and later: TensorFlow 2.20 and 2.21 run on NumPy 1.26 and later, 2.4 included: AttributeError for every name that this rule reports.
  2.18 needs NumPy below 2.1 and 2.19 below 2.2, which still have `np.trapz` and `np.in1d`.
- Keras 3.0 to 3.9: TensorFlow 2.16 and 2.17 need NumPy below 2, which has no `np.int`, `np.float`, `np.object`, `np.bool`, `np.asscalar`, but
  still has `np.Inf`, `np.product` and `np.float_`.
- Keras 2: TensorFlow up to 2.15 runs with a NumPy before 1.24 too, where all of them are there.
- `from numpy import float` and the like raise ImportError there.
- `np.bool` and `np.long` are back in NumPy 2, as `np.bool_` and `np.int64`: they fail from 1.24 to 1.26 alone.
- The functions of finance, such as `np.pv`, and `np.Tester` raise RuntimeError up to 1.26, AttributeError from 2.0 on.
- `pd.np` warns in pandas 1.5, and raises AttributeError from 2.0 on.

## Do this
Write the name that has always been there: `int` for `np.int`, `np.inf` for `np.Inf`, `np.prod` for `np.product`,
`np.float64` for `np.float_`.

## Silent when
The NumPy of the project has the name, or the file sets it or asks for it first.
"""

from collections.abc import Iterator

from seqlint.api import (
    OF_NUMPY,
    OF_PANDAS,
    REMOVED_FROM_NUMPY,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Sometimes,
    a_member_of,
    cst,
    either,
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

# What can stand in the place of a name for sure. Python's own types also need that nothing hides them.
_INSTEAD = {
    "int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str", "unicode": "str", "bool": "bool", "long": "int",
    "Inf": "np.inf", "Infinity": "np.inf", "infty": "np.inf", "PINF": "np.inf", "NINF": "-np.inf", "NaN": "np.nan", "NAN": "np.nan",
    "PZERO": "0.0", "NZERO": "-0.0", "product": "np.prod", "cumproduct": "np.cumprod", "alltrue": "np.all", "sometrue": "np.any",
    "float_": "np.float64", "complex_": "np.complex128", "unicode_": "np.str_", "string_": "np.bytes_", "round_": "np.round",
    "cfloat": "np.complex128", "singlecomplex": "np.complex64", "longfloat": "np.longdouble", "mat": "np.asmatrix",
    "bool8": "np.bool_", "int0": "np.intp", "uint0": "np.uintp", "object0": "np.object_", "str0": "np.str_", "bytes0": "np.bytes_",
}  # fmt: skip

RULE = Rule(
    code="SEQ707",
    name="removed-numpy-alias",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(keras2=("error",), early=("warning",), keras3=("warning",)),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(either(a_member_of(OF_NUMPY, *REMOVED_FROM_NUMPY), a_member_of(OF_PANDAS, "np")),),
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
        Example(
            """
import keras
import numpy as np

area = np.trapz([1, 2, 3])
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


def check(facts: Facts) -> Iterator[Finding]:
    if not facts.evidence.imports_keras:
        return
    yield from _imported(facts)
    yield from _through_pandas(facts)
    for node in facts.tree.all(cst.Attribute):
        name = node.attr.value
        if name not in REMOVED_FROM_NUMPY or facts.names.origins(node.value) != {"numpy"} or _is_provided(facts, node):
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
        levels = _levels(facts, name) if library == "numpy" and name in REMOVED_FROM_NUMPY else None
        alias = mention.node
        if (
            levels is None
            or not isinstance(alias, cst.ImportAlias)
            or not isinstance(mention.statement, cst.ImportFrom)
        ):
            continue
        if facts.mentions.optional(alias) or facts.evidence.guarded(alias):
            continue
        message = f"`numpy.{name}` {_fate(facts, name)}: ImportError"
        finding = Finding(*facts.pointer(alias), message, levels=levels)
        edits = without_import(facts, alias) if _INSTEAD.get(name) == name and alias.asname is None else ()
        yield finding.fixed_by(f"Use Python's own `{name}`", *edits) if edits else finding


def _is_provided(facts: Facts, node: cst.Attribute) -> bool:
    """Whether the file sets the name itself, or stands ready for its not being there."""
    if facts.mentions.optional(node) or facts.evidence.guarded(node):
        return True
    same = facts.tree.attributes(node.attr.value)
    return any(facts.values.stored(other) is not None for other in same)


def _through_pandas(facts: Facts) -> Iterator[Finding]:
    """`pd.np.zeros(3)`."""
    if not facts.keras.pandas_may_be("2.0a0"):
        return
    sure = bool(facts.keras.pandas) and not facts.keras.pandas_may_be("0", "2.0a0")
    levels = Levels.everywhere("error") if sure else Levels(None, "warning", "error")
    for node in facts.tree.attributes("np"):
        if facts.names.origins(node.value) == {"pandas"} and not _is_provided(facts, node):
            message = f"`{facts.text(node)}` was removed in pandas 2.0: AttributeError where it is read"
            yield Finding(*facts.pointer(node), message, levels=levels)


def _levels(facts: Facts, name: str) -> Levels | None:
    """The levels under the NumPy of the project; None where it has the name."""
    gone, back = (f"{release}a0" if release else "" for release in REMOVED_FROM_NUMPY[name])
    if back and not facts.keras.numpy:
        return None  # the newest has it
    if not facts.keras.numpy_may_be(gone, back):
        return None
    sure = bool(facts.keras.numpy) and not facts.keras.numpy_may_be("0", gone)
    if sure:
        levels = Levels.everywhere("error")
    elif _is_late(name):  # TensorFlow with Keras 3.0 to 3.9 needs an older NumPy, with the newest it may have one
        levels = Levels(None, None, "warning")
    else:
        levels = Levels(None, "warning" if gone == "2.0a0" else "error", "error")
    return levels.at_most("warning") if back and facts.keras.numpy_may_be(back) else levels


def _is_late(name: str) -> bool:
    """Whether NumPy 2.0 still has it."""
    major, minor = REMOVED_FROM_NUMPY[name][0].split(".")
    return (int(major), int(minor)) > (2, 0)


def _message(facts: Facts, node: cst.Attribute) -> str:
    return f"`{facts.text(node)}` {_fate(facts, node.attr.value)}: AttributeError where it is read"


def _fate(facts: Facts, name: str) -> str:
    """Which NumPy has it no more."""
    gone, back = REMOVED_FROM_NUMPY[name]
    if back:
        return f"was removed in NumPy {gone} and is back in {back}"
    open_end = _is_late(name) and facts.keras.numpy_may_be("0", f"{gone}a0")
    return f"was removed in NumPy {gone}, which nothing here keeps out" if open_end else f"was removed in NumPy {gone}"


def _better(facts: Facts, node: cst.Attribute) -> str:
    """What can stand in its place for sure."""
    found = _INSTEAD.get(node.attr.value, "")
    if found.startswith("-"):
        parent = facts.tree.parents[node]
        plain = isinstance(parent, (cst.Arg, cst.Assign, cst.Return, cst.Element, cst.Param)) and not node.lpar
        return f"-{facts.text(node.value)}{found[3:]}" if plain and found != "-0.0" else found if plain else ""
    if found in ("int", "float", "complex", "object", "str", "bool"):
        return found if facts.names.scope(node).home(found) is None else ""
    return found.replace("np.", f"{facts.text(node.value)}.") if found.startswith("np.") else found
