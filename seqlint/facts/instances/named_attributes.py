"""Whether a string of a file may stand for an attribute: one that is given to `setattr`, or to code out of sight beside an instance."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree

_BY_NAME = frozenset(f"builtins.{name}" for name in ("delattr", "getattr", "hasattr", "setattr"))
_BY_ANY_NAME = frozenset({
    "builtins.dir", "builtins.eval", "builtins.exec", "builtins.globals", "builtins.locals", "builtins.vars",
    "operator.attrgetter", "operator.methodcaller",
})  # fmt: skip
_MEMBERS = frozenset({"__dict__", "__getattribute__", "__setattr__", "__slots__"})
_LIBRARIES = (
    "builtins.",
    "keras.",
    "numpy.",
    "tensorflow.",
    "pandas.",
    "os.",
    "matplotlib.",
    "cv2.",
    "logging.",
    "argparse.",
)
_LITERALS = (cst.DictElement, cst.Dict, cst.Element, cst.List, cst.Tuple, cst.Set)


class NamedAttributes:
    """The strings of one file that may be names of attributes."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names

    def may_be(self, name: str) -> bool:
        """Whether code may set the attribute, or ask for it, by a string of this file."""
        texts = [node for node in self._tree.all(cst.SimpleString) if node.evaluated_value == name]
        return bool(texts) and (self._takes_any or any(self._is_handed_on(text) for text in texts))

    @cached_property
    def _takes_any(self) -> bool:
        """Whether attributes are named by what is worked out: `setattr(feed, key, value)`, `vars(feed)`, `type(name, bases, body)`."""
        words = {node.attr.value for node in self._tree.all(cst.Attribute)}
        names = {node.value for node in self._tree.all(cst.Name)}
        return not _MEMBERS.isdisjoint(words | names) or any(map(self._names_any, self._tree.all(cst.Call)))

    def _names_any(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func)
        if name in _BY_NAME:
            return len(call.args) < 2 or not isinstance(call.args[1].value, cst.SimpleString)
        return name in _BY_ANY_NAME or (name == "builtins.type" and len(call.args) > 1)

    def _is_handed_on(self, text: cst.SimpleString) -> bool:
        """Whether a call is given the string that may set an attribute by it."""
        outer: cst.CSTNode = text
        while isinstance(self._tree.parents[outer], _LITERALS):
            outer = self._tree.parents[outer]
        argument = self._tree.parents[outer]
        call = self._tree.parents[argument] if isinstance(argument, cst.Arg) else None
        if not isinstance(call, cst.Call):
            return False
        name = self._names.qualified(call.func)
        if name in _BY_NAME:
            return True
        if name is not None and name.startswith(_LIBRARIES):
            return False
        word = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        given = [each.value for each in call.args if each is not argument]
        return "attr" in word or "patch" in word or any(isinstance(value, (cst.Name, cst.Call)) for value in given)
