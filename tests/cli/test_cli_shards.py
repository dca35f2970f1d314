"""Parts of a run, and their reports put together."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from seqlint.runner import work
from seqlint.runner.shard import Shard
from seqlint.sources import user
from seqlint.sources.discovery import Found
from tests.cli.conftest import SKIPPED, UNKNOWN
from tests.cli.test_cli_check import CLEAR, FETCH, SEED, write
from tests.notebooks import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def fixtures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory: our fixtures, a notebook with a call over many lines, and a file that can't be read."""
    for name in ("hostile", "pages", "programs/photos_one_by_one", "programs/six_in_one_class"):
        shutil.copytree(FIXTURES / name, tmp_path / name)
    call = "model.fit_generator(\n    images,\n" + "    0,\n" * 8 + ")"
    (tmp_path / "book.ipynb").write_bytes(written("import keras\nmodel = keras.Model()", call))
    (tmp_path / "seqlint.toml").write_text("docs = true\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, "find", cache(work.find))  # each file is checked once, however often it is asked for


def reports(cli: Cli, count: int, *arguments: str) -> list[str]:
    """The files with the reports of all parts."""
    names = [f"{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(names, 1):
        done = cli("check", *arguments, "--jobs", "1", "--shard", f"{number}/{count}", "--output-format", "json")
        Path(name).write_bytes(done.raw)
    return names


def test_parts_together_say_what_a_whole_run_says(fixtures: None, cli: Cli) -> None:
    arguments = (".", "missing.py")
    second, *others = reports(cli, 3, *arguments)
    for form in ("json", "text", "concise"):
        how = ("--output-format", form, "--color", "always")
        assert cli("merge", *others, second, *how) == cli("check", *arguments, "--jobs", "1", *how)


@pytest.mark.parametrize("last", [FETCH, SEED, "x = 1\n"], ids=["broken", "found", "clean"])
def test_the_exit_code_is_that_of_a_whole_run(project: Path, cli: Cli, last: str) -> None:
    write(a="import keras\n", b=last)
    names = reports(cli, 2)
    for level in ("error", "warning"):
        assert cli("merge", *names, "--fail-on", level).code == cli("check", "--fail-on", level).code


def test_each_part_speaks_of_itself(project: Path, cli: Cli) -> None:
    write(**{f"f{number}": SEED for number in range(20)})
    results = [cli("check", "--shard", f"{number}/2") for number in (1, 2)]
    found = [int(result.out.splitlines()[-2].split()[0]) for result in results]
    assert sum(found) == 20
    assert [result.out.splitlines()[-2] for result in results] == [
        f"{count} findings ({count} warnings) in {count} files (shard {number} of 2); `seqlint fix` fixes {count}"
        for number, count in enumerate(found, 1)
    ]
    assert cli("fix", "--shard", "2/2").out.endswith(
        f"applied {found[1]} fixes in {found[1]} files (shard 2 of 2); no findings left\n{UNKNOWN}; {SKIPPED}\n"
    )
    assert cli("check").out.count("-->") == found[0]


def test_a_file_more_moves_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [Path("src") / f"f{number}.py" for number in range(300)]
    parts = [Shard(number, 4).of(Found(tuple(names))).files for number in range(1, 5)]
    assert sorted(path for files in parts for path in files) == sorted(names)
    assert all(50 < len(files) < 100 for files in parts)
    more = [Shard(number, 4).of(Found((*names, Path("new.py")))).files for number in range(1, 5)]
    assert [[path for path in files if path.name != "new.py"] for files in more] == [list(files) for files in parts]
    absolute = Found(tuple(tmp_path / path for path in names))
    assert [len(Shard(number, 4).of(absolute).files) for number in range(1, 5)] == [len(files) for files in parts]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("3/2", "there is no part 3 of 2; they are numbered from 1 to 2"),
        ("0/4", "there is no part 0 of 4; they are numbered from 1 to 4"),
        ("x", "'x' is no part of a run; 2/4 is the second of four"),
        ("1/0", "'1/0' is no part of a run; 2/4 is the second of four"),
    ],
)
def test_what_is_no_part_is_refused(project: Path, cli: Cli, given: str, said: str) -> None:
    result = cli("check", "--shard", given)
    assert (result.code, result.out, result.err) == (2, "", f"error: --shard: {said}\n")


def test_standard_input_has_no_parts(project: Path, cli: Cli) -> None:
    assert cli("check", "-", "--shard", "1/2", stdin=SEED.encode()).code == 2


class TestReportsThatDoNotGoTogether:
    def said(self, cli: Cli, *names: str) -> str:
        result = cli("merge", *names)
        assert (result.code, result.out) == (2, "")
        return result.err.removeprefix("error: ").rstrip("\n")

    def change(self, name: str, **values: Any) -> None:
        report = json.loads(Path(name).read_text())
        report["shard"].update(values)
        Path(name).write_text(json.dumps(report))

    def test_one_is_missing_or_there_twice(self, project: Path, cli: Cli) -> None:
        first, second, third = reports(cli, 3)
        assert self.said(cli, second) == "shard 1, 3 of 3 is missing"
        assert self.said(cli, first, second, third, second) == "shard 2 is given twice: 2.json and 2.json"

    def test_they_are_of_different_runs(self, project: Path, cli: Cli) -> None:
        write(a=SEED)
        first, second = reports(cli, 2)
        write(b=CLEAR)
        shutil.copy(second, "old.json")
        reports(cli, 2)
        assert self.said(cli, first, "old.json") == (
            "1.json and old.json are not from one run: the files or the options were different"
        )
        self.change("old.json", count=3)
        assert self.said(cli, first, "old.json") == "1.json is a part of 2, and old.json one of 3"

    def test_another_seqlint_has_written_one(self, project: Path, cli: Cli) -> None:
        first, second = reports(cli, 2)
        self.change(second, seqlint="9.9.9")
        assert self.said(cli, first, second).startswith("2.json: seqlint 9.9.9 wrote this report, and this is ")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("{", "this is not JSON: "),
            ("[]", "this is not a report of `seqlint check --output-format json`"),
            ('{"findings": [], "format": 2}', "the report has the format 2, and this seqlint reads 1"),
            ('{"findings": [], "format": 1, "fixed": []}', "this is a report of `seqlint fix`; "),
            ('{"findings": [], "format": 1}', "this is the report of a whole run; "),
            ('{"findings": [], "format": 1, "shard": 3}', "seqlint ? wrote this report"),
        ],
    )
    def test_one_is_no_report(self, project: Path, cli: Cli, text: str, said: str) -> None:
        Path("bad.json").write_text(text)
        assert self.said(cli, "bad.json").startswith(f"bad.json: {said}")

    @pytest.mark.parametrize(
        ("code", "said"),
        [([{}], "'lines' is missing"), ([{"lines": 3, "last": 1}], "a value has another type")],
    )
    def test_one_was_cut(self, project: Path, cli: Cli, code: list[object], said: str) -> None:
        write(a=SEED, b=SEED)
        first, second = reports(cli, 2)
        for name in (first, second):
            self.change(name, code=code)
        assert self.said(cli, first, second).endswith(f"this is not a report as seqlint writes it: {said}")

    def test_one_is_not_there(self, project: Path, cli: Cli) -> None:
        assert self.said(cli, "nothing.json") == "nothing.json: no such file or directory"


class TestCaches:
    def test_what_the_parts_found_is_not_looked_for_again(
        self, project: Path, cli: Cli, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = tmp_path_factory.mktemp("caches")
        write(**{f"f{number}": SEED if number % 2 else CLEAR for number in range(12)})
        caches = []
        for number in (1, 2):
            monkeypatch.setenv("SEQLINT_CACHE_DIR", str(elsewhere / str(number)))
            done = cli("check", "--shard", f"{number}/2", "--output-format", "json")
            Path(f"{number}.json").write_bytes(done.raw)
            caches += ["--cache", str(elsewhere / str(number))]
        monkeypatch.setenv("SEQLINT_CACHE_DIR", str(elsewhere / "here"))
        merged = cli("merge", *caches, "1.json", "2.json")
        assert merged.err.startswith("12 results and ")
        monkeypatch.setattr(work, "run", lambda *arguments: pytest.fail("something was looked at again"))
        again = cli("check")
        assert (merged.code, merged.out) == (again.code, again.out)

    def test_what_is_no_cache_is_refused_and_left_alone(self, project: Path, cli: Cli) -> None:
        Path("other").mkdir()
        assert cli("merge", "--cache", "other").err == "error: other: there is no cache of seqlint here\n"
        Path("other/results.db").write_text("no database")
        said = "error: other: another version of seqlint has made results.db, or it is broken\n"
        assert (cli("merge", "--cache", "other").err, Path("other/results.db").read_text()) == (said, "no database")

    def test_the_cache_of_one_project_can_be_named_itself(
        self, project: Path, cli: Cli, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = tmp_path_factory.mktemp("caches")
        write(a=SEED)
        monkeypatch.setenv("SEQLINT_CACHE_DIR", str(elsewhere / "there"))
        cli("check")
        (cache,) = (elsewhere / "there").iterdir()
        cache.chmod(0o755)  # what another machine hands over has the rights that its way gave it
        monkeypatch.setenv("SEQLINT_CACHE_DIR", str(elsewhere / "here"))
        assert cli("merge", "--cache", str(cache)).err.startswith("1 result and ")

    def test_a_user_without_a_home_has_no_place_for_it(
        self, project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("other").mkdir()
        Path("other/results.db").write_text("no database")
        monkeypatch.setattr(user, "cache_folder", lambda: None)
        said = "error: there is no folder for caches here: set SEQLINT_CACHE_DIR\n"
        assert cli("merge", "--cache", "other").err == said

    def test_there_is_something_to_merge(self, project: Path, cli: Cli) -> None:
        assert cli("merge").err == "error: merge needs reports, or --cache\n"
