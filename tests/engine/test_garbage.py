"""What a check has worked out goes at once: the process needs no more memory for the hundredth file than for the first."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

import libcst as cst

from seqlint import engine, registry
from seqlint.config import Config
from seqlint.run.frames import Frame
from seqlint.run.objects import Class, Result
from seqlint.sources import Source
from seqlint.trees.regrown import Regrowth

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

_BASE = """
import keras


class Rows(keras.utils.PyDataset):
    def __getitem__(self, index):
        return self.pick(index)
"""
_PROGRAM = """
import keras
import numpy as np
from base import Rows


class Feed(Rows):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) / 2

    def pick(self, index):
        return self.x[index], self.y[index]

    def on_epoch_end(self):
        np.random.shuffle(self.x)
        np.random.shuffle(self.y)


class Stop(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs):
        def inner():
            return inner
        self.model.stop_training = logs["acc"] > 0.9


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse")
model.fit_generator(Feed(np.ones((8, 2)), [n for n in range(8)]), callbacks=[Stop()], workers=2)
"""
_PARTS = (cst.CSTNode, Frame, Class, Result)


def _waiting(source: Source) -> set[str]:
    """The kinds of parts that only the garbage collector would free after a check."""
    gc.collect()
    gc.disable()
    try:
        found = engine.check(source, registry.load(), Config.default())
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert len(found.diagnostics) > 3
        return {type(each).__name__ for each in gc.garbage if isinstance(each, _PARTS)}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_no_part_of_a_file_waits_for_the_garbage_collector(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(_BASE)
    (tmp_path / "feed.py").write_text(_PROGRAM)
    source = Source.from_text(_PROGRAM, str(tmp_path / "feed.py"))
    assert _waiting(source) == set()


def test_a_tree_that_is_kept_from_text_to_text_serves_each_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Regrowth()
    kept.remember()
    monkeypatch.setattr(sys.modules["seqlint.trees.grow"], "_regrowth", kept)
    path = str(tmp_path / "feed.py")
    codes = []
    for more in ("", "# typed\n", "# typed more\n", ""):
        text = _PROGRAM + f'print(f"{{model!r:>9}}")\n{more}'
        found = engine.check(Source.from_text(text, path), registry.load(), Config.default())
        codes.append([each.code for each in found.diagnostics])
    assert "SEQ002" not in codes[-1]
    assert codes == [codes[0]] * len(codes)
