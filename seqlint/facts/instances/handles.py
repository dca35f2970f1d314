"""Files that a Sequence opens when it is made and reads when a batch is made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.facts.values.values import MAX_STEPS

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.classes.template_methods import TemplateMethod
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.attributes import Attributes
    from seqlint.facts.values.values import Values

HandleKind = Literal["file", "archive"]
"""*file*: it has one position, which every reader moves. *archive*: it locks for threads, not for processes."""

_OPENS: dict[str, HandleKind] = {
    "builtins.open": "file", "io.open": "file", "gzip.open": "file", "bz2.open": "file", "lzma.open": "file",
    "tarfile.open": "file", "cv2.VideoCapture": "file", "h5py.File": "archive", "zipfile.ZipFile": "archive",
    "tables.open_file": "archive",
}  # fmt: skip
_LOCK = re.compile(r"(?i:^_*|_)(?i:r?lock|mutex)|Lock$")


@dataclass(frozen=True, eq=False)
class OpenHandle:
    """An attribute that holds an open file.

    Attributes:
        attribute: its name.
        node: the call that opens it, in `__init__` or in what that calls.
        uses: where it is read on the way to a batch.
        locked: whether each use holds a lock, so that threads wait for one another.
        is_part: whether the attribute holds a part of the file, such as a dataset of h5py, and not the file itself.
        template_method: who makes it read, where the `__getitem__` stands in another file.
    """

    kind: HandleKind
    owner: ClassFacts
    attribute: str
    node: cst.Call
    uses: tuple[cst.BaseExpression, ...]
    locked: bool = False
    is_part: bool = False
    template_method: TemplateMethod | None = None


class Handles:
    """The open files of the Sequences of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, attributes: Attributes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._attributes = attributes

    def of(self, owner: ClassFacts) -> tuple[OpenHandle, ...]:
        """The files that one open serves all batches of an instance."""
        reached = self._attributes.on(owner, "__getitem__")
        touches = [touch for _, touch in reached]
        reopened = {touch.name for touch in touches if touch.kind == "assign"}
        pieces = {touch.name: each.template_method for each, touch in reached}
        found: dict[str, OpenHandle] = {}
        used: dict[str, list[cst.BaseExpression]] = {}
        for touch in touches:
            used.setdefault(touch.name, []).append(touch.node)
        for _, stored in self._attributes.on(owner, "__init__"):
            uses = tuple(used.get(stored.name, ()))
            if (
                stored.kind != "assign"
                or not uses
                or owner.is_used_externally(stored.name)
                or stored.name in reopened
                or not isinstance(stored.node, cst.Attribute)
            ):
                continue
            given = self._values.stored(stored.node)
            opened = self._opened(given[0]) if given is not None else None
            if opened is not None:
                call, kind = opened
                is_part = given is not None and given[0] is not call
                locked = all(self._holds_lock(use) for use in uses)
                handle = OpenHandle(kind, owner, stored.name, call, uses, locked, is_part, pieces[stored.name])
                found.setdefault(stored.name, handle)
        return tuple(found.values())

    def _holds_lock(self, use: cst.BaseExpression) -> bool:
        """Whether a place stands in `with self.lock:`."""
        around = (found for found in self._tree.ancestors(use) if isinstance(found, cst.With))
        items = (item.item for found in around for item in found.items)
        made = (value for item in items for value in (item, self._values.only(item)) if value is not None)
        names = (dotted(value.func if isinstance(value, cst.Call) else value) for value in made)
        return any(_LOCK.search(name.rpartition(".")[2]) for name in names)

    def _opened(self, value: cst.BaseExpression | None, steps: int = MAX_STEPS) -> tuple[cst.Call, HandleKind] | None:
        """The call that opens a file, also behind `h5py.File(path)["images"]`; `self.rows = self.rows[order]` leads on for ever."""
        while isinstance(value, cst.Subscript):
            if _reads(value):
                return None
            value = value.value
        made = self._values.only(value) if value is not None else None
        if isinstance(made, cst.Subscript):
            return self._opened(made, steps - 1) if steps else None
        kind = _OPENS.get(self._names.qualified(made.func) or "") if isinstance(made, cst.Call) else None
        if not isinstance(made, cst.Call) or kind is None or self._in_memory(made):
            return None
        return made, kind

    def _in_memory(self, call: cst.Call) -> bool:
        return any(argument.keyword is not None and argument.keyword.value == "driver" for argument in call.args)


def _reads(part: cst.Subscript) -> bool:
    """Whether `data[:]`, `data[()]`, `data[...]`, `data[0]` is asked: rows in memory, which outlive the file, not a part of it."""
    index = part.slice[0].slice
    if len(part.slice) > 1 or not isinstance(index, cst.Index):
        return True
    return isinstance(index.value, (cst.Tuple, cst.Ellipsis, cst.Integer, cst.UnaryOperation))
