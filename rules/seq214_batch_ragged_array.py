"""`np.array` builds a batch of samples that may differ in shape.

## Why
A batch is one array, so its samples must have one shape. `np.array` takes samples of different shapes for nested lists. Whether it
raises an error then depends on the version of NumPy. `np.stack` accepts only arrays of one shape.

## Measured
- Every Keras, with NumPy 1.24 and later: `np.array` of samples of different shapes raises ValueError, "setting an array element with a
  sequence" and "inhomogeneous shape". `np.stack` raises "all input arrays must have the same shape".
- Every Keras, with NumPy before 1.24: `np.array` makes an array of objects, with a warning. Keras refuses it later: Keras 3 with "Invalid
  dtype: object", Keras 2 with "Failed to convert a NumPy array to a Tensor". `np.stack` raises at once.
- Every Keras: both give the same array where all samples have one shape. For no samples `np.array` gives an array of shape (0,), and
  `np.stack` raises "need at least one array to stack".

## Do this
Bring the samples to one shape when you read them, and use `np.stack`. Neither function names the sample that differs. To find it,
compare each shape with the first one.

## Silent when
The samples are resized, cut or padded, come from one array, or come from code that seqlint does not see.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Ragged,
    Rule,
    a_batch_method,
    bound,
    cst,
    if_for_model,
    name_for,
    replace,
)

_GRIDS = """
import keras
import numpy as np


class Grids(keras.utils.PyDataset):
    def __init__(self, grids, seasons):
        super().__init__()
        self.grids, self.seasons = grids, seasons

    def __len__(self):
        return len(self.grids) // 4

    def __getitem__(self, index):
        batch = []
        for grid in self.grids[index * 4 : index * 4 + 4]:
            batch.append(grid)
        return np.array(batch), self.seasons[index * 4 : index * 4 + 4]


grids = [np.random.rand(5, 3) for day in range(8)]
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Grids(grids, np.ones((8, 1))), epochs=2, verbose=0)
"""
_RAGGED = _GRIDS.replace("(5, 3)", "(5 - day // 7, 3)").replace("Flatten", "GlobalAveragePooling1D")
_PHOTOS = """
import keras
import numpy as np


class Photos(keras.utils.PyDataset):
    def __init__(self, paths, **kwargs):
        super().__init__(**kwargs)
        self.paths = paths

    def __len__(self):
        return len(self.paths) // 2

    def __getitem__(self, index):
        photos = [self.read(path) for path in self.paths[index * 2 : index * 2 + 2]]
        return np.array(photos, dtype="float32") / 255, np.ones((2, 1))

    def read(self, path):
        return keras.utils.img_to_array(keras.utils.load_img(path))


for number in range(4):
    keras.utils.save_img(f"photo{number}.png", np.full((4, 4, 3), number))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Photos([f"photo{number}.png" for number in range(4)]), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ214",
    name="batch-ragged-array",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    contract=Contract(changes=frozenset({"errors"})),
    needs=(a_batch_method,),
    examples=(
        Example(_GRIDS, _GRIDS.replace("return np.array(batch)", "return np.stack(batch)"), contract=Contract()),
        Example(
            _PHOTOS,
            _PHOTOS.replace('np.array(photos, dtype="float32")', 'np.stack(photos).astype("float32")'),
            contract=Contract(),
        ),
        Example(_RAGGED, _RAGGED.replace("return np.array(batch)", "return np.stack(batch)")),
        Example.ok(
            """
import keras
import numpy as np
from PIL import Image


class Photos(keras.utils.PyDataset):
    def __getitem__(self, index):
        photos, kinds = [], []
        for path, kind in self.rows[index]:
            photos.append(np.array(Image.open(path).resize((32, 32))))
            kinds.append(kind)
        return np.array(photos) / 255, np.array(kinds)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Grids(keras.utils.PyDataset):
    def __init__(self):
        super().__init__()
        self.grids = np.load("grids.npy")

    def __getitem__(self, index):
        batch = [grid for grid in self.grids[index * 4 : index * 4 + 4]]
        return np.array(batch), np.array([self.season(grid) for grid in batch])
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for ragged in facts.ragged.all:
        finding = facts.finding(ragged.call, _message(facts, ragged), _NOTE)
        if edits := _edits(facts, ragged.call):
            finding = finding.fixed_by("Use `np.stack`", *edits)
        else:
            finding = but(finding, help=_HELP, no_fix="`np.stack` does not take the same arguments")
        yield if_for_model(ragged.batch.maker, finding, RULE.levels)


def _edits(facts: Facts, call: cst.Call) -> tuple[Edit, ...]:
    """`np.stack(x)` for `np.array(x)`, and `np.stack(x).astype(t)` for `np.array(x, dtype=t)`."""
    items, *more = call.args
    dtype = bound(call, ("object", "dtype")).get("dtype")
    if items.keyword is not None or len(more) > 1 or (more and dtype is not more[0]):
        return ()
    spelling = name_for(facts, "numpy.stack", call)
    edits = (replace(facts, call.func, spelling.text), *spelling.edits)
    if dtype is None:
        return edits
    start, end = facts.tree.outer_span(items.value)[1], facts.span(call)[1]
    return (*edits, Edit(start, end, f").astype({facts.text(dtype.value)})"))


_HOW = {
    "taken": "they come unchanged from a list",
    "read": "they are read but not resized",
    "heard": "they are read, not cut or padded",
}
_NOTE = 'ValueError "inhomogeneous shape" where one differs, or an array of objects before NumPy 1.24'
_HELP = "bring the samples to one shape, and use `np.stack`"


def _message(facts: Facts, ragged: Ragged) -> str:
    name = facts.text(ragged.call.func)
    return f"`{name}` of samples that may differ in shape: {_HOW[ragged.raw]}"
