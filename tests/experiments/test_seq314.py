"""Which rows two processes train on that have drawn another order each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.lines import on_demand
from tests.experiments.several_workers import on_workers

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
seen = []


class Feed(keras.utils.Sequence):
    def __init__(self, seed):
        self.rng, self.order, self.ends = np.random.default_rng(seed), np.arange(60), 0
        self.rng.shuffle(self.order)

    def __len__(self):
        return 6

    def __getitem__(self, index):
        rows = self.order[index * 10 : index * 10 + 10].astype("float32").reshape(-1, 1)
        return rows, rows

    def on_epoch_end(self):
        self.ends += 1


class Note(keras.layers.Layer):
    def call(self, x):
        def noted(rows):
            seen.extend(int(row) for row in rows[:, 0])
            return rows

        rows = tf.numpy_function(noted, [x], tf.float32)
        rows.set_shape((None, 1))
        return rows


def trained(seed):
    with strategy.scope():
        model = keras.Sequential([keras.Input((1,)), Note(), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    seen.clear()
    feed = Feed(seed)
    model.fit(feed, epochs=1, verbose=0)
    return [list(seen), feed.ends]


found = [trained(3), trained(10 + index)]
"""


def _shares(one: set[int], other: set[int]) -> tuple[int, int]:
    """How many of 60 rows both have, and neither has."""
    return len(one & other), 60 - len(one | other)


@on_demand
def test_two_workers_need_one_order(line: Line) -> None:
    if not line.is_2:
        pytest.skip("Keras 3 can't train under several workers")
    (alike, own), (alike_too, other) = on_workers(line, _PROGRAM)
    assert alike[1] == own[1] == 1
    assert _shares({*alike[0]}, {*alike_too[0]}) == (0, 0)
    twice, left_out = _shares({*own[0]}, {*other[0]})
    line.says("SEQ314", "With one order both train on all 60 rows")
    line.says("SEQ314", f"With two orders {twice} rows come twice, and {left_out} are left out")


def test_two_permutations_that_are_cut_by_the_rank(line: Line) -> None:
    orders = [np.random.default_rng(10 + rank).permutation(60)[rank::2] for rank in range(2)]
    twice, left_out = _shares({*map(int, orders[0])}, {*map(int, orders[1])})
    line.says("SEQ314", f"`[0::2]` and `[1::2]`, {twice} rows come twice, and {left_out} are left out")
