"""The help of each command is in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.cli.app import COMMANDS
from tests.rules.wording import stilted

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_is_in_plain_words(cli: Cli, command: str) -> None:
    result = cli(command, "--help")
    assert result.code == 0
    assert not stilted(" ".join(result.out.split()))
