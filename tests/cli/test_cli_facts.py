from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

FEED = """\
import keras


class Feed(keras.utils.PyDataset):
    def __getitem__(self, index):
        return self.load(index)

    def load(self, index):
        return index


model = keras.Sequential()
model.fit(Feed(), epochs=3)
"""

PIPELINE = """\
import numpy as np
import tensorflow as tf
def make(shuffle, size=8):
    ds = tf.data.Dataset.from_tensor_slices((np.zeros((8, 2)), np.zeros(8)))
    if shuffle:
        ds = ds.shuffle(100)
    return ds.batch(size)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")

model.fit(make(True), validation_data=make(False))
"""


ARRAYS = """\
import keras
import numpy as np
(digits, kinds), tests = keras.datasets.mnist.load_data()
order = np.random.permutation(len(digits))
digits = digits[order] / 255.0
train, held = digits[:50000], digits[50000:]
empty = np.zeros((30, 4), "float32")
"""


class TestFacts:
    def test_of_a_file(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(FEED)
        result = cli("facts", "train.py")
        assert result.code == 0
        assert "class Feed, line 4\n" in result.out
        assert "  sequence: yes, through keras.utils.PyDataset\n" in result.out
        assert "  __getitem__ > load, line 8\n" in result.out
        assert (
            "model.fit(Feed(), epochs=3), line 13\n  model: yes\n  train: Feed(); kind: sequence, of class Feed\n"
            in result.out
        )

    def test_of_a_line(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(FEED)
        out = cli("facts", "train.py", "--at", "6").out
        assert out.startswith("train.py:6: return self.load(index)\n")
        assert "runs with Feed.__getitem__\n" in out
        assert "runs: Feed.load, line 8\n" in out
        assert "model.fit" not in out

    def test_as_json(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(FEED)
        whole = json.loads(cli("facts", "train.py", "--output-format", "json", "--keras", ">=3.10").out)
        assert whole["format"] == 1
        assert whole["keras"] == {
            "known": True,
            "range": ">=3.10",
            "lines": ["3.10+"],
            "source": "[tool.seqlint] keras",
            "legacy": False,
        }
        assert [found["name"] for found in whole["classes"]] == ["Feed"]
        assert whole["calls"][0]["data"][0]["classes"] == ["Feed"]
        line = json.loads(cli("facts", "train.py", "--at", "13", "--output-format", "json").out)
        assert (line["format"], line["line"], line["text"]) == (1, 13, "model.fit(Feed(), epochs=3)")
        assert line["calls"] == whole["calls"]

    def test_a_base_in_another_file_is_seen(self, project: Path, cli: Cli) -> None:
        (project / "base.py").write_text("import keras\n\n\nclass Base(keras.utils.Sequence):\n    pass\n")
        (project / "train.py").write_text("from base import Base\n\n\nclass Feed(Base):\n    pass\n")
        assert "sequence: yes, through base.Base > keras.utils.Sequence\n" in cli("facts", "train.py").out

    def test_what_cannot_be_read_is_broken(self, project: Path, cli: Cli) -> None:
        (project / "broken.py").write_text("import keras\nprint 'x'\n")
        (project / "latin.py").write_bytes(b"x = '\xe9'\n")
        assert cli("facts", "missing.py").code == 2
        assert cli("facts", ".").code == 2
        assert cli("facts", "latin.py").code == 2
        result = cli("facts", "broken.py")
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("error: broken.py:2:1: ")

    def test_a_line_that_is_not_there_is_refused(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(FEED)
        result = cli("facts", "train.py", "--at", "99")
        assert (result.code, result.out) == (2, "")
        assert "--at 99: train.py has only" in result.err

    def test_a_range_that_is_none_is_refused(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(FEED)
        assert cli("facts", "train.py", "--keras", "new").code == 2


class TestExplainKeras:
    def test_of_a_folder_and_of_a_file_in_it(self, project: Path, cli: Cli) -> None:
        (project / "app").mkdir()
        (project / "app/requirements.txt").write_text("numpy\nkeras==3.3.3\n")
        (project / "app/train.py").write_text("import keras\n")
        folder, file = cli("explain", "--keras", "app"), cli("explain", "--keras", "app/train.py")
        assert folder.out == "app\n  Keras: 3.3.3\n  lines: Keras 3.0 to 3.9\n  source: app/requirements.txt line 2\n"
        assert file.out == folder.out.replace("app\n", "app/train.py\n", 1)
        assert (folder.code, file.code) == (0, 0)

    def test_how_the_code_imports_it_counts(self, project: Path, cli: Cli) -> None:
        (project / "old.py").write_text("import tf_keras\n")
        assert (
            "lines: Keras 2 (tf-keras)\n  source: how the code imports it\n" in cli("explain", "--keras", "old.py").out
        )

    def test_as_json(self, project: Path, cli: Cli) -> None:
        (project / "seqlint.toml").write_text('keras = ">=3"\n')
        found = json.loads(cli("explain", "--keras", ".", "--output-format", "json").out)
        assert found["format"] == 1
        assert found["keras"]["range"] == ">=3"
        assert found["keras"]["lines"] == ["3.0-3.9", "3.10+"]

    def test_nothing_known_is_said(self, project: Path, cli: Cli) -> None:
        assert "Keras: unknown, so every line counts\n" in cli("explain", "--keras", ".").out

    def test_a_missing_file_is_broken(self, project: Path, cli: Cli) -> None:
        result = cli("explain", "--keras", "missing.py")
        assert (result.code, result.err) == (2, "error: missing.py: no such file or directory\n")

    def test_a_rule_or_a_path_but_not_both(self, project: Path, cli: Cli) -> None:
        assert cli("explain").code == 2
        assert cli("explain", "TST102", "--keras", ".").code == 2

    def test_a_rule_as_json(self, project: Path, cli: Cli) -> None:
        (found,) = json.loads(cli("explain", "TST102", "--output-format", "json").out)["rules"]
        assert found["code"] == "TST102"

    def test_of_a_dataset_on_a_line(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(PIPELINE)
        out = cli("facts", "train.py", "--at", "13").out
        told = out[out.index("when it runs, make(True)") :]
        assert "from_tensor_slices(" in told
        assert "shuffle(100), line 6\n" in told
        assert "batch(8 by default), line 7\n" not in told
        assert "batch(8), line 7\n" in told
        assert (
            "reader gets: element: (a tensor, a tensor); 1 batch; batched; shuffled again in each epoch; not cached\n"
            in told
        )

    def test_of_an_array_on_a_line(self, project: Path, cli: Cli) -> None:
        (project / "arrays.py").write_text(ARRAYS)
        out = cli("facts", "arrays.py", "--at", "6").out
        held = out[out.index("when it runs, held") :]
        assert (
            "  10000 rows\n  from 0 to 1\n  in another order: digits[order], line 5\n"
            "  a part of the rows: digits[50000:], line 6\n"
        ) in held
        assert "60000 rows\n  from 0 to 255\n" in cli("facts", "arrays.py", "--at", "3").out
        kept = cli("facts", "arrays.py", "--at", "7").out
        assert "30 rows\n  array of float32, 2 axes\n  0 everywhere\n" in kept[kept.index("when it runs, empty") :]

    def test_of_a_dataset_as_json(self, project: Path, cli: Cli) -> None:
        (project / "train.py").write_text(PIPELINE)
        whole = json.loads(cli("facts", "train.py", "--at", "13", "--output-format", "json").out)
        (known,) = [each for each in whole["run"] if each["text"] == "make(True)"]
        assert known["column"] == 11
        (dataset,) = known["datasets"]
        assert [step["line"] for step in dataset["steps"]] == [4, 6, 7]
        assert "batched" in dataset["more"]
