"""New orders that nothing uses, in spellings that need a run of the program; and those that something does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.domains.rows.lost_orders import LostOrders
from seqlint.run import Run
from seqlint.sources import Source
from tests.run.programs import ran

if TYPE_CHECKING:
    from pathlib import Path

START = "import random\nimport numpy as np\nx, y = np.load('x.npy'), np.load('y.npy')\n"
MIXED = "def mixed(rows):\n    order = np.random.permutation(len(rows))\n    return rows[order]\n"


def lost(text: str, folder: Path | None = None, files: dict[str, str] | None = None) -> list[str]:
    run = ran(START + text, folder, files)
    return [f"{each.why}: {run.text(each.node)}" for each in run.domain(LostOrders).all]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("def mix(rows):\n    return np.random.shuffle(rows)\nprint(mix(x)[0])\n", "gone: np.random.shuffle(rows)", id="a helper gives None"),
        pytest.param("rng = np.random.default_rng(1)\nparts = {'x': rng.shuffle(x)}\nfit(parts['x'])\n", "gone: rng.shuffle(x)", id="None in a dict"),
        pytest.param("class Mixer:\n    def __init__(self):\n        self.rng = np.random.default_rng()\n    def mixed(self, rows):\n"
                     "        return self.rng.permutation(rows)\nMixer().mixed(x)\n", "returned: Mixer().mixed(x)", id="an object of the program"),
        pytest.param(MIXED + "def both(rows, more):\n    rows = mixed(rows)\n    return rows\nboth(x, y)\n", "returned: both(x, y)", id="two helpers"),
        pytest.param("for part in (x, y):\n    np.random.permutation(part)\n", "discarded: np.random.permutation(part)", id="loop"),
    ],
)  # fmt: skip
def test_nothing_has_the_new_order(text: str, said: str) -> None:
    assert lost(text) == [said]


def test_the_helper_of_another_file_returns_it(tmp_path: Path) -> None:
    helper = "import numpy as np\n" + MIXED
    assert lost("from mixing import mixed\nmixed(x)\n", tmp_path, {"mixing.py": helper}) == ["returned: mixed(x)"]
    assert lost("from mixing import mixed\nx = mixed(x)\n", tmp_path, {"mixing.py": helper}) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def mix(rows):\n    return np.random.shuffle(rows)\nmix(x)\nprint(x[0])\n", id="nobody takes the None"),
        pytest.param("done = np.random.shuffle(x)\nprint(done)\nif done is None:\n    fit(x)\n", id="only asked for"),
        pytest.param("class Store:\n    def mix(self, rows):\n        self.rows = np.random.permutation(rows)\n        return self.rows\nStore().mix(x)\n", id="kept"),
        pytest.param("def mix(rows):\n    np.random.shuffle(rows)\n    return rows[np.random.permutation(len(rows))]\nmix(x)\n", id="moved in place, too"),
        pytest.param("seen = []\ndef mix(rows):\n    rows = np.random.permutation(rows)\n    seen.append(rows)\n    return rows\nmix(x)\n", id="kept in a list"),
        pytest.param("rows = list(x)\nrandom.shuffle(rows)\nfit(rows)\n", id="a copy with a name"),
        pytest.param("np.random.choice(x, 3)\nrandom.sample(x, 3)\n", id="a part of the rows"),
    ],
)  # fmt: skip
def test_something_has_the_new_order(text: str) -> None:
    assert lost(text) == []


def test_a_notebook_shows_the_last_value_of_a_cell(tmp_path: Path) -> None:
    cells = [
        "import tensorflow as tf\ntides = tf.range(9)\n",
        "tf.random.shuffle(tides)\n",
        "tf.random.shuffle(tides)\nprint(tides)\n",
    ]
    notebook = Source.from_cells(enumerate(cells, 1), "tides.ipynb")
    found = Run(notebook, None, None).domain(LostOrders).all
    places = [notebook.position(notebook.line_starts[each.node.lineno - 1]).cell for each in found]
    assert [place.number for place in places if place is not None] == [3]
