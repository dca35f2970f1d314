"""The hooks as pre-commit runs them: it clones the project at the tag of the docs, installs it, and names the files of a commit."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from seqlint.version import __version__
from tests.cli.conftest import RULES
from tests.docs.blocks import ROOT, blocks

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "https://github.com/seqlint/seqlint"
SEED = "import keras\n\nkeras.utils.seed(0)\n"
CLEAR = "import keras\n\nkeras.backend.clear()\n"


@dataclass(frozen=True)
class Scratch:
    """A repository that uses the hooks."""

    folder: Path
    environment: dict[str, str]

    def run(self, hook: str, **files: str) -> tuple[int, str]:
        """The exit code and output of a hook on a commit of these files."""
        for name, text in files.items():
            path = name.replace("__", "/")
            (self.folder / (path.replace("_", ".") if "_" in path else f"{path}.py")).write_text(text)
        self.call("git", "add", "--all")
        done = self.call(sys.executable, "-m", "pre_commit", "run", hook, "--all-files", "--verbose", check=False)
        return done.returncode, done.stdout

    def call(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, check=check, capture_output=True, text=True
        )


def shown() -> str:
    """The configuration that the docs show."""
    (block,) = [block.text for block in blocks(ROOT / "docs/pre-commit.md") if block.text.startswith("repos:")]
    assert ADDRESS in block
    return block


def git_environment(home: Path) -> dict[str, str]:
    who = {f"GIT_{role}_{what}": "nobody@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    outer = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**outer, **who, "PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never", "SEQLINT_TRUST_RULES": "1"}


@pytest.fixture(scope="module")
def scratch(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    environment = git_environment(tmp_path_factory.mktemp("pre-commit"))
    hooks = Scratch(checkout, environment)
    hooks.call("git", "init", "--quiet")
    hooks.call("git", "add", "--all")
    hooks.call("git", "commit", "--quiet", "--message", "The project")
    hooks.call("git", "tag", f"v{__version__}")

    scratch = Scratch(tmp_path_factory.mktemp("scratch"), environment)
    scratch.call("git", "init", "--quiet")
    (scratch.folder / ".pre-commit-config.yaml").write_text(shown().replace(ADDRESS, str(checkout)))
    (scratch.folder / "tools/rules").mkdir(parents=True)
    (scratch.folder / "old").mkdir()
    for name, text in RULES.items():
        (scratch.folder / "tools/rules" / name).write_text(text)
    settings = 'rules = ["tools/rules"]\nselect = ["TST"]\nexclude = ["tools/", "old/"]\n'
    (scratch.folder / "seqlint.toml").write_text(settings)
    return scratch


def test_the_manifest_is_valid(checkout: Path) -> None:
    command = (sys.executable, "-m", "pre_commit", "validate-manifest", str(checkout / ".pre-commit-hooks.yaml"))
    subprocess.run(command, check=True, capture_output=True)


def test_both_hooks_pass_where_nothing_is_wrong(scratch: Scratch) -> None:
    for hook in ("seqlint", "seqlint-fix"):
        code, out = scratch.run(hook, a="import keras\n", b="x = 1\n", old__c=SEED)
        assert code == 0, out


def test_the_check_fails_on_a_finding_and_changes_nothing(scratch: Scratch) -> None:
    code, out = scratch.run("seqlint", a=SEED, b="x = 1\n")
    assert code == 1
    assert "warning[TST101] seed-set" in out
    assert "--> a.py:3:1" in out
    assert (scratch.folder / "a.py").read_text() == SEED


def test_the_fix_applies_what_is_safe_and_fails_on_the_rest(scratch: Scratch) -> None:
    code, out = scratch.run("seqlint-fix", a=SEED, b=CLEAR, old__c=SEED)
    assert code == 1
    assert "files were modified by this hook" in out
    assert "error[TST102] session-cleared" in out
    assert (scratch.folder / "a.py").read_text() == "import keras\n\nkeras.seed(0)\n"
    assert (scratch.folder / "b.py").read_text() == CLEAR
    assert (scratch.folder / "old/c.py").read_text() == SEED


def test_the_hook_for_pages_reads_those_alone(scratch: Scratch) -> None:
    page = f"# Seeds\n\n```python\n{SEED}```\n"
    code, out = scratch.run(
        "seqlint-docs", a=SEED, guide_md=page, guide_rst=".. note:: None\n", notes_txt="x\n", old__d_md=page
    )
    assert code == 1
    assert "--> guide.md:6:1" in out
    assert "1 finding (1 warning)" in out
    assert (scratch.folder / "guide.md").read_text() == page
