"""Python functions in a map, whose results have no shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

ROWS = np.ones((4, 3), "float32")
UNKNOWN = "Cannot take the length of shape with unknown rank"
KEPT = ("cast", "divided", "flipped", "standardized", "clipped")


def test_what_python_gives_has_no_shape(line: Line) -> None:
    import tensorflow as tf

    for wrap in (tf.py_function, tf.numpy_function):
        rows = _mapped(lambda x, y, wrap=wrap: (wrap(lambda row: row * 2, [x], tf.float32), y))
        for use in ("fit", "evaluate", "validation"):
            _fails_on_keras_3(line, use, rows)
        _use(line, "predict", rows)
    if line.is_2:
        line.says("SEQ418", "it trains, if the model knows its input shape")
        with pytest.raises(ValueError, match=r"Input 0 of layer|unknown|Found `None`"):
            _use(line, "fit", rows, built=False)
        line.says("SEQ418", "Otherwise ValueError")
    else:
        line.says("SEQ418", f'`fit`, `evaluate` and validation end with ValueError "{UNKNOWN}')
        with pytest.raises(ValueError, match=r"as_list\(\) is not defined on an unknown TensorShape"):
            _use(line, "fit", rows, built=False)
        line.says("SEQ418", '"as_list() is not defined on an unknown TensorShape" where the model has no input shape')
    line.says("SEQ418", "`predict` takes it")


def test_a_label_without_a_shape(line: Line) -> None:
    import tensorflow as tf

    _fails_on_keras_3(line, "fit", _mapped(lambda x, y: (x, tf.py_function(lambda label: label, [y], tf.float32))))
    if not line.is_2:
        line.says("SEQ418", "A label alone is enough for that")


def test_what_keeps_it_unknown(line: Line) -> None:
    import tensorflow as tf

    def after(name: str, x: Any) -> Any:
        return {
            "cast": lambda: tf.cast(x, tf.float64),
            "divided": lambda: x / 255.0,
            "flipped": lambda: tf.image.random_flip_left_right(x),
            "standardized": lambda: tf.image.per_image_standardization(x),
            "clipped": lambda: tf.clip_by_value(x, 0.0, 1.0),
        }[name]()

    for name in KEPT:
        made = _mapped(lambda x, y, name=name: (after(name, tf.py_function(lambda v: v, [x], tf.float32)), y))
        assert made.element_spec[0].shape.rank is None
    line.says("SEQ418", "`tf.cast`, arithmetic and most of `tf.image` leave it unknown, `batch` too")


def test_what_tells_it(line: Line) -> None:
    import tensorflow as tf

    def row(x: Any) -> Any:
        return tf.py_function(lambda value: value, [x], tf.float32)

    def by_method(x: Any, y: Any) -> Any:
        made = row(x)
        made.set_shape([None])
        return made, y

    told = (
        _mapped(by_method),
        _mapped(lambda x, y: (tf.ensure_shape(row(x), (3,)), y)),
        _mapped(lambda x, y: (tf.reshape(row(x), (3,)), y)),
        _mapped(lambda x, y: (row(x), y)).map(lambda x, y: (tf.ensure_shape(x, (None, 3)), y)),
        _mapped(lambda x, y: (row(x), y), batched=False).padded_batch(2, ((3,), (1,))),
    )
    for each in told:
        _use(line, "fit", each)
    line.says("SEQ418", "`set_shape`, `tf.ensure_shape`, `tf.reshape` or `padded_shapes` at any later step are enough")


def test_what_needs_it_at_once(line: Line) -> None:
    import tensorflow as tf

    with pytest.raises(ValueError, match="'images' contains no shape"):
        _mapped(lambda x, y: (tf.image.resize(tf.py_function(lambda v: v, [x], tf.float32), (8, 8)), y))
    line.says("SEQ418", "`tf.image.resize` of it raises ValueError \"'images' contains no shape.\" at once")


def _mapped(function: Any, batched: bool = True) -> Any:
    import tensorflow as tf

    rows = tf.data.Dataset.from_tensor_slices((ROWS, ROWS[:, :1])).map(function)
    return rows.batch(2) if batched else rows


def _fails_on_keras_3(line: Line, use: str, dataset: Any) -> None:
    if line.is_2:
        _use(line, use, dataset)
        return
    with pytest.raises(ValueError, match=UNKNOWN):
        _use(line, use, dataset)


def _use(line: Line, use: str, dataset: Any, built: bool = True) -> None:
    layers = [line.keras.Input((3,))] if built else []
    model = line.keras.Sequential([*layers, line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    if use == "validation":
        model.fit(ROWS, ROWS[:, :1], validation_data=dataset, verbose=0)
    else:
        getattr(model, use)(dataset, verbose=0)
