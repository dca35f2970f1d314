"""`super(Base, self)`, which skips the base."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def skips(base: Any, **members: Any) -> Any:
    """A class whose `__init__` skips its base."""

    def init(self: Any, **kwargs: Any) -> None:
        super(base, self).__init__(**kwargs)

    return type("MyData", (base,), {"__init__": init, **members})


def dataset(line: Line) -> Any:
    batch = np.ones((2, 3)), np.ones((2, 1))
    return skips(line.batches, __len__=lambda self: 2, __getitem__=lambda self, index: batch)


def fit(line: Line, data: Any, **options: Any) -> list[str]:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(data, verbose=0, **options)
    return [str(warning.message) for warning in caught if "super().__init__" in str(warning.message)]


def test_a_dataset_only_warns_and_on_keras_3_alone(line: Line) -> None:
    assert bool(fit(line, dataset(line)())) is not line.is_2
    line.says("SEQ222", "a Sequence works" if line.is_2 else "a UserWarning at the first fit")


def test_a_dataset_takes_no_workers(line: Line) -> None:
    with pytest.raises(TypeError):
        dataset(line)(workers=4)


def test_a_model_and_a_layer_fail(line: Line) -> None:
    with pytest.raises(AttributeError) as model:
        skips(line.keras.Model)().compile(optimizer="sgd", loss="mse")
    with pytest.raises(AttributeError) as layer:
        line.keras.Sequential([skips(line.keras.layers.Layer, call=lambda self, x: x)()]).build((2, 3))
    if line.is_2:
        with pytest.raises(RuntimeError):
            skips(line.keras.Model)().dense = line.keras.layers.Dense(1)
        line.says("SEQ222", "A Model raises RuntimeError at its first attribute, a Layer AttributeError")
    else:
        assert all("_dtype_policy" in str(found.value) for found in (model, layer))
        line.says("SEQ222", "A Model or a Layer has no `_dtype_policy`: AttributeError")


def test_a_callback_works_but_has_no_model_yet(line: Line) -> None:
    callback = skips(line.keras.callbacks.Callback)()
    with pytest.raises(AttributeError):
        _ = callback.model
    fit(line, dataset(line)(), callbacks=[callback])
    assert callback.model is not None
    line.says("SEQ222", "a Callback works until code reads `self.model` before the training starts: AttributeError")


def test_a_metric(line: Line) -> None:
    members = {"update_state": lambda self, *args, **kwargs: None, "result": lambda self: 0.0}

    def init(self: Any) -> None:
        super(line.keras.metrics.Metric, self).__init__()
        self.total = self.add_weight(name="total", initializer="zeros")

    made = type("Rate", (line.keras.metrics.Metric,), {"__init__": init, **members})
    if line.is_2:
        made()
        line.says("SEQ222", "a Sequence works, and so does a Metric")
        return
    with pytest.raises(RuntimeError, match=r"You forgot to call `super\(\).__init__\(\)`"):
        made()
    line.says("SEQ222", 'A Metric: RuntimeError "You forgot to call `super().__init__()`"')


def test_nothing_behind_the_base_and_no_base_at_all(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def on_epoch_end(self) -> None:
            super(line.batches, self).on_epoch_end()  # type: ignore[arg-type]

        def __len__(self) -> int:
            super(line.keras.Model, self).__init__()
            return 1

    with pytest.raises(AttributeError, match="on_epoch_end"):
        Feed().on_epoch_end()
    line.says("SEQ222", "`super(Base, self).on_epoch_end()` raises AttributeError where no class after the base has")
    with pytest.raises(TypeError):
        len(Feed())
    line.says("SEQ222", "the name of a class that is not a base raises TypeError")
