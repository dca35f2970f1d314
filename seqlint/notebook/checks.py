"""Checks and fixes of the cells of a kernel, under the configuration of the folder that it runs in."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seqlint import engine
from seqlint.config import load_config, trust
from seqlint.model import SeqlintError
from seqlint.runner import plan, text
from seqlint.runner.process import unwarned

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.config import Config
    from seqlint.engine import Checked, Fixed
    from seqlint.notebook.shell import Shell
    from seqlint.sources import Source

Found = TypeVar("Found")

_LONGEST = 10.0
"""Seconds of the processor: the next cell waits meanwhile."""
_UNNAMED = "notebook.ipynb"


@dataclass(frozen=True)
class Answer:
    """What was found; None where nothing concerns seqlint. `untrusted`: what to say of rules that did not run."""

    checked: Checked | None
    untrusted: tuple[str, ...] = ()


def path_of(shell: Shell) -> str:
    """The notebook of a kernel, as far as the kernel knows; it lies in the working directory."""
    known = (shell.user_ns.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME"))
    names = (os.path.basename(one) for one in known if isinstance(one, str))
    return next((name for name in names if name.endswith(".ipynb")), _UNNAMED)


def check(source: Source) -> Answer:
    """What is found in all cells.

    Raises:
        SeqlintError: the configuration is wrong, a rule can't be loaded, or it takes too long.
    """
    config = _config(source)
    if not plan.concerns(Path(os.path.abspath(source.path)), source.utf8):
        return Answer(None)
    checked = _within(config, lambda: text.check(source, config))
    return Answer(checked, tuple(f"{folder}: {trust.complaint(folder, whole=True)}" for folder in config.untrusted))


def fix(source: Source, *, unsafe: bool) -> Fixed:
    """The cells after the fixes that the source takes; the configuration may allow those that change a program, too.

    Raises:
        SeqlintError: as for `check`.
    """
    config = _config(source)
    config = replace(config, unsafe=unsafe or config.unsafe)
    return _within(config, lambda: text.fix(source, config))


def _config(source: Source) -> Config:
    engine.forget()  # modules and requirements next to the notebook may have changed since the last cell
    return replace(load_config(Path(os.path.abspath(source.path))), single=True)


def _within(config: Config, work: Callable[[], Found]) -> Found:
    with unwarned():
        found = engine.within(min(config.time_limit or _LONGEST, _LONGEST), work)
    if found is None:
        engine.forget()
        raise SeqlintError("the cells took too long to check; `%seqlint off` switches the checks off")
    return found
