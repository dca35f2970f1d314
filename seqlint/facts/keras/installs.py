"""What a notebook installs before it runs: `!pip install tensorflow==2.15`."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.facts.keras.declared import Declared
from seqlint.facts.keras.requirements import Requirement, requirement

if TYPE_CHECKING:
    from pathlib import Path

_INSTALL = re.compile(
    r"^[ \t]*[!%]{1,2}[ \t]*(?:sudo[ \t]+)?(?:\S*python[\d.]*[ \t]+-m[ \t]+)?(?:uv[ \t]+)?pip[\d.]*[ \t]+install[ \t]+"
    r"((?:[^\n\\]|\\\r?\n|\\.)*)",
    re.MULTILINE,
)
_SWITCHED = re.compile(
    r"^[ \t]*%(?:set_)?env[ \t]+TF_USE_LEGACY_KERAS[ \t]*[= \t][ \t]*(?:1|true|True)[ \t]*\r?$", re.MULTILINE
)
_SHELL = re.compile(r"(?<![<>=!~,])[;|#]|&&|[\s\d]>")
_WITH_VALUE = frozenset({
    "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-r", "--requirement", "-c", "--constraint",
    "-t", "--target", "-e", "--editable", "--trusted-host", "--progress-bar", "--cache-dir",
})  # fmt: skip


def installed_in(written: str, path: Path) -> tuple[Declared, ...]:
    """What the cells of a notebook install, the last demand on each distribution; and whether they set the legacy switch.

    Args:
        written: the text with its magics.
        path: the notebook.
    """
    found: dict[str, Requirement] = {}
    for match in _INSTALL.finditer(written) if "install" in written else ():
        for word in _words(match[1]):
            found |= {one.name: replace(one, file=path.name) for one in requirement(word, 0)}
    legacy = path.name if "TF_USE_LEGACY_KERAS" in written and _SWITCHED.search(written) else ""
    demands = tuple(one for one in found.values() if one.specifier or one.name == "tf-keras")
    return (Declared(path.parent, demands, legacy),) if demands or legacy else ()


def _words(command: str) -> list[str]:
    """What a command line of pip names, without its options."""
    end = _SHELL.search(command)
    try:
        words = shlex.split(command[: end.start()] if end is not None else command)
    except ValueError:
        return []
    return [
        word
        for before, word in zip(["", *words], words, strict=False)
        if word[0:1] != "-" and before not in _WITH_VALUE
    ]
