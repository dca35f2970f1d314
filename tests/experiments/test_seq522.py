"""What `logs` holds in the hooks of a beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

PHASES = ("train", "epoch", "train_batch", "test", "test_batch", "predict", "predict_batch")


def test_it_is_empty(line: Line) -> None:
    seen: dict[str, Any] = {}

    class Keeps(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        pass

    def hook(name: str) -> Any:
        def keep(self: Any, number: Any = None, logs: Any = None) -> None:
            seen[name] = dict(number if logs is None else logs)

        return keep

    for phase in PHASES:
        setattr(Keeps, f"on_{phase}_begin", hook(f"on_{phase}_begin"))
    rows = np.ones((4, 3), "float32")
    made = model(line)
    made.fit(rows, rows[:, :1], validation_data=(rows, rows[:, :1]), verbose=0, callbacks=[Keeps()])
    made.predict(rows, verbose=0, callbacks=[Keeps()])
    assert seen == {f"on_{phase}_begin": {} for phase in PHASES}
    names = [f"`on_{phase}_begin`" for phase in PHASES]
    line.says("SEQ522", f"`logs` is {{}} in {', '.join(names[:-1])} and {names[-1]}")
