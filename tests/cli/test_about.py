"""The line under the summary: which Keras was assumed and why, and what a walk has left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint import engine

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

USE = "import keras\n\nkeras.utils.set_random_seed(1)\n"
PLAIN = "x = 1\n"


def write(**files: str) -> None:
    """Files by their paths, with `__` for a slash and a dot before the suffix that is left out."""
    for name, text in files.items():
        path = Path(name.replace("__", "/") + ("" if "txt" in name or "git" in name else ".py"))
        path = Path(str(path).replace("_txt", ".txt").replace("gitignore", ".gitignore"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def line(result: Result) -> str:
    """What stands under the summary."""
    *_, summary, last = ("", *result.out.splitlines())
    return last if " in " in summary and "file" in summary else ""


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize(
    ("requirement", "said"),
    [
        ("numpy\n\ntensorflow==2.7.0\n", "Keras 2 (tensorflow==2.7.0, requirements.txt:3)"),
        ("keras>=3.10\n", "Keras 3.10 or later (>=3.10, requirements.txt:1)"),
        ("keras>=3\n", "Keras 3 (>=3, requirements.txt:1)"),
        ("keras>=3,<3.5\n", "Keras 3.0 to 3.9 (<3.5,>=3, requirements.txt:1)"),
        ("keras\n", "Keras unknown (no requirement and no import tells; use --keras)"),
    ],
)
def test_the_keras_is_named_with_its_place(plain: Path, cli: Cli, command: str, requirement: str, said: str) -> None:
    write(a=USE, requirements_txt=requirement)
    assert line(cli(command)) == said


def test_what_the_user_says_is_named_as_it_was_said(plain: Path, cli: Cli) -> None:
    write(a=USE)
    assert line(cli("check", "--keras", "tf-keras")) == "Keras 2 (tf-keras, --keras)"
    Path("seqlint.toml").write_text('keras = ">=3.10"\n')
    assert line(cli("check")) == "Keras 3.10 or later (>=3.10, [tool.seqlint] keras)"
    assert line(cli("check", "--keras", "<3")) == "Keras 2 (<3, --keras)"


def test_the_code_is_named_where_it_decides(plain: Path, cli: Cli) -> None:
    write(a="import tf_keras\n\ntf_keras.utils.set_random_seed(1)\n")
    assert line(cli("check")) == "Keras 2 (tf-keras, how the code imports it)"


def test_several_are_counted_the_most_first(plain: Path, cli: Cli) -> None:
    write(one__a=USE, one__requirements_txt="keras<3\n", two__b=USE, two__c=USE, two__requirements_txt="keras>=3.10\n")
    first, second = (
        "Keras 3.10 or later (>=3.10, two/requirements.txt:1) in 2 files",
        "Keras 2 (<3, one/requirements.txt:1)",
    )
    assert line(cli("check")) == f"{first}, {second} in 1 file"
    for number in range(5):
        write(**{f"more{number}__a": USE, f"more{number}__requirements_txt": f"keras==3.{number}\n"})
    assert line(cli("check")).startswith(first)
    assert line(cli("check")).endswith(", 4 more")


def test_nothing_is_said_where_no_file_concerns_keras(plain: Path, cli: Cli) -> None:
    write(a=PLAIN, requirements_txt="keras<3\n")
    assert cli("check").out == "no findings in 1 file\n"


@pytest.mark.parametrize("command", ["check", "fix"])
def test_what_is_skipped_is_counted_with_the_reason(plain: Path, cli: Cli, command: str) -> None:
    write(a=PLAIN, b=USE, c=USE, out__d=USE, old__e=USE, old__more__f=USE, gitignore="b.py\nc.py\nout/\n*.md\n")
    Path("guide.rst").touch()
    Path("ignored.md").touch()
    Path(".git").mkdir()
    skipped = line(cli(command, ".", "--exclude", "old/"))
    assert skipped == "skipped: 2 files and 1 folder ignored by git, 1 folder excluded, 1 page (`docs = true` reads it)"


def test_what_is_named_or_can_hold_no_finding_is_not_skipped(plain: Path, cli: Cli) -> None:
    write(a=PLAIN, b=PLAIN, gitignore="b.py\n*.csv\n__pycache__/\n")
    for name in ("x.csv", "notes.txt", "__pycache__/b.pyc"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    assert line(cli("check", ".")) == "skipped: 1 file ignored by git"
    assert cli("check", ".", "b.py").out == "no findings in 2 files\n"


def test_a_file_that_is_named_and_excluded_by_force_is_skipped(plain: Path, cli: Cli) -> None:
    write(a=PLAIN, build__b=PLAIN)
    assert line(cli("check", "--force-exclude", "a.py", "build/b.py")) == "skipped: 1 file excluded"


def test_json_has_the_same(plain: Path, cli: Cli) -> None:
    write(a=USE, b=USE, requirements_txt="keras<3\n", gitignore="b.py\n")
    for command in ("check", "fix"):
        found = json.loads(cli(command, "--output-format", "json").out)
        assert found["keras"] == [{"lines": ["2"], "range": "<3", "source": "requirements.txt line 1", "files": 1}]
        assert found["skipped"]["ignored"] == {"files": 1, "folders": 0}
        assert found["skipped"]["page"] == {"files": 0, "folders": 0}


@pytest.mark.parametrize("form", ["text", "json"])
def test_merged_parts_say_the_same(plain: Path, cli: Cli, form: str) -> None:
    write(**{f"f{number}": USE for number in range(9)}, gitignore="g*.py\n", requirements_txt="keras<3\n")
    write(**{f"sub__f{number}": USE for number in range(5)}, sub__requirements_txt="keras>=3.10\n")
    write(**{f"g{number}": USE for number in range(6)})
    for number in (1, 2, 3):
        result = cli("check", "--shard", f"{number}/3", "--output-format", "json")
        Path(f"part{number}.json").write_text(result.out)
    merged = cli("merge", "part1.json", "part2.json", "part3.json", "--output-format", form)
    assert merged == cli("check", "--output-format", form)
    assert "6 files ignored by git" in cli("check").out


def test_a_later_run_says_the_same_as_the_first(plain: Path, cli: Cli) -> None:
    write(a=USE, b=USE.replace("keras", "tf_keras"), c=PLAIN, requirements_txt="keras>=3.10\n")
    Path(".git").mkdir()
    first = cli("check")
    assert "in 1 file, Keras 3.10 or later (>=3.10, requirements.txt:1) in 1 file" in first.out
    assert [cli("check"), cli("check"), cli("check", "--no-cache")] == [first] * 3
    write(requirements_txt="keras<3\n")
    engine.forget()  # as another process would not know it
    assert "(<3, requirements.txt:1)" in cli("check").out


def test_concise_lines_stay_alone(plain: Path, cli: Cli) -> None:
    write(a=USE, b=USE, gitignore="b.py\n", requirements_txt="keras<3\n")
    assert cli("check", "--output-format", "concise").out == ""
