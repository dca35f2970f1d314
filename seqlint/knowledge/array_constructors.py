"""The functions that make arrays of a shape that is written out, with their parameters (NumPy 2, TensorFlow 2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Constructor:
    """How a function makes an array.

    Attributes:
        parameters: in order.
        shape: the parameter that gives the shape; a call without it gives one number.
        dtype: the type of the elements unless the parameter `dtype` says otherwise; None: that of `fill_value`.
    """

    parameters: tuple[str, ...]
    shape: str = "size"
    dtype: str | None = "float64"


_SHAPED = Constructor(("shape", "dtype", "order"), "shape")
_TENSOR = Constructor(("shape", "dtype"), "shape", "float32")
_SIZED = Constructor(("size", "dtype"))
_INTEGERS = Constructor(("low", "high", "size", "dtype", "endpoint"), dtype="int64")

CONSTRUCTORS: dict[str, Constructor] = {
    "numpy.zeros": _SHAPED, "numpy.ones": _SHAPED, "numpy.empty": _SHAPED,
    "numpy.full": Constructor(("shape", "fill_value", "dtype"), "shape", None),
    "numpy.random.random": Constructor(("size",)), "numpy.random.random_sample": Constructor(("size",)),
    "numpy.random.standard_normal": Constructor(("size",)),
    "numpy.random.normal": Constructor(("loc", "scale", "size")),
    "numpy.random.uniform": Constructor(("low", "high", "size")),
    "numpy.random.randint": Constructor(("low", "high", "size", "dtype"), dtype="int64"),
    "tensorflow.zeros": _TENSOR, "tensorflow.ones": _TENSOR,
    "tensorflow.random.normal": Constructor(("shape", "mean", "stddev", "dtype"), "shape", "float32"),
    "tensorflow.random.uniform": Constructor(("shape", "minval", "maxval", "dtype"), "shape", "float32"),
}  # fmt: skip

GENERATORS = frozenset({"numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator"})
"""What makes a random generator; its methods are in METHODS."""
METHODS: dict[str, Constructor] = {
    "random": _SIZED, "random_sample": _SIZED, "standard_normal": _SIZED,
    "normal": CONSTRUCTORS["numpy.random.normal"], "uniform": CONSTRUCTORS["numpy.random.uniform"],
    "integers": _INTEGERS, "randint": CONSTRUCTORS["numpy.random.randint"],
}  # fmt: skip

DIMENSIONS = frozenset({"numpy.random.rand", "numpy.random.randn"})
"""Functions whose arguments are the sizes of the axes; they give float64."""
LIKE = frozenset({"numpy.zeros_like", "numpy.ones_like", "numpy.empty_like", "numpy.full_like"})
STACKS = frozenset({"numpy.array", "numpy.asarray", "numpy.ascontiguousarray", "numpy.stack", "tensorflow.stack"})
"""Functions that make one array of a list: each item is a row."""
JOINS = frozenset({"numpy.concatenate", "numpy.vstack", "numpy.row_stack", "tensorflow.concat"})
"""Functions that put arrays behind each other along the first axis, unless an axis is named."""
CASTS = frozenset({"tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.constant"})
SAME = frozenset({"numpy.clip", "numpy.flip", "numpy.fliplr", "numpy.flipud", "numpy.copy", "numpy.random.permutation"})
"""Functions that keep shape and type of their first argument."""
