"""What a rule needs may be there too often, and must never be missed."""

from __future__ import annotations

import pytest

from seqlint.facts.code.prefilter import (
    OF_KERAS,
    OF_NUMPY,
    Words,
    a_batch_method,
    a_member,
    a_member_of,
    a_shuffle,
    a_shuffled_source,
    a_source,
    any_of,
    either,
    importing,
    matching,
)
from seqlint.registry import load

POSSIBLE = {
    "named": "class Feed(Sequence): ...",
    "by its module": "class Feed(keras.utils.Sequence): ...",
    "of another file": "class Feed(Rows): ...",
    "through a class of the file": "class A(Rows): ...\nclass Model(A): ...",
    "by a name that others have": "class Layer(keras.utils.Sequence): ...\nclass Feed(Layer): ...",
    "called": "class Feed(base_of(kind), Layer): ...",
    "one of several": "class Feed(\n    Layer,  # (first)\n    Sequence,\n): ...",
    "behind a comment with a bracket": "class Feed(  # (Layer)\n    Sequence\n): ...",
    "with a parameter": "class Feed[T](Sequence): ...",
    "of a parameter": "class Feed(Rows[int]): ...",
    "in a list": "class Feed(*bases): ...",
    "by a condition": "class Feed(Sequence if new else object): ...",
    "twice": "class Feed(Layer): ...\nclass Feed(Sequence): ...",
}
IMPOSSIBLE = {
    "no class": "feed = Sequence",
    "no base": "class Feed: ...\nclass Other(): ...",
    "a layer": "class Mine(keras.layers.Layer): ...",
    "made from a layer": "class Mine(Layer): ...\nclass Yours(Mine): ...",
}


@pytest.mark.parametrize("text", POSSIBLE.values(), ids=POSSIBLE)
def test_a_class_that_may_be_a_sequence(text: str) -> None:
    assert Words(text).may_have_sequence


@pytest.mark.parametrize("text", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_no_class_can_be_one(text: str) -> None:
    assert not Words(text).may_have_sequence


def test_names_members_and_imports() -> None:
    words = Words("from keras.utils import (\n    np_utils,\n)\nimport os; from a import core\nx = fit(y . pool_)\n")
    assert words.have(any_of("nothing", "fit"))
    assert not words.have(any_of("fi"))
    assert words.have(a_member("np_utils"))
    assert words.have(a_member("core"))
    assert words.have(a_member(like=r"pool\w*"))
    assert not words.have(a_member("fit"))
    assert words.have(importing(r"^from\s+keras"))
    assert not words.have(importing("fit"))
    assert words.have(either(any_of("nothing"), matching("pool_")))


@pytest.mark.parametrize(
    "text",
    [
        "from keras.utils import \\\n    np_utils\n",
        "if old: from keras.utils import np_utils\n",
        "from keras.utils import (  # (of old)\n    get_file,\n    np_utils,\n)\n",
        "import os; from keras.utils import np_utils\n",
    ],
)
def test_an_import_in_any_layout(text: str) -> None:
    assert Words(text).have(a_member("np_utils"))


def test_a_rule_without_words_for_a_text_is_not_asked() -> None:
    text = Words("import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\n")
    asked = [loaded.rule.code for loaded in load() if all(text.have(need) for need in loaded.rule.needs)]
    assert asked == []


SOURCES = {
    "a Sequence": "class Feed(Rows): ...",
    "a generator function": "def rows():\n    yield 1, 2",
    "a generator": "model.fit((batch(i) for i in rows), steps_per_epoch=3)",
    "a generator over lines": "feed = (\n    (x[i], y[i])  # pairs\n    for i in order\n)\nmodel.fit(feed)",
    "a generator that a function is given": "train(batch(i) for i in rows)",
    "a generator behind text": """feed = (read("(" + name) for name in names)""",
    "a flow": "feed = images.flow(x, y)",
    "a dataset": "feed = tf.data.Dataset.from_tensor_slices(x)",
    "a dataset of another file": "def train(rows):\n    model.fit(rows.prefetch(2))",
    "a dataset by its keyword": "feed = rows.map(decode, num_parallel_calls=4)",
    "a loader": "feed = keras.utils.image_dataset_from_directory(folder)",
}
NO_SOURCES = {
    "arrays": "model.fit(x, y)",
    "lists": "model.fit(np.array([read(i) for i in rows]), {k: v for k, v in labels})",
    "a sum": "best = sum(score(i) for i in rows)\nmodel.fit(x, y)",
    "words of a comment": "model.fit(x, y)  # (not for long)\n",
    "a loop": "for epoch in range(3):\n    model.fit(x, y)\n",
    "a loop over a call": "for x, y in zip(\n    inputs,\n    targets,\n):\n    model.fit(x, y)\n",
}


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_what_may_give_its_own_batches(text: str) -> None:
    assert Words(text, lambda words: False).have(a_source)


@pytest.mark.parametrize("text", NO_SOURCES.values(), ids=NO_SOURCES)
def test_arrays_alone(text: str) -> None:
    assert not Words(text, lambda words: False).have(a_source)
    assert Words(text, lambda words: True).have(a_source)


@pytest.mark.parametrize(
    "text", [SOURCES["a Sequence"], SOURCES["a flow"], SOURCES["a loader"], "rows = rows.shuffle(9)"]
)
def test_what_may_give_rows_in_a_random_order(text: str) -> None:
    assert Words(text, lambda words: False).have(a_shuffled_source)
    assert Words("from feeds import rows", lambda words: False, lambda words: [text]).have(a_shuffled_source) is (
        text != SOURCES["a Sequence"]
    )


def test_a_split_in_a_random_order_is_no_source() -> None:
    text = "x, y = train_test_split(x, shuffle=True)\nmodel.predict(tf.data.Dataset.from_tensor_slices(x))"
    assert not Words(text, lambda words: False).have(a_shuffled_source)
    assert Words(text, lambda words: True).have(a_shuffled_source)


@pytest.mark.parametrize(
    "text",
    [
        "import keras\nkeras.layers.core.Dense(1)",
        "from tensorflow import keras as k\nk . layers \\\n . core.Dense(1)",
        "from keras.layers import core",
        "import keras\nlayers = keras.layers\nlayers.core.Dense(1)",
        "import keras\nlayers: Any = keras.layers\nlayers.core.Dense(1)",
        "import keras\nmade = (\n    keras  # (or tf.keras)\n    .layers.core.Dense(1)\n)",
        "import keras\nK, L = keras.backend, keras.layers  # short\nL.core.Dense(1)",
        "import keras\nL = keras.layers if new else None\nL.core.Dense(1)",
        "import keras\n# All of it is made with Keras.\nkeras.layers.core.Dense(1)",
        "import keras\nkeras.\\\n layers.\\\n core.Dense(1)",
        "import keras\nL = keras.layers; M = (L)\nM. core.Dense(1)",
        "import keras\nmade = [keras.layers.core.Dense(1), 0.5, keras.ops]",
    ],
)
def test_a_member_of_a_library(text: str) -> None:
    assert Words(text).have(a_member_of(OF_KERAS, "core"))


@pytest.mark.parametrize("text", ["import keras\nself.core.run()", "import core\nimport keras", "from app import core"])
def test_a_member_of_something_else(text: str) -> None:
    assert not Words(text).have(a_member_of(OF_KERAS, "core"))


def test_digits_are_no_names() -> None:
    words = Words("rate = 1.5 if fit else .25\nx = rows[0].mean(1.)\n")
    assert words.have(a_member("mean"))
    assert not words.have(a_member("fit", "rows", "if"))


def test_a_library_by_its_whole_name() -> None:
    assert not Words("from numpy_groupies import cast").have(a_member_of(OF_NUMPY, "cast"))
    assert not Words("import json\nimport numpy as np\njson.loads(x)").have(a_member_of(OF_NUMPY, "loads"))
    assert Words("import json\nimport numpy as np\nnp.loads(x)").have(a_member_of(OF_NUMPY, "loads"))


@pytest.mark.parametrize(
    "text",
    [
        "np.random.shuffle(x)",
        "from random import shuffle as mix",
        "from random import *\nshuffle(x)",
        "x = x.sample(frac=1)",
        "rng.shuffle(order)",
        "np.random.RandomState(2).shuffle(x)",
        "list(map(random.shuffle, rows))",
        "self.shuffle(x)",
        "order = tf.random.experimental.stateless_shuffle(x, seed)",
        "dataset.shuffle()",
        "random.shuffle(buffer)",
    ],
)
def test_a_shuffle(text: str) -> None:
    assert Words(text).have(a_shuffle)


@pytest.mark.parametrize(
    "text",
    [
        "fit(x, shuffle=True)  # a sample\nself.shuffle = True",
        "if self.shuffle and args.shuffle:\n    pass",
        "rows = rows.batch(2)  # Rows.\n# shuffle: whether to",
        "dataset.shuffle(many)",
        "train_ds.shuffle(many)",
        "rows.map(read).shuffle(1000)",
        "rows.map(read).shuffle(BUFFER_SIZE)",
        "rows.map(read).shuffle(buffer_size=many)",
        "from layers import *\nDense(1)",
    ],
)
def test_no_shuffle(text: str) -> None:
    assert not Words(text).have(a_shuffle)


def test_a_generator_makes_batches_where_a_model_is_called() -> None:
    assert Words("def rows():\n    yield 1\nmodel.fit(rows())").have(a_batch_method)
    assert not Words("def rows():\n    yield 1\n").have(a_batch_method)
    assert not Words("class Rows(object):\n    def __getitem__(self, i): ...\nmodel.fit(x)").have(a_batch_method)
