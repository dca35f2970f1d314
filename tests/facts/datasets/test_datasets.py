"""tf.data datasets: their links in order, what is known behind each, and what reaches the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of, last

if TYPE_CHECKING:
    from seqlint.facts import Facts, Link

START = "import keras\nimport numpy as np\nimport tensorflow as tf\nmodel = keras.Sequential([])\n"


def read(program: str) -> Facts:
    return facts_of(START + program)


def links(program: str) -> list[str]:
    """The chain of the last `ds` of a program."""
    facts = read(program + "\nds")
    chain = facts.datasets.chain(last(facts, "ds"))
    return [link.name for link in chain.links] if chain is not None else []


def one(facts: Facts, name: str) -> Link:
    (found,) = named(facts, name)
    return found


def named(facts: Facts, name: str) -> list[Link]:
    return [link for link in facts.datasets.links if name in link.does]


RANGE = "tf.data.Dataset.range(9)"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f"ds = {RANGE}.map(f).batch(2)", ["range", "map", "batch"]),
        (f"ds = {RANGE}\nds = ds.map(f)\nds = ds.batch(2)", ["range", "map", "batch"]),
        (f"raw = {RANGE}\nds = raw.map(f)\nraw = raw.batch(3)", ["range", "map"]),
        (f"def make():\n    return {RANGE}.cache()\nds = make().batch(2)", ["range", "cache", "batch"]),
        (f"def more(d):\n    d = d.cache()\n    return d.batch(2)\nds = more({RANGE})", ["range", "cache", "batch"]),
        (f"def pair():\n    d = {RANGE}\n    return d.take(1), d.skip(1)\nrest, ds = pair()", ["range", "skip"]),
        (f"both = {RANGE}, {RANGE}.cache()\nrest, ds = both", ["range", "cache"]),
        (f"ds = {RANGE} if flag else {RANGE}.cache()", []),
        (f"ds = {RANGE}\nif flag:\n    ds = ds.cache()\nds = ds.batch(2)", ["batch"]),
        (f"ds = {RANGE}\nfor f in fs:\n    ds = ds.map(f)\nds = ds.batch(2)", ["batch"]),
        ("from tensorflow.data import Dataset\nds = Dataset.from_tensor_slices(x).batch(2)", ["from_tensor_slices", "batch"]),
        ("import tensorflow.data as td\nds = td.TFRecordDataset(p).batch(2)", ["TFRecordDataset", "batch"]),
        ("from keras.utils import image_dataset_from_directory as load\nds = load('d').cache()",
         ["image_dataset_from_directory", "cache"]),
        ("ds = tf.keras.preprocessing.image_dataset_from_directory('d').cache()", ["image_dataset_from_directory", "cache"]),
        ("import tensorflow_datasets as tfds\n(ds, test), info = tfds.load('m', split=['train', 'test'])\nds = ds.cache()",
         ["tfds.load", "cache"]),
        ("import tensorflow_datasets as tfds\nall_ = tfds.load('m')\nds = all_['train'].cache()", ["tfds.load", "cache"]),
        (f"with strategy.scope():\n    ds = strategy.experimental_distribute_dataset({RANGE})",
         ["range", "experimental_distribute_dataset"]),
        ("ds = np.arange(3).repeat(2)", []),
        ("ds = frame['a'].map(str)", []),
    ],
)  # fmt: skip
def test_the_links_that_lead_to_a_dataset(program: str, expected: list[str]) -> None:
    assert links(program) == expected


def test_a_constant_argument_decides_a_branch_of_a_function() -> None:
    make = (
        "def make(d, shuffle=False, mode='train'):\n    if shuffle:\n        d = d.shuffle(9)\n    return d.batch(2)\n"
    )
    assert links(make + f"ds = make({RANGE}, True)") == ["range", "shuffle", "batch"]
    assert links(make + f"ds = make({RANGE})") == ["range", "batch"]
    assert links(make + f"ds = make({RANGE}, shuffle=flag)") == ["batch"]


def test_a_nested_function_does_not_see_what_it_does_not() -> None:
    program = f"""
ds = {RANGE}.shuffle(9)


def outer(ds):
    return ds.batch(2, drop_remainder=True)


def other():
    ds = load()
    return ds.batch(3, drop_remainder=True)


def third():
    return ds.batch(4)
"""
    facts = read(program)
    assert [[link.name for link in batch.chain.links] for batch in named(facts, "batch")] == [
        ["batch"],
        ["batch"],
        ["range", "shuffle", "batch"],
    ]


@pytest.mark.parametrize(
    ("program", "sure"),
    [
        ("def f(d):\n    return d.batch(2).shuffle(3)", True),
        ("def f(d):\n    return d.map(g, num_parallel_calls=4)", True),
        ("def f(d):\n    d = d.map(g)\n    return d.prefetch(tf.data.AUTOTUNE)", True),
        ("def f(d: tf.data.Dataset):\n    return d.take(3)", True),
        ("def f(d):\n    return d.apply(tf.data.experimental.unbatch())", True),
        ("def f(d):\n    return d.take(3)", False),
        ("import torch\ndef f(d):\n    return d.batch(2).shuffle(3)", False),
        ("from datasets import load_dataset\nd = load_dataset('x').shuffle(seed=1).map(f)", False),
        ("d = frame.groupby('a').apply(f)", False),
        ("x = np.random.permutation(9).repeat(2).take([1])", False),
    ],
)
def test_what_is_surely_a_dataset(program: str, sure: bool) -> None:
    assert bool(read(program).datasets.links) is sure


def test_arguments_are_bound_by_the_signature() -> None:
    facts = read(f"{RANGE}.shuffle(10, 3, False).map(f, 4).batch(drop_remainder=True, batch_size=8)")
    shuffle, batch = one(facts, "shuffle"), one(facts, "batch")
    assert {name: facts.text(argument.value) for name, argument in shuffle.arguments.items()} == {
        "buffer_size": "10",
        "seed": "3",
        "reshuffle_each_iteration": "False",
    }
    assert facts.text(batch.arg("batch_size")) == "8"  # type: ignore[arg-type]
    assert batch.arg("deterministic") is None
    assert [link.name for link in batch.chain.links] == ["range", "shuffle", "map", "batch"]


@pytest.mark.parametrize(
    ("made", "facts_known"),
    [
        ("keras.utils.image_dataset_from_directory('d')", ("yes", "yes", "yes", "yes")),
        ("keras.utils.image_dataset_from_directory('d', shuffle=False)", ("no", "no", "yes", "yes")),
        ("keras.utils.text_dataset_from_directory('d', batch_size=None)", ("yes", "yes", "no", "yes")),
        ("keras.utils.image_dataset_from_directory('d', shuffle=flag, batch_size=b)", ("unknown", "unknown", "unknown", "yes")),
        ("keras.utils.timeseries_dataset_from_array(d, t, 3)", ("no", "no", "yes", "yes")),
        ("tf.data.experimental.make_csv_dataset('*.csv', 4)", ("yes", "yes", "yes", "yes")),
        ("tf.data.Dataset.list_files('*')", ("yes", "yes", "no", "no")),
        ("tf.data.Dataset.list_files('*', shuffle=False)", ("no", "no", "no", "no")),
        ("tf.data.Dataset.from_generator(g, tf.int32)", ("unknown", "unknown", "unknown", "no")),
        ("tf.data.Dataset.load('d')", ("unknown", "unknown", "unknown", "unknown")),
    ],
)  # fmt: skip
def test_what_sources_and_loaders_do(made: str, facts_known: tuple[str, ...]) -> None:
    facts = read(f"ds = {made}\nds")
    chain = facts.datasets.chain(last(facts, "ds"))
    assert chain is not None
    state = chain.state
    assert (state.shuffled, state.reshuffled, state.batched, state.prefetched) == facts_known


def test_the_second_of_both_subsets_is_not_shuffled() -> None:
    facts = read(
        "train, val = keras.utils.image_dataset_from_directory('d', validation_split=0.2, subset='both', seed=1)\n"
        "model.fit(train.map(f), validation_data=val)"
    )
    assert [(fed.role, fed.chain.state.reshuffled) for fed in facts.datasets.fed] == [
        ("train", "yes"),
        ("validation", "no"),
    ]


@pytest.mark.parametrize(
    ("chain", "prefetched"),
    [
        (".prefetch(1)", "yes"),
        (".prefetch(1).with_options(o)", "yes"),
        (".prefetch(1).take(3)", "yes"),
        (".prefetch(1).map(f)", "no"),
        (".batch(2)", "no"),
        (".prefetch(1).apply(g)", "unknown"),
    ],
)
def test_whether_anything_is_computed_behind_a_prefetch(chain: str, prefetched: str) -> None:
    facts = read(f"ds = {RANGE}{chain}\nds")
    found = facts.datasets.chain(last(facts, "ds"))
    assert found is not None
    assert found.state.prefetched == prefetched


def test_a_link_knows_what_came_before() -> None:
    facts = read(f"ds = {RANGE}.batch(2)\nif flag:\n    ds = ds.shuffle(9)\nds = ds.repeat(n)")
    shuffle, repeat = one(facts, "shuffle"), one(facts, "repeat")
    assert (shuffle.before.batched, shuffle.before.shuffled) == ("yes", "no")
    assert (repeat.before.shuffled, repeat.state.endless) == ("unknown", "unknown")
    assert repeat.chain.source is None


def test_two_links_of_one_dataset_have_the_same_input() -> None:
    facts = read(f"def split(n):\n    d = {RANGE}.shuffle(9)\n    return d.take(n), d.skip(n)\na, b = split(3)")
    take, skip = one(facts, "take"), one(facts, "skip")
    assert take.inputs == skip.inputs
    assert take.before.reshuffled == "yes"


def test_zip_and_concatenate_know_their_parts() -> None:
    program = f"x = {RANGE}.shuffle(9)\ny = {RANGE}\nz = tf.data.Dataset.zip((x, y))\nw = z.concatenate(x)"
    facts = read(program)
    zipped, joined = one(facts, "zip"), one(facts, "concatenate")
    assert [[link.name for link in part.links] for part in zipped.parts] == [["range", "shuffle"], ["range"]]
    assert [[link.name for link in part.links] for part in joined.parts] == [["range", "shuffle"]]


@pytest.mark.parametrize("given", ["x, y", "(x, y)", "[x, y]", "{'a': x, 'b': y}", "datasets=(x, y)", "pair"])
def test_every_way_to_zip(given: str) -> None:
    facts = read(f"x = {RANGE}.shuffle(9)\ny = {RANGE}\npair = (x, y)\ntf.data.Dataset.zip({given})")
    assert [part.state.shuffled for part in one(facts, "zip").parts] == ["yes", "no"]


def test_a_function_called_twice_has_two_inputs_seen_from_within() -> None:
    program = f"def late(d):\n    return d.batch(2)\nlate({RANGE}.cache())\nlate({RANGE}.shuffle(9))"
    facts = read(program)
    batch = one(facts, "batch")
    assert [link.name if link else None for link in batch.inputs] == ["cache", "shuffle"]
    assert (batch.before.shuffled, batch.before.endless) == ("unknown", "no")


@pytest.mark.parametrize(
    ("program", "fed"),
    [
        (f"model.fit({RANGE}.batch(2))", [("train", ["range", "batch"])]),
        (f"d = {RANGE}\nmodel.fit(x=d, validation_data=d.take(1))", [("train", ["range"]), ("validation", ["range", "take"])]),
        (f"model.evaluate({RANGE})\nmodel.predict({RANGE}.cache())", [("evaluate", ["range"]), ("predict", ["range", "cache"])]),
        (f"def train(d):\n    model.fit(d)\ntrain({RANGE})", [("train", ["range"])]),
        (f"class T:\n    def __init__(self):\n        self.d = {RANGE}.batch(2)\n    def run(self):\n        model.fit(self.d)",
         [("train", ["range", "batch"])]),
        (f"class D:\n    def __init__(self):\n        self.d = {RANGE}\ndata = D()\nmodel.fit(data.d)", [("train", ["range"])]),
        (f"class D:\n    def rows(self):\n        return {RANGE}\nmodel.fit(D().rows())", [("train", ["range"])]),
        ("model.fit(x, y)", []),
        ("model.fit(np.arange(3).repeat(2))", []),
    ],
)  # fmt: skip
def test_what_reaches_a_trainer_call(program: str, fed: list[tuple[str, list[str]]]) -> None:
    found = read(program).datasets.fed
    assert [(one.role, [link.name for link in one.chain.links]) for one in found] == fed


def test_a_function_of_tf_data_experimental_does_what_the_methods_do() -> None:
    facts = read(f"ds = {RANGE}.apply(tf.data.experimental.map_and_batch(f, 4)).apply(g)")
    first, second = [link for link in facts.datasets.links if link.name == "apply"]
    assert first.does == ("map", "batch")
    assert first.state.batched == "yes"
    assert second.does == ()
    assert second.state.shuffled == "unknown"


@pytest.mark.parametrize(
    ("function", "batched"),
    [
        ("lambda part: part.batch(3)", "unknown"),
        ("lambda part: tf.data.Dataset.zip((part['a'], part['b']))", "no"),
        ("tf.data.TFRecordDataset", "no"),
        ("unseen", "unknown"),
    ],
)
def test_a_function_that_makes_datasets_may_make_batches(function: str, batched: str) -> None:
    facts = read(f"ds = tf.data.Dataset.list_files('*').interleave({function})")
    assert one(facts, "interleave").state.batched == batched
