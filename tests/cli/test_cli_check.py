from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SKIPPED, UNKNOWN
from tests.unprivileged import plain_user

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

SEED = "import keras\n\nkeras.utils.seed(0)\n"
CLEAR = "import keras\n\nkeras.backend.clear()\n"
SPREAD = "import keras\n\nkeras.utils.spread()\n"
FETCH = "import keras\n\nkeras.utils.fetch()\n"


def write(**files: str) -> None:
    for name, text in files.items():
        path = Path(name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class TestReports:
    def test_text_shows_the_code_and_the_fix(self, project: Path, cli: Cli) -> None:
        write(a=SEED)
        result = cli("check")
        assert result.out == (
            "warning[TST101] seed-set: `seed` is called\n"
            "  --> a.py:3:1\n"
            "  |\n"
            "3 | keras.utils.seed(0)\n"
            "  | ^^^^^^^^^^^^^^^^^^^\n"
            "  fix (safe): Call `keras.seed`\n"
            "\n"
            "1 finding (1 warning) in 1 file; `seqlint fix` fixes 1\n"
            f"{UNKNOWN}; {SKIPPED}\n"
        )
        assert (result.code, result.err) == (1, "")

    def test_concise_is_a_line_a_finding_in_order(self, project: Path, cli: Cli) -> None:
        write(b=SEED, a=SEED + CLEAR)
        assert cli("check", "b.py", "a.py", "--output-format", "concise").out == (
            "a.py:3:1: warning[TST101] `seed` is called [fix]\na.py:6:1: error[TST102] `clear` is called [unsafe fix]\nb.py:3:1: warning[TST101] `seed` is called [fix]\n"
        )

    def test_json_has_findings_and_errors(self, project: Path, cli: Cli) -> None:
        write(a=CLEAR)
        found = json.loads(cli("check", "a.py", "missing.py", "--output-format", "json").out)
        (finding,) = found["findings"]
        assert (finding["code"], finding["path"], finding["start"]["line"]) == ("TST102", "a.py", 3)
        assert finding["fixes"][0]["changes"] == ["state"]
        assert found["errors"] == [{"path": "missing.py", "message": "no such file or directory"}]

    def test_nothing_found_is_said(self, project: Path, cli: Cli) -> None:
        write(a="import keras\n", b="x = 1\n")
        result = cli("check", ".")
        assert (result.code, result.out, result.err) == (0, f"no findings in 2 files\n{UNKNOWN}; {SKIPPED}\n", "")

    def test_colours_on_demand_only(self, project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        write(a=SEED)
        assert "\x1b[" not in cli("check").out
        assert "\x1b[" not in cli("check", "--color", "never").out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" in cli("check", "--color", "always").out


class TestExitCodes:
    @pytest.mark.parametrize(
        ("text", "threshold", "code"),
        [
            (CLEAR, "error", 1),
            (SEED, "error", 0),
            (SEED, "warning", 1),
            (SPREAD, "warning", 0),
            (SPREAD, "advice", 1),
            (SPREAD + CLEAR, "error", 1),
            ("import keras\n", "advice", 0),
        ],
    )
    def test_findings_fail_from_a_level_on(self, project: Path, cli: Cli, text: str, threshold: str, code: int) -> None:
        write(a=text)
        assert cli("check", "--fail-on", threshold).code == code

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"import keras\n\0\n", "null bytes"),
            (b"import keras\nx = '\xff'\n", "not utf-8"),
            (b"# coding: klingon\nimport keras\n", "unknown encoding: klingon"),
            (b"import keras\ndef (:\n", "a.py:2:5"),
            (b"import keras\nx = (\n", "SEQ001"),
            (b"import keras\n  x = 1\n", "SEQ001"),
        ],
    )
    def test_a_file_that_is_no_python_breaks_the_run_but_not_the_others(
        self, project: Path, cli: Cli, data: bytes, message: str
    ) -> None:
        write(b=SEED)
        Path("a.py").write_bytes(data)
        result = cli("check")
        assert result.code == 2
        assert "SEQ001" in result.out
        assert message in result.out
        assert "b.py:3:1" in result.out

    def test_a_file_that_can_not_be_decoded_has_no_frame(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_bytes(b"import keras\nx = '\xff'\n")
        *lines, place, blank, _, _ = cli("check").out.splitlines()
        assert (len(lines), place.strip(), blank) == (1, "--> a.py:1:1", "")

    def test_a_rule_that_would_end_the_process_has_crashed(self, project: Path, cli: Cli) -> None:
        file = Path("tools/rules/tst202_file_fetched.py")
        file.write_text(file.read_text().replace('RuntimeError("boom")', "SystemExit(0)"))
        write(a=FETCH + CLEAR, b=SEED)
        result = cli("check", "--output-format", "concise")
        assert result.code == 2
        assert re.findall(r"\[([A-Z]+\d+)\]", result.out) == ["SEQ002", "TST102", "TST101"]

    def test_a_crashed_rule_breaks_the_run_but_not_the_others(self, project: Path, cli: Cli) -> None:
        write(a=FETCH + CLEAR, b=SEED)
        result = cli("check")
        assert result.code == 2
        assert "tst202_file_fetched.py" in result.out
        assert "boom" in result.out
        assert re.findall(r"\[(\w+)\]", result.out) == ["SEQ002", "TST102", "TST101"]

    def test_a_missing_path_breaks_the_run_but_not_the_others(self, project: Path, cli: Cli) -> None:
        write(b=SEED)
        result = cli("check", "missing", "b.py")
        assert (result.code, result.err) == (2, "error: missing: no such file or directory\n")
        assert "b.py:3:1" in result.out

    def test_an_unreadable_file_breaks_the_run_but_not_the_others(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with plain_user() as folder:
            monkeypatch.chdir(folder)
            Path("a.py").touch(mode=0)
            Path("b.py").write_text("import keras\n")
            result = cli("check", "--select", "ALL")
            os.chdir("/")
        assert (result.code, result.err) == (2, "error: a.py: permission denied\n")
        assert result.out == f"no findings in 1 file\n{UNKNOWN}\n"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("check", "--slect", "TST"), "--slect"),
            (("chek",), "'chek'"),
            (("check", "--fail-on", "bad"), "'--fail-on': 'bad' is not one of 'error', 'warning', 'advice'"),
            (("check", "--output-format", "xml"), "--output-format: unknown format 'xml'"),
            (("check", "--jobs", "0"), "'-j': this must be at least 1"),
            (("check", "--jobs", "two"), "'-j': this must be a whole number"),
            (("check", "--file-time-limit", "inf"), "'--file-time-limit': this must be at most 1000000000"),
            (("verify", "--replicas", "99", "a.py"), "'--replicas': this must be at most 64"),
            (("verify", "--time-limit", "soon", "a.py"), "'--time-limit': this must be a number"),
            (("check", "--select", "TST1O1"), "--select: unknown rule 'TST1O1'; did you mean 'TST101'?"),
            (("check", "--ignore", "sed-set"), "--ignore: unknown rule 'sed-set'; did you mean 'seed-set'?"),
            (("check", "--extend-select", "XYZ"), "--extend-select: unknown rule 'XYZ'"),
            (("check", "--keras", "=>3"), "--keras: '=>3'"),
            (("check", "--keras", ">=3.10,<3.5"), "--keras: '>=3.10,<3.5' admits no version of Keras"),
            (("fix", "--keras", "<0"), "--keras: '<0' admits no version of Keras"),
            (("check", "--exclude", "!"), "--exclude: '!'"),
            (("check", "--config", "none.toml"), "none.toml: no such file"),
            (("check", "-", "a.py"), "'-' is standard input"),
            (("check", "--stdin-filename", "a.py"), "--stdin-filename needs '-' among the paths"),
            (("fix", "--stdin-filename", "a.py", "a.py"), "--stdin-filename needs '-' among the paths"),
            (("check", "--statistics", "--output-format", "sarif"), "--statistics are written as text or json"),
            (("fix", "--epochs", "2"), "--epochs needs --verify"),
            (("fix", "--report", "proof.html"), "--report needs --verify"),
            (("fix", "--data", "nowhere"), "--data needs --verify"),
            (("migrate", "--python", "nowhere"), "--python needs --verify"),
            (("baseline", "-"), "a baseline is of files"),
            (("baseline", "nowhere"), "nowhere: no such file or directory"),
            (("baseline", "--prune"), "there is no seqlint-baseline.json yet"),
            (("explain", "TST999"), "unknown rule 'TST999'"),
            (("explain",), "Missing argument 'RULE'"),
        ],
    )
    def test_bad_arguments_are_told_in_one_line(
        self, project: Path, cli: Cli, arguments: tuple[str, ...], message: str
    ) -> None:
        write(a=CLEAR)
        result = cli(*arguments)
        assert (result.code, result.out) == (2, "")
        assert re.fullmatch(rf"error: .*{re.escape(message)}.*\n", result.err)

    @pytest.mark.parametrize("text", ["x = 1\n", SEED])
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("slect = []", "seqlint.toml:3: unknown key 'slect'; did you mean 'select'?"),
            ("ignore = ['TST1O1']", "seqlint.toml:3: unknown rule 'TST1O1'; did you mean 'TST101'?"),
            ("keras = '>=three'", "seqlint.toml:3: '>=three'"),
            ("keras = '>=3.10,<3.5'", "seqlint.toml:3: '>=3.10,<3.5' admits no version of Keras"),
            ("keras = '>=3, <3.0.0'", "seqlint.toml:3: '>=3, <3.0.0' admits no version of Keras"),
            ("keras = '~=3'", "seqlint.toml:3: '~=3' is no range of Keras versions"),
            ("[broken", "seqlint.toml:3: this is not TOML"),
        ],
    )
    def test_a_bad_configuration_is_told_whether_or_not_keras_is_there(
        self, project: Path, cli: Cli, text: str, line: str, message: str
    ) -> None:
        write(a=text)
        Path("seqlint.toml").write_text(f'rules = ["tools/rules"]\nexclude = ["tools/"]\n{line}\n')
        result = cli("check")
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"error: {message}")
        assert result.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("import nothing_like_it\n", "can't be imported: ModuleNotFoundError: No module named 'nothing_like_it'"),
            ("import (\n", "can't be imported: SyntaxError: invalid syntax (tst301_broken.py, line 1)"),
            ("raise SystemExit(0)\n", "can't be imported: SystemExit: 0"),
            ("x = 1\n", "needs a RULE of type Rule and a function check(facts)"),
        ],
    )
    def test_a_rule_file_that_can_not_be_loaded_is_told(self, project: Path, cli: Cli, text: str, reason: str) -> None:
        write(a=SEED)
        Path("tools/rules/tst301_broken.py").write_text(text)
        result = cli("check")
        assert result.code == 2
        assert result.err == f"error: the rule file {project / 'tools/rules/tst301_broken.py'} {reason}\n"


class TestSelection:
    def codes(self, result: Result) -> list[str]:
        return re.findall(r"^\S+: \w+\[([A-Z]+\d+)\] ", result.out, re.MULTILINE)

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ((), ["TST101", "TST102", "TST201"]),
            (("--select", "TST1"), ["TST101", "TST102"]),
            (("--select", "seed-set,TST201"), ["TST101", "TST201"]),
            (("--select", "TST101", "--select", "TST201"), ["TST101", "TST201"]),
            (("--ignore", "TST1"), ["TST201"]),
            (("--ignore", "TST1", "--extend-select", "TST102"), ["TST102", "TST201"]),
        ],
    )
    def test_options(self, project: Path, cli: Cli, arguments: tuple[str, ...], expected: list[str]) -> None:
        write(a=SEED + CLEAR + SPREAD)
        assert self.codes(cli("check", "--output-format", "concise", *arguments)) == expected

    def test_the_nearest_configuration_holds(self, project: Path, cli: Cli) -> None:
        write(a=SEED, deep__a=SEED)
        shutil.copytree("tools", "deep/tools")
        Path("deep/pyproject.toml").write_text(
            '[tool.seqlint]\nrules = ["tools/rules"]\nselect = ["TST2"]\nexclude = ["tools/"]\n'
        )
        assert cli("check", "--output-format", "concise").out == "a.py:3:1: warning[TST101] `seed` is called [fix]\n"
        both = cli("check", "--output-format", "concise", "--config", "seqlint.toml")
        assert self.codes(both) == ["TST101", "TST101"]

    def test_projects_with_rule_files_of_one_name_keep_their_own(self, project: Path, cli: Cli) -> None:
        write(a=SEED, other__a=SEED + SPREAD)
        rules = Path("other/rules")
        rules.mkdir()
        text = Path("tools/rules/tst101_seed_set.py").read_text()
        (rules / "tst101_seed_set.py").write_text(text.replace("keras.utils.seed", "keras.utils.spread"))
        Path("other/seqlint.toml").write_text('rules = ["rules"]\nselect = ["TST"]\nexclude = ["rules"]\n')
        assert cli("check", "--output-format", "concise").out == (
            "a.py:3:1: warning[TST101] `seed` is called [fix]\nother/a.py:6:1: warning[TST101] `seed` is called [fix]\n"
        )

    def test_per_file_ignores(self, project: Path, cli: Cli) -> None:
        write(a=SEED, tests__a=SEED + CLEAR)
        with Path("seqlint.toml").open("a") as file:
            file.write('[per-file-ignores]\n"tests/" = ["TST101"]\n')
        assert self.codes(cli("check", "--output-format", "concise")) == ["TST101", "TST102"]

    def test_excluded_files_are_left_out_unless_named(self, project: Path, cli: Cli) -> None:
        write(old__a=SEED)
        assert cli("check", "--exclude", "old/").code == 0
        assert cli("check", "--exclude", "old/", "old/a.py").code == 1
        assert cli("check", "--exclude", "old/", "--force-exclude", "old/a.py").code == 0

    def test_suppressed_findings_are_not_reported_and_dead_suppressions_are(self, project: Path, cli: Cli) -> None:
        write(a=SEED.replace("(0)", "(0)  # seqlint: ignore[TST101]"), b="x = 1  # seqlint: ignore[TST101]\n")
        result = cli("check", "--extend-select", "SEQ003", "--output-format", "concise")
        assert self.codes(result) == ["SEQ003"]
        assert result.out.startswith("b.py:1:")
        assert cli("check").code == 0  # SEQ003 is not selected


class TestStandardInput:
    def test_is_checked_under_the_name_it_stands_for(self, project: Path, cli: Cli) -> None:
        result = cli("check", "-", "--stdin-filename", "src/a.py", "--output-format", "concise", stdin=SEED.encode())
        assert (result.code, result.out) == (1, "src/a.py:3:1: warning[TST101] `seed` is called [fix]\n")

    def test_needs_no_name(self, project: Path, cli: Cli) -> None:
        result = cli("check", "-", "--output-format", "concise", stdin=SEED.encode())
        assert (result.code, result.out) == (1, "<stdin>:3:1: warning[TST101] `seed` is called [fix]\n")

    def test_is_left_out_when_excluded_by_force(self, project: Path, cli: Cli) -> None:
        arguments = ("check", "-", "--stdin-filename", "old/a.py", "--exclude", "old/")
        assert cli(*arguments, stdin=SEED.encode()).code == 1
        assert cli(*arguments, "--force-exclude", stdin=SEED.encode()).code == 0


class TestManyFiles:
    def test_a_pool_reports_what_one_process_reports(self, project: Path, cli: Cli) -> None:
        write(**{f"f{number:02}": SEED if number % 2 else CLEAR for number in range(40)}, x=FETCH)
        Path("bad.py").write_bytes(b"import keras\n\0")
        alone, pool = (cli("check", "--jobs", jobs, "--output-format", "json") for jobs in ("1", "2"))
        assert pool == alone
        assert pool.code == 2
        assert len(json.loads(pool.out)["findings"]) == 42

    def test_a_process_that_dies_costs_its_own_file_alone(self, project: Path, cli: Cli) -> None:
        rule = Path("tools/rules/tst202_file_fetched.py")
        rule.write_text(rule.read_text().replace('raise RuntimeError("boom")', "__import__('os')._exit(3)"))
        write(**{f"f{number:02}": SEED for number in range(30)}, deadly=FETCH, x=SEED)
        result = cli("check", "--jobs", "2", "--output-format", "concise")
        assert result.code == 2
        assert (
            result.err
            == "error: deadly.py: the process that read this file died: it may need too much memory, or time\n"
        )
        assert len(result.out.splitlines()) == 31


class TestFixesThatAreRefused:
    """A name that is mended makes an error of advice: `fix` refuses it."""

    TEXT = """\
import keras


def knots(rows):
    class Knots(keras.utils.PyDataset):
        def on_epcoh_end(self):
            rows.reverse()

    return Knots()
"""

    def test_they_are_not_promised(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(self.TEXT)
        asked = ("--select", "SEQ1", "--keras", ">=3.10")
        for _ in ("cold", "from what an earlier run has kept"):
            result = cli("check", *asked)
            assert "SEQ106" in result.out
            assert "fix" not in result.out
            (found,) = json.loads(cli("check", *asked, "--output-format", "json").out)["findings"]
            assert (found["code"], found["fixes"]) == ("SEQ106", [])

    def test_nor_after_a_fix_and_in_a_page(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(self.TEXT)
        Path("b.md").write_text(f"```python\n{self.TEXT}```\n")
        asked = ("a.py", "b.md", "--select", "SEQ1", "--keras", ">=3.10", "--output-format", "json")
        report = json.loads(cli("fix", "--unsafe", *asked).out)
        assert [found["fixes"] for found in report["findings"]] == [[], []]
        assert report["fixed"] == []
        assert [found["fixes"] for found in json.loads(cli("check", *asked).out)["findings"]] == [[], []]
