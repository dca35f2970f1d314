"""`seqlint migrate` plans, writes and reports."""

from __future__ import annotations

import json
import os
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

REQUIREMENTS = "keras==2.3.1  # pinned\ntensorflow-gpu==2.4\nnumpy\n"
TRAIN = """\
import keras
import numpy as np


class Feed(keras.utils.Sequence):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows) // 2

    def __getitem__(self, index):
        rows = self.rows[index * 2 : index * 2 + 2]
        return rows, rows.sum(axis=1, keepdims=True)


rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.layers.Dense(4, input_shape=(3,)), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(lr=0.1), loss="mse")
model.fit_generator(Feed(rows), epochs=2, workers=2)
model.save_weights("apples")
"""
MIGRATED = (
    TRAIN.replace("lr=", "learning_rate=")
    .replace("rows):\n        self", "rows, **kwargs):\n        super().__init__(**kwargs)\n        self")
    .replace("fit_generator(Feed(rows), epochs=2, workers=2)", "fit(Feed(rows, workers=2), epochs=2)")
    .replace('"apples"', '"apples.weights.h5"')
)


@pytest.fixture
def apples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project on Keras 2, outside of any repository."""
    for name, text in {"requirements.txt": REQUIREMENTS, "train.py": TRAIN}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir()) if path.is_file()}


def git(*words: str) -> None:
    who = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    names = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
    subprocess.run(("git", *names, *words), check=True, capture_output=True, env=who)


def test_a_plan_writes_nothing(apples: Path, cli: Cli) -> None:
    before = texts(apples)
    result = cli("migrate", "--to", "3", ".")
    assert texts(apples) == before
    assert result.code == 1
    assert "requirements.txt:1: `keras==2.3.1` became `keras>=3`" in result.out
    assert "SEQ702" in result.out
    assert "2 files would change; nothing is left" in result.out


def test_what_is_written_settles(apples: Path, cli: Cli) -> None:
    assert cli("migrate", "--write").code == 0
    after = texts(apples)
    assert after["train.py"] == MIGRATED
    assert after["requirements.txt"] == "keras>=3  # pinned\ntensorflow[and-cuda]>=2.16\nnumpy\n"
    again = cli("migrate", "--write")
    assert (again.code, again.out) == (0, "0 files changed; nothing is left\n")
    assert texts(apples) == after


def test_code_is_judged_by_what_requirements_are_going_to_say(apples: Path, cli: Cli) -> None:
    # The old TensorFlow comes with a NumPy that has `np.int`; the new one does not.
    Path("requirements.txt").write_text("tensorflow==2.4\n")
    Path("more.py").write_text("import keras\nimport numpy as np\n\nrows = np.zeros(3, dtype=np.int)\n")
    plan = cli("migrate", "--diff").out
    cli("migrate", "--write")
    assert "dtype=int)" in Path("more.py").read_text()
    assert "+rows = np.zeros(3, dtype=int)" in plan
    assert cli("migrate").code == 0


def test_the_diff_is_what_would_be_written(apples: Path, cli: Cli) -> None:
    before = texts(apples)
    result = cli("migrate", "--diff")
    assert result.code == 1
    assert texts(apples) == before
    Path("change.patch").write_bytes(result.raw)
    git("apply", "change.patch")
    assert Path("train.py").read_text() == MIGRATED


def test_notebooks_are_migrated_and_what_they_install_is_told(apples: Path, cli: Cli) -> None:
    source = ["!pip install tensorflow==2.4\n", "import keras\n", "adam = keras.optimizers.Adam(lr=0.1)"]
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
    }
    Path("a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    result = cli("migrate", "--write", "a.ipynb")
    written = json.loads(Path("a.ipynb").read_text())["cells"][0]["source"]
    assert written == [*source[:2], "adam = keras.optimizers.Adam(learning_rate=0.1)"]
    assert "a cell installs `tensorflow==2.4`" in result.out
    assert result.code == 1


def test_an_import_and_what_uses_it_may_be_in_different_cells(apples: Path, cli: Cli) -> None:
    cells = [
        "from keras.utils import np_utils",
        "import numpy as np\nrows = np.arange(8) % 3",
        "np_utils.to_categorical(rows, 3)",
    ]
    blank: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    book = {"cells": [{**blank, "source": cell} for cell in cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (apples / "apples.ipynb").write_text(json.dumps(book))
    assert cli("migrate", "--write", "apples.ipynb").code == 1
    after = ["".join(cell["source"]) for cell in json.loads((apples / "apples.ipynb").read_text())["cells"]]
    assert after == ["from keras.utils import to_categorical", cells[1], "to_categorical(rows, 3)"]


def test_what_is_left_says_what_to_write_there(apples: Path, cli: Cli) -> None:
    Path("more.py").write_text(
        "import keras\nimport tensorflow as tf\n\n"
        "adam = keras.optimizers.Adam(0.1, decay=0.01)\n"
        "mean = keras.backend.mean\n\n\n"
        "def train(learning, rows):\n    learning.fit(rows, rows, workers=2)\n"
    )
    result = cli("migrate", "--output-format", "json")
    said = json.loads(result.out)
    decay = next(row for row in said["by_hand"] if row["code"] == "SEQ519")
    assert "InverseTimeDecay" in decay["todo"]
    assert decay["place"] == "4:35"
    told = [row for part in ("done", "by_hand", "not_covered") for row in said[part]]
    assert any(row["path"] == "more.py" and row["place"].startswith("5:") for row in told), "backend.mean is gone"
    assert [row["code"] for row in said["unsure"]] == ["SEQ701"]
    assert "if `learning` is a Keras model" in said["unsure"][0]["what"]
    assert result.code == 1


def test_what_only_tensorflow_hands_out_is_there(apples: Path, cli: Cli) -> None:
    (apples / "lower.py").write_text("import tensorflow as tf\n\nsize = tf.keras.backend.int_shape(tf.zeros((2, 3)))\n")
    (apples / "slopes.py").write_text("import tensorflow as tf\n\nslopes = tf.keras.backend.gradients\n")
    result = cli("migrate", "lower.py", "slopes.py")
    assert "backend.int_shape" not in result.out
    assert "slopes.py:3:10: `tensorflow.keras.backend.gradients`" in result.out


def test_code_that_is_bound_to_keras_2_is_told(apples: Path, cli: Cli) -> None:
    Path("old.py").write_text("import tf_keras\n\nmodel = tf_keras.Sequential()\n")
    Path("requirements.txt").write_text("tensorflow>=2.16\ntf-keras\n")
    result = cli("migrate")
    assert "old.py:1:8: `tf_keras` is Keras 2" in result.out
    cli("migrate", "--write")
    assert Path("requirements.txt").read_text() == "tensorflow>=2.16\ntf-keras\n"


def test_a_demand_outside_of_the_paths_is_left_alone_and_told(apples: Path, cli: Cli) -> None:
    result = cli("migrate", "--write", "train.py")
    assert Path("requirements.txt").read_text() == REQUIREMENTS
    assert "requirements.txt:1" in result.out
    assert result.code == 1


def test_code_for_both_runs_on_both(apples: Path, cli: Cli) -> None:
    cli("migrate", "--keep-both", "--write", ".")
    both = MIGRATED.replace("fit(Feed(rows, workers=2), epochs=2)", "fit_generator(Feed(rows), epochs=2, workers=2)")
    assert Path("train.py").read_text() == both
    assert Path("requirements.txt").read_text() == REQUIREMENTS


def test_safe_fixes_alone(apples: Path, cli: Cli) -> None:
    Path("a.py").write_text(
        "import keras\n\n"
        "stop = keras.callbacks.ModelCheckpoint('a.keras', period=2)\n"
        "adam = keras.optimizers.Adam(lr=0.1)\n"
    )
    said = json.loads(cli("migrate", "--safe", "--output-format", "json", "a.py").out)
    assert all(row["todo"] == "safe" for row in said["done"])
    assert said["done"]


def test_the_project_says_what_is_ignored_and_not_what_is_selected(apples: Path, cli: Cli) -> None:
    Path("seqlint.toml").write_text('select = ["SEQ4"]\nignore = ["SEQ519"]\n')
    cli("migrate", "--write")
    assert Path("train.py").read_text() == MIGRATED.replace("learning_rate", "lr")


def test_a_repository_keeps_the_old_text(apples: Path, cli: Cli) -> None:
    git("init", "-q")
    before = texts(apples)
    refused = cli("migrate", "--write")
    assert refused.code == 2
    assert "in no commit" in refused.err
    assert texts(apples) == before
    git("add", ".")
    git("commit", "-qm", "all")
    Path("train.py").write_text(f"{TRAIN}\n# not committed\n")
    assert "train.py: the text is in no commit" in cli("migrate", "--write").err
    assert Path("requirements.txt").read_text() == REQUIREMENTS
    assert cli("migrate", "--write", "--allow-dirty").code == 0
    assert Path("train.py").read_text() == f"{MIGRATED}\n# not committed\n"


def test_only_files_that_are_written_must_be_committed(apples: Path, cli: Cli) -> None:
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "all")
    Path("notes.md").write_text("new\n")
    assert cli("migrate", "--write").code == 0


def test_encodings_stay(apples: Path, cli: Cli) -> None:
    data = "# -*- coding: latin-1 -*-\r\nimport keras\r\n\r\nadam = keras.optimizers.Adam(lr=0.1)  # naïve\r\n".encode(
        "latin-1"
    )
    Path("a.py").write_bytes(data)
    cli("migrate", "--write", "a.py")
    assert Path("a.py").read_bytes() == data.replace(b"lr=", b"learning_rate=")


def test_what_can_not_be_read_is_told_and_the_others_are_migrated(apples: Path, cli: Cli) -> None:
    Path("two.py").write_text("import keras\nprint 'Python 2'\n")
    result = cli("migrate", "--write")
    assert result.code == 2
    assert "two.py:2:1: SEQ001" in result.out
    assert Path("train.py").read_text() == MIGRATED


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.py",), "nothing.py: no such file or directory"),
        (("-",), "not standard input"),
        (("notes.md",), "notes.md is none"),
        (("--write", "--diff"), "--diff writes nothing"),
        (("--report", "a.pdf"), "ends in none of"),
        (("--report", "folder/a.md"), "does not exist"),
        (("--report", "requirements.txt"), "would be overwritten"),
        (("--to", "4"), "--to"),
        (("--config", "nothing.toml"), "nothing.toml"),
    ],
)
def test_bad_input_is_an_error_and_nothing_is_written(
    apples: Path, cli: Cli, words: tuple[str, ...], said: str
) -> None:
    Path("notes.md").write_text("notes\n")
    before = texts(apples)
    result = cli("migrate", *({"--write"} - set(words)), *words) if "--diff" not in words else cli("migrate", *words)
    assert result.code == 2
    assert said in result.err
    assert texts(apples) == before


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said = ""
        self.links: list[str] = []

    def handle_data(self, data: str) -> None:
        self.said += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]


@pytest.mark.parametrize("name", ["report.txt", "report.md", "report.html", "report.json"])
def test_the_report_as_a_file(apples: Path, cli: Cli, name: str) -> None:
    Path("more.py").write_text("import keras\n\nadam = keras.optimizers.Adam(decay=0.01)  # <b>\n")
    cli("migrate", "--report", name)
    text = Path(name).read_text()
    if name.endswith(".html"):
        page = _Text()
        page.feed(text)
        assert page.links == []
        text = page.said
    if name.endswith(".json"):
        said = json.loads(text)
        text = " ".join(
            f"{row['path']}:{row['place']} {row['what']} {row['todo']} {row['code']}"
            for row in said["done"] + said["by_hand"]
        )
    for word in ("train.py:20", "SEQ702", "more.py:3", "InverseTimeDecay", "keras>=3"):
        assert word in text, name


class TestSeveralFiles:
    """A fix that changes two files."""

    FEED = """\
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def __len__(self):
        return -(-len(self.rows) // 2)

    def __getitem__(self, index):
        return self.rows[index * 2 : index * 2 + 2], self.rows[index * 2 : index * 2 + 2, :1]
"""
    FIXED_FEED = FEED.replace("self, rows)", "self, rows, **kwargs)").replace("__init__()", "__init__(**kwargs)")
    RUN = """\
import keras
import numpy as np

from data import Feed

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Feed(np.ones((8, 3))), workers=4)
"""
    FIXED_RUN = RUN.replace("3))), workers=4", "3)), workers=4)")

    @pytest.fixture(autouse=True)
    def here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("data.py").write_text(self.FEED)
        Path("run.py").write_text(self.RUN)

    def test_both_are_written(self, cli: Cli) -> None:
        assert cli("migrate", "--write").code == 0
        assert (Path("data.py").read_text(), Path("run.py").read_text()) == (self.FIXED_FEED, self.FIXED_RUN)

    def test_where_one_may_not_be_written_the_other_is_left_alone(self, cli: Cli) -> None:
        os.link("run.py", "another_name")
        result = cli("migrate", "--write", "--output-format", "json", "data.py", "run.py")
        assert result.code == 2
        assert (Path("data.py").read_text(), Path("run.py").read_text()) == (self.FEED, self.RUN)
        said = {row["path"]: row["what"] for row in json.loads(result.out)["unsure"]}
        assert "together with `run.py`" in said["data.py"]
        assert "hard links" in said["run.py"]

    def test_what_is_written_alone_is_written_all_the_same(self, cli: Cli) -> None:
        os.link("run.py", "another_name")
        Path("alone.py").write_text("import keras\n\nadam = keras.optimizers.Adam(lr=0.1)\n")
        cli("migrate", "--write", "alone.py", "data.py", "run.py")
        assert "learning_rate=0.1" in Path("alone.py").read_text()
