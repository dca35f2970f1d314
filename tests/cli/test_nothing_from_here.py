"""Nothing is imported from the working directory: there lies a module for each name that Python or a library could ask for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from seqlint.proof import Settings, child, interpreters, recorder
from seqlint.runner.process import own_path
from seqlint.server import verification
from tests.test_registry import installed

ROOT = Path(__file__).parents[2]
LIBRARIES = {
    "click", "keras", "libcst", "lsprotocol", "markdown_it", "numpy", "packaging", "pathspec", "pygls", "rich", "shellingham", "tensorflow",
    "tf_keras", "tomli", "typer", "typing_extensions", "yaml",
}  # fmt: skip
NAMES = sorted({*LIBRARIES, *sys.stdlib_module_names} - {*sys.builtin_module_names})
FEED = "import keras\n\n\nclass Feed(keras.utils.PyDataset):\n    def __init__(self, x):\n        self.x = x\n"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planted(tmp_path_factory.mktemp("here"))


def planted(folder: Path) -> Path:
    """A folder full of modules that nobody has asked for; each leaves a mark, and ends the process."""
    mark = "import os\nos.close(os.open(os.path.join({marks!r}, __name__), os.O_CREAT))\nraise SystemExit(9)\n"
    (folder / "marks").mkdir()
    for name in NAMES:
        # `os` is there before any of them, or else the mark can't be left.
        (folder / f"{name}.py").write_text(mark.format(marks=str(folder / "marks")) if name != "os" else "")
    installed(folder, "house-rules", "[seqlint.rules]\nhouse = house_rules\n")
    shutil.copytree(folder / "house-rules-1.0.dist-info", folder / "house_rules.egg-info")
    (folder / "house_rules.egg-info/METADATA").rename(folder / "house_rules.egg-info/PKG-INFO")
    (folder / "house_rules").mkdir()
    (folder / "house_rules/__init__.py").write_text(mark.format(marks=str(folder / "marks")))
    (folder / "work").mkdir()
    for number in range(40):
        (folder / f"work/feed{number}.py").write_text(FEED)
    return folder


def ran(here: Path, *command: str, code: int | None = 0, python_path: str = str(ROOT)) -> set[str]:
    """The modules of the folder that ran."""
    env = {**os.environ, "PYTHONPATH": python_path}
    done = subprocess.run(
        command, cwd=here, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert code is None or done.returncode == code, done.stderr
    return taken(here)


def taken(here: Path) -> set[str]:
    """The marks that are there, which go."""
    found = {mark.name for mark in (here / "marks").iterdir()}
    for name in found:
        (here / "marks" / name).unlink()
    return found


@pytest.fixture(scope="module")
def for_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without the few that Python itself imports for `-m`, before the first line of any module: nothing helps there but `-P`."""
    folder = planted(tmp_path_factory.mktemp("here"))
    (folder / "empty_module.py").touch()
    while early := ran(folder, sys.executable, "-m", "empty_module", code=None):
        for name in early:
            (folder / f"{name}.py").unlink()
    assert len(list(folder.glob("*.py"))) > len(NAMES) - 20
    return folder


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (("check", "work", "-j", "2"), 1), (("check", "work/feed1.py", "--output-format", "json"), 1), (("rules",), 0),
        (("fix", "--diff", "work/feed2.py"), 1), (("explain", "SEQ101"), 0), (("--version",), 0), (("trust", "--list"), 0),
        (("facts", "work/feed1.py"), 0), (("server",), 0),
    ],
    ids=str,
)  # fmt: skip
def test_a_command_runs_none_of_them(
    for_modules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: tuple[str, ...], code: int
) -> None:
    monkeypatch.setenv("SEQLINT_CONFIG_DIR", str(tmp_path))  # other tests have trusted folders that are gone
    assert ran(for_modules, sys.executable, "-m", "seqlint", *line, code=code) == set()


def test_the_marks_are_left_where_they_should_be(here: Path) -> None:
    assert ran(here, sys.executable, "-c", "import random", code=9) != set()


def test_a_pool_runs_none_of_them(here: Path) -> None:
    """Its servers and its processes are started by `-c`, which looks there first."""
    command = (*verification.command(), "check", "work", "-j", "2", "--no-cache")
    assert ran(here, *command, code=1) == set()


def test_what_verifies_a_fix_for_the_server_runs_none_of_them(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", *sys.path, "relative"])
    assert ran(here, *verification.command(), "check", "work/feed1.py", code=1) == set()


def test_an_interpreter_is_asked_what_it_has_and_looks_not_there(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    interpreters.lacking.cache_clear()
    (here / "only_here.py").touch()
    assert interpreters.lacking(sys.executable, ("random", "only_here")) == ("only_here",)
    assert taken(here) == set()


@pytest.mark.parametrize("python_path", ["", str(ROOT), None])
def test_a_proof_starts_without_what_lies_here_or_among_temporary_files(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python_path: str | None
) -> None:
    home = tmp_path / "recorder"
    home.mkdir()
    (home / "__init__.py").touch()
    (home / "worker.py").write_text("import json, random, tempfile\n\n\ndef main():\n    print('{}', flush=True)\n")
    monkeypatch.chdir(here)
    monkeypatch.setattr(tempfile, "tempdir", str(here))
    monkeypatch.setattr(recorder, "__file__", str(home / "__init__.py"))
    if python_path is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((python_path, str(ROOT))))
    started = child._start(Settings().kind, fork=True)
    assert isinstance(started, subprocess.Popen), started
    child._end(started)
    assert taken(here) == set()


def test_an_engine_of_the_working_directory_is_found_and_the_rest_of_it_is_not(for_modules: Path) -> None:
    (for_modules / "my_engine.py").write_text(
        "import random\nfrom concurrent.futures import ThreadPoolExecutor\n\n\ndef make():\n    random.random()\n"
        "    return ThreadPoolExecutor(1)\n"
    )
    command = (sys.executable, "-m", "seqlint", "check", "work/feed3.py", "--no-cache", "--executor", "my_engine:make")
    assert ran(for_modules, *command, code=1) == set()
    assert ran(for_modules, *command[:-2], code=1) == set()


@pytest.mark.parametrize("entry", ["", ".", "./", "../here"])
def test_the_working_directory_under_a_loose_name_is_taken_away(
    tmp_path: Path, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((entry, "/some/where")))
    path = ["", ".", "vendor", str(tmp_path / "here"), str(tmp_path / "here/src"), "/some/where"]
    assert own_path(path) == ["vendor", str(tmp_path / "here/src"), "/some/where"]


def test_who_names_it_by_its_whole_path_means_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", str(tmp_path))))
    assert own_path(["", str(tmp_path), "/usr/lib"]) == [str(tmp_path), "/usr/lib"]


def test_a_checkout_that_nobody_has_installed_runs_from_its_own_folder(tmp_path: Path) -> None:
    """Its modules are found, after Python's own."""
    for name in ("seqlint", "rules"):
        (tmp_path / name).symlink_to(ROOT / name, target_is_directory=True)
    (tmp_path / "random.py").write_text("raise SystemExit(9)\n")
    (tmp_path / "feed.py").write_text(FEED)
    command = (sys.executable, "-m", "seqlint", "check", "feed.py", "--no-cache")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, "SEQ221" in done.stdout) == (1, True), done.stderr
