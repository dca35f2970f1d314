"""What a `fit` gets among its callbacks and is none."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.kinds import is_callback
from seqlint.domains.pipelines.ends import is_of_model
from seqlint.run import Bound, Class, Constant, Container, External, Function, Instance, Result, Tuple
from seqlint.run import callbacks as driven
from seqlint.run.attributes import lineage, lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value


@dataclass(frozen=True, eq=False)
class Stranger:
    """Something among the callbacks that can't be one.

    Attributes:
        node: where it is given; its class, where that could be made one.
        cls: the class of this file that has hooks and no base.
        what: such as "the function `show`", in words.
        fit: who gets it.
        is_sure: whether that surely trains a model of Keras.
    """

    node: ast.AST
    cls: ast.ClassDef | None
    what: str
    fit: Call
    is_sure: bool


class Strangers:
    """The lists of callbacks of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Stranger, ...]:
        """Each place once, in running order."""
        found: dict[ast.AST, Stranger] = {}
        for call in self._run.calls:
            value = driven.given(call.result) if call.result.method in ("fit", "fit_generator") else None
            if value is None or not self._run.is_here(call.context):
                continue
            for stranger in self._of(call, value):
                found.setdefault(stranger.node, stranger)
        return tuple(found.values())

    def _of(self, call: Call, value: Value) -> Iterator[Stranger]:
        written = self._written(call)
        found = self._run.machine.given.get(call.result, ())
        sure = is_of_model(call) or any(is_callback(each) or _is_named(each) for each in found)
        only = value.only
        if isinstance(only, Container) and only.kind == "set":
            yield Stranger(written, None, "a set", call, sure)
        if isinstance(only, Container) and only.kind != "list":
            return
        elements = written.elts if isinstance(written, (ast.List, ast.Tuple)) else []
        for number, each in enumerate(found):
            what = self._what(each, alone=not isinstance(only, (Container, Tuple)))
            maybe = isinstance(each, Constant) and len(elements) != len(found)  # `log if verbose else None`
            if what and not maybe:
                cls = self._class(each)
                place = elements[number] if len(elements) == len(found) else written
                yield Stranger(cls or place, cls, what, call, sure)

    def _written(self, call: Call) -> ast.AST:
        return self._run.written(call, "callbacks") or call.node

    def _what(self, found: Object | None, *, alone: bool) -> str:
        if isinstance(found, External) and _is_named(found):
            return f"the class `{found.name.rpartition('.')[2]}`, not an object of it"
        if isinstance(found, Class) and driven.is_callback(found):
            return f"the class `{found.name}`, not an object of it"
        if isinstance(found, (Function, Bound)):
            function = found.function if isinstance(found, Bound) else found
            return f"the function `{function.name}`" if function.name else "a function"
        if isinstance(found, Constant) and not (alone and not found.value):
            return "None" if found.value is None else f"a {type(found.value).__name__}"
        if isinstance(found, Result) and found.op == "call" and found.name.startswith("keras.optimizers."):
            return f"a `{found.method}`"
        if isinstance(found, Instance) and self._is_plain(found):
            return f"an object of `{found.cls.name}`, which is not a Callback"
        return ""

    def _is_plain(self, found: Instance) -> bool:
        """Whether all bases of its class are known, and nothing of it answers as a callback does."""
        known = all(
            isinstance(each, Class) or (isinstance(each, External) and each.name == "builtins.object")
            for each in lineage(found.cls)
        )
        answers = any(
            lookup(self._run.machine, found.cls, name).value for name in ("set_model", "__getattr__", "__iter__")
        )
        return known and not answers and not is_callback(found)

    def _class(self, found: Object | None) -> ast.ClassDef | None:
        """The class of this file that only lacks the base."""
        if not isinstance(found, Instance) or found.cls.node not in ast.walk(self._run.tree):
            return None
        node = found.cls.node
        hooks = any(isinstance(each, ast.FunctionDef) and each.name in driven.HOOKS for each in node.body)
        return node if hooks and len(lineage(found.cls)) <= 2 else None


def _is_named(found: Object) -> bool:
    """A class of Keras's callbacks, or of the program's, instead of an object."""
    if isinstance(found, Class):
        return driven.is_callback(found)
    home, _, last = found.name.rpartition(".") if isinstance(found, External) else ("", "", "")
    return home == "keras.callbacks" and last[:1].isupper()
