"""The extension for VS Code: that it is built, and that it says what the server says. editors/vscode/test/drive drives it in VS Code."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from seqlint.server.actions import KINDS
from seqlint.server.settings import Settings

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
_OFFLINE = re.compile(r"ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|network")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text())
    return found


def test_each_setting_of_the_server_can_be_set_with_the_same_default() -> None:
    offered = manifest()["contributes"]["configuration"]["properties"]

    for field in fields(Settings):
        head, *rest = field.name.split("_")
        given = offered["seqlint." + head + "".join(word.capitalize() for word in rest)]
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        assert (given["default"] or default) == default


def test_the_actions_that_can_run_on_save_are_those_of_the_server() -> None:
    (contributed,) = manifest()["contributes"]["codeActions"]

    assert {action["kind"] for action in contributed["actions"]} == {kind for kind in KINDS if "source" in kind}


def test_the_lock_file_names_no_registry() -> None:
    for lock in EXTENSION.rglob("package-lock.json"):
        if "node_modules" not in lock.parts:
            assert '"resolved"' not in lock.read_text()


def test_the_launcher_imports_nothing_from_the_folder_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text('raise SystemExit("imported")\n')
    launcher = EXTENSION / "bundled" / "launch.py"

    done = subprocess.run(
        [sys.executable, str(launcher), "--version"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert re.fullmatch(r"seqlint \d\S*\n", done.stdout), done.stderr


@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here: the extension for VS Code is not built")
def test_the_extension_is_built_and_small() -> None:
    done = subprocess.run(["bash", str(ROOT / "scripts" / "extension")], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode and "npm" in said and _OFFLINE.search(said):
        pytest.skip("npm reaches no registry here: the extension for VS Code is not built")

    assert done.returncode == 0, said
    package = EXTENSION / "seqlint.vsix"
    assert package.stat().st_size < 200_000
    inside = {name.removeprefix("extension/") for name in zipfile.ZipFile(package).namelist()}
    assert {"package.json", "dist/extension.js", "bundled/launch.py", "icon.png", "LICENSE.txt"} <= inside
    assert not any("node_modules" in name for name in inside)
