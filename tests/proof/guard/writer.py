"""Writes outside of its folder in many ways, and tells of each how it went: the program of a test, which runs it in a proof.

Arguments: a folder of the user as an absolute path, from here, from the home folder, or through a link in the folder of the program.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import keras
import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable

h5py: Any = import_module("h5py")
base = Path(os.path.expanduser(sys.argv[1]))
rows, labels = np.ones((8, 2), "float32"), np.ones((8, 1), "float32")
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(rows, labels, verbose=0)


def way(function: Callable[[], None]) -> None:
    """Try one way."""
    try:
        function()
        print(function.__name__, "worked")
    except AssertionError:
        print(function.__name__, "went wrong")
    except Exception as error:
        print(function.__name__, type(error).__name__)


@way
def append() -> None:
    with open(base / "notes.txt", "a") as file:
        file.write("more\n")
    assert (base / "notes.txt").read_text() == "old\nmore\n"


@way
def overwrite() -> None:
    (base / "table.csv").write_text("new")
    assert (base / "table.csv").read_text() == "new"


@way
def by_number() -> None:
    number = os.open(base / "number.bin", os.O_CREAT | os.O_RDWR)
    os.write(number, b"1")
    os.close(number)
    assert os.path.getsize(base / "number.bin") == 1


@way
def folders() -> None:
    for _ in range(2):
        os.makedirs(base / "out" / "deep", exist_ok=True)
    (base / "out" / "deep" / "a.txt").write_text("a")
    assert os.listdir(base / "out" / "deep") == ["a.txt"]
    assert {"out", "notes.txt"} <= set(os.listdir(base))
    assert any(entry.name == "out" and entry.is_dir() for entry in os.scandir(base))
    assert [path.name for path in base.glob("**/a.txt")] == ["a.txt"]


@way
def remove_tree() -> None:
    shutil.rmtree(base / "results")
    assert not (base / "results").exists()
    os.mkdir(base / "results")
    assert os.listdir(base / "results") == []


@way
def remove() -> None:
    os.remove(base / "gone.txt")
    assert "gone.txt" not in os.listdir(base)
    assert not (base / "gone.txt").exists()


@way
def rename() -> None:
    os.rename(base / "moved.txt", base / "here.txt")
    assert (base / "here.txt").read_text() == "moved"
    assert not (base / "moved.txt").exists()


@way
def replace() -> None:
    (base / "part.tmp").write_text("whole")
    os.replace(base / "part.tmp", base / "replaced.txt")
    assert (base / "replaced.txt").read_text() == "whole"


@way
def point() -> None:
    os.symlink(base / "notes.txt", base / "link")
    (base / "link").write_text("through the link")
    assert (base / "notes.txt").read_text() == "through the link"


@way
def truncate() -> None:
    os.truncate(base / "cut.txt", 1)
    assert os.path.getsize(base / "cut.txt") == 1


@way
def times_and_rights() -> None:
    (base / "touched.txt").touch()
    os.utime(base / "touched.txt", (0, 0))
    os.chmod(base / "touched.txt", 0o600)
    assert os.stat(base / "touched.txt").st_mtime == 0


@way
def copy() -> None:
    shutil.copy2(base / "table.csv", base / "again.csv")
    assert (base / "again.csv").read_text() == "new"


@way
def move_a_tree() -> None:
    shutil.copytree(base / "out", base / "out2")
    shutil.move(str(base / "out2"), str(base / "out3"))
    assert (base / "out3/deep/a.txt").exists()
    assert not (base / "out2").exists()


@way
def database() -> None:
    connection = sqlite3.connect(base / "data.db")
    connection.execute("insert into rows values (2)")
    connection.commit()
    assert connection.execute("select count(*) from rows").fetchone() == (2,)
    connection.close()


@way
def hdf5() -> None:
    with h5py.File(base / "data.h5", "a") as file:
        file["new"] = [1]
    with h5py.File(base / "data.h5", "r") as file:
        assert set(file) == {"old", "new"}


@way
def memory_map() -> None:
    mapped = np.memmap(base / "map.bin", "float32", "r+", shape=(4,))
    mapped[:] = 7
    mapped.flush()
    assert np.fromfile(base / "map.bin", "float32")[0] == 7


@way
def arrays() -> None:
    np.save(base / "rows.npy", rows)
    assert np.load(base / "rows.npy").shape == (8, 2)


@way
def tensorflow_files() -> None:
    with tf.io.gfile.GFile(str(base / "g.txt"), "w") as file:
        file.write("g")
    assert tf.io.gfile.GFile(str(base / "g.txt")).read() == "g"
    tf.io.gfile.makedirs(str(base / "g/x"))
    tf.io.gfile.rename(str(base / "g.txt"), str(base / "g/x/g.txt"))
    tf.io.gfile.remove(str(base / "gone2.txt"))
    assert not tf.io.gfile.exists(str(base / "gone2.txt"))


@way
def written_by_an_operation() -> None:
    tf.io.write_file(str(base / "w.txt"), "w")
    assert tf.io.read_file(str(base / "w.txt")).numpy() == b"w"


@way
def records() -> None:
    with tf.io.TFRecordWriter(str(base / "r.tfrecord")) as writer:
        writer.write(b"1")
    assert list(tf.data.TFRecordDataset(str(base / "r.tfrecord")).as_numpy_iterator()) == [b"1"]


@way
def summaries() -> None:
    tf.summary.create_file_writer(str(base / "logs")).close()
    assert len(os.listdir(base / "logs")) == 1


@way
def checkpoints() -> None:
    variable = tf.Variable(3.0)
    checkpoint = tf.train.Checkpoint(variable=variable)
    path = checkpoint.save(str(base / "checkpoints" / "one"))
    manager = tf.train.CheckpointManager(checkpoint, str(base / "managed"), 3)
    manager.save()
    for kept in (path, manager.latest_checkpoint, tf.train.latest_checkpoint(str(base / "managed"))):
        variable.assign(1.0)
        checkpoint.restore(kept)
        assert float(variable) == 3


@way
def models() -> None:
    model.save(base / "best.keras")
    model.save(str(base / "best.h5"))
    model.save_weights(str(base / "best.weights.h5"))
    keras.models.load_model(base / "best.keras")
    model.export(str(base / "exported"), verbose=False)
    tf.saved_model.load(str(base / "exported"))


@way
def callbacks() -> None:
    made = [
        keras.callbacks.CSVLogger(str(base / "log.csv")),
        keras.callbacks.ModelCheckpoint(str(base / "{epoch}.keras")),
        keras.callbacks.BackupAndRestore(str(base / "backup")),
    ]
    model.fit(rows, labels, verbose=0, callbacks=made)
    assert (base / "1.keras").exists()


@way
def datasets() -> None:
    tf.data.Dataset.range(3).save(str(base / "saved"))
    assert len(list(tf.data.Dataset.load(str(base / "saved")))) == 3
    assert len(list(tf.data.Dataset.range(3).cache(str(base / "cache")))) == 3


@way
def another_program() -> None:
    subprocess.run(["sh", "-c", f"echo 1 > '{base}/sub.txt'"], check=True, stderr=subprocess.DEVNULL)


@way
def a_program_of_another() -> None:
    text = f"import subprocess; subprocess.run(['sh', '-c', 'echo 1 > {base}/notes.txt'], check=True)"
    subprocess.run([sys.executable, "-c", text], check=True, stderr=subprocess.DEVNULL)


@way
def times_by_another_program() -> None:
    subprocess.run(["sh", "-c", f"touch -d 2001-01-01 '{base}/touched.txt'; chmod 777 '{base}/cut.txt'"], check=True)
