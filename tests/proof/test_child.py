"""The processes that programs run in: alone, with a limit, and gone afterwards."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, missing, prove_pair, worker
from tests.proof.programs import FEED, FIT, HOOKED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from seqlint.proof import Proof, Worker

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


@pytest.fixture(scope="module")
def impatient() -> Iterator[Worker]:
    with worker(Settings(limit_s=8)) as found:
        yield found


def test_a_hang_is_killed_with_all_its_processes(impatient: Worker, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    hanging = FEED + (
        "import subprocess\n"
        "helpers = [subprocess.Popen(['sleep', '600'], start_new_session=own) for own in (False, True)]\n"
        f"print(os.getpid(), *(one.pid for one in helpers), file=open({str(pids)!r}, 'w'))\n"
        "Feed.__getitem__ = lambda self, index: time.sleep(600)\n"
        "model.fit(feed)\n"
    )
    proof = proved(impatient, hanging, FIT)
    assert proof.outcome == "NOT RUN"
    assert "it still ran after 8 s" in proof.obstacle
    assert [pid for pid in pids.read_text().split() if _is_alive(int(pid))] == []


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_hang_that_a_fix_ends(impatient: Worker) -> None:
    before, after = "import time\nprint('start')\ntime.sleep(600)\n", "print('start')\nprint('end')\n"
    proof = proved(impatient, before, after, Contract(repairs=frozenset({"errors"})))
    assert proof.changed == {"errors"}
    assert proof.verdict("output").outcome == "NEW"
    assert proof.held


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
    assert run.output.splitlines() == ["helper", "__main__ ['train.py'] True", "[]", "False"]
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_process_of_its_own_does_the_same_as_a_fork(child: Worker) -> None:
    with worker(Settings(limit_s=60, fork=False)) as alone:
        runs = [one.run(HOOKED, "program.py", None) for one in (alone, child)]
    steps = [run.recording["steps"] for run in runs if run.recording]
    assert steps[0] == steps[1] != []
    assert runs[0].output == runs[1].output == "epoch 0 is over\nepoch 1 is over"
