"""A script of its own, whose Keras starts worker processes by "spawn", as macOS and Windows do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

_SCRIPT = """
import multiprocessing

import numpy as np
import {module} as keras


class Feed(keras.utils.{base}):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.ones((2, 1), "float32"), np.ones((2, 1), "float32")


def train():
    multiprocessing.set_start_method("spawn", force=True)
    feed = Feed({of_feed})
    feed.change = {change}
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(feed, {of_fit}verbose=0)


{call}
"""
_SETTINGS = "workers=2, use_multiprocessing=True"


def ends(line: Line, folder: Path, limit: float, *, change: str = "None", guard: bool = True) -> str | None:
    """What a script that trains with two processes writes as it ends; None if it doesn't within `limit` seconds.

    Args:
        change: an expression whose value is kept on the Sequence.
        guard: whether the script trains under `if __name__ == "__main__":`.
    """
    script = folder / "script.py"
    call = 'if __name__ == "__main__":\n    train()' if guard else "train()"
    settings = {"base": "Sequence", "of_feed": "", "of_fit": _SETTINGS + ", "}
    if not line.is_2:
        settings = {"base": "PyDataset", "of_feed": _SETTINGS, "of_fit": ""}
    script.write_text(
        _SCRIPT.format(module=line.keras.__name__.partition(".")[0], call=call, change=change, **settings)
    )
    # Output goes to a file: workers that are left over would hold a pipe open.
    with open(folder / "written", "w+", encoding="utf-8") as written:
        started = subprocess.Popen([sys.executable, script], stdout=written, stderr=written, start_new_session=True)
        try:
            started.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing is left of it
                os.killpg(started.pid, signal.SIGKILL)
            started.wait()
        written.seek(0)
        return written.read()
