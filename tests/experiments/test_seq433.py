"""`Tout` of Python functions against what they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_numpy_function_converts_nothing(line: Line) -> None:
    import tensorflow as tf

    unlike: tuple[tuple[Any, Any], ...] = (
        (1.5, tf.float32), (3, tf.float32), (3, tf.int32), (np.ones(2), tf.float32), (np.ones(2, "int64"), tf.int32),
        (np.ones(2, "uint8"), tf.float32), ([1.0, 2.0], tf.float32), (True, tf.float32), (np.ones(2, "float32"), tf.float64),
    )  # fmt: skip
    for value, declared in unlike:
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=r"0-th value returned by pyfunc_\d+ is \w+, but expects|returns 2 values, but expects to see 1",
        ):
            _first("numpy_function", value, declared)
    line.says("SEQ433", 'InvalidArgumentError "0-th value returned by pyfunc_0 is double, but expects float')
    line.says("SEQ433", "`tf.numpy_function` refuses any other type at the first batch")
    for value, declared in ((1.5, tf.float64), (3, tf.int64), ("a", tf.string), (np.ones(2, "float32"), tf.float32)):
        _first("numpy_function", value, declared)
    line.says("SEQ433", "a Python float is float64 there, an int is int64")


def test_py_function_converts_numbers(line: Line) -> None:
    import tensorflow as tf

    for value, declared in (
        (1.5, tf.float32),
        (3, tf.float32),
        (np.ones(2), tf.float32),
        (np.ones(2, "int64"), tf.int32),
    ):
        assert _first("py_function", value, declared).dtype == declared
    assert _first("py_function", np.array([1.7, 0.4]), tf.int32).numpy().tolist() == [1, 0]
    line.says("SEQ433", "`tf.py_function` converts Python's and NumPy's numbers, and cuts 1.7 to 1")


def test_py_function_does_not_convert_tensors(line: Line) -> None:
    import tensorflow as tf

    for value, declared in (
        (tf.ones(2, tf.float64), tf.float32),
        (tf.ones(2), tf.int32),
        (tf.ones(2, tf.int64), tf.float32),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError):
            _first("py_function", value, declared)
    for value in (1.5, [1.0, 2.0]):
        with pytest.raises(tf.errors.InvalidArgumentError):
            _first("py_function", value, tf.int32)
    line.says("SEQ433", "it refuses a tensor of another type, and a Python float for an int")


def test_texts_and_numbers(line: Line) -> None:
    import tensorflow as tf

    for kind in ("py_function", "numpy_function"):
        for value, declared in (("a", tf.float32), (np.ones(2), tf.string), (1, tf.string), (None, tf.float32)):
            with pytest.raises(tf.errors.InvalidArgumentError):
                _first(kind, value, declared)
    line.says("SEQ433", "a text for a number, a number for a text and None are refused by both")


def test_another_number_of_results(line: Line) -> None:
    import tensorflow as tf

    two = [tf.float64, tf.int64]
    for kind in ("py_function", "numpy_function"):
        with pytest.raises(tf.errors.InvalidArgumentError):
            _first(kind, 1.0, two)
    with pytest.raises(tf.errors.InvalidArgumentError):
        _first("numpy_function", (1.0, 2, 3), two)
    line.says("SEQ433", "one result for two types is refused by both")
    assert len(_first("py_function", (1.0, 2, 3), two)) == 2
    assert _first("py_function", (1.0, 2), tf.float64).numpy() == 1.0
    assert _first("py_function", [1.0, 2.0], tf.float32).shape == ()
    line.says(
        "SEQ433",
        "`tf.py_function` drops what is too many, also of a list of numbers, and `tf.numpy_function` refuses it",
    )


def _first(kind: str, value: Any, declared: Any) -> Any:
    """What the first row of a dataset is, where a function gives `value` for it."""
    import tensorflow as tf

    wrapped = getattr(tf, kind)
    return next(iter(tf.data.Dataset.range(1).map(lambda row: wrapped(lambda _: value, [row], declared))))
