"""A program that writes outside of its folder finds what it wrote, and the files of the user are as they were."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing
from seqlint.proof.programs import Program
from seqlint.proof.recorder.guard import landlock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof import Run, Workers

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
    pytest.mark.skipif(sys.platform != "linux", reason="other programs are shell commands"),
]
WRITER = Path(__file__).with_name("writer.py").read_text("utf-8")
TEXTS = {"notes.txt": "old\n", "table.csv": "old", "moved.txt": "moved", "cut.txt": "long"}
OTHERS = ("gone.txt", "gone2.txt", "replaced.txt", "touched.txt", "results/old.txt")
BY_OTHERS = {"another_program", "a_program_of_another", "times_by_another_program"}


def overlays() -> bool:
    """Whether this system allows a process an overlay of its own; asked in another process."""
    ask = (
        "import sys, tempfile; from seqlint.proof.recorder.guard import namespace; "
        "place = tempfile.mkdtemp(dir=sys.argv[1]); namespace.enter(place, place + '/upper')"
    )
    root = Path(__file__).parents[3]
    return (
        subprocess.run([sys.executable, "-c", ask, os.environ.get("TMPDIR", "/tmp")], cwd=root, check=False).returncode
        == 0
    )


GUARDS = [
    pytest.param("overlay", marks=pytest.mark.skipif("not overlays()", reason="this system allows no overlay")),
    pytest.param("kernel", marks=pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")),
    "calls",
]


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A folder with files of a user."""
    h5py, np = pytest.importorskip("h5py"), pytest.importorskip("numpy")
    folder = tmp_path / "user"
    (folder / "results").mkdir(parents=True)
    for name in (*TEXTS, *OTHERS):
        (folder / name).write_text(TEXTS.get(name, "old"))
    connection = sqlite3.connect(folder / "data.db")
    connection.execute("create table rows (number)")
    connection.execute("insert into rows values (1)")
    connection.commit()
    connection.close()
    with h5py.File(folder / "data.h5", "w") as file:
        file["old"] = [1]
    np.zeros(4, "float32").tofile(folder / "map.bin")
    return folder


def known(folder: Path) -> dict[str, tuple[object, ...]]:
    """All of a folder that a user could see a change in."""
    return dict(_known(folder))


def _known(folder: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    for path in (folder, *folder.rglob("*")):
        found = path.lstat()
        content = hashlib.blake2b(path.read_bytes()).hexdigest() if path.is_file() else ""
        yield str(path), (found.st_mtime_ns, found.st_ctime_ns, found.st_mode, found.st_size, found.st_ino, content)


def ways(run: Run) -> dict[str, str]:
    """How each way to write went."""
    assert run.recording is not None, run.errors
    assert run.recording["error"] is None, run.errors
    return dict(line.rsplit(" ", 1) for line in run.output.splitlines())


@pytest.mark.parametrize("guard", GUARDS)
def test_the_files_of_the_user_are_as_they_were(guard: str, user: Path, lent: Workers) -> None:
    before = known(user)
    settings = Settings(limit_s=100, guard=guard)
    run = lent.under(settings).run(WRITER, "writer.py", None, Program("script", (str(user),)))
    assert known(user) == before
    went = ways(run)
    refused = {name for name, how in went.items() if how != "worked"}
    assert refused == (set() if guard == "overlay" else refused & BY_OTHERS)
    assert len(went) > 25
    assert run.recording is not None
    written = {file["name"]: file for file in run.recording["written"]}
    assert written[f"{user}/table.csv"]["content"] == "new"
    assert written[f"{user}/gone.txt"]["removed"]
    assert {f"{user}/best.keras", f"{user}/checkpoints/one-1.index", f"{user}/saved", f"{user}/r.tfrecord"} <= set(
        written
    )
    assert any("goes to copies" in note for note in run.recording["notes"])


ROUNDABOUT = """
import os, sys
import keras
import numpy as np
from pathlib import Path

model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 2)), np.ones((8, 1)), verbose=0)
absolute = Path(sys.argv[1])
os.symlink(absolute, "inside")
there = [Path(os.path.relpath(absolute)), Path("inside"), Path("~/user").expanduser(), Path("/tmp") / absolute]
for number, folder in enumerate(there):
    (folder / "notes.txt").write_text(f"new {number}")
    (folder / f"{number}.txt").write_text("made")
    model.save(str(folder / f"{number}.keras"))
    print(folder.joinpath("notes.txt").read_text())
os.chdir(absolute)
open("table.csv", "w").write("new")
model.save("best.keras")
"""


@pytest.mark.parametrize("guard", GUARDS)
def test_whatever_leads_to_them(guard: str, user: Path, lent: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    before = known(user)
    text = f"import os\nos.environ['HOME'] = {str(user.parent)!r}\n{ROUNDABOUT}"
    run = lent.under(Settings(limit_s=60, guard=guard)).run(text, "program.py", None, Program("script", (str(user),)))
    assert known(user) == before
    assert run.recording is not None
    assert run.recording["error"] is None, run.errors
    assert run.output.splitlines() == [f"new {number}" for number in range(4)]
    assert f"{user}/best.keras" in {file["name"] for file in run.recording["written"]}


def test_an_import_of_keras_makes_no_settings(tmp_path: Path) -> None:
    text = (
        "from seqlint.proof import Settings, worker\n"
        "with worker(Settings()) as child: print(child.run('import keras', 'program.py', None).status)\n"
    )
    environment = {**os.environ, "HOME": str(tmp_path)}
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", text], env=environment, cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout == "done\n"
    assert list(tmp_path.iterdir()) == []
