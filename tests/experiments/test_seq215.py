"""Which batches are wrong where one array is filled for all of them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, Meeting, fit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def wrong(kept: Kept) -> list[int]:
    """The steps whose rows are not those of their label."""
    return [number for number, (x, y) in enumerate(kept.steps) if (x != y[0, 0]).any()]


class Filled:
    """Fills one array."""

    held: np.ndarray

    def __len__(self) -> int:
        return 20

    def __getitem__(self, index: int) -> Any:
        for row in self.held:
            row[:] = index
        return self.held, np.full((len(self.held), 1), index, "float32")


@pytest.mark.parametrize("start", [0, 16])
def test_a_generator_loses_its_first_batch_on_keras_3(line: Line, start: int) -> None:
    held = aligned(start)

    def batches() -> Iterator[Any]:
        for index in range(8):
            held[:] = index
            yield held, np.full((2, 1), index, "float32")

    kept = Kept(line)
    kept.model.fit(batches(), steps_per_epoch=6, epochs=1, verbose=0)
    if line.is_2:
        assert wrong(kept) == []
        line.says("SEQ215", "none with one worker or from a generator")
    else:
        assert 0 in wrong(kept)
        line.says("SEQ215", "the first batch is lost and the second comes twice, always")


def test_several_threads_fill_it_at_the_same_time(line: Line) -> None:
    class Rows(Filled, line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.held = np.zeros((64, 512), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), workers=4)
    assert len(wrong(kept)) > 2
    line.says("SEQ215", "with `workers=4`")


def test_one_worker_is_right_where_the_array_is_not_aligned(line: Line) -> None:
    class Rows(Filled, line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.held = aligned(16)

    kept = Kept(line)
    fit(line, kept, Rows())
    assert wrong(kept) == []
    line.says("SEQ215", "none with one worker" if line.is_2 else "at a multiple of 64 bytes, else none")


def aligned(offset: int) -> np.ndarray:
    """An array of floats that starts so many bytes behind a multiple of 64."""
    raw = np.zeros(2 * 512 * 4 + 128, "uint8")
    start = -raw.ctypes.data % 64 + offset
    return raw[start : start + 2 * 512 * 4].view("float32").reshape(2, 512)


def test_processes_have_arrays_of_their_own(line: Line) -> None:
    class Rows(Filled, line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.held = np.zeros((4, 8), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), workers=2, processes=True)
    assert wrong(kept) == []
    line.says("SEQ215", "Processes are safe, each has an array of its own")


@pytest.mark.parametrize("workers", [1, 4])
def test_a_copy_comes_too_late_for_several(line: Line, workers: int) -> None:
    meeting = Meeting()

    class Rows(Filled, line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.held = np.zeros((64, 512), "float32")

        def __getitem__(self, index: int) -> Any:
            x, y = super().__getitem__(index)
            if workers > 1 and threading.current_thread() is not threading.main_thread():
                meeting.wait()  # now another thread has filled it, as it may at any time
            return x.copy(), y

    kept = Kept(line)
    fit(line, kept, Rows(), workers=workers)
    assert (len(wrong(kept)) > 0) is (workers > 1)
    line.says("SEQ215", "`.copy()` at the `return` is right with one worker and not enough with several")
