"""Names that Keras 3 lost, and what does the same."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from seqlint.knowledge import keras_replacements as table

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.array([[0.5, -1.5, 2.5], [0.2, 0.3, 0.5]], "float32")
ODDS = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], "float32")
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "all": (ROWS > 0,), "any": (ROWS > 0,), "binary_crossentropy": (np.round(ODDS), ODDS), "cast": (ROWS, "int32"),
    "categorical_crossentropy": (np.eye(3, dtype="float32")[:2], ODDS), "clip": (ROWS, -1.0, 1.0), "concatenate": ([ROWS, ODDS],),
    "dot": (np.ones((2, 4, 3), "float32"), ROWS.T), "equal": (ROWS, ODDS), "gather": (ROWS, np.array([1, 0])), "greater": (ROWS, ODDS),
    "greater_equal": (ROWS, ODDS), "less": (ROWS, ODDS), "less_equal": (ROWS, ODDS), "log": (ODDS,), "maximum": (ROWS, ODDS),
    "minimum": (ROWS, ODDS), "not_equal": (ROWS, ODDS), "one_hot": (np.array([1, 0]), 3), "permute_dimensions": (ROWS, (1, 0)),
    "pow": (ROWS, 2.0), "repeat_elements": (ROWS, 2, 1), "reshape": (ROWS, (3, 2)), "squeeze": (ROWS[:, :1], 1), "stack": ([ROWS, ODDS],),
    "tile": (ROWS, (2, 1)), "softmax": (np.stack([ROWS, ODDS]),),
}  # fmt: skip
"""What is not called with `ROWS` alone."""
UNLIKE = frozenset({"Nadam", "RMSprop"})
"""Optimizers that take other steps than those of the same name in `optimizers.legacy`."""
SYMBOLIC = frozenset({"eval", "get_value", "stop_gradient", "name_scope", "logsumexp"})
"""What takes a variable, is no function, or is gone from `tf.keras`, too."""


def taken(root: Any, name: str) -> Any:
    return reduce(getattr, name.split("."), root)


def root_of(line: Line) -> Any:
    """`tf.keras` of the same line."""
    import tensorflow as tf

    return line.keras if line.is_2 else tf.keras


def new_call(keras: Any, form: str, given: tuple[Any, ...]) -> Any:
    """What the form of a replacement gives for arguments in the old order: as the fix writes them."""
    name, _, listed = form.rstrip(")").partition("(")
    places = [each.strip() for each in listed.split(",")]
    late = [each for each in places[len(given) :] if "=" in each]
    defaults = {re.split(r"[>=]", each)[-2]: int(each.partition("=")[2]) for each in late}
    return taken(keras, name)(*given, **defaults)


def test_every_replacement_is_there(line: Line) -> None:
    same = set(table.SAME.values())
    of_tensorflow = set(table.OF_TENSORFLOW.values())
    on_3 = set() if line.is_2 else {form.partition("(")[0] for form in table.ON_KERAS_3.values()}
    # The errors by their long names are those of `keras`, the short ones those of `tf.keras`.
    for name in same | on_3:
        assert taken(line.keras, name) is not None
    for name in of_tensorflow | on_3 | {name for old, name in table.SAME.items() if old not in _long()}:
        assert taken(root_of(line), name) is not None


def _long() -> set[str]:
    return {name for name in table.SAME if name.startswith(("losses.", "metrics."))}


def test_functions_of_ops_do_what_those_of_the_backend_do(line: Line) -> None:
    if line.is_2:
        return
    for name, form in table.ON_KERAS_3.items():
        module, _, last = name.rpartition(".")
        if module != "backend" or last in SYMBOLIC:
            continue
        given = tuple(_tensors(each) for each in ARGUMENTS.get(last, (ROWS,)))
        old = np.asarray(taken(root_of(line), name)(*given))
        new = np.asarray(new_call(line.keras, form, given))
        assert (name, old.shape) == (name, new.shape)
        assert np.allclose(old, new, atol=1e-6), name
    line.says("SEQ711", "most of what `keras.backend` lost is still in `tf.keras.backend`")


def _tensors(given: Any) -> Any:
    import tensorflow as tf

    if isinstance(given, list):
        return [tf.constant(each) for each in given]
    return tf.constant(given) if isinstance(given, np.ndarray) else given


def test_values_are_read_and_set_alike(line: Line) -> None:
    import tensorflow as tf

    variable, backend = tf.Variable([1.0, 2.0]), root_of(line).backend
    assert backend.get_value(variable).tolist() == [1.0, 2.0]
    backend.set_value(variable, np.array([3.0, 4.0]))
    variable.assign(np.array([5.0, 6.0]))
    assert backend.get_value(variable).tolist() == [5.0, 6.0]
    dense = line.keras.layers.Dense(1)
    dense.build((None, 2))
    dense.kernel.assign(np.array([[7.0], [8.0]]))
    dense.kernel.assign_add(np.array([[1.0], [1.0]]))
    if not line.is_2:
        assert line.keras.ops.convert_to_numpy(dense.kernel).tolist() == [[8.0], [9.0]]
    symbolic = line.keras.Input((3, 2))
    assert (tuple(symbolic.shape), len(symbolic.shape)) == ((None, 3, 2), 3)
    assert (tuple(tf.ones((3, 2)).shape), len(tf.ones((3, 2)).shape)) == ((3, 2), 2)
    assert backend.int_shape(tf.ones((3, 2))) == (3, 2)


def test_a_threshold_is_the_same_layer(line: Line) -> None:
    old = root_of(line).layers.ThresholdedReLU(theta=0.4)(ROWS)
    new = line.keras.layers.ReLU(threshold=0.4)(ROWS)
    assert np.array_equal(old, new)


def test_what_is_gone_raises(line: Line) -> None:
    if line.is_2:
        assert line.keras.backend.sum is not None
        line.says("SEQ711", "all of these names exist")
        return
    with pytest.raises(ImportError):
        exec("from keras.optimizers import adam")
    with pytest.raises(AttributeError):
        _ = line.keras.backend.sum
    line.says("SEQ711", "raises ImportError, `keras.backend.sum` AttributeError")


def test_what_only_says_that_it_is_gone(line: Line) -> None:
    import tensorflow as tf

    if line.is_2:
        return
    with pytest.raises(ImportError):
        line.keras.optimizers.legacy.Adam()
    line.says("SEQ711", "`keras.optimizers.legacy.Adam` is there, and making one raises ImportError")
    with pytest.raises(RuntimeError):
        tf.keras.backend.gradients(tf.Variable(1.0), [tf.Variable(1.0)])
    line.says("SEQ711", "`tf.keras.backend.gradients` is there and raises RuntimeError")
    assert not hasattr(tf, "estimator")
    line.says("SEQ711", "`tf.estimator` is gone from every TensorFlow with Keras 3")
    assert tf.feature_column.numeric_column("age") is not None
    assert not hasattr(line.keras.layers, "DenseFeatures")
    line.says("SEQ711", "`tf.feature_column` is there without a layer that takes it")


def test_the_long_names_of_errors_left_tf_keras(line: Line) -> None:
    losses = root_of(line).losses
    assert losses.mse is not None
    if line.is_2 or line.version < (3, 3):
        assert losses.mean_squared_error is not None
        return
    with pytest.raises(AttributeError):
        _ = losses.mean_squared_error
    gone = "is gone from 3.3 on" if line.is_early else "raises AttributeError, and `tf.keras.losses.mse` is there"
    line.says("SEQ711", f"`tf.keras.losses.mean_squared_error` {gone}")


def test_members_are_gone(line: Line) -> None:
    keras = line.keras
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    assert not hasattr(model, "predict_classes")
    assert not hasattr(model, "predict_proba")
    there = (
        hasattr(model, "reset_states"),
        hasattr(keras.optimizers.SGD(), "minimize"),
        hasattr(model.layers[0], "output_shape"),
    )
    assert there == ((True,) * 3 if line.is_2 else (False,) * 3)
    if line.is_2:
        line.says("SEQ711", "`predict_classes` and `predict_proba` of tf-keras raise AttributeError, too")
        return
    line.says(
        "SEQ711",
        "of a Sequential `predict_classes`, `predict_proba` and `reset_states` raise AttributeError, of an optimizer `minimize` does, "
        "of a layer `output_shape`",
    )
    with pytest.raises((TypeError, NotImplementedError) if line.is_early else NotImplementedError):
        model.layers[0].add_metric(1.0)
    early = "`add_metric(value)` of a layer raises TypeError up to 3.3, or NotImplementedError"
    line.says("SEQ711", early if line.is_early else "`add_metric` of a layer raises NotImplementedError")


def test_the_shape_of_a_symbolic_tensor(line: Line) -> None:
    rows = line.keras.Input((3, 2))
    assert [*rows.shape] == [None, 3, 2]
    assert len(rows.shape) == 3
    if line.is_2:
        assert rows.shape.as_list() == rows.get_shape().as_list() == [*rows.shape]
        assert rows.shape.rank == rows.shape.ndims == 3
        return
    assert not any(hasattr(rows.shape, name) for name in ("as_list", "rank", "ndims", "dims", "is_fully_defined"))
    assert not any(hasattr(rows, name) for name in ("get_shape", "set_shape"))
    line.says("SEQ711", "of a symbolic tensor `get_shape`, `set_shape` and `shape.as_list` raise AttributeError")


@pytest.mark.parametrize("name", ["SGD", "RMSprop", "Adam", "Adamax", "Adagrad", "Adadelta", "Ftrl", "Nadam"])
def test_an_optimizer_trains_like_the_one_that_was_called_legacy(line: Line, name: str) -> None:
    keras = line.keras
    if not line.is_2:
        return
    old, new = (
        _trained(keras, made(0.1)) for made in (getattr(keras.optimizers.legacy, name), getattr(keras.optimizers, name))
    )
    assert np.allclose(old, new, rtol=1e-4, atol=1e-5) is (name not in UNLIKE), float(np.abs(old - new).max())
    if name in UNLIKE:
        line.says("SEQ711", "Nadam and RMSprop of `optimizers.legacy` take other steps than those of `optimizers`")
    else:
        line.says("SEQ711", "SGD, Adam, Adamax, Adagrad, Adadelta and Ftrl take the same")


def _trained(keras: Any, optimizer: Any) -> Any:
    """The weights of a small model after some steps from the same start."""
    rows = np.random.default_rng(3).normal(size=(32, 3)).astype("float32")
    keras.utils.set_random_seed(5)
    net = keras.Sequential([keras.layers.Dense(4, activation="tanh", input_shape=(3,)), keras.layers.Dense(1)])
    net.compile(optimizer, "mse")
    net.fit(rows, rows[:, :1] ** 2, batch_size=8, epochs=3, shuffle=False, verbose=0)
    return np.concatenate([each.ravel() for each in net.get_weights()])


def test_metrics_reset_alike(line: Line) -> None:
    mean = line.keras.metrics.Mean()
    mean.update_state([3.0])
    mean.reset_state()
    assert float(mean.result()) == 0.0
    assert hasattr(mean, "reset_states") is line.is_2
    if not line.is_2:
        line.says(
            "SEQ711", "`reset_states` of a metric raises AttributeError, and `reset_state` is there, on Keras 2, too"
        )
