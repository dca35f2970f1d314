from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]


class TestRules:
    def test_lists_those_of_seqlint_and_of_the_project_by_code(self, project: Path, cli: Cli) -> None:
        result = cli("rules")
        head, *rows = result.out.splitlines()
        codes = [row.split()[0] for row in rows]
        assert result.code == 0
        assert head.startswith("Code ")
        assert codes == sorted(codes)
        assert {"SEQ001", "SEQ003", "TST101", "TST202"} <= set(codes)
        assert any(row.split() == ["TST102", "session-cleared", "error", "error", "error", "unsafe"] for row in rows)

    def test_as_json(self, project: Path, cli: Cli) -> None:
        found = {rule["code"]: rule for rule in json.loads(cli("rules", "--output-format", "json").out)["rules"]}
        assert found["TST201"]["summary"] == "Labels are spread."
        assert found["TST201"]["levels"] == {"2": "advice", "3.0-3.9": "advice", "3.10+": "advice"}
        assert found["TST201"]["fix"] == "none"

    def test_as_a_table(self, project: Path, cli: Cli) -> None:
        out = cli("rules", "--output-format", "markdown").out
        assert "| TST101 | seed-set | A seed is set. | warning | warning | warning | safe |\n" in out


class TestExplain:
    @pytest.mark.parametrize("word", ["TST102", "tst102", "session-cleared"])
    def test_by_code_or_name(self, project: Path, cli: Cli, word: str) -> None:
        result = cli("explain", word)
        assert result.code == 0
        assert result.out.startswith("# TST102 session-cleared\n\nA session is cleared.\n\n## Do this\n\nDon't.\n")
        assert result.out.index("## Do this") < result.out.index("## Before and after") < result.out.index("## Why")
        assert "-keras.backend.clear()\n+keras.clear()\n" in result.out
        assert "Fix safety: unsafe. It changes state. It keeps samples," in result.out

    def test_the_start_of_a_code_lists_its_family(self, project: Path, cli: Cli) -> None:
        assert cli("explain", "tst1").out == (
            "TST101 seed-set\n    A seed is set.\nTST102 session-cleared\n    A session is cleared.\n"
        )

    def test_all_rules_at_once(self, project: Path, cli: Cli) -> None:
        out = cli("explain", "--all").out
        assert [line for line in out.splitlines() if line.startswith("# TST")] == [
            "# TST101 seed-set", "# TST102 session-cleared", "# TST201 labels-spread", "# TST202 file-fetched",
        ]  # fmt: skip

    def test_as_json_it_holds_the_prose(self, project: Path, cli: Cli) -> None:
        (found,) = json.loads(cli("explain", "TST102", "--output-format", "json").out)["rules"]
        assert found["sections"] == {"Do this": "Don't.", "Why": "It is made up."}
        assert found["page"] == cli("explain", "TST102").out

    def test_one_thing_is_explained_at_a_time(self, project: Path, cli: Cli) -> None:
        assert cli("explain", "TST102", "--all").code == 2
        assert cli("explain").code == 2

    def test_what_seqlint_says_about_itself(self, project: Path, cli: Cli) -> None:
        assert cli("explain", "SEQ003").out.startswith("# SEQ003 ")

    def test_an_unknown_rule_gets_the_nearest(self, project: Path, cli: Cli) -> None:
        result = cli("explain", "sesion-cleared")
        assert (result.code, result.err) == (
            2,
            "error: unknown rule 'sesion-cleared'; did you mean 'session-cleared'?\n",
        )


def test_the_version(cli: Cli) -> None:
    from seqlint import __version__

    assert cli("--version").out == f"seqlint {__version__}\n"


def test_no_arguments_show_the_help(cli: Cli) -> None:
    assert cli().out == cli("--help").out
    assert "check" in cli().out


def test_the_help_of_a_command_tells_the_exit_codes(cli: Cli) -> None:
    assert "Exit code: 0 clean" in cli("check", "-h").out
