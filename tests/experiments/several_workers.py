"""Processes of this machine that TensorFlow takes for the workers of one cluster."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.experiments.lines import Line

_LIMIT = 200.0  # seconds, TensorFlow's start included
_WORKER = """
import importlib
import json
import os
import sys
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # whatever Keras prints is no answer
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras = importlib.import_module(sys.argv[1])
given = dict(np=np, tf=tf, keras=keras, strategy=strategy, index=int(sys.argv[2]), found=None)
try:
    exec(sys.stdin.read(), given)
except Exception as error:
    given["found"] = f"{type(error).__name__}: {error}"
print(json.dumps(given["found"]), file=answers)
os._exit(0)
"""


def on_workers(line: Line, program: str, count: int = 2) -> list[Any]:
    """What a program leaves in `found` on each worker, by way of JSON, or its error as text.

    The program is given `keras`, `np`, `tf`, `strategy` and its `index`.
    """
    with ExitStack() as free:
        places = [free.enter_context(socket.create_server(("localhost", 0))) for _ in range(count)]
        cluster = {"worker": [f"localhost:{place.getsockname()[1]}" for place in places]}
    started = [_start(line, cluster, index) for index in range(count)]
    try:
        for worker in started:
            assert worker.stdin is not None
            worker.stdin.write(program)
            worker.stdin.close()
            worker.stdin = None
        return [json.loads(worker.communicate(timeout=_LIMIT)[0]) for worker in started]
    finally:
        for worker in started:
            with suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()


def _start(line: Line, cluster: dict[str, list[str]], index: int) -> subprocess.Popen[str]:
    config = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})
    command = [sys.executable, "-c", _WORKER, line.keras.__name__.partition(".")[0], str(index)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        env={**os.environ, "TF_CONFIG": config},
    )  # fmt: skip
