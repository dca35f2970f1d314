"""What models of `keras.applications` want, and what some do by themselves. No weights are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
PICTURE = np.stack([np.zeros((4, 3)), np.full((4, 3), 255.0)]).astype("float32")[None]
"""All of black, and all of white."""


def made_by(line: Line, module: str) -> tuple[float, float]:
    """The least and the greatest number that `preprocess_input` of a module makes."""
    done = getattr(line.keras.applications, module).preprocess_input(PICTURE.copy())
    return round(float(np.min(done)), 2), round(float(np.max(done)), 2)


def test_what_is_wanted(line: Line) -> None:
    for module in ("mobilenet_v2", "inception_v3", "xception", "resnet_v2"):
        assert made_by(line, module) == (-1.0, 1.0)
    line.says("SEQ811", "of `mobilenet_v2`, `inception_v3`, `xception` and `resnet_v2` makes -1 to 1 of 0 to 255")
    assert made_by(line, "vgg16") == made_by(line, "resnet")
    low, high = made_by(line, "vgg16")
    small, large = made_by(line, "densenet")
    line.says("SEQ811", f"that of `vgg16` and `resnet` makes {low} to {high}; that of `densenet` {small} to {large}")
    for module in ("efficientnet", "mobilenet_v3", "convnext"):
        assert made_by(line, module) == (0.0, 255.0)


def first_numbers(line: Line, made: Any) -> list[float]:
    """What the `Rescaling` that a model begins with makes of 0, 1 and 255."""
    scaler = next(layer for layer in made.layers if isinstance(layer, line.keras.layers.Rescaling))
    return [round(float(number), 3) for number in np.ravel(np.array(scaler(np.array([[0.0, 1.0, 255.0]], "float32"))))]


def test_models_that_scale_by_themselves(line: Line) -> None:
    options = {"weights": None, "include_top": False, "input_shape": (32, 32, 3)}
    assert first_numbers(line, line.keras.applications.EfficientNetB0(**options)) == [0.0, 0.004, 1.0]
    assert first_numbers(line, line.keras.applications.MobileNetV3Small(**options)) == [-1.0, -0.992, 1.0]
    line.says("SEQ811", "begin with a `Rescaling`: 0 to 1 becomes 0 to 0.004, and -1 to -0.99")
