"""What workers read from one open file."""

from __future__ import annotations

import pickle
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, Meeting, fit

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
COUNT = 96


def wrong(line: Line, feed: Any, workers: int) -> int:
    kept = Kept(line)
    fit(line, kept, feed, workers=workers)
    return sum(bool((x != number).any()) for number, (x, _) in enumerate(kept.steps))


def test_one_position_for_several_threads(line: Line, tmp_path: Path) -> None:
    np.repeat(np.arange(COUNT + 8, dtype="float32"), 2048).tofile(tmp_path / "rows")
    file = open(tmp_path / "rows", "rb")  # noqa: SIM115

    main, meeting = threading.get_ident(), Meeting()

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        meets = False

        def __len__(self) -> int:
            return COUNT

        def __getitem__(self, index: int) -> Any:
            file.seek(index * 8192)
            if self.meets and threading.get_ident() != main:
                meeting.wait()  # now another thread has moved the position, as it may at any time
            return np.frombuffer(file.read(8192), "float32")[None], np.ones((1, 1), "float32")

    with file:
        assert wrong(line, Rows(), workers=1) == 0
        Rows.meets = True
        assert wrong(line, Rows(), workers=4) > 0
    line.says("SEQ225", "with four threads")


def test_h5py_locks(line: Line, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "rows.h5", "w") as store:
        store["rows"] = np.repeat(np.arange(COUNT, dtype="float32")[:, None], 512, axis=1)
    file = h5py.File(tmp_path / "rows.h5", "r")

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return COUNT

        def __getitem__(self, index: int) -> Any:
            return file["rows"][index : index + 1], np.ones((1, 1), "float32")

    with file:
        assert wrong(line, Rows(), workers=4) == 0
    line.says("SEQ225", f"right in {COUNT} of {COUNT} batches with threads")


def test_h5py_in_processes(line: Line, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "rows.h5", "w") as store:
        store["rows"] = np.repeat(np.arange(8, dtype="float32")[:, None], 4, axis=1)

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.file = h5py.File(tmp_path / "rows.h5", "r")

        def __len__(self) -> int:
            return 8

        def __getitem__(self, index: int) -> Any:
            return self.file["rows"][index : index + 1], np.ones((1, 1), "float32")

    kept, rows = Kept(line), Rows()
    fit(line, kept, rows, workers=2, processes=True)
    assert [float(x[0, 0]) for x, _ in kept.steps] == list(range(8))
    line.says("SEQ225", "and right with forked processes in a small file")
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(rows.file)
    line.says("SEQ225", "it can't be pickled")
