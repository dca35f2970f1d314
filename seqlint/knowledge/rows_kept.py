"""Which calls give the rows that they get, each one changed at most by itself: none is left out, none is added.

Read from the sources of NumPy 2.4, pandas 2.3, scikit-learn 1.7, Keras 3.15 and TensorFlow 2.21.
"""

from __future__ import annotations

METHODS = frozenset({
    "astype", "reshape", "copy", "to_numpy", "tolist", "to_list", "fillna", "reset_index", "squeeze", "view", "clip", "round", "numpy",
    "rename", "replace", "apply", "map", "assign", "set_index", "set_axis", "join_columns", "interpolate", "ffill", "bfill", "to_frame",
    "get_values", "as_matrix", "toarray", "todense", "ravel", "flatten", "abs", "eq", "sub", "div", "mul", "add", "cast",
})  # fmt: skip
"""Methods of arrays and frames."""
TAKES_ROWS = frozenset({
    "transform", "fit_transform", "texts_to_sequences", "texts_to_matrix", "sequences_to_matrix", "inverse_transform", "standardize",
    "preprocess_input", "to_categorical", "pad_sequences", "one_hot", "normalize", "expand_dims", "predict", "img_to_array",
})  # fmt: skip
"""Calls that get rows as their first argument, under whatever name their module has."""
FUNCTIONS = frozenset({
    f"{home}.{name}"
    for home in ("numpy", "tensorflow", "keras.ops", "keras.backend", "tensorflow.math", "tensorflow.image", "pandas")
    for name in (
        "array", "asarray", "copy", "expand_dims", "squeeze", "reshape", "ravel", "float32", "float64", "int32", "int64", "uint8", "log", "log1p",
        "exp", "sqrt", "abs", "absolute", "clip", "clip_by_value", "round", "nan_to_num", "constant", "convert_to_tensor", "cast", "divide",
        "subtract", "multiply", "add", "stack", "swapaxes", "moveaxis", "transpose", "atleast_2d", "resize", "rgb_to_grayscale",
        "convert_image_dtype", "one_hot", "squared", "power", "square", "ascontiguousarray", "DataFrame", "Series", "get_dummies", "to_numeric",
        "argmax", "dstack", "pad", "asfarray", "eye", "rollaxis", "repeat_channels", "grayscale_to_rgb",
    )
} | {"builtins.list", "builtins.tuple", "builtins.sorted", "builtins.reversed", "builtins.enumerate", "tqdm.tqdm", "tqdm.auto.tqdm",
     "tqdm.notebook.tqdm", "copy.copy", "copy.deepcopy", "scipy.stats.zscore", "sklearn.preprocessing.scale",
     "sklearn.preprocessing.minmax_scale", "sklearn.preprocessing.robust_scale", "sklearn.preprocessing.normalize"})  # fmt: skip
"""Functions whose first argument is the rows."""
CUTS_WINDOWS = frozenset({"sliding_window_view", "TimeseriesGenerator", "timeseries_dataset_from_array"})
"""Calls that give the windows over the rows of their first argument."""
JOINS = frozenset({"concatenate", "vstack", "concat", "append", "row_stack"})
"""Functions that put several collections together, one after the other."""
PICTURES = ("load_img", "cv2.imread", "PIL.Image.open")
"""They read a picture with numbers from 0 to 255."""
SUMMARIES = frozenset({
    "mean", "std", "var", "max", "min", "sum", "median", "amax", "amin", "nanmean", "nanstd", "quantile", "percentile", "ptp", "len", "size",
    "average", "shape", "ndim", "dtype", "nanmax", "nanmin", "nunique", "prod", "reduce_mean", "reduce_std", "reduce_max", "reduce_min",
    "mean_", "scale_", "var_", "describe", "agg", "n", "samples", "argmax", "count", "count_nonzero", "cardinality", "columns", "norm",
})  # fmt: skip
"""Numbers about rows, and no rows."""
DRAWN = (
    "numpy.random.", "random.", "tensorflow.random.", "keras.random.", "sklearn.datasets.make_", "keras.backend.random_", "torch.",
)  # fmt: skip
"""Calls that make rows up."""
MADE_UP = frozenset({
    f"{home}.{name}"
    for home in ("numpy", "tensorflow", "keras.ops")
    for name in ("zeros", "ones", "full", "arange", "linspace", "eye", "identity", "zeros_like", "ones_like", "range", "empty", "indices", "meshgrid")
} | {"builtins.range"})  # fmt: skip
LOADS = (
    "numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "pandas.read_", "keras.datasets.", "pickle.load", "joblib.load", "json.load",
    "sklearn.datasets.load_", "sklearn.datasets.fetch_", "scipy.io.loadmat", "h5py.File", "tensorflow_datasets.load", "torch.load",
    "builtins.sorted", "glob.glob", "os.listdir", "PIL.Image.open", "tensorflow.io.gfile.",
)  # fmt: skip
"""Calls that read what a file, or a folder, holds: the same each time."""
REDUCES_IN_PLACE = frozenset({"drop", "dropna", "drop_duplicates", "query", "truncate"})
"""Methods of a frame that leave rows out, with `inplace=True` in the frame itself."""
