"""What happens first: a batch or a hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def feed(line: Line, calls: list[str], *, fails: bool) -> object:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            calls.append(f"batch {index}")
            rows = self.order if fails else [0, 1]
            return np.ones((len(rows), 2), "float32"), np.ones((len(rows), 1), "float32")

        def on_epoch_begin(self) -> None:
            calls.append("on_epoch_begin")
            self.order = [0, 1]

        def on_epoch_end(self) -> None:
            calls.append("on_epoch_end")
            self.order = [0, 1]

    return Feed()


@pytest.mark.parametrize("fails", [True, False])
def test_batches_are_read_before_any_hook(line: Line, fails: bool) -> None:
    calls: list[str] = []
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    data = feed(line, calls, fails=fails)
    if fails:
        with pytest.raises(AttributeError, match="order"):
            model.fit(data, epochs=2, verbose=0)
        assert calls == ["batch 0"]
        line.says("SEQ104", "AttributeError at the start of `fit`")
        return
    model.fit(data, epochs=2, shuffle=False, verbose=0)
    first = next(place for place, call in enumerate(calls) if call.startswith("on_"))
    peeked = calls[: calls.index("batch 0", 1)]
    if line.is_2:
        assert peeked == ["batch 0"]
        line.says("SEQ104", "from the look at batch 0; no hook was called before")
    else:
        assert first >= 2
        assert calls[:2] == ["batch 0", "batch 1"]
        if not line.is_early:
            line.says("SEQ104", "from the look at batches 0 and 1; `on_epoch_end` and `on_epoch_begin` come after it")
