"""`seqlint init` adds a section, and changes nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from seqlint.config import load_config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "before", [b"[tool.ruff]\nline-length = 100  # keep", b"# \xc3\xa9\r\n[project]\r\nname = 'x'\r\n", b""]
)
def test_a_section_comes_after_what_is_there(folder: Path, cli: Cli, before: bytes) -> None:
    project = folder / "pyproject.toml"
    project.write_bytes(before)
    assert cli("init").code == 0
    after = project.read_bytes()
    assert after.startswith(before)
    assert (b"\r\n" in before) == (b"\r\n" in after)
    assert load_config(folder).file == project


def test_without_a_project_file_it_is_a_file_of_its_own(folder: Path, cli: Cli) -> None:
    (folder / "requirements.txt").write_text("tensorflow>=2.16\n")
    (folder / "vendor").mkdir()
    assert cli("init").out.startswith("wrote seqlint.toml\n")
    text = (folder / "seqlint.toml").read_text()
    assert '# keras = "tensorflow>=2.16"' in text
    assert "requirements.txt line 1" in text
    assert load_config(folder).exclude == ("vendor/",)


def test_all_that_is_a_comment_is_valid_when_it_is_none(folder: Path, cli: Cli) -> None:
    cli("init")
    file = folder / "seqlint.toml"
    lines = [line[2:] if line.startswith("# ") and " = " in line else line for line in file.read_text().splitlines()]
    file.write_text("\n".join(lines) + "\n")
    assert load_config(folder).keras == ">=3.10"
    assert cli("check").code == 0


def test_dry_run_writes_nothing(folder: Path, cli: Cli) -> None:
    done = cli("init", "--dry-run")
    assert "+# keras" in done.out
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["repos:\n- repo: local\n  hooks:\n  - id: a\n", "repos:\n    - repo: local\n      hooks: []", None]
)
def test_the_hook_is_added_to_the_list(folder: Path, cli: Cli, text: str | None) -> None:
    file = folder / ".pre-commit-config.yaml"
    if text is not None:
        file.write_text(text)
    assert cli("init", "--pre-commit").code == 0
    repositories = yaml.safe_load(file.read_text())["repos"]
    assert [hook["id"] for hook in repositories[-1]["hooks"]] == ["seqlint"]
    assert len(repositories) == (1 if text is None else 2)


@pytest.mark.parametrize(
    "text", ["repos: []\n", "repos:\n- repo: local\nfail_fast: true\n", "repos:\n- hooks:\n  - id: seqlint\n"]
)
def test_a_list_that_can_not_be_added_to_is_left_alone(folder: Path, cli: Cli, text: str) -> None:
    file = folder / ".pre-commit-config.yaml"
    file.write_text(text)
    done = cli("init", "--pre-commit")
    assert (done.code, file.read_text()) == (2, text)
    assert sorted(path.name for path in folder.iterdir()) == [file.name]


def test_it_tells_ruff_users_of_our_codes(folder: Path, cli: Cli) -> None:
    (folder / "ruff.toml").write_text("")
    assert 'external = ["SEQ"]' in cli("init").out


@pytest.mark.parametrize(
    ("arguments", "message"), [(("missing",), "not a folder"), ((".",), "configured here already")]
)
def test_bad_input_is_named(folder: Path, cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    (folder / "seqlint.toml").write_text("")
    done = cli("init", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
