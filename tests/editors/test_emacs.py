"""The configuration in editors/emacs, in an Emacs without a screen."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

CONFIGURATION = Path(__file__).parents[2] / "editors" / "emacs" / "seqlint.el"
DRIVE = Path(__file__).with_name("drive.el")


def emacs_with_eglot() -> str | None:
    """Emacs, where it has eglot: 29 or later has, and Debian's elpa-eglot brings it for older ones."""
    found = shutil.which("emacs")
    if found is None:
        return None
    asked = subprocess.run([found, "-q", "--batch", "--eval", "(require 'eglot)"], capture_output=True, check=False)
    return found if asked.returncode == 0 else None


@pytest.mark.skipif(emacs_with_eglot() is None, reason="no Emacs with eglot here")
def test_findings_and_all_fixes(program: Path, fixed: str, surroundings: dict[str, str]) -> None:
    command = [str(emacs_with_eglot()), "-q", "--batch", "-l", str(DRIVE), str(program)]
    environment = surroundings | {"SEQLINT_EL": str(CONFIGURATION), "HOME": str(program.parent)}
    done = subprocess.run(
        command, env=environment, cwd=program.parent, timeout=180, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    saw = json.loads(Path(surroundings["SEEN"]).read_text())
    assert sum("SEQ102" in text or "replaces the training loss" in text for text in saw["found"]) == 1
    assert saw["before"] == program.read_text()
    assert saw["fixed"] == fixed
