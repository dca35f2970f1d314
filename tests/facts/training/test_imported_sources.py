"""What other files of a project may bring to a call of a model, before any of it is parsed in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.code.prefilter import Words
from seqlint.facts.project import Project
from seqlint.facts.training.imported_sources import may_import_source
from tests.facts.projects import write

if TYPE_CHECKING:
    from pathlib import Path

PROJECT = {
    "pkg/__init__.py": "from .feeds import Feed\n",
    "pkg/feeds.py": """
        import keras
        import tensorflow as tf

        class Feed(keras.utils.Sequence):
            pass

        class Plain:
            pass

        def load():
            return 1, 2

        def make(path):
            return Feed(path)

        def stream(x):
            while True:
                yield x

        def dataset(x):
            return tf.data.Dataset.range(x).batch(2)

        Other = keras.utils.PyDataset
        rows = tf.data.Dataset.range(3)
    """,
    "pkg/plain.py": "import numpy as np\n\ndef load():\n    return np.ones(3)\n",
    "pkg/all.py": "from .feeds import *\n",
    "lib/own/__init__.py": "",
    "lib/own/rows.py": "import keras\n\nclass Rows(keras.utils.Sequence):\n    pass\n\ndef load():\n    return 1\n",
}
BRINGS = {
    "a class": "from pkg.feeds import Feed",
    "a class of the package": "from pkg import Feed",
    "a class with a second name": "from pkg.feeds import load, Feed as Rows",
    "a class of a module": "from pkg import feeds\n\nfeed = feeds.Feed()",
    "a class of a module with a second name": "import pkg.feeds as data\n\nfeed = data . Feed()",
    "a class by its whole name": "import pkg.feeds\n\nfeed = pkg.feeds.Feed()",
    "in a function": "def train():\n    from pkg.feeds import Feed\n    return Feed()",
    "over lines": "from pkg.feeds import (\n    load,  # (x, y)\n    Feed,\n)",
    "relative": "from .pkg.feeds import Feed",
    "everything": "from pkg.feeds import *",
    "everything of everything": "from pkg.all import *",
    "a base under another name": "from pkg.feeds import Other",
    "a class of a module that another import leads to": "from own.rows import Rows\nfrom lib.own.rows import load",
    "a dataset": "from pkg.feeds import rows",
    "a function that makes one": "from pkg.feeds import make",
    "a generator": "from pkg.feeds import stream",
    "a function that makes a dataset": "from pkg.feeds import dataset",
}
BRINGS_NONE = {
    "functions": "from pkg.feeds import load, Plain",
    "a module": "from pkg import feeds\n\nx, y = feeds.load()",
    "another module": "from pkg.plain import load",
    "libraries": "import keras\nimport numpy as np\nfrom feeds_of_others import Feed\n\nkeras.utils.Sequence",
    "prose": '"""Rows\n\nfrom the files of pkg.feeds, import what you need\nimport nothing else\n"""',
}


def brings(root: Path, text: str) -> bool:
    write(root, PROJECT)
    path = root / "train.py"
    path.write_text(text)
    return may_import_source(Project(root).at(path), path, text, Words(text).import_statements)


@pytest.mark.parametrize("text", BRINGS.values(), ids=BRINGS)
def test_it_may_bring_a_source(text: str, tmp_path: Path) -> None:
    assert brings(tmp_path, text)


@pytest.mark.parametrize("text", BRINGS_NONE.values(), ids=BRINGS_NONE)
def test_it_brings_none(text: str, tmp_path: Path) -> None:
    assert not brings(tmp_path, text)
