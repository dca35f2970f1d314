"""Signatures of `Dataset.from_generator` that say too little, or something else than is yielded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

X, Y = np.ones(3, "float32"), np.ones(1, "float32")
ROWS = np.ones((4, 3), "float32")
UNKNOWN = "Cannot take the length of shape with unknown rank"


def rows() -> Iterator[tuple[Any, Any]]:
    for _ in range(4):
        yield X, Y


def test_types_alone(line: Line) -> None:
    for use in ("fit", "evaluate", "validation"):
        if line.is_2:
            _use(line, use, _of_types())
            continue
        with pytest.raises(ValueError, match=UNKNOWN):
            _use(line, use, _of_types())
    if line.is_2:
        line.says("SEQ409", "types without shapes train, if the model knows its input shape")
        with pytest.raises(ValueError, match=r"Input 0 of layer|unknown|Found `None`"):
            _use(line, "fit", _of_types(), built=False)
        line.says("SEQ409", "Otherwise ValueError")
    else:
        line.says("SEQ409", f'types without shapes end `fit`, `evaluate` and validation with ValueError "{UNKNOWN}')
        with pytest.raises(ValueError, match="as_list\\(\\) is not defined on an unknown TensorShape"):
            _use(line, "fit", _of_types(), built=False)
        line.says("SEQ409", '"as_list() is not defined on an unknown TensorShape" where the model has no input shape')
    _use(line, "predict", _of_types())
    line.says("SEQ409", "`predict` takes it")


def test_where_the_shape_is_told_later(line: Line) -> None:
    import tensorflow as tf

    def shaped(x: Any, y: Any) -> tuple[Any, Any]:
        return tf.ensure_shape(x, (3,)), tf.reshape(y, (1,))

    plain = _of_types(batched=False)
    told = (
        plain.map(shaped).batch(2),
        plain.padded_batch(2, padded_shapes=((3,), (1,))),
        _of_types(output_shapes=((None,), (None,))),
    )
    for each in told:
        _use(line, "fit", each)
    line.says("SEQ409", "`output_shapes`, `tf.ensure_shape` and `tf.reshape` in a map, or `padded_shapes` are enough")


def test_a_label_of_unknown_shape(line: Line) -> None:
    import tensorflow as tf

    labels = _of_types(output_shapes=((3,), tf.TensorShape(None)))
    if line.is_2:
        _use(line, "fit", labels)
        return
    with pytest.raises(ValueError, match=UNKNOWN):
        _use(line, "fit", labels)
    line.says("SEQ409", "A label alone is enough for that")


def test_another_structure(line: Line) -> None:
    import tensorflow as tf

    two = (tf.TensorSpec((3,)), tf.TensorSpec((1,)))
    named = {"a": two[0], "b": two[1]}
    unlike = (
        ([X, Y], two), ((X, Y, Y), two), (X, two), ({"a": X, "b": Y}, two), ((X, Y), named), ({"a": X, "c": Y}, named),
        ({"a": X, "b": Y, "c": Y}, named), (([X, X], Y), ((two[0], two[0]), two[1])),
    )  # fmt: skip
    for element, signature in unlike:
        with pytest.raises(tf.errors.InvalidArgumentError, match="did not match the expected structure"):
            _first(element, signature)
    line.says(
        "SEQ409", 'InvalidArgumentError "`generator` yielded an element that did not match the expected structure"'
    )
    line.says("SEQ409", "a list for a tuple, another number of items, other keys")


def test_another_shape(line: Line) -> None:
    import tensorflow as tf

    for element in (np.ones(4, "float32"), np.ones((2, 3), "float32"), 1.0):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"where an element of shape .* was expected"):
            _first(element, tf.TensorSpec((3,)))
    line.says("SEQ409", "another shape: InvalidArgumentError")


def test_types_that_are_converted(line: Line) -> None:
    import tensorflow as tf

    for element in (X.astype("float64"), [1.0, 2.0, 3.0], [1, 2, 3], np.ones(3, int)):
        assert _first(element, tf.TensorSpec((3,))).dtype == tf.float32
    assert _first(1.5, tf.TensorSpec((), tf.int32)) == 1
    line.says("SEQ409", "numbers of another type, and lists of numbers, are converted")


def test_what_is_no_signature(line: Line) -> None:
    import tensorflow as tf

    spec = tf.TensorSpec((3,))
    for arguments in ({}, {"output_signature": [spec, spec]}, {"output_signature": (tf.float32, tf.float32)}):
        with pytest.raises(TypeError):
            tf.data.Dataset.from_generator(rows, **arguments)
    line.says("SEQ409", "no signature, a list of specs, or bare types as `output_signature`: TypeError at once")


def _of_types(batched: bool = True, **more: Any) -> Any:
    import tensorflow as tf

    made = tf.data.Dataset.from_generator(rows, output_types=(tf.float32, tf.float32), **more)
    return made.batch(2) if batched else made


def _first(element: Any, signature: Any) -> Any:
    import tensorflow as tf

    return next(iter(tf.data.Dataset.from_generator(lambda: iter([element]), output_signature=signature)))


def _use(line: Line, use: str, dataset: Any, built: bool = True) -> None:
    layers = [line.keras.Input((3,))] if built else []
    model = line.keras.Sequential([*layers, line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    if use == "validation":
        model.fit(ROWS, ROWS[:, :1], validation_data=dataset, verbose=0)
    else:
        getattr(model, use)(dataset, verbose=0)
