"""What gives its own batches, how many parts they have, and how steps compare with their number."""

from __future__ import annotations

import libcst as cst
import pytest

from tests.facts.reading import facts_of, last

HEAD = """
import math

import keras
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.keras.preprocessing.image import ImageDataGenerator

class Feed(keras.utils.Sequence):
    def __init__(self, rows, size=4):
        super().__init__()
        self.rows, self.size = rows, size

    def __len__(self):
        return math.ceil(len(self.rows) / self.size)

    def __getitem__(self, index):
        x = self.rows[index * self.size : (index + 1) * self.size]
        return x, x

def stream():
    while True:
        yield 1, 2, 3

x, y = np.ones((8, 3)), np.ones((8, 1))
"""


@pytest.mark.parametrize(
    ("made", "kind", "width"),
    [
        ("Feed(x)", "Sequence", 2),
        ("stream()", "generator", 3),
        ("tf.data.Dataset.from_tensor_slices((x, y)).shuffle(8).batch(2)", "dataset", 2),
        ("tf.data.Dataset.from_tensor_slices((x, y)).map(abs).batch(2)", "dataset", None),
        ("keras.utils.image_dataset_from_directory('a')", "dataset", 2),
        ("keras.utils.image_dataset_from_directory('a', labels=None)", "dataset", None),
        ("ImageDataGenerator().flow_from_directory('a')", "Sequence", 2),
        ("ImageDataGenerator().flow_from_directory('a', class_mode=None)", "Sequence", None),
        ("tfds.load('mnist', split='train', batch_size=-1)", None, None),
        ("next(iter(tf.data.Dataset.from_tensor_slices((x, y)).batch(8)))", None, None),
        ("x", None, None),
        ("anything(x)", None, None),
    ],
)
def test_what_gives_batches(made: str, kind: str | None, width: int | None) -> None:
    facts = facts_of(f"{HEAD}data = {made}\nuse(data)\n")
    data = last(facts, "data")
    assert (facts.fit_sources.kind(data), facts.fit_sources.width(data)) == (kind, width)


@pytest.mark.parametrize(
    ("steps", "relation"),
    [
        ("len(feed)", "equal"),
        ("math.ceil(len(x) / 4)", "equal"),
        ("-(-len(x) // 4)", "equal"),
        ("len(x) // 4", "fewer"),
        ("len(feed) // 4", "twice divided"),
        ("len(feed) // 2", None),
        ("len(other)", None),
        ("len(x) // 8", None),
        ("len(y[1:]) // 4", None),
        ("100", None),
        ("flow.samples // 32", None),
    ],
)
def test_how_steps_compare_with_a_sequence(steps: str, relation: str | None) -> None:
    made = "feed = Feed(x)\nother = Feed(y)\n"
    assert compared(f"x = read()\ny = read()\n{made}", steps, "feed") == relation


@pytest.mark.parametrize(
    ("steps", "relation"),
    [
        ("flow.samples // 32", "fewer"),
        ("flow.n // flow.batch_size", "fewer"),
        ("math.ceil(flow.samples / 32)", "equal"),
        ("flow.samples // 16", None),
        ("other.samples // 32", None),
    ],
)
def test_how_steps_compare_with_a_flow(steps: str, relation: str | None) -> None:
    made = (
        "flow = ImageDataGenerator().flow_from_directory('a')\nother = ImageDataGenerator().flow_from_directory('b')\n"
    )
    assert compared(made, steps, "flow") == relation


def compared(made: str, steps: str, name: str) -> str | None:
    facts = facts_of(f"{HEAD}{made}use({name}, {steps})\n")
    (call,) = (node for node in facts.tree.all(cst.Call) if facts.text(node.func) == "use")
    return facts.step_counts.relation(call.args[1].value, call.args[0].value)
