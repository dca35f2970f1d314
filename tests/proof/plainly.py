"""Runs programs as Python would, with the seeds of the recorder and without anything else of it.

Arguments: files of programs. One import of TensorFlow serves all of them; what each prints goes to a file beside it.
"""

from __future__ import annotations

import os
import runpy
import sys

import tensorflow  # noqa: F401

from seqlint.proof.recorder import setup

KERAS = "tf_keras" if os.environ["TF_USE_LEGACY_KERAS"] == "1" else "keras"
SEED = 7


def run(path: str) -> None:
    """Run one program in this process, and end it."""
    os.dup2(os.open(f"{path}.out", os.O_WRONLY | os.O_CREAT, 0o600), 1)
    setup.seed(SEED)
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        sys.stdout.flush()
    os._exit(0)


def main() -> None:
    """Run each program in a fork of its own."""
    __import__(KERAS)
    for path in sys.argv[1:]:
        if not os.fork():
            try:
                run(path)
            finally:
                os._exit(1)
        assert os.wait()[1] == 0, path


if __name__ == "__main__":
    main()
