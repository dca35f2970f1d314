"""Modules of classes as people write them, each with its own ways to be given data."""

from __future__ import annotations

HEAD = """\
import math
import os

import numpy as np
import tensorflow as tf
from tensorflow import keras
"""

PATHS = (
    HEAD
    + """
class CanvasSequence(keras.utils.Sequence):
    def __init__(self, x_set, y_set, batch_size, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y = x_set, y_set
        self.batch_size = batch_size

    def __len__(self):
        return math.ceil(len(self.x) / self.batch_size)

    def __getitem__(self, idx):
        low = idx * self.batch_size
        high = min(low + self.batch_size, len(self.x))
        batch_x = self.x[low:high]
        batch_y = self.y[low:high]
        return np.array([read(name) for name in batch_x]), np.array(batch_y)


def read(name):
    picture = tf.io.decode_png(tf.io.read_file(name), channels=3)
    return tf.image.resize(picture, (20, 20)).numpy() / 255.0
"""
)

IDS = (
    HEAD
    + """
class VolumeGenerator(keras.utils.Sequence):
    def __init__(self, list_IDs, labels, batch_size=32, dim=(6, 6, 6), n_channels=1, n_classes=10, shuffle=True):
        super().__init__()
        self.dim = dim
        self.batch_size = batch_size
        self.labels = labels
        self.list_IDs = list_IDs
        self.n_channels = n_channels
        self.n_classes = n_classes
        self.shuffle = shuffle
        self.on_epoch_end()

    def __len__(self):
        return int(np.floor(len(self.list_IDs) / self.batch_size))

    def __getitem__(self, index):
        indexes = self.indexes[index * self.batch_size:(index + 1) * self.batch_size]
        list_IDs_temp = [self.list_IDs[k] for k in indexes]
        return self.__data_generation(list_IDs_temp)

    def on_epoch_end(self):
        self.indexes = np.arange(len(self.list_IDs))
        if self.shuffle:
            np.random.shuffle(self.indexes)

    def __data_generation(self, list_IDs_temp):
        X = np.empty((self.batch_size, *self.dim, self.n_channels))
        y = np.empty((self.batch_size), dtype=int)
        for i, ID in enumerate(list_IDs_temp):
            X[i,] = np.load('volumes/' + ID + '.npy')
            y[i] = self.labels[ID]
        return X, keras.utils.to_categorical(y, num_classes=self.n_classes)
"""
)

FRAME = (
    HEAD
    + """
class TableLoader(keras.utils.Sequence):
    def __init__(self, df, image_dir, x_col, y_col="breed", batch_size=16, shuffle=False):
        super().__init__()
        self.df = df.copy()
        self.image_dir = image_dir
        self.x_col = x_col
        self.y_col = y_col
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.names = sorted(self.df[self.y_col].unique())

    def __len__(self):
        return math.ceil(len(self.df) / self.batch_size)

    def on_epoch_end(self):
        if self.shuffle:
            self.df = self.df.sample(frac=1).reset_index(drop=True)

    def load(self, name):
        data = tf.io.read_file(os.path.join(self.image_dir, name))
        return tf.image.resize(tf.io.decode_image(data, channels=3), (16, 16)).numpy()

    def __getitem__(self, index):
        batch = self.df[index * self.batch_size:(index + 1) * self.batch_size]
        x = np.stack([self.load(name) for name in batch[self.x_col]])
        y = np.array([self.names.index(name) for name in batch[self.y_col]])
        return x, y, batch["importance"].to_numpy()
"""
)

WALKER = (
    HEAD
    + """
from pathlib import Path


class FolderWalker(keras.utils.Sequence):
    def __init__(self, root_dir, batch_size=8, target_size=(24, 24)):
        super().__init__()
        self.classes = sorted(entry for entry in os.listdir(root_dir) if os.path.isdir(os.path.join(root_dir, entry)))
        self.items = []
        for number, name in enumerate(self.classes):
            for file in sorted(Path(root_dir, name).glob("*.jpg")):
                self.items.append((str(file), number))
        self.batch_size = batch_size
        self.target_size = target_size

    def __len__(self):
        return math.ceil(len(self.items) / self.batch_size)

    def __getitem__(self, index):
        part = self.items[index * self.batch_size:(index + 1) * self.batch_size]
        pictures = [tf.io.decode_jpeg(tf.io.read_file(path)) for path, _ in part]
        pictures = [tf.image.resize(picture, self.target_size) for picture in pictures]
        return tf.stack(pictures), np.array([label for _, label in part])
"""
)

AUGMENTED = (
    HEAD
    + """
class Augmented(keras.utils.Sequence):
    def __init__(self, images, labels, batch_size, augmentations, num_classes):
        super().__init__()
        self.images, self.labels = images, labels
        self.batch_size, self.augment = batch_size, augmentations
        self.num_classes = num_classes

    def __len__(self):
        return int(np.ceil(len(self.images) / float(self.batch_size)))

    def __getitem__(self, idx):
        x = self.images[idx * self.batch_size:(idx + 1) * self.batch_size]
        y = self.labels[idx * self.batch_size:(idx + 1) * self.batch_size]
        height, width, channels = x[0].shape
        out = np.stack([self.augment(image=image)["image"] for image in x])
        return out, keras.utils.to_categorical(y, self.num_classes)
"""
)

TWO_HEADS = (
    HEAD
    + """
class TwoHeads(keras.utils.Sequence):
    def __init__(self, ages, images, prices, genders, batch_size=2):
        super().__init__()
        self.data = {"age": ages, "image": images}
        self.price, self.gender = prices, genders
        self.batch_size = batch_size

    def __len__(self):
        return len(self.price) // self.batch_size

    def __getitem__(self, index):
        part = slice(index * self.batch_size, (index + 1) * self.batch_size)
        return (
            {name: values[part] for name, values in self.data.items()},
            {"price": self.price[part], "gender": self.gender[part]},
        )
"""
)

MASKS = (
    HEAD
    + """
class Lesions(keras.utils.Sequence):
    def __init__(self, image_paths, mask_paths, img_size, batch_size):
        super().__init__()
        self.image_paths = image_paths
        self.mask_paths = mask_paths
        self.img_size = img_size
        self.batch_size = batch_size

    def __len__(self):
        return math.ceil(len(self.image_paths) / self.batch_size)

    def __getitem__(self, idx):
        i = idx * self.batch_size
        pairs = list(zip(self.image_paths[i:i + self.batch_size], self.mask_paths[i:i + self.batch_size]))
        x = np.zeros((len(pairs),) + self.img_size + (3,), dtype="float32")
        y = np.zeros((len(pairs),) + self.img_size + (1,), dtype="uint8")
        for j, (image, mask) in enumerate(pairs):
            x[j] = tf.io.decode_png(tf.io.read_file(image), channels=3).numpy() / 255
            y[j] = tf.io.decode_png(tf.io.read_file(mask), channels=1).numpy()
        return x, y
"""
)

WINDOWS = (
    HEAD
    + """
class Windows(keras.utils.Sequence):
    def __init__(self, series: np.ndarray, lookback: int, horizon: int = 1, batch_size: int = 4):
        super().__init__()
        self.series, self.lookback, self.horizon, self.batch_size = series, lookback, horizon, batch_size

    def __len__(self):
        return (len(self.series) - self.lookback - self.horizon + 1) // self.batch_size

    def __getitem__(self, index):
        starts = range(index * self.batch_size, (index + 1) * self.batch_size)
        x = np.stack([self.series[k:k + self.lookback] for k in starts])
        y = np.stack([self.series[k + self.lookback:k + self.lookback + self.horizon] for k in starts])
        return x[..., None], y
"""
)

TEXTS = (
    HEAD
    + """
class Reviews(keras.utils.Sequence):
    def __init__(self, texts, targets, vocab_size, max_len, batch_size):
        super().__init__()
        self.texts, self.targets = texts, targets
        self.vocab_size, self.max_len, self.batch_size = vocab_size, max_len, batch_size

    def __len__(self):
        return math.ceil(len(self.texts) / self.batch_size)

    def encode(self, text):
        numbers = [sum(map(ord, word)) % self.vocab_size for word in text.lower().split()][: self.max_len]
        return numbers + [0] * (self.max_len - len(numbers))

    def __getitem__(self, index):
        part = slice(index * self.batch_size, (index + 1) * self.batch_size)
        return np.array([self.encode(text) for text in self.texts[part]]), np.array(self.targets[part])
"""
)

WEIGHTED = (
    HEAD
    + """
class Weighted(keras.utils.Sequence):
    def __init__(self, x, y, sample_weights=None, batch_size=5, mode="train", shuffle_seed=None):
        super().__init__()
        self.x, self.y, self.w = x, y, sample_weights
        self.batch_size, self.mode = batch_size, mode

    def __len__(self):
        return math.ceil(self.x.shape[0] / self.batch_size)

    def __getitem__(self, index):
        part = slice(index * self.batch_size, (index + 1) * self.batch_size)
        x, y = self.x[part], self.y[part]
        w = np.ones(len(x)) if self.w is None else self.w[part]
        return x.reshape(len(x), -1), y, w
"""
)

STREAMS = (
    HEAD
    + """
def batches(features, labels, batch_size):
    while True:
        for start in range(0, len(features), batch_size):
            yield features[start:start + batch_size], labels[start:start + batch_size]


def make_dataset(image_paths, labels, batch_size=32):
    dataset = tf.data.Dataset.from_tensor_slices((image_paths, labels))
    return dataset.map(decode).batch(batch_size)


def decode(path, label):
    return tf.image.resize(tf.io.decode_png(tf.io.read_file(path), channels=3), (8, 8)), label
"""
)

CALLBACKS = (
    HEAD
    + """
class Confusion(keras.callbacks.Callback):
    def __init__(self, validation_data, every=1):
        super().__init__()
        self.validation_data, self.every = validation_data, every

    def on_epoch_end(self, epoch, logs=None):
        x, y = self.validation_data
        guess = np.argmax(self.model.predict(x, verbose=0), axis=1)
        print("right:", int((guess == y).sum()), "loss" in logs)


class Stopper(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs.get("val_accuracy", 0) > 2:
            self.model.stop_training = True
"""
)

MADE_INSIDE = (
    HEAD
    + """
def make_sequence(store):
    class Hidden(keras.utils.Sequence):
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return store[index], store[index]

    return Hidden()
"""
)

DATABASE = (
    HEAD
    + """
class Rows(keras.utils.Sequence):
    def __init__(self, store, batch_size=4):
        super().__init__()
        self.cursor = store.open_cursor()
        self.batch_size = batch_size

    def __len__(self):
        return self.cursor.count() // self.batch_size

    def __getitem__(self, index):
        return self.cursor.read(index, self.batch_size)
"""
)

FLOAT_LENGTH = (
    HEAD
    + """
class FloatLength(keras.utils.Sequence):
    def __init__(self, x, y, batch_size):
        super().__init__()
        self.x, self.y, self.batch_size = x, y, batch_size

    def __len__(self):
        return np.ceil(len(self.x) / self.batch_size)

    def __getitem__(self, index):
        part = slice(index * self.batch_size, (index + 1) * self.batch_size)
        return self.x[part], self.y[part]
"""
)

COLUMNS = (
    HEAD
    + """
class TableRows(keras.utils.Sequence):
    def __init__(self, df, feature_cols, target_col, batch_size=4):
        super().__init__()
        self.df, self.feature_cols, self.target_col, self.batch_size = df, feature_cols, target_col, batch_size

    def __len__(self):
        return len(self.df) // self.batch_size

    def __getitem__(self, index):
        part = self.df.iloc[index * self.batch_size:(index + 1) * self.batch_size]
        return part[self.feature_cols].values.astype("float32"), part[self.target_col].values
"""
)

STORED = (
    HEAD
    + """
import shelve


class Stored(keras.utils.Sequence):
    def __init__(self, h5_path, batch_size=4):
        super().__init__()
        self.file, self.batch_size = shelve.open(h5_path, "r"), batch_size

    def __len__(self):
        return len(self.file) // self.batch_size

    def __getitem__(self, index):
        return self.file[str(index)]
"""
)
