from __future__ import annotations

import pytest

from seqlint.sources.screen import mentions_keras


@pytest.mark.parametrize(
    "text",
    [
        "import keras",
        "from tensorflow.keras.utils import Sequence",
        "import tf_keras as k",
        "from tensorflow.python import keras",
        "import horovod.torch as hvd",
        "x = 1  # seqlint: ignore[SEQ101]",
        "x = 1  # noqa: SEQ101",
        "x = 1  # NOQA:seq101",
        "x = 1  # noqa: E501, SEQ101",
    ],
)
def test_lets_through_what_may_hold_a_finding(text: str) -> None:
    assert mentions_keras(f"# first\n{text}\n".encode())


@pytest.mark.parametrize("text", ["", "import torch", "x = 1  # noqa", "x = 1  # noqa: E501", "Sequence = list"])
def test_stops_what_can_not(text: str) -> None:
    assert not mentions_keras(f"# first\n{text}\n".encode())
