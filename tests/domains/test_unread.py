"""Orders of epoch hooks that reach no batch, in spellings that need a run of the program; and those that do."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from seqlint.domains.rows.unread import UnreadOrders
from tests.run.programs import ran

if TYPE_CHECKING:
    from pathlib import Path

START = """
import random
import keras
import numpy as np
{extra}

class Feed(keras.utils.PyDataset):
    def __init__(self, x, y):
        super().__init__()
        self.x, self.y = x, y
        self.order = np.arange(len(x))
{start}

    def __len__(self):
        return len(self.order) // 4

    def __getitem__(self, index):
{batch}

    def on_epoch_end(self):
{hook}

feed = Feed(np.load("x.npy"), np.load("y.npy"))
"""
SLICES = "return self.x[index * 4 : index * 4 + 4], self.y[index * 4 : index * 4 + 4]"
SHUFFLE = "np.random.shuffle(self.order)"
STORE = "class Store:\n    def __init__(self, n):\n        self.order = np.arange(n)\n    def mix(self):\n        np.random.shuffle(self.order)"
DRAWN = "def drawn(n):\n    return np.random.permutation(n)\n"


def feed(batch: str = SLICES, hook: str = SHUFFLE, start: str = "pass", extra: str = "") -> str:
    def inside(text: str) -> str:
        return textwrap.indent(textwrap.dedent(text).strip("\n"), "        ")

    return START.format(batch=inside(batch), hook=inside(hook), start=inside(start), extra=textwrap.dedent(extra))


def names(text: str, folder: Path | None = None, files: dict[str, str] | None = None) -> list[str]:
    return [each.name for each in ran(text, folder, files).domain(UnreadOrders).all]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param(feed(), "self.order", id="plain"),
        pytest.param(feed(hook="me = self\nnp.random.shuffle(me.order)"), "self.order", id="me"),
        pytest.param(feed(hook="for rows in [self.order]:\n    random.shuffle(rows)"), "self.order", id="loop"),
        pytest.param(feed(hook="self.order = drawn(len(self.x))", extra=DRAWN), "self.order", id="drawn by a helper"),
        pytest.param(feed(hook="self.order = self.order[np.random.permutation(len(self.order))]"), "self.order", id="taken by itself"),
        pytest.param(feed("part = range(index * 4, index * 4 + 4)\nreturn np.array([self.x[i] for i in part]), self.y[part]"), "self.order",
                     id="range"),
        pytest.param(feed("rows = self.rows[index * 4 : index * 4 + 4]\nreturn self.x[rows], self.y[rows]", start="self.rows = self.order.copy()"),
                     "self.order", id="a copy is read"),
        pytest.param(feed("return self.rows[index * 4 :]", "random.shuffle(self.x)", "self.rows = np.array(list(self.x))"), "self.x",
                     id="what the caller gave"),
        pytest.param(feed("print(self.order)\nprint(len(self.order))\n" + SLICES), "self.order", id="printed"),
    ],
)  # fmt: skip
def test_no_batch_has_the_order(text: str, name: str) -> None:
    assert names(text) == [name]


def test_the_store_of_another_file_reads_its_own_copy(tmp_path: Path) -> None:
    text = feed(
        "return self.store.rows(index)", start="self.store = Store(x, self.order)", extra="from store import Store"
    )
    store = (
        "import numpy as np\nclass Store:\n    def __init__(self, x, order):\n        self.x, self.order = x, {order}\n"
        "    def rows(self, index):\n        return self.x[self.order[index * 4 : index * 4 + 4]]\n"
    )
    assert names(text, tmp_path, {"store.py": store.format(order="np.array(order)")}) == ["self.order"]
    assert names(text, tmp_path, {"store.py": store.format(order="order")}) == []


BY_ORDER = "rows = self.order[index * 4 : index * 4 + 4]\nreturn self.x[rows], self.y[rows]"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(feed(BY_ORDER), id="read"),
        pytest.param(feed("me = self\nrows = me.order[index * 4 : index * 4 + 4]\nreturn me.x[rows], me.y[rows]"), id="read by an alias"),
        pytest.param(feed("return np.array([self.x[i] for i in self.order[index * 4 :][:4]])"), id="comprehension"),
        pytest.param(
            feed("x = np.empty((4, 3))\nfor n, row in enumerate(self.order[index * 4 : index * 4 + 4]):\n    x[n] = self.x[row]\nreturn x"),
            id="written row by row"),
        pytest.param(feed("rows = self.rows[index * 4 : index * 4 + 4]\nreturn self.x[rows]", start="self.rows = self.order[:]"), id="view"),
        pytest.param(feed("return self.x[self.store.order[index * 4 : index * 4 + 4]]", "self.store.mix()", "self.store = Store(len(x))", STORE),
                     id="order of a store"),
        pytest.param(feed(hook="np.random.shuffle(self.order)\nself.x, self.y = self.x[self.order], self.y[self.order]"), id="all at once"),
        pytest.param(feed(hook="self.reader.mix(self.order)", start="self.reader = open_reader()"), id="nobody knows"),
        pytest.param(feed(start="self.reader = Reader(self.order)", extra="from elsewhere import Reader"), id="a stranger has it"),
        pytest.param(feed(start="self.kept = {'order': self.order}", batch="return self.x[self.kept['order'][index]]"), id="dict"),
        pytest.param(feed("return np.stack([self.files[row] for row in self.order[index * 4 : index * 4 + 4]])",
                          start="self.files = []\nfor name in x:\n    self.files.append(open_file(name))"), id="items of a list that a loop fills"),
        pytest.param(feed("return self.pair[self.order[index]]", start="self.pair = [load(x), load(y)]"), id="one of two"),
        pytest.param(feed(hook="self.parts.append(np.random.permutation(4))", start="self.parts = []"), id="kept in a list"),
        pytest.param(feed("return np.stack([random.choice(self.x) for _ in range(4)])"), id="random batches"),
        pytest.param(feed("return self.x[getattr(self, self.y)[index]]"), id="any attribute"),
        pytest.param(feed("return load('rows-' + str(self.order[index]) + '.npy')"), id="name of a file"),
        pytest.param(feed(hook="self.order = np.random.shuffle(self.order)"), id="None is stored"),
        pytest.param(feed() + "print(feed.x[feed.order])\n", id="code after it"),
        pytest.param(feed(SLICES, "np.random.shuffle(self.x)\nnp.random.shuffle(self.y)"), id="the rows themselves"),
    ],
)  # fmt: skip
def test_something_has_the_order(text: str) -> None:
    assert names(text) == []
