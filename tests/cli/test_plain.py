"""A command line that is read without typer means what it means to typer."""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from seqlint.cli import app, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORDS = (
    "--force-exclude", "--no-cache", "--diff", "--unsafe", "--no-unsafe", "--select", "--select=SEQ1", "--ignore", "SEQ2,SEQ3",
    "--extend-select=", "--exclude", "*_pb2.py", "--config", "a.toml", "--keras=>=3.10", "--stdin-filename", "--jobs", "-j", "-j2",
    "-j=2", "2", "--jobs=4", "--jobs=0", "--jobs=04", "--output-format", "json", "--output-format=xml", "--fail-on=advice", "--color",
    "--colour=auto", "Always", "always", "a.py", "b c.py", "", "-", "--", "-x", "--verify", "--report", "ünü.py", "--no-cache=1",
)  # fmt: skip


def with_typer(command: str) -> Callable[[Sequence[str]], dict[str, object] | None]:
    """A function that gives all parameters of a command as typer reads them; None for a wrong command line."""
    calls: list[dict[str, object]] = []
    read = getattr(importlib.import_module(f"seqlint.cli.{command}"), command)
    app.applied(read)
    recorded = typer.Typer(add_completion=False)

    def record(**given: object) -> None:
        calls.append(given)

    record.__signature__ = inspect.signature(read)  # type: ignore[attr-defined]
    record.__annotations__ = read.__annotations__
    recorded.command()(record)
    built = typer.main.get_command(recorded)

    def reading(arguments: Sequence[str]) -> dict[str, object] | None:
        calls.clear()
        try:
            built.main(list(arguments), standalone_mode=False)
        except app.USAGE_ERROR:
            return None
        given = {name: value for name, value in calls[0].items() if name != "context"}
        return {name: value or None if isinstance(value, (list, tuple)) else value for name, value in given.items()}

    return reading


@pytest.mark.parametrize("command", ["check", "fix"])
def test_what_is_read_plainly_is_what_typer_reads(command: str) -> None:
    reading = with_typer(command)
    defaults = reading([])
    assert defaults is not None

    @settings(max_examples=300)
    @given(st.lists(st.sampled_from(WORDS), max_size=6))
    def same(arguments: list[str]) -> None:
        plainly = plain.read([command, *arguments])
        if plainly is not None:
            assert {**defaults, **plainly} == reading(arguments)

    same()


@pytest.mark.parametrize(
    "line",
    [
        "check --force-exclude a.py b.py",
        "check --select SEQ1 --select=SEQ2 --output-format json --jobs 2 -",
        "fix --force-exclude --unsafe --diff a.py",
    ],
)
def test_the_lines_of_hooks_and_editors_are_plain(line: str) -> None:
    assert plain.read(line.split()) is not None


@pytest.mark.parametrize(
    "line",
    ["", "check --help", "check --selekt SEQ1 a.py", "fix --verify a.py", "rules", "check -- a.py", "check \udcff.py"],
)
def test_the_others_are_for_typer(line: str) -> None:
    assert plain.read(line.split()) is None
