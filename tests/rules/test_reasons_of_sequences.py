"""Why a finding of a Sequence has no fix: the reason names what this program does."""

from __future__ import annotations

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import check
from seqlint.sources import Source

LOADED = {loaded.rule.code: loaded for loaded in registry.load()}
GIVEN = {
    "SEQ206": "workers=2, use_multiprocessing=True",
    "SEQ215": "4, workers=4",
    "SEQ225": "'rows.bin', workers=4",
    "SEQ226": "workers=2, use_multiprocessing=MANY",
    "SEQ227": "workers=2, use_multiprocessing=True",
    "SEQ228": "['one.png']",
}
"""What the Sequence is made with, where that decides whether there is a finding."""
HEAD = """
import keras
import numpy as np
import tensorflow as tf

MANY = 1 == 1
SHAPE = (4, 3)


class Feed(keras.utils.PyDataset):
    def __len__(self):
        return 8

"""
TRAINED = """

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Feed({}), verbose=0)
"""
READ = """\
    def __getitem__(self, index):
        paths = self.paths[index * 4 : index * 4 + 4]
        return np.stack([read(path) / 255 for path in paths]), self.labels[index * 4 : index * 4 + 4]


def read(path):
    try:
        return np.load(path)
    except Exception:
        return None
"""
DROPPED = """\
    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return np.stack([np.load(path) for path in self.paths[rows] if path.is_file()]), self.labels[rows]
"""
DRAWN = """\
    def __getitem__(self, index):
        return self.rows[index] + noise(), self.rows[index]


def noise():
    return np.random.normal(size=(4, 3))
"""
SEEDED = """\
    def __getitem__(self, index):
        rows = self.rows[index * 4 : index * 4 + 4]
        return rows + self.noise(rows), rows

    def noise(self, rows):
        np.random.seed(7){}
        return np.random.normal(size=rows.shape)
"""
LISTED = """\
    def __getitem__(self, index):
        both = [self.left[index], self.right[index]]
        if self.third is not None:
            both = self.third[index]
        else:
            both.append(self.left[index])
        return both, self.labels[index]
"""
MARKED = """\
    def __getitem__(self, index):
        return self.rows[index], self.marks[index], None
"""
FILLED = """\
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.batch = np.empty((size, 3))

    def __getitem__(self, index):
        self.batch[:] = np.load(f"{index}.npy")
        return self.batch, self.batch[:, :1]
"""
OPENED = """\
    def __init__(self, path, **kwargs):
        super().__init__(**kwargs)
        self.file = open(path, "rb")

    def __getitem__(self, index):
        self.file.seek(index * 32)
        rows = np.frombuffer(self.file.read(32), "float32").reshape(4, 2)
        return rows, rows[:, :1]
"""
TENSORS = """\
    def __getitem__(self, index):
        rows = tf.abs(self.rows[index]).numpy()
        return rows, rows
"""
PLAIN = """\
    def __getitem__(self, index):
        return self.rows[index], self.rows[index]
"""
DECODED = """\
    def __init__(self, paths, **options):
        super().__init__()
        self.paths = paths

    def __getitem__(self, index):
        images = [keras.utils.load_img(path) for path in self.paths[index * 4 : index * 4 + 4]]
        return np.stack([keras.utils.img_to_array(image) for image in images]), np.ones((4, 1))
"""


@pytest.mark.parametrize(
    ("code", "program", "reason"),
    [
        ("SEQ201", READ + "\n\nprint(read('one.npy'))\n", "`read` is called outside of the batches too"),
        ("SEQ202", DROPPED, "a comprehension or a mask leaves the sample out, not a loop"),
        ("SEQ206", DRAWN + "\n\nprint(noise())\n", "`noise` is called outside of the batches too"),
        ("SEQ206", DRAWN.replace("normal(size=(4, 3))", "rand(*SHAPE)"), "a draw has no plain counterpart"),
        ("SEQ207", SEEDED.format("; self.calls = 1"), "the call is a part of a longer statement"),
        ("SEQ207", SEEDED.format("\n        self.use_multiprocessing = True"), "may all draw the same numbers"),
        ("SEQ208", LISTED, "other code needs the list, and the batch gets it only sometimes"),
        ("SEQ209", MARKED + "\n\nx, y, weights = Feed()[0]\n", "other code of this file unpacks the batch"),
        (
            "SEQ215",
            FILLED + "\n    def last(self):\n        return self.batch[0]\n",
            "other code uses `self.batch` too",
        ),
        ("SEQ215", FILLED, "no simple edit makes all arrays of this batch in `__getitem__`"),
        ("SEQ225", OPENED + "\n    def close(self):\n        self.file.close()\n", "other methods use `self.file` too"),
        ("SEQ226", TENSORS, "`use_multiprocessing` is not given as the plain argument `True`"),
        ("SEQ227", PLAIN, "definitions or imports follow the training"),
        ("SEQ228", DECODED, "nothing shows that `workers` would reach Keras through `Feed`"),
    ],
)
def test_the_reason_is_that_of_this_program(code: str, program: str, reason: str) -> None:
    later = "\n\ndef later():\n    return model\n" if code == "SEQ227" else ""
    text = HEAD + program + TRAINED.format(GIVEN.get(code, "")) + later
    found = check(Source("train.py", text), [LOADED[code]], Config.default()).diagnostics
    assert found
    assert all(reason in one.no_fix and not one.fixes and one.help for one in found), found
