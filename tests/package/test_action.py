"""The action of GitHub: its inputs are those that its steps use, and its last step runs as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ACTION: Any = yaml.safe_load((Path(__file__).parents[2] / "action.yml").read_text(encoding="utf-8"))


def test_each_input_is_used() -> None:
    used = set(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", str(ACTION["runs"])))
    assert used == set(ACTION["inputs"])


def test_the_last_step_reports_and_writes_sarif(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import keras\n\nclass A(keras.utils.Sequence):\n    def on_epoch_end(self, epoch):\n        pass\n"
    )
    step = ACTION["runs"]["steps"][-1]
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "ARGS": "--exit-zero a.py", "SARIF": "found.sarif"}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "found.sarif").read_text().startswith("{")
