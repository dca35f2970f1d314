"""The processes that programs run in: alone, with a limit, and gone afterwards."""

from __future__ import annotations

import sys
import uuid
from typing import TYPE_CHECKING, cast

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, missing, prove_pair
from seqlint.proof.child import Child
from tests.proof.programs import FEED, FIT, HOOKED
from tests.proof.test_leftovers import alive

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from seqlint.proof import Proof, Worker, Workers
    from seqlint.proof.recorder.recording import Job

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
NOTHING = Contract()


def proved(child: Worker, before: str, after: str, contract: Contract = NOTHING) -> Proof:
    return prove_pair(Pair("program", before, after, contract), child)


def test_a_process_that_dies_proves_nothing_and_the_next_one_runs(child: Worker) -> None:
    dying = FIT + "os.abort()\n"
    assert "SIGABRT" in proved(child, dying, dying).obstacle
    assert proved(child, FIT, FIT).held


@pytest.fixture
def impatient(lent: Workers) -> Worker:
    return lent.under(Settings(limit_s=8))


def test_a_hang_is_killed_with_all_its_processes(impatient: Worker) -> None:
    token = uuid.uuid4().hex
    hanging = FEED + (
        "import subprocess, sys\n"
        f"sleep = [sys.executable, '-c', 'import time; time.sleep(600)', {token!r}]\n"
        "helpers = [subprocess.Popen(sleep, start_new_session=own) for own in (False, True)]\n"
        "print(len(helpers), 'helpers')\n"
        "Feed.__getitem__ = lambda self, index: time.sleep(600)\n"
        "model.fit(feed)\n"
    )
    proof = proved(impatient, hanging, FIT)
    assert proof.outcome == "NOT RUN"
    assert "it still ran after 8 s" in proof.obstacle
    assert proof.before.output == "2 helpers"
    assert alive(token) == []


def test_a_hang_that_a_fix_ends(impatient: Worker) -> None:
    before, after = "import time\nprint('start')\ntime.sleep(600)\n", "print('start')\nprint('end')\n"
    proof = proved(impatient, before, after, Contract(repairs=frozenset({"errors"})))
    assert proof.changed == {"errors"}
    assert proof.verdict("output").outcome == "NEW"
    assert proof.held


PLACED = """
import tensorflow as tf
print(os.getppid())
print(len(tf.config.list_logical_devices("CPU")), tf.distribute.MirroredStrategy().num_replicas_in_sync)
model.fit(tf.data.Dataset.from_tensors(feed[0]).repeat(), epochs=9, steps_per_epoch=1)
model.fit(tf.data.Dataset.from_tensors(feed[0]).repeat())
"""


def test_settings_hold_for_each_run_of_a_child_that_several_share(lent: Workers) -> None:
    quick, mirrored = (
        Settings(limit_s=60, epochs=1, steps=2, replicas=1),
        Settings(limit_s=90, epochs=2, steps=4, replicas=2),
    )
    impatient = Settings(limit_s=1, replicas=3)
    runs = {settings: lent.under(settings).run(FEED + PLACED, "program.py", None) for settings in (quick, mirrored)}
    assert lent.under(impatient).run("import time; time.sleep(600)", "program.py", None).status == "limit"
    again = lent.under(quick).run(FEED + PLACED, "program.py", None)
    parents = {run.output.splitlines()[0] for run in (*runs.values(), again)}
    assert len(parents) == 1
    for settings, run in (*runs.items(), (quick, again)):
        assert run.recording
        assert run.output.splitlines()[1] == f"{settings.replicas} {settings.replicas}"
        cut, _ = run.recording["fits"]
        assert cut["planned"] == settings.epochs
        assert len([step for step in run.recording["steps"] if step["fit"] == 1]) == settings.steps


SELF = """
import sys
import helper
print(__name__, sys.argv, sys.path[0] == __file__.rpartition("/")[0])
print([name for name in sys.modules if name.split(".")[0] in ("seqlint", "worker", "texts", "recorder")])
open("notes.txt", "w").write("overwritten")
"""


def test_a_script_runs_as_if_alone_in_a_copy_of_its_folder(child: Worker, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("print('helper')\n")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "large.bin").write_bytes(bytes(2_000_000))
    run = child.run(SELF + "import os\nprint(os.path.exists('large.bin'))\n", "train.py", tmp_path)
    assert run.output.splitlines() == [
        "helper",
        "__main__ ['train.py'] True",
        "[]",
        "True",
    ]  # a large file is linked to
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_process_of_its_own_does_the_same_as_a_fork(child: Worker, lent: Workers) -> None:
    alone = lent.under(Settings(limit_s=60, fork=False))
    runs = [one.run(HOOKED, "program.py", None) for one in (alone, child)]
    steps = [run.recording["steps"] for run in runs if run.recording]
    assert steps[0] == steps[1] != []
    assert runs[0].output == runs[1].output == "Epoch 1/2\nepoch 0 is over\nEpoch 2/2\nepoch 1 is over"


def test_a_child_that_is_interrupted_while_it_starts_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupted(process: subprocess.Popen[bytes], _: float) -> None:
        started.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr("seqlint.proof.child._read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Child(Settings().kind).ask(cast("Job", {}))
    assert started[0].returncode is not None


@pytest.mark.skipif(sys.platform != "linux", reason="command lines are read in /proc")
def test_what_hangs_only_in_a_fork_is_run_by_itself(impatient: Worker) -> None:
    """A lock that another thread held at the fork is never released there; here what was forked from an import of TensorFlow waits."""
    in_a_fork = """
import time
if '"fork": true' in open("/proc/self/cmdline").read():
    time.sleep(600)
print("trained")
"""
    run = impatient.run(in_a_fork, "program.py", None)
    assert (run.status, run.hung) == ("done", "")
    assert "trained" in run.output
