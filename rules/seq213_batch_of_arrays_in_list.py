"""A batch that holds its samples as a list instead of as one array.

## Why
A batch has one array for the inputs and one for the targets, with a row for each sample. A list means several inputs or outputs,
so Keras takes a list of 32 images for 32 inputs of the model.

## Measured
- Keras 3: TypeError "but found <class 'list'>" before the first step for a list of arrays, as inputs and as
  targets. A list of numbers: ValueError "must be at least rank 1" on Keras 3.10 and later, AttributeError on 3.0 to 3.9.
- Keras 2: ValueError "expects 1 input(s), but it received 4 input tensors" for inputs. A list of arrays as targets is accepted without a
  warning, and each sample counts as the targets of one output.
- Every Keras: `np.stack(samples)` has a row for each sample, and fails at once where samples differ in shape.

## Do this
Use `np.stack` for arrays and `np.array` for numbers.

## Silent when
The list holds one array for each input or output of the model (see SEQ208); the batches go only to `train_on_batch`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    BareList,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    a_batch_method,
    cst,
    if_for_model,
    name_for,
)

_TILES = """
import keras
import numpy as np


class Tiles(keras.utils.PyDataset):
    def __init__(self, paths, kinds):
        super().__init__()
        self.paths, self.kinds = paths, kinds

    def __len__(self):
        return len(self.paths) // 4

    def __getitem__(self, index):
        tiles = []
        for path in self.paths[index * 4 : index * 4 + 4]:
            tiles.append(np.load(path))
        return tiles, self.kinds[index * 4 : index * 4 + 4]


for number in range(8):
    np.save(f"tile{number}.npy", np.full(3, number, "float32"))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Tiles([f"tile{number}.npy" for number in range(8)], np.ones((8, 1), "float32")), epochs=2, verbose=0)
"""
_KINDS = """
import keras
import numpy as np


def tiles(images, kinds, size=4):
    while True:
        for start in range(0, len(images), size):
            yield images[start : start + size], [float(kind) for kind in kinds[start : start + size]]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(tiles(np.ones((8, 3), "float32"), "01011010"), steps_per_epoch=2, verbose=0)
"""

RULE = Rule(
    code="SEQ213",
    name="batch-of-arrays-in-list",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_batch_method,),
    examples=(
        Example(_TILES, _TILES.replace("return tiles, ", "return np.stack(tiles), ")),
        Example(
            _KINDS,
            _KINDS.replace(
                "[float(kind) for kind in kinds[start : start + size]]",
                "np.array([float(kind) for kind in kinds[start : start + size]])",
            ),
            keras=">=3",
        ),
        Example.ok(
            """
import keras
import numpy as np


class Tiles(keras.utils.PyDataset):
    def __getitem__(self, index):
        tiles, kinds = [], []
        for row in range(index * 4, index * 4 + 4):
            tiles.append(np.load(self.paths[row]))
            kinds.append(self.kinds[row])
        tiles = np.asarray(tiles) / 255
        return tiles, keras.utils.to_categorical(kinds, 3)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Tiles(keras.utils.PyDataset):
    def __getitem__(self, index):
        tiles = [np.load(path) for path in self.paths[index]]
        return tiles, self.kinds[index]


def train(model, tiles):
    for index in range(len(tiles)):
        x, y = tiles[index]
        model.train_on_batch(np.stack(x), y)


train(keras.Sequential(), Tiles())
"""
        ),
    ),
)

_PARTS = ("inputs", "targets", "weights")


def check(facts: Facts) -> Iterator[Finding]:
    for bare in facts.samples.bare:
        owner = bare.batch.maker.owner
        if bare.part.node is None or (owner is not None and facts.fit_bindings.by_hand(owner)):
            continue
        finding = facts.finding(bare.part.node, _message(facts, bare), _note(bare))
        if bare.only:
            name = "numpy.array" if bare.of_numbers or bare.position else "numpy.stack"
            edits = _edits(facts, bare.part.node, name)
            finding = finding.fixed_by(
                f"Make it one array with `np.{name[6:]}`", *edits, contract=_contract(facts, bare)
            )
        else:
            finding = but(finding, help="make it one array", no_fix="it is a list only in some cases")
        yield if_for_model(bare.batch.maker, finding, RULE.levels)


def _message(facts: Facts, bare: BareList) -> str:
    assert bare.part.node is not None
    text = facts.text(bare.part.node)
    name = f"`{text}`" if len(text) < 40 and "\n" not in text else "this"
    what = _PARTS[min(bare.position, 2)]
    kind = "tuple" if isinstance(bare.made.node, cst.Name) else "list"
    items = "numbers" if bare.of_numbers else "samples"
    return f"{name} is a {kind} of {items}, but the {what} must be one array"


def _note(bare: BareList) -> Note:
    if bare.of_numbers:
        return Note("an error before the first step")
    one = "input" if not bare.position else "output"
    return Note.on_keras_3("an error before the first step").after(
        f"Keras takes each sample for one {one} of the model"
    )


def _edits(facts: Facts, node: cst.BaseExpression, name: str) -> tuple[Edit, ...]:
    spelling = name_for(facts, name, node)
    start, end = facts.tree.outer_span(node)
    return (Edit(start, start, f"{spelling.text}("), Edit(end, end, ")"), *spelling.edits)


def _contract(facts: Facts, bare: BareList) -> Contract:
    """On Keras 2 targets in a list are wrong without an error: there the training changes."""
    if bare.position == 0 or bare.of_numbers or "2" not in facts.keras.lines:
        return RULE.contract
    return Contract(changes=frozenset({"spec", "samples", "history", "weights"}), repairs=frozenset({"errors"}))
