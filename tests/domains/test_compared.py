"""Predictions that are held against labels in another order, in spellings that need a run of the program; and those in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.domains.orders.compared import Comparisons
from tests.run.programs import ran

if TYPE_CHECKING:
    from pathlib import Path

FEED = """
class Feed(keras.utils.PyDataset):
    def __init__(self, x, y, mix=True):
        super().__init__()
        self.x, self.y, self.mix = x, y, mix
        self.order = np.arange(len(x))
        self.on_epoch_end()

    def __len__(self):
        return len(self.order) // 8

    def __getitem__(self, index):
        rows = self.order[index * 8 : index * 8 + 8]
        return self.x[rows], self.y[rows]

    def on_epoch_end(self):
        if self.mix:
            np.random.shuffle(self.order)
"""
START = """
import keras
import numpy as np
import tensorflow as tf
from sklearn.metrics import accuracy_score
{}

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
"""
FILES = 'tf.keras.utils.image_dataset_from_directory("leaves"{})'


def found(text: str, folder: Path | None = None, files: dict[str, str] | None = None) -> list[str]:
    run = ran(text, folder, files)
    return [f"{run.text(each.source.node)}: {each.labels}" for each in run.domain(Comparisons).all]


def own(code: str) -> str:
    return START.format(FEED) + code


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(own("def report(truth, guesses):\n    print(accuracy_score(truth, guesses > 0.5))\nreport(y, model.predict(Feed(x, y)))"),
                     "Feed(x, y): truth", id="a helper compares"),
        pytest.param(own("def held(rows, marks):\n    return Feed(rows, marks)\nprint(accuracy_score(y, model.predict(held(x, y))))"),
                     "Feed(rows, marks): y", id="a helper makes it"),
        pytest.param(own("settings = {'mix': True}\nprint(accuracy_score(y, model.predict(Feed(x, y, **settings))))"),
                     "Feed(x, y, **settings): y", id="options in a dict"),
        pytest.param(own("for part in [Feed(x, y)]:\n    print((model.predict(part)[:, 0] == part.y).mean())"), "Feed(x, y): part.y", id="loop"),
        pytest.param(own(f"def rows():\n    return {FILES.format('')}\nds = rows()\ntruth = [label for _, part in ds for label in part]\n"
                         "print(accuracy_score(truth, model.predict(ds)))"), f"{FILES.format('')}: ds", id="a function gives the dataset"),
    ],
)  # fmt: skip
def test_labels_come_in_another_order(text: str, said: str) -> None:
    assert found(text) == [said]


def test_the_comparison_is_in_another_file(tmp_path: Path) -> None:
    report = (
        "from sklearn.metrics import accuracy_score\ndef report(model, feed):\n    guesses = model.predict(feed)\n"
        "    return accuracy_score({}, guesses)\n"
    )
    text = own("from reports import report\nprint(report(model, Feed(x, y)))")
    assert found(text, tmp_path, {"reports.py": report.format("feed.y")}) == ['Feed(x, y): np.load("y.npy")']
    assert found(text, tmp_path, {"reports.py": report.format("feed.y[feed.order]")}) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(own("print(accuracy_score(y, model.predict(Feed(x, y, mix=False))))"), id="in order"),
        pytest.param(own("feed = Feed(x, y)\nprint(accuracy_score(np.take(feed.y, feed.order), model.predict(feed)))"), id="labels by the order"),
        pytest.param(own("feed = Feed(x, y)\nfeed.order.sort()\nprint(accuracy_score(y, model.predict(feed)))"), id="the order is sorted again"),
        pytest.param(own("print(accuracy_score(np.sort(y), np.sort(model.predict(Feed(x, y))[:, 0])))"), id="both are sorted"),
        pytest.param(own("print(np.mean(y) - np.mean(model.predict(Feed(x, y))))"), id="means"),
        pytest.param(own("print(accuracy_score(y[::2], model.predict(Feed(x, y))[::2]))").replace("y[::2]", "np.load('z.npy')"), id="other labels"),
        pytest.param(own(f"ds = {FILES.format(', shuffle=False')}\ntruth = [part for _, part in ds]\nprint(accuracy_score(truth, model.predict(ds)))"),
                     id="files in order"),
        pytest.param(own(f"ds = {FILES.format('')}\nfor rows, part in ds:\n    print(accuracy_score(part, model.predict(rows)))"), id="one loop"),
    ],
)  # fmt: skip
def test_labels_come_in_the_same_order(text: str) -> None:
    assert found(text) == []
