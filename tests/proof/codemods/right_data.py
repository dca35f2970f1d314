"""Codemods of data code that change nothing but what they declare."""

from __future__ import annotations

from tests.proof.codemods.codemod import Right, changes, in_a_function, repairs
from tests.proof.codemods.programs import (
    AUGMENTED_DATASET,
    BATCH_BY_BATCH,
    CLASSES,
    CORRUPT,
    DATASET,
    FEED,
    GENERATOR,
    NAMED,
    NESTED,
    SEQUENCE,
    SHUFFLED,
    SHUFFLED_DATASET,
)

GUARD = """\
        try:
            x = self.rows[part]
        except OSError:
            return self[0]
"""
GUARDED = SEQUENCE.replace("        x = self.rows[part]\n", GUARD)
SWALLOWED = CORRUPT.replace('raise ValueError("row 8 can\'t be read")', "return self[0]")

RIGHT_DATA = (
    Right(
        "the batches are counted in whole numbers",
        SEQUENCE,
        {"math.ceil(len(self.rows) / self.size)": "-(-len(self.rows) // self.size)"},
    ),
    Right(
        "a helper cuts out the rows",
        SEQUENCE,
        {
            "    def __getitem__(self, index):\n        part = slice(": "    def _part(self, index):\n        return slice(",
            "        x = self.rows[part]": "\n    def __getitem__(self, index):\n        part = self._part(index)\n"
            "        x = self.rows[part]",
        },
    ),
    Right(
        "the base class is initialized, which ends a warning",
        SEQUENCE.replace("        super().__init__()\n", ""),
        {"labels, size=4):\n": "labels, size=4, **kwargs):\n        super().__init__(**kwargs)\n"},
        contract=repairs("warnings"),
    ),
    Right(
        "nested inputs are a tuple, which Keras 3 accepts",
        NESTED,
        {"[self.rows[part], self.rows[part]]": "(self.rows[part], self.rows[part])"},
        contract=repairs("errors"),
    ),
    Right(
        "two workers give the batches",
        SEQUENCE,
        {"super().__init__()": "super().__init__(workers=2)"},
    ),
    Right(
        "a dtype is written down",
        CLASSES,
        {"np.arange(10) % 2": "np.arange(10, dtype=np.int64) % 2"},
    ),
    Right(
        "float64 labels become float32, as declared",
        SEQUENCE.replace("self.labels[part]", 'self.labels[part].astype("float64")'),
        {'.astype("float64")': ""},
        contract=changes("spec"),
    ),
    Right(
        "a class moves into a function",
        SEQUENCE,
        {FEED: in_a_function(FEED)},
    ),
    Right(
        "local names are others",
        SEQUENCE,
        {"x = self": "photos = self", "y = self": "kinds = self", "return x, y": "return photos, kinds"},
    ),
    Right(
        "a comprehension stacks the rows",
        SEQUENCE,
        {"x = self.rows[part]": "x = np.stack([row for row in self.rows[part]])"},
    ),
    Right(
        "a permutation is drawn as a shuffle draws it",
        SHUFFLED,
        {
            "np.random.shuffle(self.order)": "order = np.arange(10)\n        np.random.shuffle(order)\n"
            "        self.order = self.order[order]"
        },
    ),
    Right(
        "a global counter becomes an attribute of the class, as declared",
        SHUFFLED,
        {
            "shuffles = 0\n": "",
            "class Feed(keras.utils.Sequence):\n": "class Feed(keras.utils.Sequence):\n    shuffles = 0\n\n",
            "        global shuffles\n        shuffles += 1": "        Feed.shuffles += 1",
        },
        contract=changes("state"),
    ),
    Right(
        "nothing is swallowed any more, and the input is clean",
        GUARDED,
        {GUARD: "        x = self.rows[part]\n"},
    ),
    Right(
        "what was swallowed is raised, as declared",
        SWALLOWED,
        {"return self[0]": 'raise ValueError("row 8 can\'t be read")'},
        contract=changes("errors"),
    ),
    Right(
        "a generator delegates",
        GENERATOR,
        {
            "def batches": "def once():\n    for start in range(0, 10, 5):\n"
            "        yield rows[start : start + 5], labels[start : start + 5]\n\n\ndef batches",
            "        for start in range(0, 10, 5):\n            yield rows[start : start + 5], labels[start : start + 5]\n\n"
            "\nmodel": "        yield from once()\n\n\nmodel",
        },
    ),
    Right(
        "a loop over batches needs no index",
        BATCH_BY_BATCH,
        {
            "for number in range(len(feed)):\n        x, y = feed[number]": "for x, y in (feed[k] for k in range(len(feed))):"
        },
        contract=changes("state"),
    ),
    Right(
        "a dictionary of inputs is built by a comprehension",
        NAMED,
        {
            '{"left": rows, "right": rows + 100}': '{name: rows + shift for name, shift in [("right", 100), ("left", 0)]}'
        },
    ),
    Right(
        "batches are prefetched",
        DATASET,
        {"batch(3)": "batch(3).prefetch(tf.data.AUTOTUNE)"},
    ),
    Right(
        "samples are mapped in parallel, and keep their order",
        DATASET,
        {", y))\n": ", y), num_parallel_calls=4, deterministic=True)\n"},
    ),
    Right(
        "two maps become one",
        DATASET.replace("train = train.batch", "train = train.map(lambda x, y: (2 * x, y))\ntrain = train.batch"),
        {
            "train = train.map(lambda x, y: (x - tf.reduce_mean(x) + 1, y))\n": "",
            "lambda x, y: (2 * x, y)": "lambda x, y: (2 * (x - tf.reduce_mean(x) + 1), y)",
        },
    ),
    Right(
        "what is mapped over each element is mapped over batches",
        DATASET.replace("x - tf.reduce_mean(x) + 1", "2 * x"),
        {"train = train.map": "train = train.batch(3).map", "train = train.batch(3)\n": ""},
    ),
    Right(
        "what is read is cached before the random map",
        AUGMENTED_DATASET.replace(".cache()", ""),
        {".map(noisy)": ".cache().map(noisy)"},
    ),
    Right(
        "a dataset is zipped from two",
        SHUFFLED_DATASET,
        {
            "from_tensor_slices((rows, labels))": "zip((tf.data.Dataset.from_tensor_slices(rows), "
            "tf.data.Dataset.from_tensor_slices(labels)))"
        },
    ),
)
