"""A child process with two logical CPUs: a process that has used TensorFlow can't split its CPU any more."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.experiments.lines import Line

_HEAD = """
import json
import numpy as np
import tensorflow as tf
import {module} as keras
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
"""


def on_two(line: Line, program: str) -> Any:
    """What a program prints last, as JSON, on two replicas; it finds `keras`, `np`, `tf` and `strategy`."""
    text = _HEAD.format(module=line.keras.__name__.partition(".")[0]) + program
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])
