"""Calls that change the scale of inputs, and calls that leave it as it is.

Read from the sources of NumPy 2.4, scikit-learn 1.7, Keras 3.15 and TensorFlow 2.21.
"""

from __future__ import annotations

SCALERS = frozenset({
    f"sklearn.preprocessing.{name}"
    for name in ("StandardScaler", "MinMaxScaler", "RobustScaler", "MaxAbsScaler", "QuantileTransformer", "PowerTransformer")
})  # fmt: skip
"""Classes that learn a scale from rows."""
LEARNERS = SCALERS | {
    "sklearn.decomposition.PCA", "sklearn.decomposition.TruncatedSVD", "sklearn.decomposition.FastICA", "sklearn.impute.SimpleImputer",
    "sklearn.impute.KNNImputer", "sklearn.feature_selection.SelectKBest", "sklearn.feature_extraction.text.TfidfVectorizer",
}  # fmt: skip
"""Classes that learn numbers from rows, which they change others by."""
OF_EACH = frozenset({
    "preprocess_input", "log", "log1p", "sqrt", "convert_image_dtype", "per_image_standardization", "standardize",
})  # fmt: skip
"""Functions that change the scale of each row by itself."""
OF_ALL = frozenset({"zscore", "scale", "minmax_scale", "robust_scale", "maxabs_scale"})
"""Functions that learn the scale from the rows that they get."""
NEUTRAL = frozenset({
    "astype", "reshape", "copy", "to_numpy", "tolist", "to_list", "fillna", "reset_index", "squeeze", "view", "expand_dims", "array", "asarray",
    "asfarray", "float32", "float64", "int32", "int64", "uint8", "ravel", "flatten", "rename", "drop", "dropna", "to_categorical", "one_hot",
    "get_dummies", "list", "tuple", "sorted", "resize", "resize_with_pad", "resize_with_crop_or_pad", "central_crop", "read_file", "cast", "constant",
    "convert_to_tensor", "stack", "vstack", "transpose", "swapaxes", "moveaxis", "pad_sequences", "texts_to_sequences", "numpy", "decode_jpeg",
    "decode_png", "decode_image", "decode_bmp", "decode_gif", "ensure_shape", "set_shape", "identity", "deepcopy", "ascontiguousarray", "batch",
    "padded_batch", "cache", "prefetch", "repeat", "with_options", "shuffle", "unbatch", "enumerate", "rgb_to_grayscale", "grayscale_to_rgb",
    "pad", "as_numpy_iterator", "from_tensor_slices", "to_frame", "DataFrame", "Series", "atleast_2d", "toarray", "flip_left_right",
    "flip_up_down", "rot90", "dstack", "rollaxis", "ignore_errors", "float", "img_to_array", "cvtColor", "convert",
})  # fmt: skip
"""They change the form of rows, or which rows there are, and no scale."""
DRAWING = ("random_", "stateless_random_", "Random")
"""What draws for each row: an augmentation, which training alone has."""
PASSES_THROUGH = ("efficientnet", "efficientnet_v2", "convnext", "mobilenet_v3", "regnet")
"""Modules of `keras.applications` whose `preprocess_input` gives what it gets."""
