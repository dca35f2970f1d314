"""What a training that fails leaves undone."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, compiled, feed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def logger(line: Line, path: Path, fails: BaseException | None = None) -> Any:
    """A callback with a file and a lock; after its second epoch it fails, or stops the training."""

    class Lines(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_train_begin(self, logs: Any = None) -> None:
            self.file, self.lock, self.ends, self.epochs = path.open("w"), threading.Lock(), 0, 0
            self.lock.acquire()

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.file.write(f"{epoch}\n")
            self.epochs += 1
            if epoch == 1 and fails is not None:
                raise fails

        def on_train_end(self, logs: Any = None) -> None:
            self.ends += 1
            self.file.close()
            self.lock.release()

    return Lines()


@pytest.mark.parametrize("fails", [ValueError(), KeyboardInterrupt()])
def test_a_callback_that_fails(line: Line, tmp_path: Path, fails: BaseException) -> None:
    lines = logger(line, tmp_path / "lines.txt", fails)
    with pytest.raises(type(fails)):
        compiled(line).fit(ROWS, ROWS, epochs=3, verbose=0, callbacks=[lines])
    written = (tmp_path / "lines.txt").stat().st_size
    assert lines.lock.locked()
    lines.file.close()
    line.says("SEQ517", f"`on_train_end` and `on_epoch_end` are called {lines.ends} times where")
    line.says(
        "SEQ517", f"has {written} bytes on the disk, where {lines.epochs} epochs were written to it, and its lock is"
    )


def test_data_that_fail(line: Line, tmp_path: Path) -> None:
    def batch(self: Any, index: int) -> Any:
        if index > 1:
            raise ValueError
        return ROWS[:2], ROWS[:2]

    lines = logger(line, tmp_path / "lines.txt")
    with pytest.raises(Exception):  # noqa: B017, PT011 - its type differs from line to line
        compiled(line).fit(feed(line, __getitem__=batch), verbose=0, callbacks=[lines])
    lines.file.close()
    assert lines.epochs == 0
    line.says("SEQ517", f"are called {lines.ends} times where the data, a callback or Ctrl-C end `fit`")


def test_a_training_that_is_stopped(line: Line, tmp_path: Path) -> None:
    class Stop(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.model.stop_training = True

    lines = logger(line, tmp_path / "lines.txt")
    compiled(line).fit(ROWS, ROWS, epochs=3, verbose=0, callbacks=[lines, Stop()])
    assert (lines.epochs, lines.ends) == (1, 1)
    line.says("SEQ517", "`stop_training = True` and the last of `epochs` do call `on_train_end`")
