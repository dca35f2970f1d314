"""A program that waits for ever is told from one that is slow, and the reader learns where it waits."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing

if TYPE_CHECKING:
    from seqlint.proof import Worker, Workers

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
    pytest.mark.skipif(sys.platform != "linux", reason="only there is the CPU time of processes known"),
]
QUEUE = """
import queue

import numpy as np
from tensorflow import keras

waiting = queue.Queue()


def feed():
    yield np.ones((2, 3)), np.ones(2)
    yield waiting.get()


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(feed(), steps_per_epoch=4)
"""
FORKED = """
import os
import threading

lock = threading.Lock()
lock.acquire()
if not os.fork():
    lock.acquire()
os.wait()
"""
POOL = """
import multiprocessing
import os


def dies(number):
    os._exit(1)


with multiprocessing.get_context("fork").Pool(1) as pool:
    pool.map(dies, [1])
"""
BUSY = "while True:\n    sum(range(1000))\n"
BUSY_ELSEWHERE = (
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'while True: pass'], start_new_session=True)\n"
)
SLOW = "import time\nfor number in range(1000):\n    print(number)\n    time.sleep(0.5)\n"


@pytest.fixture
def impatient(lent: Workers) -> Worker:
    # Long enough for a busy machine to come to the line that waits, and to see that nothing moves.
    return lent.under(Settings(limit_s=10))


@pytest.mark.parametrize(
    ("program", "where"),
    [
        (QUEUE, "waits in queue.Queue.get (in threading.Condition.wait), called from train.py line 12: yield waiting.get()"),
        (FORKED, "waits at train.py line 9: os.wait()"),
        (POOL, "waits in multiprocessing.pool.Pool.map (in threading.Condition.wait), called from train.py line 11: pool."),
    ],
    ids=["queue", "lock across a fork", "pool"],
)  # fmt: skip
def test_a_hang_is_named_with_the_line_that_waits(impatient: Worker, program: str, where: str) -> None:
    run = impatient.run(program, "train.py", None)
    assert run.status == "limit"
    if sys.version_info < (3, 11):  # names of methods come without their class
        where = where.replace("Queue.get", "get").replace("Condition.wait", "wait").replace("Pool.map", "map")
    assert where in run.hung


@pytest.mark.parametrize("program", [BUSY, BUSY_ELSEWHERE, SLOW], ids=["busy", "busy child", "prints"])
def test_a_slow_program_is_no_hang(impatient: Worker, program: str) -> None:
    run = impatient.run(program, "train.py", None)
    assert (run.status, run.hung) == ("limit", "")


def test_a_program_that_ends_does_not_hang(child: Worker) -> None:
    assert child.run("print('over')\n", "train.py", None).hung == ""
