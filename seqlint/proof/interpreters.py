"""Asks another interpreter, which is to run the programs, what it has installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

HOME = os.path.abspath(os.sep)
"""Where other interpreters start. `-c` looks for modules in the working directory, from Python 3.13 on before its first line: so
that is a folder where only the owner of the machine can put some."""

_LIMIT_S = 60
_ASK = """
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import json
from importlib.util import find_spec
print(json.dumps([name for name in sys.argv[1:] if find_spec(name) is None]))
"""


def is_this(python: str) -> bool:
    """Whether an interpreter is the one that runs this code."""
    return os.path.abspath(python) == os.path.abspath(sys.executable)


def python_path() -> dict[str, str]:
    """PYTHONPATH as it is meant here, for a process that starts in HOME."""
    entries = [os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    return {"PYTHONPATH": os.pathsep.join(entries)} if entries else {}


@cache
def lacking(python: str, packages: tuple[str, ...]) -> tuple[str, ...]:
    """Which of some packages another interpreter can't import; its own name where it can't be run."""
    try:
        asked = subprocess.run(
            [python, "-c", _ASK, *packages], capture_output=True, text=True, timeout=_LIMIT_S, check=True,
            cwd=HOME, env={**os.environ, **python_path()},
        )  # fmt: skip
        return tuple(map(str, json.loads(asked.stdout)))
    except (OSError, subprocess.SubprocessError, ValueError):
        return (python,)
