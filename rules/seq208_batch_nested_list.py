"""A batch that holds several inputs, targets or weights in a list.

## Why
Keras 3 turns the structure of a batch into a signature for tf.data. There a list means one value, not a structure. Put several inputs
into a tuple, or into a dict by the names of the inputs.

## Measured
- Keras 3.10 and later: TypeError "`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found
  <class 'list'>" before the first step, for `([x1, x2], y)`, `(x, [y1, y2])`, and a list inside a dict, from a Sequence and from a
  generator. The outermost list of a Sequence, `[x, y]`, becomes a tuple and works; from a generator it is a ValueError.
- Keras 3.0 to 3.9: the same.
- Keras 2: works. So does Keras 3 on JAX, except for a generator's outermost list.
- `train_on_batch` takes a list on every Keras.
- An empty list for the targets of a model that adds its loss by itself fails in the same way; `()` works on every Keras.
- `((x1, x2), y)` and `(x, (y1, y2))` work on every Keras. `((x,), y)` with one input fails in a Sequential model that is not built yet;
  `(x, y)` works.

## Do this
Use a tuple of the same order; where it has one item, use the item itself. Where other code needs the list, write `tuple(...)` around it
where it goes into the batch.

## Silent when
The list holds samples or numbers that should become an array; the file sets another backend than TensorFlow; the file trains
with `train_on_batch` and passes the Sequence to no `fit`, `evaluate` or `predict`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    ListPart,
    Note,
    Rule,
    a_batch_method,
    as_tuple,
    cst,
    if_for_model,
    only_item,
)

_TWINS = """
import keras
import numpy as np


class Twins(keras.utils.PyDataset):
    def __init__(self, left, right, same):
        super().__init__()
        self.left, self.right, self.same = left, right, same

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        both = [self.left[rows], self.right[rows]]
        return both, self.same[rows]


left, right = keras.Input((3,)), keras.Input((3,))
model = keras.Model([left, right], keras.layers.Dense(1)(keras.layers.Concatenate()([left, right])))
model.compile(optimizer="sgd", loss="mse")
data = np.ones((8, 3), "float32")
model.fit(Twins(data, data, np.ones((8, 1), "float32")), epochs=2, verbose=0)
"""
_HEADS = """
import keras
import numpy as np


class Heads(keras.utils.PyDataset):
    def __init__(self, images, answers):
        super().__init__()
        self.images, self.answers = images, answers

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return [self.images[rows]], [answers[rows] for answers in self.answers]


image = keras.Input((3,))
model = keras.Model(image, [keras.layers.Dense(1)(image), keras.layers.Dense(1)(image)])
model.compile(optimizer="sgd", loss=["mse", "mse"])
answers = np.ones((8, 1), "float32")
model.fit(Heads(np.ones((8, 3), "float32"), (answers, answers)), epochs=2, verbose=0)
"""
_BOTH = """
import keras
import numpy as np


def inputs_of(data, rows):
    inputs = [data[rows]]
    inputs.append(data[rows] * 2)
    return inputs


def feed(data, answers):
    while True:
        for start in range(0, len(data), 4):
            rows = slice(start, start + 4)
            yield [inputs_of(data, rows), answers[rows]]


left, right = keras.Input((3,)), keras.Input((3,))
model = keras.Model([left, right], keras.layers.Dense(1)(keras.layers.Concatenate()([left, right])))
model.compile(optimizer="sgd", loss="mse")
model.fit(x=feed(np.ones((8, 3)), np.ones((8, 1))), steps_per_epoch=2, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ208",
    name="batch-nested-list",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_batch_method,),
    examples=(
        Example(
            _TWINS,
            _TWINS.replace(
                """\
        both = [self.left[rows], self.right[rows]]
""",
                """\
        both = (self.left[rows], self.right[rows])
""",
            ),
        ),
        Example(
            _HEADS,
            _HEADS.replace(
                """\
        return [self.images[rows]], [answers[rows] for answers in self.answers]
""",
                """\
        return self.images[rows], tuple(answers[rows] for answers in self.answers)
""",
            ),
        ),
        Example(
            _BOTH,
            _BOTH.replace(
                """\
            yield [inputs_of(data, rows), answers[rows]]
""",
                """\
            yield (tuple(inputs_of(data, rows)), answers[rows])
""",
            ),
        ),
        Example.where_unknown(
            _BOTH[: _BOTH.index("left, right")]
            + "def run(learning, data, answers):\n    learning.fit(feed(data, answers))\n"
        ),
        Example.ok(
            """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __getitem__(self, index):
        images = []
        for path in self.paths[index]:
            images.append(np.load(path))
        return [np.array(images), np.array([1.0 for _ in images])]
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __getitem__(self, index):
        label = self.labels[index]
        return np.stack([self.left[index], self.right[index]]), np.array([label, 1 - label])
"""
        ),
        Example.ok(
            """
import os

os.environ["KERAS_BACKEND"] = "jax"

import keras


class Twins(keras.utils.PyDataset):
    def __getitem__(self, index):
        return [self.left[index], self.right[index]], self.same[index]
"""
        ),
        Example.ok(
            """
import keras


class Twins(keras.utils.PyDataset):
    def __getitem__(self, index):
        return [self.left[index], self.right[index]], self.same[index]


def train(model):
    twins = Twins()
    for index in range(len(twins)):
        inputs, same = twins[index]
        model.train_on_batch(inputs, same)
"""
        ),
        Example.ok(
            """
import keras


def pairs(rows):
    for row in rows:
        yield [row, row], row


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
for inputs, answer in pairs([1.0, 2.0]):
    print(inputs, answer)
"""
        ),
        Example.ok(
            """
import keras


class Twins(keras.utils.Sequence):
    def __getitem__(self, index):
        return [self.left[index], self.right[index]], self.same[index]
""",
            keras="tf-keras",
        ),
    ),
    sources=("tensorflow/tensorflow#75329", "qubvel/segmentation_models#280", "keras-team/keras#20600"),
)

_RESHAPED = Contract(changes=frozenset({"spec"}), repairs=frozenset({"errors"}))
_PARTS = ("inputs", "targets", "weights")
_OUTER = Note.on_keras_3("ValueError before the first step: a generator may only yield tuples")
_INNER = Note.on_keras_3("TypeError \"found <class 'list'>\" before the first step")


def check(facts: Facts) -> Iterator[Finding]:
    for part in facts.structures.lists:
        if not (part.outer or facts.runs_tensorflow) or _stays(facts, part):
            continue
        finding = facts.finding(part.handed, _message(facts, part), _OUTER if part.outer else _INNER)
        edits = _edits(facts, part)
        # Keras 2 takes a list of one, and its programs see another structure then.
        contract = _RESHAPED if _is_single(facts, part) and "2" in facts.keras.lines else None
        if edits:
            finding = finding.fixed_by(_title(facts, part), *edits, contract=contract)
        else:
            finding = but(finding, help="use a tuple in place of the list", no_fix=_reason(part))
        yield if_for_model(part.batch.maker, finding, RULE.levels)


def _stays(facts: Facts, part: ListPart) -> bool:
    """Whether the batches only go to `train_on_batch` and its like, which take lists, or the list is for an older Keras alone."""
    handed = _inner(part.handed)
    ways = facts.names.reaching(handed) if isinstance(handed, cst.Name) else ()
    made = (way.node if way.value is None else _inner(way.value) for way in ways)
    if facts.evidence.for_one_keras(handed) or any(map(facts.evidence.guarded, made)):
        return True
    owner = part.batch.maker.owner
    return part.batch.maker.of_sequence and owner is not None and facts.fit_bindings.by_hand(owner)


def _inner(node: cst.BaseExpression) -> cst.BaseExpression:
    """A place inside of `tuple(parts) if new else parts`, of which the test then says when it is so."""
    return node.body if isinstance(node, cst.IfExp) else node


def _message(facts: Facts, part: ListPart) -> str:
    if part.outer:
        return "the generator yields its batch as a list"
    what = _PARTS[part.position] if part.position < len(_PARTS) else "items"
    if part.blank:
        return f"the {what} of this batch are an empty list"
    name = _name(facts, part.made)
    return f"the {what} of this batch are in a list{f', `{name}`' if name else ''}"


def _reason(part: ListPart) -> str:
    if part.blank:
        return "a comment is in the list"
    return "other code needs the list, and the batch gets it only sometimes"


def _name(facts: Facts, made: cst.BaseExpression) -> str:
    """The variable that holds the list, or the list itself where that is short."""
    if (name := facts.tree.variable(made)) is not None:
        return name
    text = facts.text(made)
    return text if len(text) <= 40 and "\n" not in text else ""


def _title(facts: Facts, part: ListPart) -> str:
    return "Use the item itself" if _is_single(facts, part) else "Use a tuple"


def _edits(facts: Facts, part: ListPart) -> tuple[Edit, ...]:
    if part.movable:
        if _is_single(facts, part) and isinstance(part.made, cst.List):
            return only_item(facts, part.made)
        return as_tuple(facts, part.made)
    # Something else works on the list: it becomes a tuple where it goes into the batch.
    return as_tuple(facts, part.given.node) if part.only and part.given.node is not None else ()


def _is_single(facts: Facts, part: ListPart) -> bool:
    """One item is handed over by itself: a Sequential model that is not built yet refuses a tuple.

    A model class of the file may unpack its inputs, so there it stays a tuple.
    """
    if part.outer or not part.movable or not isinstance(part.made, cst.List) or len(part.made.elements) != 1:
        return False
    return not any(owner.is_a("model") != "no" for owner in facts.classes)
