"""Sequences for tests that are about one method alone."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import TYPE_CHECKING

from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts


def sequence(body: str, rest: str = "") -> Facts:
    """The facts of a Sequence with this body of `__getitem__`, and other methods."""
    method = "    def __getitem__(self, index):\n" + indent(dedent(body).strip("\n"), " " * 8)
    more = indent(dedent(rest).strip("\n"), " " * 4)
    return facts_of(f"import keras\nimport numpy as np\n\nclass Feed(keras.utils.PyDataset):\n{method}\n\n{more}\n")


FIT = """
model = keras.Sequential([keras.layers.Dense(1)])
model.fit(feed(PATHS, LABELS, 4), steps_per_epoch=2)
"""


def generator(body: str, use: str = FIT) -> Facts:
    """The facts of a generator `feed` with this body, and of what is done with it: a model gets it."""
    inner = indent(dedent(body).strip("\n"), " " * 4)
    return facts_of(f"import keras\nimport numpy as np\n\ndef feed(paths, labels, size):\n{inner}\n\n{use}")
