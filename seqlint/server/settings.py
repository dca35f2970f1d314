"""What the user of an editor has set for seqlint."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from seqlint.config import Overrides
from seqlint.runner.plan import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

Run = Literal["onType", "onSave"]


@dataclass(frozen=True)
class Settings:
    """Settings of an editor. In the editor they are written in camel case, such as `extendSelect`.

    Attributes:
        enable: whether anything is reported at all.
        configuration: a configuration file for all; empty: the nearest of each file.
        select, ignore, extend_select, keras: what they mean on the command line.
        unsafe_fixes: whether fix-all applies unsafe fixes, too.
        run: when a file is checked.
        show_syntax_errors: whether a file that does not parse is said to (SEQ001); other tools may say so already.
        hover: whether the page of a rule is shown over its findings.
    """

    enable: bool = True
    configuration: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    keras: str = ""
    unsafe_fixes: bool = False
    run: Run = "onType"
    show_syntax_errors: bool = True
    hover: bool = True

    def request(self, folder: Path | None) -> Request:
        """The same as a request of the command line; a relative configuration file is one of the workspace folder."""
        file = Path(self.configuration).expanduser() if self.configuration else None
        over = Overrides(self.select, self.ignore, self.extend_select, self.keras, self.unsafe_fixes or None)
        return Request(over, None if file is None else (folder or Path.cwd()) / file, force_exclude=True)


def read(given: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings that an editor sends, and what is wrong with them.

    A setting that is wrong keeps its default; one of another name is passed over: extensions have settings of their own.
    """
    if not isinstance(given, dict):
        return Settings(), () if given is None else ("the settings are no object",)
    known = {_camel(field.name): field.name for field in fields(Settings)}
    found: dict[str, object] = {}
    wrong = []
    for key, value in given.items():
        name = known.get(key)
        if name is None or value is None:
            continue
        plain = tuple(value) if isinstance(value, list) else value
        if _fits(plain, getattr(Settings(), name), name):
            found[name] = plain
        else:
            wrong.append(f"seqlint.{key} can't be {value!r}")
    return _made(found), tuple(wrong)


def _made(found: Mapping[str, object]) -> Settings:
    return Settings(**found)  # type: ignore[arg-type]


def _fits(value: object, default: object, name: str) -> bool:
    if name == "run":
        return value in get_args(Run)
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    return type(value) is type(default)


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
