"""Classes that give batches and are no Sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from typing import Any

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

BATCH = (np.ones((2, 3), "float32"), np.ones((2, 1), "float32"))
INDEXED = {"__len__": lambda self: 2, "__getitem__": lambda self, index: BATCH}
WALKED = {"__iter__": lambda self: iter([BATCH, BATCH])}
NEXT = {"__next__": lambda self: BATCH}


def fit(line: Line, members: dict[str, Any]) -> None:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(type("Feed", (), members)(), steps_per_epoch=2, verbose=0)


@pytest.mark.parametrize("members", [INDEXED, WALKED, NEXT], ids=["indexed", "walked", "next"])
def test_a_class_that_is_no_dataset_is_refused(line: Line, members: dict[str, Any]) -> None:
    text = "Failed to find data adapter that can handle input" if line.is_2 else "Unrecognized data type"
    with pytest.raises(ValueError, match=text):
        fit(line, members)
    line.says("SEQ230", f'ValueError "{text}')


def test_an_iterator_is_taken_by_keras_2_alone(line: Line) -> None:
    if line.is_2:
        fit(line, WALKED | NEXT)
        line.says("SEQ230", "A class with both `__iter__` and `__next__` is accepted")
        return
    with pytest.raises(ValueError, match="Unrecognized data type"):
        fit(line, WALKED | NEXT)


def test_validation_data_of_such_a_class(line: Line) -> None:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with pytest.raises(ValueError, match="data"):
        model.fit(*BATCH, validation_data=type("Feed", (), INDEXED)(), verbose=0)
    if not line.is_2:
        line.says("SEQ230", "for any such class, also as validation data")


def based(line: Line, members: dict[str, Any]) -> object:
    base = line.keras.utils.Sequence if line.is_2 else line.keras.utils.PyDataset
    return type("Feed", (base,), INDEXED | members)()


def trained(line: Line, *data: object, **more: object) -> None:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(*data, verbose=0, **more)


def test_a_hook_that_wants_an_epoch_fails_under_the_base(line: Line) -> None:
    trained(line, based(line, {"on_epoch_end": lambda self, epoch=None: None}))
    with pytest.raises(TypeError, match="epoch"):
        trained(line, based(line, {"on_epoch_end": lambda self, epoch: None}))
    line.says("SEQ230", "one that needs an epoch raises TypeError")


@pytest.mark.parametrize("more", [{"y": BATCH[1]}, {"sample_weight": BATCH[1][:, 0]}, {"validation_split": 0.5}])
def test_what_is_refused_beside_a_dataset(line: Line, more: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"y|sample_weight|validation_split"):
        trained(line, based(line, {}), **more)
    line.says("SEQ230", "`fit` refuses `y`, `sample_weight` and `validation_split` with ValueError")
