"""Arguments of Keras 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

OLD = ("nb_epoch", "samples_per_epoch", "nb_val_samples", "val_samples", "max_q_size", "nb_worker", "pickle_safe")


@pytest.mark.parametrize("name", OLD)
def test_old_arguments_are_refused(line: Line, name: str) -> None:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    x, y = np.ones((2, 3)), np.ones((2, 1))
    with pytest.raises(TypeError, match=name):
        model.fit(x, y, verbose=0, **{name: 1})
    with pytest.raises(TypeError, match=name):
        model.predict(x, verbose=0, **{name: 1})
    with pytest.raises(TypeError if line.is_2 else ValueError, match=name):
        model.evaluate(x, y, verbose=0, **{name: 1})
    line.says(
        "SEQ703", "TypeError from `fit`, `evaluate`, `predict`" if line.is_2 else "TypeError from `fit` and `predict`"
    )
