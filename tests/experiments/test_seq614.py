"""What is left of a training whose data fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_no_hook_runs_any_more(line: Line) -> None:
    def batch(self: Any, index: int) -> Any:
        if index == 3:
            raise OSError("photo 7 is broken")
        return ROWS[:2], ROWS[:2]

    hooks: list[str] = []
    note = line.keras.callbacks.LambdaCallback(
        on_train_begin=lambda logs: hooks.append("begin"),
        on_epoch_end=lambda epoch, logs: hooks.append("epoch"),
        on_train_end=lambda logs: hooks.append("end"),
    )
    with pytest.raises(Exception, match="photo 7 is broken"):
        compiled(line).fit(feed(line, __getitem__=batch), shuffle=False, verbose=0, callbacks=[note])
    assert hooks == ["begin"]
    newest = not line.is_2 and not line.is_early
    line.says("SEQ614", "no hook of a callback runs any more" if newest else "nothing catches it either")


def test_what_a_callback_raises_arrives_as_itself(line: Line) -> None:
    hooks: list[str] = []

    def stop(batch: int, logs: Any) -> None:
        raise KeyboardInterrupt

    note = line.keras.callbacks.LambdaCallback(on_train_batch_end=stop, on_train_end=lambda logs: hooks.append("end"))
    with pytest.raises(KeyboardInterrupt):
        compiled(line).fit(feed(line), verbose=0, callbacks=[note])
    assert not hooks
    if not line.is_2 and not line.is_early:
        line.says("SEQ614", "from a callback or KeyboardInterrupt leaves `fit` at once")
