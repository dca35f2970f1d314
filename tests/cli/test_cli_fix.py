from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.runner import work
from tests.cli.conftest import RULES, SKIPPED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.runner.plan import Job
    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

SEED = "import keras\n\nkeras.utils.seed(0)\n"
CLEAR = "import keras\n\nkeras.backend.clear()\n"
SPREAD = "import keras\n\nkeras.utils.spread()\n"


def test_safe_fixes_are_applied_and_told(project: Path, cli: Cli) -> None:
    Path("a.py").write_text(SEED)
    result = cli("fix")
    assert Path("a.py").read_text() == "import keras\n\nkeras.seed(0)\n"
    assert result.out == (
        "a.py\n"
        "  fixed TST101 seed-set at 3:1: Call `keras.seed` (safe)\n"
        "\n"
        "applied 1 fix in 1 file; no findings left\n"
        f"{UNKNOWN}; {SKIPPED}\n"
    )  # fmt: skip
    assert result.code == 0
    assert cli("check").code == 0


def test_unsafe_fixes_wait_for_leave(project: Path, cli: Cli) -> None:
    Path("a.py").write_text(CLEAR)
    result = cli("fix")
    assert Path("a.py").read_text() == CLEAR
    assert result.code == 1
    assert "error[TST102] session-cleared" in result.out
    assert result.out.endswith(f"applied 0 fixes in 0 files; 1 finding (1 error) left\n{UNKNOWN}; {SKIPPED}\n")
    result = cli("fix", "--unsafe")
    assert Path("a.py").read_text() == "import keras\n\nkeras.clear()\n"
    assert "(unsafe, changes state)" in result.out
    assert result.code == 0


def test_the_configuration_may_ask_for_unsafe_fixes_and_the_command_line_refuse(project: Path, cli: Cli) -> None:
    Path("a.py").write_text(CLEAR)
    settings = Path("seqlint.toml").read_text()
    Path("seqlint.toml").write_text(f"unsafe = true\n{settings}")
    assert cli("fix", "--no-unsafe").code == 1
    assert Path("a.py").read_text() == CLEAR
    assert cli("fix").code == 0
    assert Path("a.py").read_text() == "import keras\n\nkeras.clear()\n"


def test_what_is_left_fails_from_a_level_on(project: Path, cli: Cli) -> None:
    Path("a.py").write_text(SEED + SPREAD)
    assert cli("fix").code == 0
    assert cli("fix", "--fail-on", "advice").code == 1


def test_only_selected_rules_are_fixed(project: Path, cli: Cli) -> None:
    Path("a.py").write_text(SEED + CLEAR)
    cli("fix", "--unsafe", "--select", "TST102")
    assert Path("a.py").read_text() == SEED + "import keras\n\nkeras.clear()\n"


def test_a_suppressed_finding_is_not_touched(project: Path, cli: Cli) -> None:
    text = "import keras\n\nkeras.utils.seed(0)  # noqa: TST101\nkeras.utils.seed(1)  # seqlint: ignore[TST101]\n"
    text = text.replace("noqa: TST101", "seqlint: ignore[seed-set] as it must be")
    Path("a.py").write_text(text)
    assert cli("fix").code == 0
    assert Path("a.py").read_text() == text


class TestDiff:
    def test_shows_what_would_change_and_writes_nothing(self, project: Path, cli: Cli) -> None:
        Path("src").mkdir()
        Path("src/a.py").write_text(SEED)
        result = cli("fix", "--diff")
        assert result.code == 1
        assert result.out.startswith("--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n")
        assert result.err == "would apply 1 fix in 1 file\n"
        assert Path("src/a.py").read_text() == SEED
        subprocess.run(["git", "apply"], input=result.raw, check=True, cwd=project)
        assert Path("src/a.py").read_text() == "import keras\n\nkeras.seed(0)\n"

    def test_is_empty_and_clean_where_nothing_would_change(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(CLEAR)
        result = cli("fix", "--diff")
        assert (result.code, result.out) == (0, "")

    def test_of_standard_input(self, project: Path, cli: Cli) -> None:
        result = cli("fix", "--diff", "-", "--stdin-filename", "a.py", stdin=SEED.encode())
        assert result.code == 1
        assert "+keras.seed(0)\n" in result.out

    def test_a_broken_file_breaks_the_run_and_is_named(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(SEED)
        Path("b.py").write_text("import keras\n(\n")
        result = cli("fix", "--diff")
        assert result.code == 2
        assert "+keras.seed(0)\n" in result.out
        assert result.err == (
            "error: b.py:2:1: error[SEQ001] the file can't be parsed: '(' was never closed\nwould apply 1 fix in 1 file\n"
        )

    def test_a_crashed_rule_is_named(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text("import keras\n\nkeras.utils.fetch()\n")
        result = cli("fix", "--diff")
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("error: a.py:1:1: error[SEQ002] the rule TST202 (tst202_file_fetched.py) crashed")

    def test_a_refused_fix_is_named(self, project: Path, cli: Cli) -> None:
        Path("tools/rules/tst101_seed_set.py").write_text(RULES["tst101_seed_set.py"].replace('"keras.seed"', '"("'))
        Path("a.py").write_text(SEED)
        result = cli("fix", "--diff")
        assert (result.code, result.out) == (0, "")
        assert "error" not in result.err
        assert "a.py:3:1: TST101 not fixed: Call `keras.seed`: the text no longer parses\n" in result.err


class TestStandardInput:
    def test_is_fixed_to_standard_output(self, project: Path, cli: Cli) -> None:
        result = cli("fix", "-", stdin=b"\xef\xbb\xbfimport keras\r\n\r\nkeras.utils.seed(0)\r\n")
        assert result.raw == b"\xef\xbb\xbfimport keras\r\n\r\nkeras.seed(0)\r\n"
        assert result.code == 0
        assert "fixed TST101" in result.err

    @pytest.mark.parametrize(
        "data", [b"x = 1\r\n", b"import keras\n\0", b"import keras\n(\n", b"", b"# seqlint \xff\n"]
    )
    def test_comes_out_as_it_went_in_where_nothing_is_to_fix(self, project: Path, cli: Cli, data: bytes) -> None:
        assert cli("fix", "-", stdin=data).raw == data


class TestBytes:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (b"import keras\r\nkeras.utils.seed(0)\r\n", b"import keras\r\nkeras.seed(0)\r\n"),
            (b"\xef\xbb\xbfimport keras\nkeras.utils.seed(0)", b"\xef\xbb\xbfimport keras\nkeras.seed(0)"),
            (
                b"# coding: latin-1\nimport keras\nx = '\xe9'; keras.utils.seed(0)\n",
                b"# coding: latin-1\nimport keras\nx = '\xe9'; keras.seed(0)\n",
            ),
            (b"import keras\n\n\n\tx = 1\n", b"import keras\n\n\n\tx = 1\n"),
            (
                b"import keras\nif x:\n\tkeras.utils.seed(0)\t# why\x0c\n",
                b"import keras\nif x:\n\tkeras.seed(0)\t# why\x0c\n",
            ),
        ],
    )
    def test_what_is_not_fixed_stays_as_it_is(self, project: Path, cli: Cli, before: bytes, after: bytes) -> None:
        Path("a.py").write_bytes(before)
        cli("fix")
        assert Path("a.py").read_bytes() == after

    def test_a_link_stays_a_link(self, project: Path, cli: Cli) -> None:
        Path("real").mkdir()
        Path("real/a.py").write_text(SEED)
        Path("real/a.py").chmod(0o754)
        Path("b.py").symlink_to("real/a.py")
        assert cli("fix", "b.py").code == 0
        assert Path("b.py").is_symlink()
        assert Path("real/a.py").read_text() == "import keras\n\nkeras.seed(0)\n"
        assert Path("real/a.py").stat().st_mode & 0o777 == 0o754

    def test_nothing_is_left_beside_a_fixed_file(self, project: Path, cli: Cli) -> None:
        Path("src").mkdir()
        Path("src/a.py").write_text(SEED)
        cli("fix")
        assert [path.name for path in Path("src").iterdir()] == ["a.py"]


class TestLinks:
    """Outside of the folder that is fixed lies a file to which links in it lead."""

    @pytest.fixture
    def outside(self, project: Path) -> Path:
        file = project / "elsewhere/a.py"
        file.parent.mkdir()
        file.write_text(SEED)
        (project / "tree/deep").mkdir(parents=True)
        return file

    @pytest.mark.parametrize("target", ["../elsewhere/a.py", "/elsewhere/a.py"], ids=["relative", "absolute"])
    @pytest.mark.parametrize("folder", ["tree", "tree/", "./tree/deep/..", "alias"])
    def test_a_walk_does_not_write_through_one(
        self, project: Path, outside: Path, cli: Cli, target: str, folder: str
    ) -> None:
        Path("tree/link.py").symlink_to(f"{project}{target}" if target.startswith("/") else target)
        Path("alias").symlink_to("tree", target_is_directory=True)
        done = cli("fix", folder)
        assert (done.code, outside.read_text()) == (0, SEED)
        assert "link.py leads out of the folder; name the file, or use --follow-links" in done.err
        assert cli("fix", "--diff", folder).code == 0

    def test_nor_through_a_chain_of_them_or_one_whose_name_begins_as_the_folder_does(
        self, project: Path, outside: Path, cli: Cli
    ) -> None:
        Path("tree/one.py").symlink_to("deep/two.py")
        Path("tree/deep/two.py").symlink_to("../../elsewhere/a.py")
        Path("tree2").mkdir()
        Path("tree2/b.py").write_text(SEED)
        Path("tree/three.py").symlink_to("../tree2/b.py")
        done = cli("fix", "tree")
        assert (outside.read_text(), Path("tree2/b.py").read_text()) == (SEED, SEED)
        assert "skipped: tree/deep/two.py and 2 more links lead out" in done.err

    @pytest.mark.parametrize("line", [("tree/link.py",), ("--follow-links", "tree"), ("tree", "elsewhere")])
    def test_who_wants_it_gets_it(self, project: Path, outside: Path, cli: Cli, line: tuple[str, ...]) -> None:
        Path("tree/link.py").symlink_to("../elsewhere/a.py")
        done = cli("fix", *line)
        assert (done.code, outside.read_text(), done.err) == (0, "import keras\n\nkeras.seed(0)\n", "")
        assert Path("tree/link.py").is_symlink()

    def test_links_inside_of_the_folder_are_as_their_files(self, project: Path, outside: Path, cli: Cli) -> None:
        Path("tree/deep/b.py").write_text(SEED)
        Path("tree/link.py").symlink_to("deep/b.py")
        assert cli("fix", "tree").err == ""
        assert Path("tree/deep/b.py").read_text() == "import keras\n\nkeras.seed(0)\n"

    def test_a_check_reads_them(self, project: Path, outside: Path, cli: Cli) -> None:
        Path("tree/link.py").symlink_to("../elsewhere/a.py")
        assert "--> tree/link.py:3:1" in cli("check", "tree").out

    @pytest.mark.parametrize("line", [("tree",), ("tree/b.py",), ("--follow-links", "tree"), ("-j", "2", "tree")])
    def test_a_file_with_two_names_keeps_both(
        self, project: Path, outside: Path, cli: Cli, line: tuple[str, ...]
    ) -> None:
        os.link(outside, "tree/b.py")
        done = cli("fix", *line)
        assert (done.code, Path("tree/b.py").read_text(), outside.read_text()) == (2, SEED, SEED)
        assert Path("tree/b.py").samefile(outside)
        assert "error: tree/b.py: this file has 2 names (hard links)" in done.err
        assert sorted(os.listdir("tree")) == ["b.py", "deep"]


class TestFailures:
    def test_a_file_that_changes_while_it_is_fixed_is_left_alone(
        self, project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("a.py").write_text(SEED)
        Path("b.py").write_text(SEED)
        fix = work.fix

        def slow(job: Job) -> work.FixedFile:
            if job.path == "a.py":
                Path("a.py").write_text(SEED + "# edited\n")
            return fix(job)

        monkeypatch.setattr(work, "fix", slow)
        result = cli("fix")
        assert result.code == 2
        assert result.err == "error: a.py: this file has changed since it was read, so it was left alone\n"
        assert Path("a.py").read_text() == SEED + "# edited\n"
        assert Path("b.py").read_text() == "import keras\n\nkeras.seed(0)\n"
        assert "applied 1 fix in 1 file; 1 finding (1 warning) left" in result.out

    def test_a_fix_that_the_encoding_can_not_hold_is_left_out(self, project: Path, cli: Cli) -> None:
        rule = Path("tools/rules/tst101_seed_set.py")
        rule.write_text(rule.read_text().replace('"keras.seed"))', '"keras.s\\u4e16d"))'))
        before = b"# coding: latin-1\nimport keras\nkeras.utils.seed('\xe9')\n"
        Path("a.py").write_bytes(before)
        result = cli("fix")
        assert result.code == 2
        assert "can't be written as" in result.err
        assert Path("a.py").read_bytes() == before

    def test_a_crashed_rule_leaves_the_fixes_of_the_others(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(SEED + "keras.utils.fetch()\n")
        result = cli("fix")
        assert result.code == 2
        assert "keras.seed(0)" in Path("a.py").read_text()

    def test_a_refused_fix_is_told(self, project: Path, cli: Cli) -> None:
        rule = Path("tools/rules/tst101_seed_set.py")
        rule.write_text(rule.read_text().replace('"keras.seed"))', '"keras.seed(("))'))
        Path("a.py").write_text(SEED)
        result = cli("fix")
        assert result.code == 1
        assert "not fixed TST101 at 3:1: Call `keras.seed`" in result.out
        assert Path("a.py").read_text() == SEED


class TestFormats:
    def test_json(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(SEED + CLEAR)
        found = json.loads(cli("fix", "--output-format", "json").out)
        assert [(fix["code"], fix["path"], fix["safe"]) for fix in found["fixed"]] == [("TST101", "a.py", True)]
        assert [finding["code"] for finding in found["findings"]] == ["TST102"]

    def test_concise(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text(SEED + CLEAR)
        assert cli("fix", "--output-format", "concise").out == (
            "a.py:3:1: TST101 fixed: Call `keras.seed`\na.py:6:1: error[TST102] `clear` is called [unsafe fix]\n"
        )


def test_many_files_are_fixed_in_a_pool(project: Path, cli: Cli) -> None:
    for number in range(40):
        Path(f"f{number:02}.py").write_text(SEED)
    result = cli("fix", "--jobs", "2")
    assert result.code == 0
    assert re.findall(r"^f\d\d\.py$", result.out, re.MULTILINE) == [f"f{number:02}.py" for number in range(40)]
    assert {path.read_text() for path in project.glob("f*.py")} == {"import keras\n\nkeras.seed(0)\n"}
