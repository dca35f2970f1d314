"""Functions that make labels or change their form, and data sets that come with a library.

Read from the sources and documentation of Keras 3.15, TensorFlow 2.21, NumPy 2.4, pandas 2.3 and scikit-learn 1.7.
"""

from __future__ import annotations

ONE_HOT = {
    "keras.utils.to_categorical": ("num_classes", 1), "keras.utils.np_utils.to_categorical": ("num_classes", 1),
    "tensorflow.one_hot": ("depth", 1), "keras.ops.one_hot": ("num_classes", 1),
}  # fmt: skip
"""Functions that give a row with one place for each class: their argument for the number of classes, and its place."""
ENCODERS = {
    "sklearn.preprocessing.LabelEncoder": "classes", "sklearn.preprocessing.OrdinalEncoder": "classes",
    "sklearn.preprocessing.OneHotEncoder": "one-hot", "sklearn.preprocessing.MultiLabelBinarizer": "several",
    "sklearn.preprocessing.StandardScaler": "real", "sklearn.preprocessing.MinMaxScaler": "real", "sklearn.preprocessing.RobustScaler": "real",
}  # fmt: skip
"""What `fit_transform` and `transform` give. A LabelBinarizer gives one column for two classes."""
LOADED = {
    "mnist": ("classes", 1), "fashion_mnist": ("classes", 1), "reuters": ("classes", 1), "imdb": ("classes", 1), "cifar10": ("classes", 2),
    "cifar100": ("classes", 2), "boston_housing": ("real", 1), "california_housing": ("real", 1),
}  # fmt: skip
"""The labels of `keras.datasets`: what they are, and how many axes they have."""
SKLEARN = {
    "load_iris": "classes", "load_digits": "classes", "load_wine": "classes", "load_breast_cancer": "classes", "make_classification": "classes",
    "make_moons": "classes", "make_circles": "classes", "make_blobs": "classes", "load_boston": "real", "load_diabetes": "real",
    "fetch_california_housing": "real", "make_regression": "real",
}  # fmt: skip
SAME = frozenset({
    "array", "asarray", "ascontiguousarray", "astype", "copy", "cast", "convert_to_tensor", "constant", "tolist", "list", "values", "to_numpy",
    "to_list", "shuffle", "permutation", "sample", "dropna", "fillna", "reset_index", "sort_values", "float32", "numpy", "iloc", "loc", "take",
})  # fmt: skip
"""Functions and attributes that give the same labels, or some of them."""
