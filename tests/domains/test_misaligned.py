"""Pairs that are moved separately, in spellings that need a run of the program; and look-alikes that keep their rows together."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

import pytest

from seqlint.domains.rows.misaligned import Misalignments
from tests.run.programs import ran

if TYPE_CHECKING:
    from pathlib import Path

START = """
import random
import keras
import numpy as np
{extra}

class Feed(keras.utils.PyDataset):
    def __init__(self, tokens, tags, n=4):
        super().__init__()
        self.tokens, self.tags, self.n = tokens, tags, n
{start}

    def __len__(self):
        return len(self.tokens) // self.n

    def __getitem__(self, index):
{batch}

    def on_epoch_end(self):
{hook}

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Feed(np.load("tokens.npy"), np.load("tags.npy")))
"""
BATCH = "return self.tokens[index * 4 : index * 4 + 4], self.tags[index * 4 : index * 4 + 4]"
BOTH = "np.random.shuffle(self.tokens)\nnp.random.shuffle(self.tags)"


def feed(hook: str = BOTH, batch: str = BATCH, start: str = "pass", extra: str = "") -> str:
    def inside(text: str) -> str:
        return textwrap.indent(textwrap.dedent(text).strip("\n"), "        ")

    return START.format(hook=inside(hook), batch=inside(batch), start=inside(start), extra=textwrap.dedent(extra))


def with_method(text: str, method: str) -> str:
    return text.replace("    def on_epoch_end", textwrap.indent(method, "    ") + "\n\n    def on_epoch_end")


def script(moves: str, fit: str = "model.fit(x, y)", extra: str = "") -> str:
    return (
        f"import random\nimport keras\nimport numpy as np\n{textwrap.dedent(extra)}\n"
        "x, y = np.load('x.npy'), np.load('y.npy')\nrng = np.random.default_rng()\n"
        f"{textwrap.dedent(moves).strip()}\n"
        "model = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile(loss='mse')\n" + fit
    )


def found(text: str, folder: Path | None = None, files: dict[str, str] | None = None) -> list[str]:
    """The lines where a reader is shown the moves, without their indentation."""
    run = ran(text, folder, files)
    misaligned = run.domain(Misalignments)
    places = dict.fromkeys(each.places[1 if each.second is not None else 0] for each in misaligned.all)
    lines = textwrap.dedent(text).split("\n")
    return [lines[place.lineno - 1].strip() for place in places if isinstance(place, (ast.expr, ast.stmt))]


STORE = """
class Store:
    def __init__(self, tokens, tags):
        self.tokens, self.tags = tokens, tags
    def mix(self):
        np.random.shuffle(self.tokens)
        np.random.shuffle(self.tags)
"""
BY_STORE = "self.store = Store(tokens, tags)"
HELPER = "def mix(rng, rows):\n    rng.shuffle(rows)\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(feed(), "np.random.shuffle(self.tags)", id="names that say nothing"),
        pytest.param(feed("self.store.mix()", start=BY_STORE, extra=STORE), "np.random.shuffle(self.tags)", id="store"),
        pytest.param(
            feed("self.store.mix()", "s = self.store\nreturn s.tokens[index * 4 : index * 4 + 4], s.tags[index * 4 : index * 4 + 4]",
                 BY_STORE, STORE), "np.random.shuffle(self.tags)", id="rows of the store"),
        pytest.param(
            feed("mixer = self.mixer\nmixer(self)", start="self.mixer = Mixer()",
                 extra="class Mixer:\n    def __call__(self, feed):\n        random.shuffle(feed.tokens)\n        random.shuffle(feed.tags)"),
            "random.shuffle(feed.tags)", id="callable object"),
        pytest.param(feed("me = self\nrandom.shuffle(me.tokens)\nrandom.shuffle(me.tags)"), "random.shuffle(me.tags)", id="me"),
        pytest.param(feed("a = self.tokens\nb = self.tags\nrandom.shuffle(a)\nrandom.shuffle(b)"), "random.shuffle(b)", id="aliases"),
        pytest.param(
            feed("for name in ('tokens', 'tags'):\n    np.random.shuffle(getattr(self, name))"),
            "np.random.shuffle(getattr(self, name))", id="getattr"),
        pytest.param(
            feed("for each in vars_of(self):\n    self.rng.shuffle(each)", start="self.rng = np.random.default_rng()",
                 extra="def vars_of(feed):\n    return [feed.tokens, feed.tags]"), "self.rng.shuffle(each)", id="list from a helper"),
        pytest.param(
            with_method(feed(batch="rows = self._span(index)\nreturn self.tokens[rows], self.tags[rows]"),
                        "def _span(self, i):\n    return slice(i * self.n, (i + 1) * self.n)"),
            "np.random.shuffle(self.tags)", id="slice of a method"),
        pytest.param(
            feed(batch="first = index * self.n\nrows = range(first, min(first + self.n, len(self.tokens)))\n"
                 "return np.array([self.tokens[i] for i in rows]), np.array([self.tags[i] for i in rows])"),
            "np.random.shuffle(self.tags)", id="range"),
        pytest.param(
            feed(batch="a, b = [], []\nfor i in range(index * 4, index * 4 + 4):\n    a.append(self.tokens[i])\n    b.append(self.tags[i])\n"
                 "return np.stack(a), np.stack(b)"), "np.random.shuffle(self.tags)", id="filled in a loop"),
        pytest.param(
            feed(batch="return span_of(self.tokens, index), span_of(self.tags, index)",
                 extra="def span_of(rows, i, n=4):\n    return rows[i * n : (i + 1) * n]"), "np.random.shuffle(self.tags)", id="span"),
        pytest.param(
            feed(batch="pairs = zip(self.tokens[index * 4 :][:4], self.tags[index * 4 :][:4])\n"
                 "a, b = [], []\nfor one, other in pairs:\n    a.append(one)\n    b.append(other)\nreturn np.array(a), np.array(b)"),
            "np.random.shuffle(self.tags)", id="zip"),
        pytest.param(feed("random.shuffle(self.tags)"), "random.shuffle(self.tags)", id="one alone"),
        pytest.param(feed("if self.n > 1:\n    random.shuffle(self.tags)"), "random.shuffle(self.tags)", id="one alone, by a branch"),
        pytest.param(script("for rows in (x, y):\n    mix(rng, rows)", extra=HELPER), "rng.shuffle(rows)", id="helper in a loop"),
        pytest.param(script("mix(rng, x)\nmix(rng, y)", extra=HELPER), "mix(rng, y)", id="helper twice"),
        pytest.param(script("[mix(rng, rows) for rows in [x, y]]", extra=HELPER), "rng.shuffle(rows)", id="helper in a comprehension"),
        pytest.param(script("x, y = [rng.permutation(c) for c in (x, y)]"), "x, y = [rng.permutation(c) for c in (x, y)]", id="permuted"),
        pytest.param(script("x, y = map(rng.permutation, (x, y))") , "x, y = map(rng.permutation, (x, y))", id="map"),
        pytest.param(script("x, y = (c[rng.permutation(len(c))] for c in (x, y))"),
                     "x, y = (c[rng.permutation(len(c))] for c in (x, y))", id="generator expression"),
        pytest.param(script("data = {'x': x, 'y': y}\nfor key in data:\n    data[key] = rng.permutation(data[key])",
                            "model.fit(data['x'], data['y'])"), "data[key] = rng.permutation(data[key])", id="dict"),
    ],
)  # fmt: skip
def test_a_pair_is_moved_separately(text: str, line: str) -> None:
    assert found(text) == [line]


def test_a_helper_of_another_file_moves_both(tmp_path: Path) -> None:
    text = script("mix(x)\nmix(y)", extra="from mixing import mix")
    assert found(text, tmp_path, {"mixing.py": "import random\ndef mix(rows):\n    random.shuffle(rows)"}) == ["mix(y)"]


def test_a_loader_of_another_file_is_read_where_it_is_used(tmp_path: Path) -> None:
    text = script("x, y = loaded(x, y)", extra="from loading import loaded")
    files = {"loading.py": "import numpy as np\ndef loaded(a, b):\n    np.random.shuffle(a)\n    return a, b"}
    assert found(text, tmp_path, files) == ["x, y = loaded(x, y)"]


BY_INDEX = "rows = self.order[index * 4 : index * 4 + 4]\nreturn self.tokens[rows], self.tags[rows]"
SEEDED = "def mixed(rows, seed=3):\n    np.random.default_rng(seed).shuffle(rows)"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(feed("random.shuffle(self.order)", BY_INDEX, "self.order = list(range(len(tokens)))"), id="index"),
        pytest.param(feed("mixed(self.tokens)\nmixed(self.tags)", extra=SEEDED), id="seed as a default"),
        pytest.param(feed("for rows in (self.tokens, self.tags):\n    mixed(rows, self.n)", extra=SEEDED), id="one seed"),
        pytest.param(
            feed("order = self.drawn()\nself.tokens = self.tokens[order]\nself.tags = self.tags[order]").replace(
                "    def on_epoch_end", "    def drawn(self):\n        return np.random.permutation(len(self.tags))\n\n    def on_epoch_end"),
            id="order of a method"),
        pytest.param(
            feed("pairs = list(zip(self.tokens, self.tags))\nrandom.shuffle(pairs)\nself.tokens, self.tags = zip(*pairs)"), id="zip"),
        pytest.param(
            feed("pairs = [(a, b) for a, b in zip(self.tokens, self.tags)]\nrandom.shuffle(pairs)\n"
                 "self.tokens = [a for a, _ in pairs]\nself.tags = [b for _, b in pairs]"), id="list of pairs"),
        pytest.param(
            feed("random.shuffle(self.pairs)", "part = self.pairs[index * 4 : index * 4 + 4]\n"
                 "return np.array([a for a, b in part]), np.array([b for a, b in part])", "self.pairs = list(zip(tokens, tags))"),
            id="pairs that are shuffled"),
        pytest.param(
            feed("self.rng.shuffle(self.tokens)\nself.rng = np.random.default_rng(5)\nself.rng.shuffle(self.tags)",
                 start="self.rng = np.random.default_rng(5)").replace("fit(Feed", "fit(Feed"), id="a fresh generator of the same seed"),
        pytest.param(script("state = rng.bit_generator.state\nrng.shuffle(x)\nrng.bit_generator.state = state\nrng.shuffle(y)"), id="state"),
        pytest.param(script("random.seed(0)\nrandom.shuffle(x)\nrandom.seed(0)\nrandom.shuffle(y)"), id="seeded again"),
        pytest.param(script("from sklearn.utils import shuffle\nx, y = shuffle(x, y)"), id="scikit-learn"),
        pytest.param(
            script("from sklearn.model_selection import train_test_split\nx, xt, y, yt = train_test_split(x, y)",
                   "model.fit(x, y, validation_data=(xt, yt))"), id="split"),
        pytest.param(script("rng.shuffle(x)\ny = x.sum(axis=1)"), id="targets made later"),
        pytest.param(script("y = x[:, 0]\nrng.shuffle(x)"), id="view"),
        pytest.param(script("rng.shuffle(x)\ny = np.load('y.npy')"), id="targets loaded later"),
        pytest.param(script("table = np.hstack([x, y])\nrng.shuffle(table)\nx, y = table[:, :-1], table[:, -1]"), id="table"),
        pytest.param(script("import pandas as pd\nframe = pd.read_csv('a.csv').sample(frac=1)\nx, y = frame[['a']].values, frame['b'].values"),
                     id="frame"),
        pytest.param(script("rng.shuffle(x)", "model.predict(x)"), id="nothing is fitted"),
        pytest.param(script("index = np.arange(len(x))\nrng.shuffle(index)\nx, y = np.take(x, index, 0), y[index]"), id="take"),
        pytest.param(script("index = list(range(len(x)))\nrandom.shuffle(index)\nx = [x[i] for i in index]\ny = [y[i] for i in index]"),
                     id="listed"),
        pytest.param(script("np.random.shuffle(x)", "model.fit(x, np.ones(len(x)))"), id="equal targets"),
        pytest.param(script("np.random.shuffle(x)\ny = unknown(x, y)"), id="what a stranger makes of both"),
        pytest.param(feed("self.tokens, self.tags = other.mixed(self.tokens, self.tags)"), id="a stranger moves both"),
        pytest.param(feed("self.rng.shuffle(self.tokens)\nself.rng.shuffle(self.tags)"), id="a generator that nobody knows"),
        pytest.param(feed(batch=BATCH.replace("[index * 4 : index * 4 + 4], self", "[index], self")), id="other rows of each"),
        pytest.param(
            feed(batch="return self.tokens[index * 4 : index * 4 + 4], self.encoded(self.tags[index])"), id="one row of the other"),
    ],
)  # fmt: skip
def test_rows_stay_together(text: str) -> None:
    assert found(text) == []


def test_one_slice_of_both_is_what_pairs_them() -> None:
    plain = (
        feed()
        .replace('compile(optimizer="sgd", loss="mse")', "load_weights('w.h5')")
        .replace("fit(Feed(", "feed(Feed(")
    )
    assert len(ran(plain).domain(Misalignments).all) > 0
    other = plain.replace("self.tags[index * 4 : index * 4 + 4]", "self.tags[index * 2 : index * 2 + 2]")
    assert ran(other).domain(Misalignments).all == ()
    noise = plain.replace(
        "self.tokens, self.tags, self.n = tokens, tags, n",
        "self.tokens, self.tags, self.n = tokens, np.random.normal(size=tags), n",
    )
    assert ran(noise).domain(Misalignments).all == ()
