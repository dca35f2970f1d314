"""Which calls bring rows into another order, which show the same rows, and which set a random generator.

Read from the sources of NumPy 2.4, Python 3.12, scikit-learn 1.7, pandas 2.3, Keras 3.15 and TensorFlow 2.21.
"""

from __future__ import annotations

IN_PLACE = frozenset({
    "random.shuffle", "random.Random.shuffle", "random.SystemRandom.shuffle", "numpy.random.shuffle", "numpy.random.Generator.shuffle",
    "numpy.random.RandomState.shuffle",
})  # fmt: skip
"""They change the order of what they get, and give None."""
GENERATORS = frozenset({
    "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator", "random.Random",
    "sklearn.utils.check_random_state", "random.SystemRandom",
})  # fmt: skip
"""They make a generator of their own, from a seed if they get one."""
PERMUTED = frozenset({
    "numpy.random.permutation", "numpy.random.Generator.permutation", "numpy.random.RandomState.permutation",
    "numpy.random.Generator.permuted", "keras.random.shuffle", "tensorflow.random.shuffle",
    "tensorflow.random.experimental.stateless_shuffle",
})  # fmt: skip
"""They give their first argument in another order; of a number, the numbers below it."""
SEEDED_BY = {
    "sklearn.utils.shuffle": "random_state", "sklearn.model_selection.train_test_split": "random_state", "keras.random.shuffle": "seed",
    "tensorflow.random.shuffle": "seed", "tensorflow.random.experimental.stateless_shuffle": "seed", ".sample": "random_state",
    "pandas.DataFrame.sample": "random_state",
}  # fmt: skip
"""The argument that fixes what a call draws."""
VIEWS = frozenset({
    "numpy.asarray", "numpy.reshape", "numpy.ravel", "numpy.squeeze", "numpy.expand_dims", "numpy.atleast_2d", ".reshape", ".view", ".squeeze",
    ".ravel", "numpy.ndarray.reshape", "numpy.ndarray.view", "numpy.ndarray.squeeze", "numpy.ndarray.ravel",
})  # fmt: skip
"""They show the rows of their receiver, or first argument, and own none."""
COPIES = frozenset({
    "numpy.array", "numpy.copy", "numpy.stack", "numpy.concatenate", "numpy.vstack", "numpy.expand_dims", "builtins.list", "builtins.tuple",
    "keras.utils.to_categorical", "keras.ops.one_hot", "keras.ops.array", "keras.ops.convert_to_tensor", "tensorflow.constant",
    "tensorflow.convert_to_tensor", "tensorflow.stack", "copy.copy", "copy.deepcopy", "pandas.DataFrame", "pandas.Series", "pandas.get_dummies",
    ".copy", ".astype", ".tolist", ".to_numpy", ".to_list", ".flatten", "numpy.ndarray.copy", "numpy.ndarray.astype", "numpy.ndarray.tolist",
    "numpy.ndarray.flatten", "pandas.DataFrame.copy", "pandas.DataFrame.to_numpy", "pandas.DataFrame.reset_index",
    "pandas.DataFrame.drop", "pandas.DataFrame.astype", ".reset_index", ".drop", ".fillna", "pandas.DataFrame.fillna",
})  # fmt: skip
"""They give new rows, in the order of those that they get."""
VIEWING_ATTRIBUTES = frozenset({"values", "iloc", "loc", "array", "real", "data"})
ALIKE = frozenset({
    f"{home}.{name}"
    for home in ("numpy", "tensorflow", "keras.ops")
    for name in ("zeros", "ones", "full", "fill", "zeros_like", "ones_like", "full_like")
})  # fmt: skip
"""All their rows are the same."""
SORTS = frozenset({"numpy.sort", "numpy.unique", "builtins.sorted", ".sort_values", "pandas.DataFrame.sort_values"})
"""They give the rows in an order of their own."""
MEASURES = frozenset({"builtins.len", "numpy.shape", "numpy.size", "shape", "size", "ndim", "dtype", "columns"})
"""They say how much there is, not what."""
LISTS = frozenset({
    "builtins.list", "builtins.sorted", "os.listdir", "glob.glob", "random.sample", "random.choices", "natsort.natsorted", "tolist", "to_list",
    "split", "splitlines", "readlines",
})  # fmt: skip
"""They give a list; without a dot it is a method of anything."""
RANGES = frozenset({"builtins.range", "numpy.arange"})
SEEDS = {
    "random.seed": ("random",), "numpy.random.seed": ("numpy.random",), "keras.utils.set_random_seed": ("random", "numpy.random"),
    "random.setstate": ("random",), "numpy.random.set_state": ("numpy.random",),
}  # fmt: skip
"""They set the generator of a library, so that it draws the same as after the same call before."""
STATES = {"random.getstate": "random", "numpy.random.get_state": "numpy.random"}
"""They give the state of the generator of a library."""


def moves_in_place(name: str) -> bool:
    """Whether a call changes the order of the items of its first argument."""
    return name in IN_PLACE or name == ".shuffle"
