"""What `load_model` finds by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def raised(line: Line, model: Any, path: str, **more: Any) -> str:
    """The name of the error of loading a saved model; empty where it works."""
    model.save(path)
    try:
        line.keras.models.load_model(path, **more)
    except Exception as error:
        return type(error).__name__
    return ""


def model(line: Line, *layers: Any, **compiled: Any) -> Any:
    made = line.keras.Sequential([line.keras.Input((1,)), *layers, line.keras.layers.Dense(1)])
    made.compile(optimizer="sgd", **{"loss": "mean_squared_error", **compiled})
    made.train_on_batch(ROWS, ROWS)
    return made


@pytest.fixture
def line3(line: Line) -> Line:
    if line.is_2:
        pytest.skip("the page says nothing of Keras 2")
    return line


def test_layers(line3: Line, tmp_path: Path) -> None:
    class Halve(line3.keras.layers.Layer):  # type: ignore[name-defined,misc]
        def call(self, rows: Any) -> Any:
            return rows / 2

    own = model(line3, Halve())
    assert raised(line3, own, str(tmp_path / "moss.keras"), custom_objects={"Halve": Halve}) == ""
    ends = [raised(line3, own, str(tmp_path / f"moss{suffix}"), compile=False) for suffix in (".keras", ".h5")]
    line3.says("SEQ903", f'raises {ends[0]} from `.keras` and {ends[1]} "Unknown layer" from `.h5`')


def test_losses_and_metrics(line3: Line, tmp_path: Path) -> None:
    def own(wanted: Any, given: Any) -> Any:
        return line3.keras.losses.mean_squared_error(wanted, given)

    for_loss, for_metric = model(line3, loss=own), model(line3, metrics=[own])
    found = {raised(line3, for_loss, str(tmp_path / f"moss{suffix}")) for suffix in (".keras", ".h5")}
    assert found == {raised(line3, for_metric, str(tmp_path / "lichen.keras"))} == {"TypeError"}
    assert raised(line3, for_metric, str(tmp_path / "lichen.h5")) == ""
    assert raised(line3, for_loss, str(tmp_path / "moss.keras"), compile=False) == ""
    line3.says("SEQ903", "a loss function of its own raises TypeError from both")


def test_short_names(line3: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "moss.h5")
    (error,) = {raised(line3, model(line3, loss=name), path) for name in ("mse", "mae")}
    assert raised(line3, model(line3), path) == ""
    assert raised(line3, model(line3, loss="mse"), str(tmp_path / "moss.keras")) == ""
    line3.says("SEQ903", f'`loss="mse"`, "mae" or another short name raises {error}, by the long name it is loaded')
