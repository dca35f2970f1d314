"""The work on a file grows with the file: twice the text takes about twice the steps, whatever the text is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.config import Config
from seqlint.runner import text
from seqlint.sources import Source
from tests.counting import MOST
from tests.counting import steps as counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.checked import Checked

CONFIG = Config(Path("/"))
FEED = """\
import keras
import numpy as np
import tensorflow as tf


class Feed(keras.utils.Sequence):
    def __init__(self, data):
        self.data = data

    def __getitem__(self, index):
        return self.data[index]

    def __len__(self):
        return 5


model = keras.Sequential()
model.compile(loss="mse")
gen = Feed(1)
"""
SEQUENCE = """\
class Big(keras.utils.Sequence):
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.step_0(self.data)

"""


def repeated(line: str, last: str = "") -> Callable[[int], str]:
    """A line for each number below n, and one for n: "#" stands for the number, "@" for the next."""

    def made(n: int) -> str:
        rows = [line.replace("#", str(number)).replace("@", str(number + 1)) for number in range(n)]
        return FEED + "".join(rows) + last.replace("#", str(n))

    return made


def inside(head: str, line: str, tail: str) -> Callable[[int], str]:
    def made(n: int) -> str:
        rows = [line.replace("#", str(number)).replace("@", str(number + 1)) for number in range(n)]
        return FEED + head + "".join(rows) + tail.replace("#", str(n))

    return made


GROWING: dict[str, tuple[int, Callable[[int], str]]] = {
    "assignments": (500, repeated("a# = #\n")),
    "fits": (50, repeated("model.fit(gen, epochs=3, validation_data=gen)\n")),
    "fits_of_models": (50, repeated("m# = keras.Sequential()\nm#.compile(loss='mse')\nm#.fit(Feed(#))\n")),
    "fits_in_functions": (50, repeated("def train_#(x):\n    model.fit(x)\n\ntrain_#(gen)\n")),
    "fits_in_methods": (
        60,
        inside("class T:\n", "    def m_#(self, x):\n        self.model.fit(x)\n", "t = T()\nt.m_0(gen)\n"),
    ),
    "fits_in_tries": (60, repeated("try:\n    model.fit(gen)\nexcept Exception:\n    pass\n")),
    "classes": (60, repeated("class C#(Feed):\n    def __getitem__(self, i):\n        return self.data[i]\n")),
    "a_chain_of_classes": (
        60,
        inside("class C0(Feed): pass\n", "class C@(C#):\n    def m_#(self): return self.data\n", ""),
    ),
    "functions_that_call_each_other": (150, repeated("def f#(x):\n    return f@(x)\n", "model.fit(f0(gen))\n")),
    "methods_that_call_each_other": (
        60,
        inside(
            SEQUENCE,
            "    def step_#(self, x):\n        self.a# = x\n        return self.step_@(x)\n\n",
            "model.fit(Big(1))\n",
        ),
    ),
    "attributes": (
        100,
        lambda n: (
            FEED
            + "class B(keras.utils.Sequence):\n    def __init__(self, x):\n"
            + "".join(f"        self.x{i} = x\n" for i in range(n))
            + "    def __len__(self): return 3\n    def __getitem__(self, i):\n"
            + "".join(f"        y = self.x{i}[i]\n" for i in range(n))
            + "        return y\nmodel.fit(B(1))\n"
        ),
    ),
    "sums_of_sums": (
        20,
        lambda n: (
            FEED
            + "x = tf.stack([gen, gen])\n"
            + "x = x + x\n" * n
            + "print(x.get_shape(), x - x / (x + x))\nmodel.fit(x)\n"
        ),
    ),
    "imports": (300, repeated("from pkg.mod_# import name_#\n")),
    "elifs": (
        50,
        inside("def f(x):\n    if x: y = 1\n", "    elif x == #:\n        y = model.fit(gen)\n", "    return y\n"),
    ),
    "a_list": (1_000, inside("x = [", "#, ", "]\n")),
    "a_dict": (500, inside("x = {", "'k#': #, ", "}\n")),
    "decorators": (150, lambda n: FEED + "@dec\n" * n + "def f(): pass\n"),
    "withs": (100, repeated("with strategy_#.scope():\n    m# = keras.Sequential()\n")),
    "strings": (100, inside("x = (\n", "'abc'\n", ")\n")),
    "f_strings": (150, repeated("x = f'{a# + 1} {b!r:>{w}}'\n")),
    "comparisons": (150, inside("x = a", " < a#", "\n")),
    "aliases": (300, inside("a0 = gen\n", "a@ = a#\n", "model.fit(a#)\n")),
    "callbacks": (
        100,
        inside("cbs = []\n", "cbs.append(keras.callbacks.EarlyStopping())\n", "model.fit(gen, callbacks=cbs)\n"),
    ),
    "layers": (
        100,
        inside("x = keras.Input((3,))\n", "x = keras.layers.Dense(#)(x)\n", "keras.Model(x, x).fit(gen)\n"),
    ),
    "links_of_a_dataset": (60, inside("d = tf.data.Dataset.range(3)\n", "d = d.map(f)\n", "model.fit(d)\n")),
}
# What is there twice on each level would be there a million times after 20.
DOUBLING: dict[str, Callable[[int], str]] = {
    "calls": repeated("def f#(x):\n    f@(x)\n    f@(x)\n", "def f#(x):\n    model.fit(x)\nf0(gen)\n"),
    "calls_in_a_ring": lambda n: (
        FEED
        + "".join(f"def f{i}(x):\n    f{(i + 1) % n}(x)\n    f{(i + 5) % n}(x)\n    model.fit(x)\n" for i in range(n))
        + "f0(gen)\n"
    ),
    "methods": inside(
        SEQUENCE,
        "    def step_#(self, x):\n        self.step_@(x)\n        return self.step_@(x)\n\n",
        "    def step_#(self, x):\n        return x\nmodel.fit(Big(1))\n",
    ),
    "datasets": inside("d0 = tf.data.Dataset.range(3)\n", "d@ = d#.concatenate(d#)\n", "model.fit(d#)\n"),
    "zips": inside("d0 = tf.data.Dataset.range(3)\n", "d@ = tf.data.Dataset.zip((d#, d#))\n", "model.fit(d#)\n"),
    "tries": lambda n: (
        FEED
        + "def f():\n"
        + "".join("    " * (i + 1) + "try:\n" for i in range(n))
        + "    " * (n + 1)
        + "model.fit(gen)\n"
        + "".join(
            "    " * (i + 1) + "except Exception:\n" + "    " * (i + 2) + "model.fit(gen)\n" for i in reversed(range(n))
        )
    ),
    "bases": inside(
        "class A0(Feed): pass\nclass B0(Feed): pass\n",
        "class A@(A#, B#): pass\nclass B@(A#, B#): pass\n",
        "model.fit(A#(1))\n",
    ),
    "callbacks": inside("c0 = [keras.callbacks.EarlyStopping()]\n", "c@ = c# + c#\n", "model.fit(gen, callbacks=c#)\n"),
    "numbers": inside("a0 = 9\n", "a@ = a# * a#\n", "model.fit(gen, epochs=a#)\n"),
}


def steps(code: str) -> int:
    """How many a check of a text takes."""
    source = Source.from_text(code, f"{len(code)}.py")
    checked: list[Checked] = []
    count = counted(lambda: checked.append(text.check(source, CONFIG)))
    assert not checked[0].broken
    return count


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    text.check(Source.from_text(FEED, "warm.py"), CONFIG)  # which loads the rules


@pytest.mark.parametrize("name", GROWING)
def test_twice_the_text_takes_about_twice_the_steps(name: str) -> None:
    size, made = GROWING[name]
    assert steps(made(2 * size)) < MOST * steps(made(size))


@pytest.mark.parametrize("name", DOUBLING)
def test_what_is_there_twice_on_each_level_is_followed_once(name: str) -> None:
    assert steps(DOUBLING[name](18)) < 2 * MOST * steps(DOUBLING[name](9))
