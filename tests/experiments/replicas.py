"""A child process with two logical CPUs: a process that has used TensorFlow can't split its CPU any more."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from threading import Timer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.experiments.lines import Line

_LIMIT = 240.0  # seconds, TensorFlow's start included
# One import of TensorFlow serves all programs, each in a fork: one whose steps fail may leave TensorFlow hanging in the next. Where a
# process can't fork after the import, it runs one program. It ends when its input does, which is when the tests are over.
_CHILD = """
import importlib
import json
import os
import sys
import traceback
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # whatever Keras prints is no answer
import numpy as np
import tensorflow as tf

def run(keras, program):
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    keras.utils.set_random_seed(7)
    given = dict(np=np, tf=tf, keras=keras, strategy=strategy)
    exec(program, given)
    return given["found"]

for line in sys.stdin:
    module, program = json.loads(line)
    keras = importlib.import_module(module)
    if sys.platform == "linux" and os.fork():
        status = os.wait()[1]
        if status:
            print(json.dumps([None, f"the process of the program ended with {status}"]), file=answers)
        continue
    status = 1
    try:
        try:
            answer = [run(keras, program), ""]
        except Exception:
            answer = [None, traceback.format_exc()]
        print(json.dumps(answer), file=answers)
        status = 0
    finally:
        os._exit(status)
"""
_running: list[subprocess.Popen[str]] = []


def on_two(line: Line, program: str) -> Any:
    """What a program leaves in `found`, by way of JSON, on two replicas; it is given `keras`, `np`, `tf` and `strategy`."""
    child = _child()
    assert child.stdin is not None
    assert child.stdout is not None
    limit = Timer(_LIMIT, os.killpg, (child.pid, signal.SIGKILL))
    limit.start()
    try:
        child.stdin.write(json.dumps([line.keras.__name__.partition(".")[0], program]) + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
    finally:
        limit.cancel()
    assert answer, f"the process with two replicas ended: {child.poll()}"
    found, error = json.loads(answer)
    assert not error, error
    return found


def _child() -> subprocess.Popen[str]:
    """The process that waits for a program; another one where none does."""
    if not _running or _running[-1].poll() is not None:
        command = [sys.executable, "-c", _CHILD]
        _running.append(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        )
    return _running[-1]
