"""What a run may import decides how long it takes: each case runs in a process of its own and lists its modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"keras", "numpy", "tensorflow", "tf_keras"}
ROOT = Path(__file__).parents[2]
LISTED = """
import sys
from seqlint.cli import run
code = run(sys.argv[1:])
print(code, *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def modules(folder: Path, *arguments: str) -> set[str]:
    """The top-level modules that a run has imported when it ends."""
    command = (sys.executable, "-c", f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{LISTED}", *arguments)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split()[1:])


def test_the_version_needs_typer_alone(tmp_path: Path) -> None:
    assert not modules(tmp_path, "--version") & {
        "libcst",
        "pathspec",
        "rich",
        "tomllib",
        "concurrent",
        "sqlite3",
        *HEAVY,
    }


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_file_without_keras_needs_no_parser(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.py").write_text("import torch\n")
    (tmp_path / "pyproject.toml").write_text('[tool.seqlint]\nselect = ["SEQ"]\nkeras = ">=3.10"\n')
    assert not modules(tmp_path, command, "a.py") & {"libcst", "pathspec", "rich", "concurrent", "sqlite3", *HEAVY}


def test_a_reader_of_pages_is_loaded_for_them_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import keras\n")
    (tmp_path / "a.md").write_text("```python\nimport torch\n```\n")
    (tmp_path / "b.md").write_text("```python\nimport keras\n```\n")
    assert "markdown_it" not in modules(tmp_path, "check", "a.py")
    assert not modules(tmp_path, "check", "a.md") & {"libcst", "markdown_it", *HEAVY}
    found = modules(tmp_path, "check", "b.md")
    assert {"libcst", "markdown_it"} <= found
    assert not found & HEAVY


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_file_with_keras_needs_no_tensorflow(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.py").write_text("import keras\nimport numpy as np\nimport tensorflow as tf\n")
    found = modules(tmp_path, command, "a.py")
    assert "libcst" in found
    assert not found & HEAVY
