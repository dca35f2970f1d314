"""`--keras` takes the same ranges in all commands that look at programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.keras import parse_range

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

CODE = "import keras\n\nprint(keras.__version__)\n"


@pytest.mark.parametrize("keras", ["auto", "2", "3", "both", "tf-keras", ">=3.10"])
@pytest.mark.parametrize("command", [["check"], ["fix"], ["facts"]])
def test_all_commands_take_it(cli: Cli, tmp_path: Path, command: list[str], keras: str) -> None:
    (tmp_path / "a.py").write_text(CODE)
    assert cli(*command, str(tmp_path / "a.py"), "--keras", keras).code == 0


@pytest.mark.parametrize("command", ["check", "fix", "facts", "verify"])
def test_what_is_no_range_is_refused_alike(cli: Cli, tmp_path: Path, command: str) -> None:
    (tmp_path / "a.py").write_text(CODE)
    result = cli(command, str(tmp_path / "a.py"), "--keras", "newest")
    assert result.code == 2
    assert "'newest' is no range of Keras versions" in result.err


def test_both_are_all_lines() -> None:
    assert parse_range("both").lines == parse_range("2").lines | parse_range("3").lines
