"""A name that NumPy has removed is used, such as `np.int` or `np.Inf`.

## Why
NumPy removed `np.asscalar` in 1.23, its second names of Python's own types in 1.24, about a hundred more names in 2.0, and `np.trapz` and
`np.in1d` in 2.4. A move to a TensorFlow with Keras 3 brings such a NumPy, and the code fails where the name is first read: often in
`__getitem__`, at the first batch.

## Measured
- Every Keras: the names, and the release from which on each is missing, come from NumPy 1.17 to 2.4, each installed and asked.
- Keras 3.10 and later: TensorFlow 2.20 and 2.21 run on NumPy 1.26 and later, 2.4 included: AttributeError for every name that this rule reports.
  2.18 needs NumPy below 2.1 and 2.19 below 2.2, which still have `np.trapz` and `np.in1d`.
- Keras 3.0 to 3.9: TensorFlow 2.16 and 2.17 need NumPy below 2, which has no `np.int`, `np.float`, `np.object`, `np.bool`, `np.asscalar`, but
  still has `np.Inf`, `np.product` and `np.float_`.
- Keras 2: TensorFlow up to 2.15 also runs with a NumPy before 1.24, where all of them exist.
- `from numpy import float` and the like raise ImportError there.
- `np.bool` and `np.long` are back in NumPy 2, as `np.bool_` and `np.int64`: they fail from 1.24 to 1.26 only.
- The functions of finance, such as `np.pv`, and `np.Tester` raise RuntimeError up to 1.26, AttributeError from 2.0 on.
- `pd.np` warns in pandas 1.5, and raises AttributeError from 2.0 on.

## Do this
Write the name that has always existed: `int` for `np.int`, `np.inf` for `np.Inf`, `np.prod` for `np.product`, `np.float64` for
`np.float_`. For other names see the release notes of NumPy. For `pd.np` import NumPy itself.

## Silent when
The NumPy of the project has the name, or the file sets it or checks for it first.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    NUMPY_INSTEAD,
    OF_NUMPY,
    OF_PANDAS,
    REMOVED_FROM_NUMPY,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Sometimes,
    a_member_of,
    cst,
    either,
    numpy_instead,
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

_READ = "reading it raises AttributeError"

RULE = Rule(
    code="SEQ707",
    name="removed-numpy-alias",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(keras2=("error",), early=("warning",), keras3=("warning",)),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
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
        message = f"`{facts.text(node)}` {_fate(name)}"
        finding = Finding(start, end, message, levels=levels, note=_note(facts, name, _READ))
        better = numpy_instead(facts, node)
        if better:
            yield finding.fixed_by(f"Write `{better}`", replace(facts, node, better))
        else:
            yield but(finding, help=_help(name), no_fix=_reason(name))


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
        note = _note(facts, name, "the import raises ImportError")
        finding = Finding(*facts.pointer(alias), f"`numpy.{name}` {_fate(name)}", levels=levels, note=note)
        edits = without_import(facts, alias) if NUMPY_INSTEAD.get(name) == name and alias.asname is None else ()
        if edits:
            yield finding.fixed_by(f"Use Python's own `{name}`", *edits)
        else:
            yield but(finding, help=_help(name), no_fix="the code that uses the imported name would have to change too")


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
            message = f"`{facts.text(node)}` was removed in pandas 2.0"
            finding = Finding(*facts.pointer(node), message, levels=levels, note=Note(_READ))
            yield but(finding, help="import NumPy itself").unfixed("the file may not import NumPy itself")


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


def _fate(name: str) -> str:
    """Since which NumPy it is missing."""
    gone, back = REMOVED_FROM_NUMPY[name]
    return f"was removed in NumPy {gone} and is back in {back}" if back else f"was removed in NumPy {gone}"


def _note(facts: Facts, name: str, raised: str) -> Note:
    gone, back = REMOVED_FROM_NUMPY[name]
    open_end = not back and _is_late(name) and facts.keras.numpy_may_be("0", f"{gone}a0")
    return Note(f"{raised}; nothing here excludes NumPy {gone}" if open_end else raised)


def _help(name: str) -> str:
    instead = NUMPY_INSTEAD.get(name)
    return f"use `{instead}`" if instead else f"see the release notes of NumPy {REMOVED_FROM_NUMPY[name][0]}"


def _reason(name: str) -> str:
    if name in NUMPY_INSTEAD:
        return f"`{NUMPY_INSTEAD[name]}` may mean something else here"
    return "seqlint knows no name that does the same in every NumPy"
