"""Where `StopIteration` goes on the way to a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def _model(line: Line) -> Any:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


@pytest.mark.parametrize("at", [0, 4])
def test_it_does_not_end_the_epoch(line: Line, at: int) -> None:
    class Stops(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            if index == at:
                raise StopIteration
            return np.ones((2, 1)), np.ones((2, 1))

    with pytest.raises(Exception) as raised:  # noqa: PT011
        _model(line).fit(Stops(), shuffle=False, verbose=0)
    if at == 0:
        assert type(raised.value) is StopIteration
        line.says("SEQ231", "`fit` ends with a bare StopIteration")
    else:
        assert type(raised.value).__name__ == "UnknownError"
        assert "RuntimeError: generator raised StopIteration" in str(raised.value)
        line.says("SEQ231", 'with UnknownError "RuntimeError: generator raised StopIteration"')


def test_a_generator_cannot_end_by_it(line: Line) -> None:
    def batches() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for _ in range(3):
            yield np.ones((2, 1)), np.ones((2, 1))
        raise StopIteration

    with pytest.raises(Exception, match="generator raised StopIteration"):
        _model(line).fit(batches(), verbose=0)
    line.says("SEQ231", '`raise StopIteration` in a generator function ends `fit` with "RuntimeError: generator raised')
