"""What is read when a program has ended: files, values, and the way in which it leaves."""

from __future__ import annotations

import zipfile
from collections import deque
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("numpy")

import numpy as np

from seqlint.proof import Settings, missing
from seqlint.proof.recorder.leaves import leaves
from seqlint.proof.recorder.texts import printed
from seqlint.proof.recorder.written import changed, files
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.proof import Worker, Workers


def test_files_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    (folder := tmp_path / "program").mkdir()
    (folder / "gone.txt").write_text("1")
    (folder / "same.txt").write_text("1")
    before = files(str(folder))
    (folder / "gone.txt").unlink()
    (folder / "small.csv").write_text(f"a,{folder}\n")
    (folder / "large.bin").write_bytes(bytes(30_000))
    (folder / "empty").mkdir()
    with zipfile.ZipFile(folder / "model.keras", "w") as archive:
        archive.writestr("metadata.json", "when it was saved")
        archive.writestr("config.json", '{"shared_object_id": 14020}')
        archive.writestr("model.weights.h5", b"weights")
    found = {record["name"]: record["content"] for record in changed(str(folder), before)}
    assert list(found) == ["empty/", "gone.txt", "large.bin", "model.keras", "small.csv"]
    assert found["small.csv"] == "a,…/program\n"
    assert found["large.bin"].startswith("30000 bytes, digest ")
    with zipfile.ZipFile(folder / "model.keras", "w") as archive:
        archive.writestr("config.json", '{"shared_object_id": 15130}')
        archive.writestr("model.weights.h5", b"weights")
        archive.writestr("metadata.json", "later")
    assert {record["name"]: record["content"] for record in changed(str(folder), before)} == found


LONG_AGO = (86400.0, 86410.0)


def test_what_is_data_stays_in_a_text_and_what_is_of_the_run_goes() -> None:
    text = "File /data/a.py, line 3, row in line 7 of t.csv at 0x7fcf1e30e6d0 or 140527967385744 in /tmp/run/program/x, /tmp/run/t"
    assert (
        printed(text, "/tmp/run/program", LONG_AGO)
        == "File /data/a.py, line …, row in line 7 of t.csv at 0x… or 0x… in x, …/t"
    )


def test_values_are_kept_as_far_as_they_are_plain() -> None:
    assert leaves("a", [(object(), 2), deque([1])]) == {"a[0][1]": 2, "len(a[1])": 1, "a[1][0]": 1}
    assert leaves("a", np.array(3, "int64")) == {"a": 3.0}
    assert [*leaves("a", ["x"] * 300)] == ["a"]
    assert leaves("a", np.array(["x", None], object)) != leaves("a", np.array(["y", None], object))
    assert leaves("a", np.array([object()])) == leaves("a", {object()}) == leaves("a", object()) == {}


def test_the_columns_of_a_table_are_kept() -> None:
    pandas = pytest.importorskip("pandas")
    table, other = (pandas.DataFrame({"p": [0.5, 0.25], "id": names}) for names in (["a", "b"], ["b", "a"]))
    assert leaves("t", table)["t['p']"] == leaves("t", other)["t['p']"]
    assert leaves("t", table)["t['id']"] != leaves("t", other)["t['id']"]
    assert leaves("t", table["p"]) != leaves("t", table["p"] + 1)


FORKS = """
model.fit(feed, verbose=0)
child = os.fork()
if child == 0:
    print("the child")
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
SWALLOWS = """
for _ in range(20):
    try:
        model.train_on_batch(*feed[0])
    except:
        print("swallowed")
"""


@pytest.mark.tensorflow
@pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed")
class TestRuns:
    def test_a_process_that_the_program_forks_ends_as_it_would(self, child: Worker) -> None:
        run = child.run(FEED + FORKS, "program.py", None)
        assert run.recording
        assert run.recording["error"] is None
        assert run.output == "the child\n3"

    def test_a_loop_that_swallows_its_end_ends_even_so(self, lent: Workers) -> None:
        run = lent.under(Settings(limit_s=60, steps=5)).run(FEED + SWALLOWS, "program.py", None)
        assert run.recording
        assert run.output == "swallowed"
        assert run.recording["notes"] == ["the program was ended after 5 steps of its own training loop"]

    def test_what_the_program_sets_too_late_is_said(self, child: Worker) -> None:
        run = child.run(f'import os\nos.environ["KERAS_BACKEND"] = "jax"\n{FEED}', "program.py", None)
        assert run.recording
        assert run.recording["notes"] == [
            "the program sets KERAS_BACKEND to 'jax', which has no effect here: Keras is imported before it starts"
        ]

    @pytest.mark.parametrize("line", ["child", "legacy"])
    def test_a_program_that_fails_before_its_model_has_weights_is_recorded(
        self, line: str, request: pytest.FixtureRequest
    ) -> None:
        worker: Worker = request.getfixturevalue(line)
        text = "from tensorflow import keras\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
        run = worker.run(text + "model.fit(object(), verbose=0)\n", "program.py", None)
        assert run.recording
        assert run.recording["error"]
        assert run.recording["error"]["type"] == "ValueError"
        assert run.recording["weights"] == [[]]
