"""Where reports go, in which format, and what a run says besides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli.choices import Format
from tests.cli.test_cli_check import CLEAR, SEED, write
from tests.cli.test_cli_shards import fixtures, reports

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

__all__ = ["fixtures"]


def test_several_reports_of_one_run(project: Path, cli: Cli) -> None:
    write(a=SEED)
    done = cli(
        "check", *(f"--output-format={form}:{form}.out" for form in Format.__members__), "--output-format", "concise"
    )
    assert done.out == "a.py:3:1: warning[TST101] `seed` is called [fix]\n"
    for form in Format.__members__:
        assert Path(f"{form}.out").read_text() == cli("check", "--output-format", form).out, form


def test_output_file_takes_the_one_report(project: Path, cli: Cli) -> None:
    write(a=SEED)
    assert cli("check", "--output-file", "report.txt", "--color", "always").out == ""
    assert Path("report.txt").read_text() == cli("check").out


@pytest.mark.parametrize("form", ["sarif", "github", "gitlab", "azure", "junit", "rdjson", "pylint", "grouped"])
def test_parts_together_give_the_report_of_a_whole_run(fixtures: None, cli: Cli, form: str) -> None:
    names = reports(cli, 2, ".")
    assert (
        cli("merge", *names, "--output-format", form).out
        == cli("check", ".", "--jobs", "1", "--output-format", form).out
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--output-format", "sarf"), "unknown format 'sarf'; did you mean sarif?"),
        (("--output-format", "sarif:"), "names no file"),
        (("--output-format", "json", "--output-format", "text"), "two reports go to standard output"),
        (("--output-format", "json:a", "--output-format", "text:./a"), "two reports go to"),
        (
            (
                "--output-format",
                "json:nowhere/a",
            ),
            "does not exist",
        ),
        (("--output-file", "."), "this is a folder"),
        (("--output-file", "a", "--output-format", "json:b"), "--output-file is for one"),
    ],
)
def test_a_wrong_destination_is_said_before_anything_is_written(
    project: Path, cli: Cli, arguments: tuple[str, ...], message: str
) -> None:
    write(a=SEED)
    before = sorted(Path().iterdir())
    done = cli("check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert sorted(Path().iterdir()) == before


def test_quiet_tells_findings_alone(project: Path, cli: Cli) -> None:
    write(a=SEED)
    assert cli("check", "-q").out.endswith("fix (safe): Call `keras.seed`\n\n")
    write(a="import keras\n")
    assert cli("check", "--quiet") == cli("check", "--output-format", "concise")


def test_exit_zero_is_for_findings_and_not_for_what_is_broken(project: Path, cli: Cli) -> None:
    write(a=SEED)
    assert cli("check", "--exit-zero").code == 0
    assert cli("check", "--exit-zero", "missing.py").code == 2
    assert cli("fix", "--exit-zero", "--diff").code == 0


def test_statistics_count_by_rule(project: Path, cli: Cli) -> None:
    write(a=SEED + CLEAR, b=SEED)
    done = cli("check", "--statistics")
    assert done.out.splitlines()[:2] == [
        "2  TST101  seed-set: 2 warnings; fixable: 2",
        "1  TST102  session-cleared: 1 error; fixable: 1 with --unsafe",
    ]
    counted = json.loads(cli("check", "--statistics", "--output-format", "json").out)["rules"]
    assert [(one["code"], one["count"], one["fixable"]) for one in counted] == [("TST101", 2, 2), ("TST102", 1, 0)]


def test_show_files_lists_what_would_be_checked(project: Path, cli: Cli) -> None:
    write(a="x = 1\n", sub__b=SEED)
    Path(".gitignore").write_text("sub/\n")
    assert cli("check", "--show-files").out == "a.py\n"
    assert cli("check", "--show-files", "sub/b.py").out == "sub/b.py\n"


def test_show_settings_says_what_holds_and_from_where(project: Path, cli: Cli) -> None:
    write(a="x = 1\n")
    told = cli("check", "--show-settings", "--ignore", "TST102").out
    assert str(project / "seqlint.toml") in told or str(project / "pyproject.toml") in told
    assert 'ignore = ["TST102"]' in told


def test_the_version_has_a_short_option(cli: Cli) -> None:
    assert cli("-V") == cli("--version")


def test_the_level_that_fails_and_what_git_ignores_are_settings(project: Path, cli: Cli) -> None:
    write(a=SEED, ignored__b=SEED)
    Path(".gitignore").write_text("ignored/\n")
    settings = Path("seqlint.toml").read_text()
    Path("seqlint.toml").write_text(settings + 'fail-on = "error"\nrespect-gitignore = false\n')
    done = cli("check", "--output-format", "concise")
    assert (done.code, [line.partition(":")[0] for line in done.out.splitlines()]) == (0, ["a.py", "ignored/b.py"])
    assert cli("check", "--fail-on", "warning").code == 1
