"""`seqlint baseline`, and what later runs make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_cli_check import CLEAR, SEED, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

NAME = "seqlint-baseline.json"
IN_BASELINE = "in the baseline"


def entries() -> list[tuple[str, str, int]]:
    return [(one["path"], one["rule"], one["count"]) for one in json.loads(Path(NAME).read_text())["findings"]]


def test_what_is_recorded_is_found_no_more(project: Path, cli: Cli) -> None:
    write(a=SEED + CLEAR, sub__b=SEED)
    assert cli("baseline").out == f"{NAME}: 3 findings in 2 files\n"
    assert entries() == [("a.py", "TST101", 1), ("a.py", "TST102", 1), ("sub/b.py", "TST101", 1)]
    done = cli("check")
    assert (done.code, done.err) == (0, "")
    assert f"{IN_BASELINE}: 3 findings" in done.out


def test_only_what_is_new_is_told(project: Path, cli: Cli) -> None:
    write(a=SEED)
    cli("baseline")
    write(a="# moved\n\n" + SEED + "\n\n" + SEED)
    done = cli("check", "--output-format", "concise")
    assert (done.code, done.out.count("TST101")) == (1, 1)
    assert cli("check", "--no-baseline", "--output-format", "concise").out.count("TST101") == 2


def test_it_holds_from_any_folder_and_for_a_named_file(
    project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(sub__b=SEED)
    cli("baseline")
    assert cli("check", "sub/b.py").code == 0
    monkeypatch.chdir("sub")
    assert cli("check", "b.py").code == 0
    assert cli("baseline").out == f"{project / NAME}: 1 finding in 1 file\n"


def test_what_is_mended_is_stale_and_prune_takes_it_away(project: Path, cli: Cli) -> None:
    write(a=SEED + CLEAR, b=SEED)
    cli("baseline")
    write(a=CLEAR)
    done = cli("check")
    assert done.code == 0
    assert f"{NAME}: 1 entry is stale" in done.err
    assert "a.py: TST101" in done.err
    assert "stale" not in cli("check", "b.py").err  # of other files nobody knows
    assert "stale" not in cli("check", "--select", "TST102").err  # the rule did not run
    assert "1 entry removed" in cli("baseline", "--prune").out
    assert [path for path, *_ in entries()] == ["a.py", "b.py"]
    assert cli("check").err == ""


def test_prune_adds_nothing(project: Path, cli: Cli) -> None:
    write(a=SEED)
    cli("baseline")
    write(a=SEED, b=CLEAR)
    cli("baseline", "--prune")
    assert [path for path, *_ in entries()] == ["a.py"]
    assert cli("check").code == 1


def test_the_files_that_were_not_named_keep_their_entries(project: Path, cli: Cli) -> None:
    write(a=SEED, b=SEED)
    cli("baseline")
    write(a="import keras\n")
    cli("baseline", "a.py")
    assert [path for path, *_ in entries()] == ["b.py"]
    Path("b.py").unlink()
    cli("baseline", "a.py")
    assert entries() == []


def test_a_file_that_could_not_be_checked_stays_an_error(project: Path, cli: Cli) -> None:
    write(a="import keras\ndef f(:\n")
    done = cli("baseline")
    assert (done.code, entries()) == (2, [])
    assert cli("check").code == 2


def test_fix_says_what_is_new_and_left(project: Path, cli: Cli) -> None:
    write(a=SEED + CLEAR)
    cli("baseline")
    assert cli("fix").code == 0


def test_parts_of_a_run_leave_out_the_same(project: Path, cli: Cli) -> None:
    write(**{f"f{number}": SEED for number in range(6)})
    cli("baseline")
    write(f1=SEED + CLEAR)
    for number in (1, 2):
        done = cli("check", "--shard", f"{number}/2", "--output-format", f"json:{number}.json")
        assert done.out == ""
    merged = cli("merge", "1.json", "2.json")
    assert merged.out == cli("check").out
    assert f"{IN_BASELINE}: 6 findings" in merged.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "--baseline", "missing.json"), "missing.json"),
        (("check", "--baseline", NAME, "--no-baseline"), "can't be combined"),
        (("check",), "is not JSON"),
        (("baseline",), "is not JSON"),
        (("baseline", "--baseline", "nowhere/x.json"), "does not exist"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    project: Path, cli: Cli, arguments: tuple[str, ...], message: str
) -> None:
    write(a=SEED)
    Path(NAME).write_text("{")
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert Path(NAME).read_text() == "{"
