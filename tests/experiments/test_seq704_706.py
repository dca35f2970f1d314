"""What can be imported, and what of one Keras works in another."""

from __future__ import annotations

from contextlib import nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from seqlint.facts.keras.own_copy import FAILING, MISSING, WORKING
from tests.experiments.small import ROWS, compiled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
IMAGE = ["array_to_img", "img_to_array", "load_img", "save_img", "smart_resize"]


def public(module: Any) -> list[str]:
    return sorted(name for name in vars(module) if not name.startswith("_"))


def test_what_is_left_of_preprocessing(line: Line) -> None:
    import tensorflow as tf

    image = line.keras.preprocessing.image
    if line.is_2:
        assert image.ImageDataGenerator
        assert line.keras.preprocessing.text.Tokenizer
        line.says("SEQ704", "all are there, in both")
        return
    assert public(image) == IMAGE
    line.says("SEQ704", "Left in `keras.preprocessing.image` are " + ", ".join(f"`{name}`" for name in IMAGE[:-1]))
    with pytest.raises(ImportError):
        from keras.preprocessing.image import ImageDataGenerator  # noqa: F401
    with pytest.raises(AttributeError):
        _ = image.ImageDataGenerator
    line.says("SEQ704", "`from keras.preprocessing.image import ImageDataGenerator` raises ImportError")
    assert public(line.keras.preprocessing.sequence) == ["pad_sequences"]
    with pytest.raises(ModuleNotFoundError):
        import_module("keras.preprocessing.text")
    line.says("SEQ704", "`keras.preprocessing.text` raises ModuleNotFoundError")
    line.says("SEQ704", "of `keras.preprocessing.sequence` only `pad_sequences` is left")
    of_tensorflow = tf.keras.preprocessing
    assert of_tensorflow.image.ImageDataGenerator
    assert of_tensorflow.sequence.TimeseriesGenerator
    assert of_tensorflow.text.Tokenizer
    line.says("SEQ704", "`tf.keras.preprocessing.image`, `.sequence` and `.text` have all of them")


def test_keras_and_that_of_tensorflow(line: Line) -> None:
    import tensorflow as tf

    if not line.is_2:
        assert tf.keras.layers.Dense is line.keras.layers.Dense
        assert tf.keras.utils.Sequence is line.keras.utils.PyDataset
        line.says("SEQ705", "`keras` and `tf.keras` are the same objects")


def test_layers_and_optimizers_of_the_other_keras(line: Line) -> None:
    other = pytest.importorskip("keras" if line.is_2 else "tf_keras", reason="there is one Keras alone")
    with pytest.raises((TypeError, ValueError)) as refused:
        line.keras.Sequential([other.layers.Dense(1)])
    if not line.is_2:
        text = "Only instances of `keras.Layer` can be added"
        assert text in str(refused.value)
        line.says("SEQ705", f'("{text}")')
    with pytest.raises((AttributeError, TypeError, ValueError)):
        compiled(line).compile(optimizer=other.optimizers.SGD(), loss="mse")
    line.says("SEQ705", "refuses layers")


def test_callbacks_losses_and_metrics_of_the_other_keras(line: Line) -> None:
    other = pytest.importorskip("keras" if line.is_2 else "tf_keras", reason="there is one Keras alone")

    def fit(callback: Any = None, loss: Any = "mse", metric: Any = "mae") -> None:
        made = compiled(line)
        made.compile(optimizer="sgd", loss=loss, metrics=[metric])
        made.fit(ROWS, ROWS, verbose=0, callbacks=[callback] if callback is not None else [])

    stopping = other.callbacks.EarlyStopping(monitor="loss")
    if not line.is_2:
        fit(stopping, other.losses.MeanSquaredError(), other.metrics.MeanAbsoluteError())
        line.says("SEQ705", "EarlyStopping, losses and metrics of `tf_keras` work in it")
        with pytest.raises(AttributeError, match="lr"):
            fit(other.callbacks.ReduceLROnPlateau(monitor="loss"))
        line.says("SEQ705", "ReduceLROnPlateau raises AttributeError at `optimizer.lr`")
        return
    given: dict[str, dict[str, Any]] = {
        "callbacks": {"callback": stopping},
        "losses": {"loss": other.losses.MeanSquaredError()},
        "metrics": {"metric": other.metrics.MeanAbsoluteError()},
    }
    refused = []
    for name, part in given.items():
        try:
            fit(**part)
        except Exception:  # each fails in its own way
            refused.append(name)
    assert refused == ["callbacks", "metrics"]
    line.says("SEQ705", "refuses layers, optimizers, Sequences, callbacks and metrics of `keras`; losses of it work")


def test_the_keras_that_tensorflow_keeps_for_itself(line: Line) -> None:
    own = import_module("tensorflow.python.keras")
    utils = import_module("tensorflow.python.keras.utils.data_utils")
    if not line.is_2:
        feed = type(
            "Feed", (utils.Sequence,), {"__len__": lambda self: 2, "__getitem__": lambda self, index: (ROWS, ROWS)}
        )
        with pytest.raises(ValueError, match="Unrecognized data type"):
            compiled(line).fit(feed(), verbose=0)
        line.says("SEQ706", '`fit` refuses a Sequence of `tensorflow.python.keras` ("Unrecognized data type")')
    if line.is_early:
        return  # the sentence below names the TensorFlows that it was measured on
    model = own.Sequential([own.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    text = "module 'tensorflow.python.distribute.input_lib' has no attribute 'DistributedDatasetInterface'"
    with pytest.raises(AttributeError, match=text):
        model.fit(ROWS, ROWS, verbose=0)
    line.says("SEQ706", f'"{text}"')


CALLBACKS: dict[str, tuple[object, ...]] = {
    "CSVLogger": ("log.csv",), "EarlyStopping": ("val_loss",), "History": (), "LambdaCallback": (), "TerminateOnNaN": (),
    "LearningRateScheduler": (lambda epoch: 0.1,), "ModelCheckpoint": ("best.keras",), "ReduceLROnPlateau": ("loss",),
    "TensorBoard": ("logs",),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLBACKS)
def test_callbacks_of_the_copy_with_another_model(
    line: Line, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = getattr(import_module("tensorflow.python.keras.callbacks"), name)(*CALLBACKS[name])
    if line.is_2:
        fails = {"TensorBoard": AttributeError, "ModelCheckpoint": ValueError}.get(name)
        with pytest.raises(fails) if fails is not None else nullcontext():
            compiled(line).fit(ROWS, ROWS, validation_data=(ROWS, ROWS), verbose=0, callbacks=[made])
        line.says("SEQ706", "all of these callbacks work with models of tf-keras, except for TensorBoard")
        line.says("SEQ706", "ModelCheckpoint with a path that ends in `.keras`, which raises ValueError")
        return
    failure = FAILING.get(f"callbacks.{name}")
    if failure is None:
        compiled(line).fit(ROWS, ROWS, validation_data=(ROWS, ROWS), verbose=0, callbacks=[made])
        assert f"callbacks.{name}" in WORKING
        line.says("SEQ706", name)
        return
    with pytest.raises((AttributeError, TypeError, ValueError)) as raised:
        compiled(line).fit(ROWS, ROWS, verbose=0, callbacks=[made])
    assert type(raised.value).__name__ in failure
    told = [word.strip("`'") for word in failure.split() if word[0] in "`'"]
    assert told[0].rpartition(".")[2] in str(raised.value)
    line.says("SEQ706", f"{name} raises" if name == "ModelCheckpoint" else name)


def test_checkpoints_of_the_copy_in_the_format_of_old(line: Line, tmp_path: Path) -> None:
    if not line.is_2:
        pytest.skip("the page speaks of models of tf-keras")
    file = tmp_path / "best.h5"
    made = import_module("tensorflow.python.keras.callbacks").ModelCheckpoint(str(file))
    compiled(line).fit(ROWS, ROWS, validation_data=(ROWS, ROWS), verbose=0, callbacks=[made])
    assert file.is_file()


def test_labels_losses_and_metrics_of_the_copy(line: Line) -> None:
    if line.is_2:
        pytest.skip("the page speaks of models of Keras 3")
    own = import_module("tensorflow.python.keras")
    labels = import_module("tensorflow.python.keras.utils.np_utils").to_categorical([0, 1, 0, 1, 0, 1, 0, 1])
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(2, activation="softmax")])
    model.compile("sgd", own.losses.CategoricalCrossentropy(), metrics=[own.metrics.CategoricalAccuracy()])
    assert {"loss", "categorical_accuracy"} <= {*model.fit(ROWS, labels, verbose=0).history}
    line.says(
        "SEQ706", "`np_utils.to_categorical`, activations, initializers, losses and metrics work with models of Keras 3"
    )


@pytest.mark.parametrize("kind", ["activation", "kernel_initializer"])
def test_activations_and_initializers_of_the_copy(line: Line, kind: str) -> None:
    if line.is_2:
        pytest.skip("the page speaks of models of Keras 3")
    module = {"activation": "activations", "kernel_initializer": "initializers"}[kind]
    for name in sorted(one for one in WORKING if one.startswith(f"{module}.")):
        made = getattr(import_module(f"tensorflow.python.keras.{module}"), name.rpartition(".")[2])
        settings = {kind: made if kind == "activation" else made()}
        model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1, **settings)])
        model.compile("sgd", "mse")
        assert "loss" in model.fit(ROWS, ROWS, verbose=0).history
    line.says("SEQ706", "activations, initializers, losses and metrics work with models of Keras 3")


@pytest.mark.parametrize("name", MISSING)
def test_what_the_copy_has_lost(line: Line, name: str) -> None:
    module, _, last = f"tensorflow.python.keras.{name}".rpartition(".")
    with pytest.raises(ImportError):
        exec(f"from {module} import {last}", {})


def test_a_module_that_is_taken_by_its_name_is_an_import_error(line: Line) -> None:
    if line.is_2:
        pytest.skip("`keras` is Keras 3 here")
    with pytest.raises(ImportError) as missing:
        from keras.utils import np_utils  # noqa: F401
    assert not isinstance(missing.value, ModuleNotFoundError)
    line.says("SEQ706", "`from keras.utils import np_utils` ImportError")


@pytest.mark.parametrize("name", ["engine", "layers.core", "layers.merge", "utils.np_utils", "utils.data_utils"])
def test_private_modules(line: Line, name: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module(f"{line.keras.__name__.partition('.')[0]}.{name}")
    if not line.is_2:
        line.says("SEQ706", f"`keras.{name}`")


def test_api_and_src(line: Line) -> None:
    module = line.keras.__name__.partition(".")[0]
    assert import_module(f"{module}.src")
    if line.is_2:
        return
    line.says("SEQ706", "`keras.src` is there")
    if line.is_early:
        assert import_module("keras.api")
        line.says("SEQ706", "`keras.api` is there")
        return
    with pytest.raises(ModuleNotFoundError):
        import_module("keras.api")
    line.says("SEQ706", "`keras.api` raises ModuleNotFoundError")
