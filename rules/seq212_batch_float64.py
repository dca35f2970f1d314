"""A batch of float64, although Keras computes in float32.

## Why
`np.zeros` and `np.empty` make float64 by default, and so does `/ 255.0` of integer pixels. Keras computes in float32.
Until the first layer casts it, such a batch is twice as big as necessary: in the worker, in the queue, and on the way to the GPU.

## Measured
- Keras 3: a float64 batch stays float64 up to `train_step` and the first layer. 40 batches of (32, 128, 128, 3): 12.6 MB instead of
  6.3 MB a batch, 0.93 s of CPU time instead of 0.50 s.
- Keras 3: a division in float32 rounds in float32, so samples, losses and weights can differ in their last digit.
- Keras 2: batches arrive as float32, because Keras casts them in NumPy first; no difference.

## Do this
Make them float32: `np.zeros(shape, dtype="float32")`, `np.asarray(image, dtype="float32") / 255.0`.

## Silent when
The array is cast to another dtype on the way, is a vector, or is not made for a batch.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Float64Array,
    Getitems,
    Levels,
    Note,
    Rule,
    a_batch_method,
    add_argument,
    cst,
    if_for_model,
    replace,
)

_DOTS = """
import keras
import numpy as np


class Dots(keras.utils.PyDataset):
    def __init__(self, places, size, **kwargs):
        super().__init__(**kwargs)
        self.places = places
        self.size = size

    def __len__(self):
        return len(self.places) // self.size

    def __getitem__(self, index):
        images = np.zeros((self.size, 6, 6, 1))
        rows = self.places[index * self.size : (index + 1) * self.size]
        for number, (row, column) in enumerate(rows):
            images[number, row, column] = 1
        return images, rows


model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2)])
model.compile(optimizer="sgd", loss="mse")
places = np.arange(16).reshape(8, 2) % 6
model.fit(Dots(places, 4), epochs=2, verbose=0)
"""
_MAPS = """
import keras
import numpy as np


class Maps(keras.utils.PyDataset):
    def __init__(self, seeds, **kwargs):
        super().__init__(**kwargs)
        self.seeds = seeds

    def __len__(self):
        return len(self.seeds) // 2

    def __getitem__(self, index):
        maps = [self._map(seed) for seed in self.seeds[index * 2 : index * 2 + 2]]
        return np.stack(maps), np.array(self.seeds[index * 2 : index * 2 + 2], float)[:, None]

    def _map(self, seed):
        heights = np.full((4, 4), seed, dtype="uint8")
        return heights / 255.0


model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Maps([3, 20, 100, 250]), epochs=2, verbose=0)
"""
_SHAPE = Contract(changes=frozenset({"spec"}), holds=frozenset({"only rounded"}))

RULE = Rule(
    code="SEQ212",
    name="batch-float64",
    since="0.1.0",
    levels=Levels(keras2=None, early="advice", keras3="advice"),
    contract=Contract(changes=frozenset({"spec", "samples", "history", "weights"}), holds=frozenset({"only rounded"})),
    needs=(a_batch_method,),
    examples=(
        Example(
            _DOTS, _DOTS.replace("(self.size, 6, 6, 1))", '(self.size, 6, 6, 1), dtype="float32")'), contract=_SHAPE
        ),
        Example(
            _MAPS,
            _MAPS.replace("heights / 255.0", 'heights.astype("float32") / 255.0').replace(
                "2], float)", '2], "float32")'
            ),
            contract=_SHAPE,
        ),
        Example(
            _MAPS.replace("255.0", "90.7"),
            _MAPS.replace("heights / 255.0", 'heights.astype("float32") / 90.7').replace(
                "2], float)", '2], "float32")'
            ),
        ),
        Example.ok(_DOTS.replace("return images, rows", 'return images.astype("float32"), rows')),
        Example.ok(_DOTS.replace("(self.size, 6, 6, 1))", '(self.size, 6, 6, 1), dtype="uint8")')),
        Example.ok(_DOTS, keras="tf-keras"),
        Example.where_unknown(
            """
import keras
import numpy as np


def dots(places):
    while True:
        images = np.zeros((len(places), 6, 6, 1))
        images[:, places] = 1
        yield images, places


def run(learner, places):
    learner.fit(dots(places), steps_per_epoch=3)
"""
        ),
    ),
    sources=("keras-team/keras: batches of float64 measured",),
)

_NOTE = Note.on_keras_3("a batch of float64 is twice as big as one of float32 and took 1.9 times the CPU time")


def check(facts: Facts) -> Iterator[Finding]:
    found: dict[object, list[Float64Array]] = {}
    for double in facts.float64_arrays.all:
        found.setdefault(double.maker.owner or double.maker.function, []).append(double)
    for doubles in found.values():
        first = doubles[0]
        finding = facts.finding(first.node, _message(facts, doubles), _NOTE)
        edits = tuple(edit for double in doubles for edit in _edits(facts, double))
        if edits:
            finding = finding.fixed_by("Make it float32", *edits)
        else:
            dtype = facts.text(first.dtype) if first.dtype is not None else "the dtype"
            finding = but(finding, help="make it float32", no_fix=f"`{dtype}` is set elsewhere")
        yield if_for_model(first.maker, finding, RULE.levels)
    yield from _when_it_runs(
        facts, {double.maker.owner.name for double in facts.float64_arrays.all if double.maker.owner}
    )


def _when_it_runs(facts: Facts, told: set[str]) -> Iterator[Finding]:
    """Arrays that a static method or an object makes; once for a class, and for those alone that are not told yet."""
    for node, owner in facts.run.domain(Getitems).float64_arrays():
        if owner not in told:
            told.add(owner)
            text = f"`{facts.run.text(node)}` makes float64, but Keras computes in float32"
            finding = facts.finding_at(facts.run.span(node), text, _NOTE, "make it float32")
            yield but(finding, no_fix="another function makes the array")


def _message(facts: Facts, doubles: list[Float64Array]) -> str:
    text = facts.text(doubles[0].node)
    what = f"`{text}`" if len(text) <= 60 and "\n" not in text else "this"
    more = len(doubles) - 1
    makes = f"and {more if more > 1 else 'one'} more make" if more else "makes"
    return f"{what} {makes} float64, but Keras computes in float32"


def _edits(facts: Facts, double: Float64Array) -> tuple[Edit, ...]:
    node = double.node
    if double.way == "made" and isinstance(node, cst.Call):
        return (add_argument(facts, node, 'dtype="float32"'),)
    if double.dtype is not None:
        return (replace(facts, double.dtype, _float32(facts, double.dtype)),) if _is_plain(facts, double.dtype) else ()
    return (_cast(facts, double.divided),) if double.divided is not None else ()


def _is_plain(facts: Facts, dtype: cst.BaseExpression) -> bool:
    """Whether the type is written where it is asked for; `self.dtype` is to be changed where it is set, by whoever set it."""
    if isinstance(dtype, cst.SimpleString):
        return True
    root = dtype.value if isinstance(dtype, cst.Attribute) else dtype
    return isinstance(root, cst.Name) and all(found.kind == "import" for found in facts.names.bindings(root))


def _float32(facts: Facts, dtype: cst.BaseExpression) -> str:
    """In the spelling of the file: `np.float32` for `np.float64`."""
    if isinstance(dtype, cst.Attribute) and dtype.attr.value == "float64":
        return f"{facts.text(dtype.value)}.float32"
    return '"float32"'


def _cast(facts: Facts, whole: cst.BaseExpression) -> Edit:
    """`np.asarray(image)` can make float32 itself."""
    if (
        isinstance(whole, cst.Call)
        and facts.qualified(whole.func) in ("numpy.array", "numpy.asarray")
        and len(whole.args) == 1
    ):
        return add_argument(facts, whole, 'dtype="float32"')
    start, end = facts.tree.outer_span(whole)
    text = facts.source.slice(start, end)
    bare = isinstance(whole, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) or whole.lpar
    return Edit(start, end, f'{text if bare else f"({text})"}.astype("float32")')
