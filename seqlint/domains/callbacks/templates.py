"""The names in the file names of checkpoints: `weights-{epoch:02d}-{val_loss:.2f}.keras`."""

from __future__ import annotations

import ast
import string
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.callbacks.lists import CallbackLists
from seqlint.domains.values.held import options
from seqlint.run import Constant, Result, Setting, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.callbacks.lists import Member
    from seqlint.run import Call, Object, Run
    from seqlint.run.objects import Guards

_OF_KERAS = frozenset({"epoch", "batch"})
_JOINS = frozenset({"os.path.join", "builtins.str", "os.fspath", "pathlib.Path", ".joinpath", "pathlib.Path.joinpath"})
_OPERATORS = frozenset({"+", "/", "f"})
_DEEPEST = 6


@dataclass(frozen=True, eq=False)
class TemplateKey:
    """A name in the file name of a checkpoint that is written at the end of each epoch.

    Attributes:
        key: the name.
        way: the conditions under which the file has that name.
        by_default: whether somebody outside can give another file name.
    """

    fit: Call
    member: Member
    key: str
    way: Guards
    by_default: bool

    @property
    def made(self) -> Call:
        """The call that creates the callback."""
        assert self.member.made is not None
        return self.member.made


class Templates:
    """The file names of the checkpoints of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def keys(self) -> tuple[TemplateKey, ...]:
        """The names that must be logged, in running order of the fits."""
        fits = set(self._run.domain(FitLogs).fits)
        lists = [each for each in self._run.domain(CallbackLists).all if each.fit in fits]
        return tuple(key for each in lists for member in each.members for key in self._of(each.fit, member))

    def _of(self, fit: Call, member: Member) -> Iterator[TemplateKey]:
        if member.kind != "ModelCheckpoint" or member.hides_arguments or not isinstance(member.object, Result):
            return
        path, rhythm = member.argument("filepath"), member.argument("save_freq")
        if path is None or (rhythm is not None and constant(rhythm) != "epoch"):
            return
        for option in options(path, fit.context.guards):
            by_default = isinstance(option.object, Setting)
            for key in dict.fromkeys(_keys(option.object, _DEEPEST)):
                yield TemplateKey(fit, member, key, member.guards | option.guards, by_default)


def _keys(found: Object, depth: int) -> Iterator[str]:
    """The names in the texts that a path is put together from."""
    if isinstance(found, Setting):
        found = found.default
    if isinstance(found, Constant) and isinstance(found.value, str):
        yield from _fields(found.value)
    if not isinstance(found, Result) or not depth:
        return
    is_path = found.op == "call" and found.name in _JOINS
    if is_path or (found.op == "operator" and found.name in _OPERATORS):
        for value in found.args:
            for each in value if len(value.options) == 1 else ():
                yield from _keys(each, depth - 1)


def _fields(text: str) -> Iterator[str]:
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return
    yield from (name for name in names if name.isidentifier() and name not in _OF_KERAS)


def filepath_node(call: Call) -> ast.AST:
    """What is written for the file name; the call where that can't be told."""
    node = call.node
    if not isinstance(node, ast.Call):
        return node
    plain = node.args[0] if node.args and not isinstance(node.args[0], ast.Starred) else node
    return next((keyword.value for keyword in node.keywords if keyword.arg == "filepath"), plain)


def template_node(run: Run, call: Call, key: str) -> ast.Constant | None:
    """The one text of this file that has a name in it; None where there are several, or none."""
    found = [
        node
        for node in ast.walk(run.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and key in _fields(node.value)
    ]
    here = [node for node in found if isinstance(call.node, ast.Call) and node in ast.walk(call.node)]
    return here[0] if len(here) == 1 else found[0] if len(found) == 1 else None
