"""Callbacks of other files of the project that decide something: classes, and lists that functions return."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.lists import UNSEEN
from seqlint.facts.training.callback_lists import Listed

if TYPE_CHECKING:
    from seqlint.facts.external.file import ExternalFile
    from seqlint.facts.external.files import Files


class ExternalCallbacks:
    """What the callbacks that one file imports from others decide."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[str, tuple[str, ...]] = {}

    def deciding(self, name: str | None) -> tuple[str, ...]:
        """The classes that decide by a logged value: a class itself, or those of the callbacks in the list that a function returns."""
        if name is None or name.startswith("keras."):
            return ()
        if name not in self._known:
            found = self._files.defining(name)
            self._known[name] = tuple(_deciding(found, name.rpartition(".")[2])) if found is not None else ()
        return self._known[name]


def _deciding(facts: ExternalFile, name: str) -> list[str]:
    owner = next((each for each in facts.callbacks if each.name == name), None)
    if owner is not None:
        return [name] if facts.deciders.decides(Listed(UNSEEN, None, None, owner, owner.external_bases)) else []
    named = [each for each in facts.tree.all(cst.FunctionDef) if each.name.value == name]
    if len(named) != 1 or named[0].decorators or facts.tree.function(named[0]) is not None:
        return []
    given = [each.value for each in facts.values.own(named[0], cst.Return) if each.value is not None]
    lists = [facts.callback_lists.members(value) for value in given]
    return list(dict.fromkeys(each.word for members in lists for each in members if facts.deciders.decides(each)))
