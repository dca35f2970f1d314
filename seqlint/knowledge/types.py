"""The library type of what a call gives, so that a method has a canonical name.

Read from the sources and documentation of TensorFlow 2.21, Keras 3.15, NumPy 2.4, pandas 2.3 and scikit-learn 1.7.
"""

from __future__ import annotations

from seqlint.knowledge.tf_data import JOINS, LOADERS, METHODS, SOURCES

DATASET = "tensorflow.data.Dataset"
MODEL = "keras.Model"

GIVES: dict[str, str] = {
    "numpy.random.default_rng": "numpy.random.Generator",
    "tensorflow.random.Generator.from_seed": "tensorflow.random.Generator",
    "tensorflow.random.Generator.from_non_deterministic_state": "tensorflow.random.Generator",
    "tensorflow.random.get_global_generator": "tensorflow.random.Generator",
    "pandas.read_csv": "pandas.DataFrame",
    "pandas.read_parquet": "pandas.DataFrame",
    "keras.Sequential": MODEL,
    "keras.Model": MODEL,
    "keras.load_model": MODEL,
    "keras.clone_model": MODEL,
    "keras.model_from_json": MODEL,
    "keras.saving.load_model": MODEL,
    "tensorflow_datasets.load": DATASET,
    "tensorflow.data.experimental.load": DATASET,
    "keras.preprocessing.image.ImageDataGenerator": "keras.preprocessing.image.ImageDataGenerator",
    "keras.preprocessing.image.ImageDataGenerator.flow": "keras.preprocessing.image.Iterator",
    "keras.preprocessing.image.ImageDataGenerator.flow_from_directory": "keras.preprocessing.image.Iterator",
    "keras.preprocessing.image.ImageDataGenerator.flow_from_dataframe": "keras.preprocessing.image.Iterator",
    "tensorflow.distribute.get_strategy": "tensorflow.distribute.Strategy",
}
ARRAYS = frozenset({
    "load", "array", "asarray", "zeros", "ones", "empty", "full", "arange", "linspace", "eye", "concatenate", "stack", "vstack", "hstack",
    "loadtxt", "genfromtxt", "expand_dims", "squeeze", "reshape", "repeat", "tile", "zeros_like", "ones_like", "sort",
})  # fmt: skip
FRESH = frozenset({
    "builtins.next", "builtins.input", "builtins.object", "time.time", "time.perf_counter", "time.monotonic", "time.strftime",
    "datetime.datetime.now", "datetime.datetime.today", "datetime.datetime.utcnow", "uuid.uuid4", "os.urandom", "os.getpid",
    "tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory",
    "random.random", "random.randint", "random.choice", "random.uniform", "random.sample", "random.shuffle",
    "numpy.random.rand", "numpy.random.randn", "numpy.random.randint", "numpy.random.random", "numpy.random.uniform",
    "numpy.random.choice", "numpy.random.permutation", "numpy.random.normal",
})  # fmt: skip
"""Calls whose result is another one each time."""
_ONLY_OF_DATASETS = frozenset({
    "prefetch", "padded_batch", "interleave", "bucket_by_sequence_length", "with_options", "rebatch", "ignore_errors", "rejection_resample",
})  # fmt: skip
"""Methods that no other library type has."""
_DATASET_HOMES = ("tensorflow.data.", "tensorflow.data.experimental.", "tensorflow.data.Dataset.")


def is_dataset_call(name: str) -> bool:
    """Whether a call of a canonical name gives a dataset of tf.data."""
    home, _, last = name.rpartition(".")
    if home == DATASET:
        return last in METHODS or last in SOURCES or last in JOINS
    if f"{home}." in _DATASET_HOMES:
        return last in SOURCES or last in JOINS
    if home.startswith("keras.") and last in LOADERS:
        return True
    return not home and last in _ONLY_OF_DATASETS
