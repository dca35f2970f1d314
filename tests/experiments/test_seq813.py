"""Settings of recurrent layers that the kernel of cuDNN does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((2, 4, 3), "float32")
SETTINGS: tuple[dict[str, Any], ...] = (
    {"activation": "relu"},
    {"recurrent_activation": "hard_sigmoid"},
    {"recurrent_dropout": 0.2},
    {"unroll": True},
    {"use_bias": False},
)


def takes_the_kernel(line: Line, name: str, **settings: Any) -> bool:
    layer = getattr(line.keras.layers, name)
    if line.is_2:
        return bool(layer(4, **settings)._could_use_gpu_kernel)
    if not settings:
        layer(4, use_cudnn=True)(ROWS)
        return True
    with pytest.raises(ValueError, match="cuDNN is not supported for this layer configuration"):
        layer(4, use_cudnn=True, **settings)(ROWS)
    return False


@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_the_kernel(line: Line, name: str) -> None:
    assert takes_the_kernel(line, name)
    for settings in SETTINGS:
        assert not takes_the_kernel(line, name, **settings), settings
    said = (
        "the layer notes for itself that it can't use the kernel"
        if line.is_2
        else "with `use_cudnn=True` a plain LSTM and GRU run"
    )
    line.says("SEQ813", said)
