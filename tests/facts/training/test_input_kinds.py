"""What data are, what a list holds, what a receiver is, and where an expression keeps its value."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of, last, texts

HEAD = """
import keras
import numpy as np
import tensorflow as tf
from keras.preprocessing.image import ImageDataGenerator

class Feed(keras.utils.Sequence):
    def __len__(self):
        return 1

def stream():
    while True:
        yield 1

@safe
def locked():
    yield 1

class Maker:
    def feed(self):
        return Feed()

    def stream(self):
        yield 1

    def run(self):
        return self.feed(), self.stream()

def both(path):
    return Feed(), stream()

one, two = both("d")
(x_train, y_train), _ = keras.datasets.mnist.load_data()
x_train = x_train / 255
"""


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("Feed()", "sequence"),
        ("Feed() if big else Feed(2)", "sequence"),
        ("ImageDataGenerator().flow_from_directory('d')", "sequence"),
        ("Maker().feed()", "sequence"),
        ("one", "sequence"),
        ("two", "generator"),
        ("stream()", "generator"),
        ("Maker().stream()", "generator"),
        ("(i for i in rows)", "generator"),
        ("tf.data.Dataset.range(3).map(f).batch(2)", "dataset"),
        ("keras.utils.image_dataset_from_directory('d')", "dataset"),
        ("np.ones(3).astype('float32')", "arrays"),
        ("x_train[:100]", "arrays"),
        ("(x_train, other)", "arrays"),
        ("None", "arrays"),
        ("locked()", "unknown"),
        ("make()", "unknown"),
        ("Feed() if big else stream()", "unknown"),
        ("[Feed(), Feed()]", "unknown"),
    ],
)
def test_data_are_told_apart(data: str, kind: str) -> None:
    facts = facts_of(f"{HEAD}\nfed = {data}\nuse(fed)\n")
    assert facts.input_kinds.kind(last(facts, "fed")) == kind


@pytest.mark.parametrize(
    ("made", "elements", "complete"),
    [
        ("held = [a, b]", ["a", "b"], True),
        ("held = (a, *rest)", ["a"], False),
        ("held = {'x': a, 'y': b}", ["a", "b"], True),
        ("held = [Feed(p) for p in paths]", ["Feed(p)"], True),
        ("held = tuple(Feed(p) for p in paths)", ["Feed(p)"], True),
        ("held = []\nfor p in paths:\n    held.append(Feed(p))", ["Feed(p)"], True),
        ("held = [a]\nheld.extend(others)", ["a"], False),
        ("some = [a]\nheld = some + [b] * 2", ["a", "b"], True),
        ("some = [a, b]\nheld = some[1:]", ["a", "b"], True),
        ("feeds = {'x': a}\nheld = list(feeds.values())", ["a"], True),
    ],
)
def test_what_is_put_into_a_list_is_followed(made: str, elements: list[str], complete: bool) -> None:
    facts = facts_of(f"{made}\nuse(held)\n")
    found = facts.input_kinds.collected(last(facts, "held"))
    assert found is not None
    assert texts(facts, found.elements) == elements
    assert found.complete is complete


@pytest.mark.parametrize("made", ["held = make()", "held = [a] if b else c", "held = held + [a]", "held.extend(held)"])
def test_a_list_out_of_sight_is_unknown(made: str) -> None:
    facts = facts_of(f"{made}\nuse(held)\n")
    assert facts.input_kinds.collected(last(facts, "held")) is None


@pytest.mark.parametrize(
    ("program", "guarded"),
    [
        ("if keras.__version__ < '3':\n    model.fit(x)", True),
        ("if hasattr(model, 'fit_generator'):\n    a()\nelse:\n    model.fit(x)", True),
        ("try:\n    model.fit(x)\nexcept TypeError:\n    model.fit(x, 1)", True),
        ("try:\n    model.fit(x, 1)\nexcept TypeError:\n    model.fit(x)", True),
        ("try:\n    model.fit(x)\nexcept Exception as error:\n    print(error)", False),
        (
            "try:\n    model.fit(x, 1)\nexcept (KeyboardInterrupt, tf.errors.ResourceExhaustedError):\n    model.fit(x)",
            False,
        ),
        ("try:\n    model.fit(x)\nexcept KeyboardInterrupt:\n    model.evaluate(x)", False),
        ("try:\n    model.fit(x)\nexcept (KeyboardInterrupt, TypeError):\n    model.fit(x, 1)", True),
        ("if verbose:\n    model.fit(x)", False),
        ("old = hasattr(model, 'fit_generator')\nif not old:\n    model.fit(x)", True),
        ("old = getattr(model, 'fit_generator', None)\nif old is None:\n    model.fit(x)", True),
        ("if hasattr(keras.utils, 'PyDataset'):\n    model.fit(x)", True),
        ("if hasattr(model, name):\n    model.fit(x)", True),
        ("if 'workers' in inspect.signature(model.fit).parameters:\n    model.fit(x)", True),
        ("if LooseVersion(keras_version) < 3 or kerasVersion:\n    model.fit(x)", True),
        ("if conversion or is_signature:\n    model.fit(x)", False),
        ("if hasattr(x, '__len__') and hasattr(x, 'shape'):\n    model.fit(x)", False),
        ("args = parser.parse_args()\nif hasattr(args, 'held_out'):\n    model.fit(x)", False),
        ("class Kit:\n    pass\nkit = Kit()\nif hasattr(kit, 'held_out'):\n    model.fit(x)", False),
        ("class Kit:\n    def go(self):\n        if hasattr(self, 'held_out'):\n            model.fit(x)", False),
        (
            "class Kit:\n    def go(self):\n        if getattr(self, 'version_2', None):\n            model.fit(x)",
            False,
        ),
        (
            "class Kit(keras.Model):\n    def go(self):\n        if hasattr(self, 'jit'):\n            model.fit(x)",
            True,
        ),
    ],
)
def test_code_for_another_keras_is_told(program: str, guarded: bool) -> None:
    facts = facts_of(f"import keras\n{program}\n")
    assert facts.evidence.guarded(last(facts, "model.fit(x)")) is guarded


@pytest.mark.parametrize(
    ("program", "same"),
    [
        ("place()\nuse(4)", True),
        ("n = 4\nplace()\nuse(n)", True),
        ("place()\nn = 4\nuse(n)", False),
        ("n = 4\nplace()\nn = 5\nuse(n)", False),
        ("n = 4\nplace()\nif n:\n    n = 5\nuse(n)", False),
        ("n = 4\ndef f():\n    place()\n    use(n)", True),
        ("def f(n):\n    use(n)\nplace()", False),
        ("import os\nplace()\nuse(os.cpu_count() - 1)", True),
        ("place()\nuse(ask())", False),
        ("args = parse()\nplace()\nuse(args.n)", True),
        ("args = parse()\nplace()\nargs.n = 3\nuse(args.n)", False),
    ],
)
def test_an_expression_keeps_its_value_or_does_not(program: str, same: bool) -> None:
    facts = facts_of(program)
    use = last(facts, next(line.strip() for line in program.split("\n") if line.strip().startswith("use(")))
    assert facts.same.at(use.args[0].value, last(facts, "place()")) is same  # type: ignore[attr-defined]
