"""Programs of which something can no longer be seen: it comes from a module out of sight, or is handed in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from tests.rules import variations

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIBRARY = re.compile(r"^( *)import (?:keras|tensorflow|horovod)[\w.]*(?: as (\w+))?$", re.MULTILINE)
_FROM_LIBRARY = re.compile(r"^( *)from (?:keras|tensorflow|horovod)[\w.]* import ", re.MULTILINE)
_BASE = re.compile(
    r"^(class \w+\()keras\.(?:utils\.PyDataset|utils\.Sequence|callbacks\.Callback|Model)\b", re.MULTILINE
)


def unseen_libraries(text: str) -> str:
    """Keras, TensorFlow and Horovod come from a module of the project that can't be found."""
    text = _LIBRARY.sub(lambda found: f"{found[1]}from ours import {found[2] or 'keras'}", text)
    return _FROM_LIBRARY.sub(r"\1from ours import ", text)


def unseen_bases(text: str) -> str:
    """What the classes are made from comes from a module of the project that can't be found."""
    return "from ours import Base\n" + _BASE.sub(r"\1Base", text)


def mixed(text: str) -> str:
    """The classes have another base, from a module of the project that can't be found."""
    return "from ours import Mixin\n" + _BASE.sub(lambda found: f"{found[0]}, Mixin", text)


def handed_in(text: str) -> Iterator[str]:
    """A program for each variable that is made by a call: there it is a parameter with a name that says nothing."""
    if variations.why_not_wrapped(text) is not None:
        return
    for name in dict.fromkeys(re.findall(r"^(?:    )*(\w+) = [\w.]+\(", text, re.MULTILINE)):
        module = cst.parse_module(text).visit(_Left(name))
        assert isinstance(module, cst.Module)
        body = cst.IndentedBlock([*module.body])
        parameters = cst.Parameters([cst.Param(cst.Name("thing"))])
        run = cst.FunctionDef(cst.Name("run"), parameters, body)
        yield module.with_changes(body=[run]).code


class _Left(cst.CSTTransformer):
    """Takes out where a variable is made, and compiled; what else reads it has it as `thing`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._made = re.compile(rf"{name} = [\w.]+\(|{name}\.compile\(")

    def leave_SimpleStatementLine(  # noqa: N802 - libcst calls it by this name
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        text = cst.Module([original_node]).code.strip()
        return cst.SimpleStatementLine([cst.Pass()]) if self._made.match(text) else updated_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802
        return updated_node.with_changes(value="thing") if original_node.value == self._name else updated_node
