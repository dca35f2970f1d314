"""`scripts/new-rule`, in a copy of the repository: what it makes passes the tests of rules."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("seqlint", "rules", "scripts", "tests", "fixtures")
FILES = ("README.md", "CONTRIBUTING.md", "docs/rules.md", "docs/myths.md", "pyproject.toml")
MADE = ("rules/seq999_loud_fit.py", "tests/rules/cases/seq999.md", "tests/experiments/test_seq999.py")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the tests of a rule need."""
    folder = tmp_path_factory.mktemp("copy")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    for name in FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)


def texts(folder: Path) -> dict[str, str]:
    """The files that a new rule may touch, and those that it makes."""
    places = [*folder.glob("rules/*"), *folder.glob("tests/rules/cases/*"), *folder.glob("tests/experiments/*.py")]
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in [*places, *folder.glob("*.md"), *folder.glob("docs/*.md")]
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "usage: scripts/new-rule CODE NAME"),
        (("SEQ999",), "usage: scripts/new-rule CODE NAME"),
        (("SEQ99", "loud-fit"), "'SEQ99' can't be the code of a rule"),
        (("seq999", "loud-fit"), "'seq999' can't be the code of a rule"),
        (("SEQ050", "loud-fit"), "the first not 0"),
        (("SEQ999", "LoudFit"), "'LoudFit' can't be the name of a rule"),
        (("SEQ999", "loud_fit"), "'loud_fit' can't be the name of a rule"),
        (("SEQ221", "loud-fit"), "SEQ221 exists: missing-super-init, in seq221_missing_super_init.py"),
        (("SEQ999", "missing-super-init"), "the name missing-super-init exists: SEQ221"),
    ],
)
def test_wrong_words_are_refused_and_nothing_is_written(copy: Path, arguments: tuple[str, ...], problem: str) -> None:
    before = texts(copy)
    done = run(copy, "scripts/new-rule", *arguments)
    assert done.returncode == 1
    assert problem in done.stderr
    assert texts(copy) == before


def test_what_is_made_passes_the_tests_of_rules(copy: Path) -> None:
    before = texts(copy)
    done = run(copy, "scripts/new-rule", "SEQ999", "loud-fit")
    assert done.returncode == 0, done.stderr
    after = texts(copy)
    assert set(after) - set(before) == set(MADE)
    assert {name for name in before if after[name] != before[name]} == {"README.md", "CONTRIBUTING.md", "docs/rules.md"}
    assert not any("TODO" in after[name] for name in MADE)

    of_rules = ("tests/rules", "-k", "SEQ999", "-m", "not tensorflow")
    of_pages = ("tests/test_readme.py", "tests/test_contributing.py", "-k", "made_parts")
    for chosen in (of_rules, of_pages):
        tested = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *chosen)
        assert tested.returncode == 0, tested.stdout[-3000:]
        assert " passed" in tested.stdout
    for tool in (("check", "-q"), ("format", "--check", "-q")):
        checked = run(copy, "-m", "ruff", *tool, *(name for name in MADE if name.endswith(".py")))
        assert checked.returncode == 0, checked.stdout


@pytest.mark.tensorflow
def test_its_experiment_measures_what_its_page_says(copy: Path) -> None:
    if not (copy / MADE[0]).exists():
        assert run(copy, "scripts/new-rule", "SEQ999", "loud-fit").returncode == 0
    tested = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", MADE[2])
    assert tested.returncode == 0, tested.stdout[-3000:]
    assert " passed" in tested.stdout
