"""Settings of recurrent layers that the kernel of cuDNN does not know."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
SETTINGS: tuple[dict[str, Any], ...] = (
    {"activation": "relu"},
    {"recurrent_activation": "hard_sigmoid"},
    {"recurrent_dropout": 0.2},
    {"unroll": True},
    {"use_bias": False},
)


def takes_the_kernel(line: Line, patch: pytest.MonkeyPatch, name: str, **settings: Any) -> bool:
    layer = getattr(line.keras.layers, name)(4, **settings)
    if line.is_2:
        return bool(layer._could_use_gpu_kernel)
    rnn = importlib.import_module("keras.src.backend.tensorflow.rnn")
    patch.setattr(rnn, "_is_gpu_available", lambda: True)
    cell = layer.cell
    said = rnn.cudnn_ok(cell.activation, cell.recurrent_activation, layer.unroll, use_bias=cell.use_bias)
    return bool(said) and not layer.recurrent_dropout


@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_the_kernel(line: Line, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert takes_the_kernel(line, monkeypatch, name)
    for settings in SETTINGS:
        assert not takes_the_kernel(line, monkeypatch, name, **settings), settings
    if line.is_2:
        line.says("SEQ813", "the layer notes for itself that it can't use the kernel")
    else:
        line.says("SEQ813", "says yes to a plain LSTM and GRU, and no with")
