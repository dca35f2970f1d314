"""Which functions of libraries give datasets of tf.data, by their names."""

from __future__ import annotations

import re

DATASET = "tensorflow.data.Dataset"
_MAKES = re.compile(
    r"tensorflow\.data\.(?:experimental\.)?(?:\w*Dataset|make_\w+_dataset)"
    r"|(?:tensorflow\.)?keras\.(?:utils|preprocessing)\.(?:\w+_dataset_from_directory|timeseries_dataset_from_array)"
)
_ELSE = frozenset({
    "apply", "as_numpy_iterator", "cardinality", "element_spec", "get_single_element", "options", "reduce", "save", "sparse_batch",
})  # fmt: skip
"""Methods of a dataset that give something else, or what a function of the user's gives."""


def is_dataset(name: str) -> bool:
    """Whether a call of a class, a function or a method by this name gives a dataset."""
    owner, _, method = name.rpartition(".")
    return _MAKES.fullmatch(name) is not None or (owner == DATASET and method not in _ELSE and method[:1] != "_")
