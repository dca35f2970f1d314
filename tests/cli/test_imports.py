"""What a run may import decides how long it takes: each case runs in a process of its own and lists its modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WATCHED = {
    "asyncio", "concurrent", "email", "keras", "libcst", "markdown_it", "multiprocessing", "numpy", "packaging", "pathspec", "pydantic",
    "pygls", "rich", "sqlite3", "subprocess", "tempfile", "tensorflow", "tf_keras", "tomli", "tomllib", "typer",
}  # fmt: skip
"""What costs more than a few milliseconds: the dependencies, and what is heavy in the standard library."""

TOML = {"tomli", "tomllib"}
TYPER = {"pydantic", "subprocess", "typer"}
"""With what typer imports itself, in one version or another."""

CHECKING = {"concurrent", "email", "libcst", "multiprocessing", "packaging", "sqlite3", "subprocess", "tempfile", *TOML}
LISTED = """
import sys
from seqlint.cli import run
code = run(sys.argv[1:])
print(code, *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("--version", TYPER),
        ("check --force-exclude plain.py other.py", TOML),
        ("fix --force-exclude plain.py other.py", TOML),
        ("check plain.md", TOML),
        ("check keras.py", CHECKING),
        ("fix --diff keras.py", CHECKING),
        ("check keras.md", CHECKING | {"markdown_it"}),
        ("rules", TYPER | TOML | {"email", "libcst", "tempfile"}),
    ],
)
def test_a_command_imports_no_more_than_it_needs(tmp_path: Path, line: str, may: set[str]) -> None:
    (tmp_path / "plain.py").write_text("import torch\n")
    (tmp_path / "other.py").write_text("class Rows(list):\n    def __len__(self):\n        return 1\n")
    (tmp_path / "keras.py").write_text("import keras\nimport numpy as np\nimport tensorflow as tf\n")
    (tmp_path / "plain.md").write_text("```python\nimport torch\n```\n")
    (tmp_path / "keras.md").write_text("```python\nimport keras\n```\n")
    (tmp_path / "pyproject.toml").write_text('[tool.seqlint]\nselect = ["SEQ"]\nkeras = ">=3.10"\n')
    assert modules(tmp_path, *line.split()) & WATCHED <= may


def modules(folder: Path, *arguments: str) -> set[str]:
    """The top-level modules that a run has imported when it ends."""
    command = (sys.executable, "-c", f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{LISTED}", *arguments)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    code, *found = done.stderr.splitlines()[-1].split()
    assert code == "0"
    return set(found)
