"""`check --show-files` and `--show-settings`: what a run would look at, and under which settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from seqlint.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.config import Config
    from seqlint.runner.plan import Plan


def show(planned: Plan, *, files: bool, settings: bool) -> int:
    """List the files, the settings, or both, and what could not be read.

    Returns:
        The exit code: 0, or 2 where something could not be read.
    """
    if files:
        console.say("".join(f"{path}\n" for path in planned.paths))
    if settings:
        console.say("\n".join(_texts(planned)))
    console.complain_of(planned.problems)
    return 2 if planned.problems else 0


def _texts(planned: Plan) -> Iterator[str]:
    """The settings of each configuration that holds for a file, as TOML."""
    for config in dict.fromkeys(planned.configs.values()):
        folders = [folder or "." for folder, one in planned.configs.items() if one == config]
        yield f"# {config.file or 'no configuration file'}, for {', '.join(folders)}\n{_toml(config)}"


def _toml(config: Config) -> str:
    from seqlint.config.schema import values

    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values(config).items())
