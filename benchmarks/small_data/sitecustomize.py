"""Gives the data sets of Keras as made arrays, in any Python that has this folder in PYTHONPATH, evaluates on few rows, and draws no models.

Programs of the public download them; here they are made, with the shapes and types of the true ones. MNIST has all its rows, since
many programs write their number out; the others have fewer.
"""

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys

import numpy

_DATASETS = re.compile(r"(?:tf_keras|keras)\.src\.datasets\.(\w+)$")
_MODELS = {
    "tf_keras.src.engine.training": "Model",
    "keras.src.backend.tensorflow.trainer": "TensorFlowTrainer",
}
_PLOTS = ("tf_keras.src.utils.vis_utils", "keras.src.utils.model_visualization")
_MOST = 256
"""Rows of an array that are evaluated."""


class _Finder(importlib.abc.MetaPathFinder):
    """Changes modules as they are loaded."""

    def find_spec(self, fullname, path, target=None):
        change = _change(fullname)
        if change is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            change(module)

        spec.loader.exec_module = exec_module
        return spec


def _change(name):
    match = _DATASETS.match(name)
    if match and match[1] in _MADE:
        return lambda module: _put_data(module, _MADE[match[1]])
    if name in _PLOTS:
        return lambda module: setattr(module, "plot_model", lambda *args, **kwargs: None)
    return (lambda module: _evaluate_less(getattr(module, _MODELS[name]))) if name in _MODELS else None


def _put_data(module, make):
    module.load_data = make
    if hasattr(module, "get_word_index"):
        module.get_word_index = _word_index


def _evaluate_less(cls):
    original = cls.evaluate

    @functools.wraps(original)
    def evaluate(self, x=None, y=None, *args, **kwargs):
        if isinstance(x, numpy.ndarray) and isinstance(y, numpy.ndarray) and len(x) == len(y):
            x, y = x[:_MOST], y[:_MOST]
        return original(self, x, y, *args, **kwargs)

    cls.evaluate = evaluate


def _images(rows, shape, classes, column):
    few = numpy.random.default_rng(7).integers(0, 256, (_MOST, *shape), dtype="uint8")
    parts = []
    for count in rows:
        labels = (numpy.arange(count) % classes).astype("uint8")
        images = numpy.resize(few, (count, *shape))
        parts.append((images, labels.reshape(-1, 1) if column else labels))
    return tuple(parts)


def _grey(*args, **kwargs):
    return _images((60000, 10000), (28, 28), 10, column=False)


def _colour(classes):
    return lambda *args, **kwargs: _images((10000, 1000), (32, 32, 3), classes, column=True)


def _texts(classes, rows):
    def load_data(path="", num_words=None, skip_top=0, maxlen=None, seed=113, **kwargs):
        words = numpy.random.default_rng(7).integers(4, min(num_words or 20000, 20000), 5000).tolist()
        parts = []
        for count in rows:
            found = numpy.empty(count, dtype=object)
            for k in range(count):
                found[k] = [1, *words[k % 4000 : k % 4000 + min((maxlen or 120) - 2, 20 + k % 97)]]
            parts.append((found, numpy.arange(count) % classes))
        return tuple(parts)

    return load_data


def _word_index(*args, **kwargs):
    return {f"word{k}": k for k in range(1, 20001)}


def _rows(columns, counts):
    def load_data(*args, **kwargs):
        draws = numpy.random.default_rng(7)
        parts = [draws.normal(size=(count, columns)) for count in counts]
        return tuple((part, part[:, 0] * 3 + 20) for part in parts)

    return load_data


_MADE = {
    "mnist": _grey,
    "fashion_mnist": _grey,
    "cifar10": _colour(10),
    "cifar100": _colour(100),
    "imdb": _texts(2, (12000, 1000)),
    "reuters": _texts(46, (8982, 2246)),
    "boston_housing": _rows(13, (404, 102)),
    "california_housing": _rows(8, (16512, 4128)),
}
sys.meta_path.insert(0, _Finder())
