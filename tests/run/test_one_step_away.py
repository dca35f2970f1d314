"""Programs one step away from the plain ones: what is done in a helper, an object or another file is found like what is done in place."""

from __future__ import annotations

import textwrap

import pytest

from seqlint.engine import check
from tests.rules.casebook import Case
from tests.rules.checks import RULES, project

HEAD = """
import keras
import numpy as np
import tensorflow as tf
"""
FOUND: dict[str, tuple[str, str, dict[str, str]]] = {
    "two shuffles through an imported helper": (
        "SEQ109",
        """
        from tools.order import scatter

        cats, names = np.load("cats.npy"), np.load("names.npy")
        scatter(cats)
        scatter(names)
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(cats, names)
        """,
        {
            "tools/__init__.py": "",
            "tools/order.py": "import numpy as np\n\n\ndef scatter(rows):\n    np.random.shuffle(rows)\n",
        },
    ),
    "an object of the hook shuffles": (
        "SEQ109",
        """
        class Deck:
            def __init__(self, cards, suits):
                self.cards, self.suits = cards, suits

            def deal(self):
                for pile in (self.cards, self.suits):
                    np.random.shuffle(pile)

        class Hands(keras.utils.Sequence):
            def __init__(self, cards, suits):
                super().__init__()
                self.deck = Deck(cards, suits)

            def __len__(self):
                return -(-len(self.deck.cards) // 8)

            def __getitem__(self, index):
                part = slice(8 * index, 8 * index + 8)
                return self.deck.cards[part], self.deck.suits[part]

            def on_epoch_end(self):
                self.deck.deal()
        """,
        {},
    ),
    "an alias of self": (
        "SEQ109",
        """
        class Herd(keras.utils.PyDataset):
            def __init__(self, cows, milk, **kwargs):
                super().__init__(**kwargs)
                own = self
                own.cows, own.milk = cows, milk

            def __len__(self):
                return (len(self.cows) + 3) // 4

            def __getitem__(self, index):
                it = self
                return it.cows[index * 4 : index * 4 + 4], it.milk[index * 4 : index * 4 + 4]

            def on_epoch_end(self):
                herd = self
                np.random.shuffle(herd.cows)
                np.random.shuffle(herd.milk)
        """,
        {},
    ),
    "an object of the batch takes rows away": (
        "SEQ205",
        """
        class Queue:
            def __init__(self, names):
                self.waiting = list(names)

            def serve(self):
                return self.waiting.pop(0)

        class Rooms(keras.utils.Sequence):
            def __init__(self, names):
                super().__init__()
                self.queue = Queue(names)
                self.count = len(names)

            def __len__(self):
                return self.count

            def __getitem__(self, index):
                return np.load(self.queue.serve())[None]
        """,
        {},
    ),
    "a helper of another file rounds to a float": (
        "SEQ217",
        """
        import counting

        class Rains(keras.utils.Sequence):
            def __init__(self, days):
                super().__init__()
                self.days = days

            def __len__(self):
                return counting.up(len(self.days), 16)

            def __getitem__(self, index):
                return self.days[index * 16 : (index + 1) * 16]
        """,
        {"counting.py": "import numpy\n\n\ndef up(whole, part):\n    return numpy.ceil(whole / part)\n"},
    ),
    "a loop over both draws for each": (
        "SEQ109",
        """
        rng = np.random.default_rng(5)

        def dealt(rows):
            return rows[rng.permutation(len(rows))]

        stones, weights = [dealt(np.load(f"{name}.npy")) for name in ("stones", "weights")]
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(stones, weights)
        """,
        {},
    ),
    "a range of rows from a method": (
        "SEQ219",
        """
        class Trees(keras.utils.Sequence):
            def __init__(self, heights, per=6):
                super().__init__()
                self.heights, self.per = heights, per

            def __len__(self):
                return len(self.heights) // self.per + 1

            def _rows(self, number):
                first = number * self.per
                return range(first, min(first + self.per, len(self.heights)))

            def __getitem__(self, index):
                return np.array([self.heights[row] for row in self._rows(index)])
        """,
        {},
    ),
    "a method makes the model": (
        "SEQ307",
        """
        class Lab:
            def __init__(self):
                self.strategy = tf.distribute.MirroredStrategy()

            @staticmethod
            def net():
                return tf.keras.Sequential([tf.keras.layers.Dense(1)])

            def run(self, rows):
                net = self.net()
                with self.strategy.scope():
                    net.compile("sgd", "mse")
                net.fit(rows, rows)

        Lab().run(np.ones((8, 1)))
        """,
        {},
    ),
    "steps from settings": (
        "SEQ607",
        """
        from typing import NamedTuple

        class Setup(NamedTuple):
            batch: int = 16

        def parts(rows, size):
            while True:
                for start in range(0, len(rows), size):
                    part = rows[start : start + size]
                    yield part, part

        setup = Setup()
        rows = np.load("rows.npy")
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(parts(rows, setup.batch), steps_per_epoch=len(rows), epochs=2)
        """,
        {},
    ),
    "an object seeds anew": (
        "SEQ207",
        """
        class Grain:
            def __init__(self, seed=11):
                self.seed = seed

            def __call__(self, rows):
                np.random.seed(self.seed)
                return rows + np.random.normal(size=rows.shape)

        class Films(keras.utils.Sequence):
            def __init__(self, frames):
                super().__init__()
                self.frames, self.grain = frames, Grain()

            def __len__(self):
                return -(-len(self.frames) // 4)

            def __getitem__(self, index):
                return self.grain(self.frames[index * 4 : index * 4 + 4])
        """,
        {},
    ),
    "arguments that go through keywords": (
        "SEQ701",
        """
        def teach(feed, **how):
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile("sgd", "mse")
            model.fit(feed, **how)

        options = {"epochs": 2}
        options |= dict(workers=3)
        teach(tf.data.Dataset.from_tensors((np.ones((4, 1)), np.ones((4, 1)))), **options)
        """,
        {},
    ),
    "other names than x and y": (
        "SEQ109",
        """
        class Verses(keras.utils.Sequence):
            def __init__(self, lines, moods):
                super().__init__()
                self.lines, self.moods = lines, moods

            def __len__(self):
                return -(-len(self.lines) // 5)

            def __getitem__(self, index):
                low, high = index * 5, index * 5 + 5
                return {"lines": self.lines[low:high]}, self.moods[low:high]

            def on_epoch_end(self):
                np.random.shuffle(self.lines)
                np.random.shuffle(self.moods)
        """,
        {},
    ),
    "the count is in a base of another file": (
        "SEQ220",
        """
        from counted import Counted

        class Bells(Counted):
            def __getitem__(self, index):
                return self.rows[index * self.size : (index + 1) * self.size]
        """,
        {
            "counted.py": (
                "import keras\n\n\nclass Counted(keras.utils.Sequence):\n    def __init__(self, rows, size=32):\n"
                "        super().__init__()\n        self.rows, self.size = rows, size\n\n"
                "    def __len__(self):\n        return len(self.rows)\n"
            )
        },
    ),
    "a static method scales": (
        "SEQ627",
        """
        class Pictures:
            @staticmethod
            def scaled(pixels):
                return pixels.astype("float32") / 255.0

        (x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
        model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
        model.compile("adam", "sparse_categorical_crossentropy")
        model.fit(Pictures.scaled(x), y, epochs=2)
        model.evaluate(x_test, y_test)
        """,
        {},
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_is_found(name: str) -> None:
    code, text, others = FOUND[name]
    program = HEAD + textwrap.dedent(text)
    source, config = project(Case(code, True, name, program, 1, "", tuple(others.items())))
    assert code in {each.code for each in check(source, [RULES[code]], config).diagnostics}
