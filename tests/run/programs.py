"""Runs small programs of several files."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from seqlint.facts.project.modules import Modules
from seqlint.run import Constant, Result, Run, Setting
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from seqlint.run import Object


def ran(text: str, folder: Path | None = None, files: Mapping[str, str] | None = None) -> Run:
    """The run of a program; other files of its project lie in the folder."""
    text = textwrap.dedent(text)
    for name, other in (files or {}).items():
        assert folder is not None
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(other))
    path = folder / "main.py" if folder is not None else None
    if path is not None:
        path.write_text(text)
    source = Source.from_text(text, str(path or "<text>"))
    return Run(source, path, Modules(folder) if folder is not None else None)


def said(run: Run, name: str = "print") -> list[str]:
    """The first argument of each call of a function, `print` as a rule, in words."""
    calls = [call.result for call in run.calls if call.result.method == name]
    return [" or ".join(sorted(word(each) for each in call.args[0])) for call in calls if call.args]


def word(found: Object) -> str:
    """An object in a word."""
    if isinstance(found, Constant):
        return repr(found.value)
    if isinstance(found, Setting):
        return f"{found.default.value!r} by default"
    if isinstance(found, Result):
        return found.name.rpartition(".")[2] or found.name
    return type(found).__name__.lower()
