"""Modules whose data lies in one file: HDF5, a memory map, records of TensorFlow."""

from __future__ import annotations

import pytest

from seqlint.proof import Program, Settings, Worker, missing

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
HEAD = "import h5py\nimport keras\nimport numpy as np\nimport tensorflow as tf\n\n\n"
STORED = """class Stored(keras.utils.Sequence):
    def __init__(self, path, batch_size=4):
        super().__init__()
        self.file = h5py.File(path, "r")
        self.batch_size = batch_size

    def __len__(self):
        return -(-len(self.file["images"]) // self.batch_size)

    def __getitem__(self, index):
        part = slice(index * self.batch_size, (index + 1) * self.batch_size)
        return self.file["images"][part], self.file["labels"][part]


"""
OPENED_LATE = """class OpenedLate(keras.utils.PyDataset):
    def __init__(self, h5_path):
        super().__init__()
        self.h5_path = h5_path
        with h5py.File(self.h5_path, "r") as file:
            self.count = file["x"].shape[0]

    def __len__(self):
        return self.count // 2

    def __getitem__(self, index):
        with h5py.File(self.h5_path, "r") as file:
            return file["x"][index * 2 : index * 2 + 2], file["y"][index * 2 : index * 2 + 2]


"""
MAPPED = """class Mapped(keras.utils.PyDataset):
    def __init__(self, file_name, batch_size=4):
        super().__init__()
        self.rows = np.memmap(file_name, dtype="float32", mode="r", shape=(100, 16))
        self.batch_size = batch_size

    def __len__(self):
        return len(self.rows) // self.batch_size

    def __getitem__(self, index):
        part = self.rows[index * self.batch_size : (index + 1) * self.batch_size]
        return np.array(part), part.mean(axis=1)


"""
RECORDS = """FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    return tf.image.resize(tf.io.decode_image(example["image"], expand_animations=False, channels=3), (8, 8)), example["label"]


def dataset(filename):
    return tf.data.TFRecordDataset(filename).map(parse).batch(4)


"""
NUMBERS = """def numbers(path):
    def parse(record):
        found = tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([5], tf.float32), "y": tf.io.FixedLenFeature((), dtype=tf.float32)})
        return found["x"], found["y"]

    return tf.data.TFRecordDataset([path]).map(parse).batch(2)
"""


def test_they_are_driven(child: Worker) -> None:
    text = HEAD + STORED + OPENED_LATE + MAPPED + RECORDS + NUMBERS
    run = child.run(text, "loaders.py", None, Program("plan"))
    assert run.recording is not None
    plan = run.recording["plan"]
    assert {target["name"] for target in plan["targets"]} == {"Stored", "OpenedLate", "Mapped", "dataset", "numbers"}, (
        plan["left"]
    )
