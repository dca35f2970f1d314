"""A child process with two logical CPUs: a process that has used TensorFlow can't split its CPU any more."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from threading import Timer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.experiments.lines import Line

_LIMIT = 240.0  # seconds, TensorFlow's start included
# It ends when its input does, which is when the tests are over.
_CHILD = """
import json
import os
import sys
import traceback
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # whatever Keras prints is no answer
import numpy as np
import tensorflow as tf
import {module} as keras
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
for line in sys.stdin:
    keras.backend.clear_session()
    keras.utils.set_random_seed(7)
    given = dict(np=np, tf=tf, keras=keras, strategy=strategy)
    try:
        exec(json.loads(line), given)
        answer = [given["found"], ""]
    except Exception:
        answer = [None, traceback.format_exc()]
    print(json.dumps(answer), file=answers)
"""


def on_two(line: Line, program: str, *, alone: bool = False) -> Any:
    """What a program leaves in `found`, by way of JSON, on two replicas; it is given `keras`, `np`, `tf` and `strategy`.

    Args:
        alone: in a process of its own, as one whose steps fail needs it: TensorFlow may hang in the next one. All others
            run in one process for each Keras, one after the other.
    """
    module = line.keras.__name__.partition(".")[0]
    if not alone:
        return _answer(_shared(module), program)
    child = _start(module)
    try:
        return _answer(child, program)
    finally:
        child.kill()
        child.communicate()


def _answer(child: subprocess.Popen[str], program: str) -> Any:
    assert child.stdin is not None
    assert child.stdout is not None
    limit = Timer(_LIMIT, child.kill)
    limit.start()
    try:
        child.stdin.write(json.dumps(program) + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
    finally:
        limit.cancel()
    assert answer, f"the process with two replicas ended: {child.poll()}"
    found, error = json.loads(answer)
    assert not error, error
    return found


@functools.cache
def _shared(module: str) -> subprocess.Popen[str]:
    return _start(module)


def _start(module: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _CHILD.format(module=module)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
