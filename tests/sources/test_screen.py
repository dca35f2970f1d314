from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.sources.screen import may_reach_keras, mentions_keras
from tests.unprivileged import plain_user

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "text",
    [
        "import keras",
        "from tensorflow.keras.utils import Sequence",
        "import tf_keras as k",
        "from tensorflow.python import keras",
        "import horovod.torch as hvd",
        "x = 1  # seqlint: ignore[SEQ101]",
        "x = 1  # noqa: SEQ101",
        "x = 1  # NOQA:seq101",
        "x = 1  # noqa: E501, SEQ101",
    ],
)
def test_lets_through_what_may_hold_a_finding(text: str) -> None:
    assert mentions_keras(f"# first\n{text}\n".encode())


@pytest.mark.parametrize("text", ["", "import torch", "x = 1  # noqa", "x = 1  # noqa: E501", "Sequence = list"])
def test_stops_what_can_not(text: str) -> None:
    assert not mentions_keras(f"# first\n{text}\n".encode())


BASE = "import keras\nclass Feed(keras.utils.Sequence): ...\n"
DERIVED = "class Mine(Feed):\n    def __getitem__(self, index):\n        return index\n"


def project(folder: Path, files: dict[str, str]) -> None:
    for name, text in {".git/HEAD": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("files", "file"),
    [
        ({"base.py": BASE, "mine.py": f"from base import Feed\n{DERIVED}"}, "mine.py"),
        ({"pkg/base.py": BASE, "pkg/sub/mine.py": f"from ..base import Feed\n{DERIVED}"}, "pkg/sub/mine.py"),
        ({"pkg/base.py": BASE, "pkg/mine.py": f"from . import base\n{DERIVED}"}, "pkg/mine.py"),
        ({"src/pkg/base.py": BASE, "scripts/mine.py": f"from pkg.base import Feed\n{DERIVED}"}, "scripts/mine.py"),
        (
            {
                "pkg/base.py": BASE,
                "pkg/__init__.py": "from .base import Feed\n",
                "mine.py": f"from pkg import Feed\n{DERIVED}",
            },
            "mine.py",
        ),
    ],
)
def test_a_class_can_inherit_keras_from_another_file(tmp_path: Path, files: dict[str, str], file: str) -> None:
    project(tmp_path, files)
    assert may_reach_keras(tmp_path / file, (tmp_path / file).read_bytes())


@pytest.mark.parametrize(
    "text",
    [
        "from base import Feed\n",
        f"from torch.utils.data import Feed\n{DERIVED}",
        f"from other import Feed\n{DERIVED}",
        "from . import (\n",
    ],
)
def test_a_class_that_can_not(tmp_path: Path, text: str) -> None:
    project(tmp_path, {"base.py": BASE, "other.py": "class Feed: ...\n", "mine.py": text})
    assert not may_reach_keras(tmp_path / "mine.py", text.encode())


TRAINS = "model = build()\nmodel.fit(x, y, epochs=3)\n"


@pytest.mark.parametrize(
    ("files", "text", "trains"),
    [
        ({"nets.py": "import keras\n"}, f"from nets import build\n{TRAINS}", True),
        ({"pkg/__init__.py": "from .nets import build\n", "pkg/nets.py": "import keras\n"}, f"from pkg import build\n{TRAINS}", True),
        ({"nets.py": "import keras\n"}, "from nets import build\nbuild() . predict_generator (x)\n", True),
        ({"nets.py": "import keras\n"}, "from nets import build\nbuild().summary()\nfit(x)\n", False),
        ({"nets.py": "import sklearn\n"}, f"from nets import build\n{TRAINS}", False),
        ({"nets.py": "import keras\n"}, f"from others import build\n{TRAINS}", False),
    ],
)  # fmt: skip
def test_a_script_can_train_what_another_file_makes(
    tmp_path: Path, files: dict[str, str], text: str, trains: bool
) -> None:
    project(tmp_path, files)
    assert may_reach_keras(tmp_path / "train.py", text.encode()) is trains


CALLS = "import keras\nclass Feed(keras.utils.Sequence):\n    def __getitem__(self, index):\n        return self.load(index)\n"
HEIR = "class Mine(Feed):\n    def load(self, row):\n        return row\n"


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({"base.py": CALLS}, f"from base import Feed\n{HEIR}"),
        ({"base.py": CALLS}, f"from base import *\n{HEIR}"),
        ({"base.py": CALLS}, f"from base import (  # here\n    Other,\n    Feed,\n)\n{HEIR}"),
        ({"base.py": CALLS}, f"import base as b\n{HEIR.replace('Feed', 'b.Feed')}"),
        ({"pkg/__init__.py": "from .base import Feed\n", "pkg/base.py": CALLS}, f"from pkg import Feed\n{HEIR}"),
        (
            {
                "first.py": CALLS.replace("Feed", "First"),
                "base.py": "from first import First\nclass Feed(First):\n    pass\n",
            },
            f"from base import Feed\n{HEIR}",
        ),
    ],
)
def test_a_base_in_another_file_may_call_methods(tmp_path: Path, files: dict[str, str], text: str) -> None:
    project(tmp_path, files)
    assert may_reach_keras(tmp_path / "mine.py", text.encode())


@pytest.mark.parametrize(
    ("base", "text"),
    [
        (CALLS.replace("__getitem__", "first"), f"from base import Feed\n{HEIR}"),
        (CALLS.replace("keras", "torch"), f"from base import Feed\n{HEIR}"),
        (CALLS, f"from base import helper\nfrom other import Feed\n{HEIR}"),
        (CALLS, "from base import Feed\nclass Mine(Feed):\n    size = 3\n"),
    ],
)
def test_a_base_that_calls_none(tmp_path: Path, base: str, text: str) -> None:
    project(tmp_path, {"base.py": base, "mine.py": text})
    assert not may_reach_keras(tmp_path / "mine.py", text.encode())


SHUFFLED = "def batches(x):\n    while True:\n        shuffle(x)\n        yield x\n"


@pytest.mark.parametrize("home", ["", "feeds"])
def test_a_generator_that_shuffles_may_be_for_a_script_near_it(tmp_path: Path, home: str) -> None:
    folder = tmp_path / home
    folder.mkdir(exist_ok=True)
    made = folder / "made.py"
    assert not may_reach_keras(made, SHUFFLED.encode())
    (tmp_path / "train.py").write_text("import keras\nfrom feeds.made import batches\nmodel.fit(batches(x))\n")
    assert may_reach_keras(made, SHUFFLED.encode())
    assert not may_reach_keras(made, SHUFFLED.replace("shuffle(x)", "x.sort()").encode())
    (tmp_path / "train.py").write_text("import torch\nfrom feeds.made import batches\nmodel.fit(batches(x))\n")
    assert not may_reach_keras(made, SHUFFLED.encode())


def test_modules_that_import_each_other_end(tmp_path: Path) -> None:
    project(tmp_path, {"one.py": f"from two import Feed\n{DERIVED}", "two.py": f"from one import Feed\n{DERIVED}"})
    assert not may_reach_keras(tmp_path / "one.py", (tmp_path / "one.py").read_bytes())


def test_a_module_in_a_folder_that_may_not_be_entered_is_unknown() -> None:
    with plain_user() as folder:
        project(folder, {"shut/base.py": BASE})
        (folder / "shut").chmod(0)
        found = may_reach_keras(folder / "mine.py", f"from shut.base import Feed\n{DERIVED}".encode())
        (folder / "shut").chmod(0o700)
    assert not found
