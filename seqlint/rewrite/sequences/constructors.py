"""Makes the `__init__` of a Sequence or PyDataset forward keyword arguments to Keras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import WORKER_ARGUMENTS, parameters
from seqlint.rewrite.layout.arguments import add_argument
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.parameters import add_parameter
from seqlint.rewrite.layout.statements import insert_first

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqlint.facts import ClassFacts, Facts
    from seqlint.model import Edit

_TAKES = frozenset({"pop", "get", "setdefault", "update"})


def forward_keywords(facts: Facts, owner: ClassFacts, names: Collection[str]) -> tuple[Edit, ...] | None:
    """Edits after which `owner(..., NAME=value)` reaches Keras's own `__init__`; no edits where it does already.

    None where that is impossible: the class is decorated, a base is external, or an `__init__` uses its keyword
    arguments in another way.
    """
    if not owner.lineage_is_known or any(found.node.decorators for found in owner.lineage):
        return None
    owners = [found for found in owner.lineage if "__init__" in found.methods]
    if len(owners) > 1 and any(len(found.bases) > 1 for found in owner.lineage):
        return None  # the method resolution order decides which one comes next
    edits: list[Edit] = []
    for number, found in enumerate(owners):
        step = _forwarded(facts, found.methods["__init__"], names, last=number + 1 == len(owners))
        if step is None:
            return None
        edits += step
    return tuple(edits)


def _forwarded(facts: Facts, init: cst.FunctionDef, names: Collection[str], *, last: bool) -> tuple[Edit, ...] | None:
    if init.decorators or any(param.name.value in WORKER_ARGUMENTS for param in parameters(init.params)):
        return _passed_by_name(facts, init, names)
    calls = [call for call in facts.tree.inside(init.body, cst.Call) if _is_base_init(call)]
    if len(calls) > 1:
        return None
    kwarg = init.params.star_kwarg
    if kwarg is not None:
        passed = bool(calls) and any(_is(argument, "**", kwarg.name.value) for argument in calls[0].args)
        return () if passed and not _takes_from(facts, init, kwarg.name.value) else None
    if not calls and not last:
        return None
    parameter, rest = takes_keywords(facts, init)
    if calls:
        return (parameter, add_argument(facts, calls[0], rest))
    return (parameter, insert_first(facts, init, f"super().__init__({rest})"))


def takes_keywords(facts: Facts, init: cst.FunctionDef) -> tuple[Edit, str]:
    """`**kwargs` at the end of the signature, under a name that is free; the edit, and how a call forwards it."""
    rest = f"**{free_name(facts, init, 'kwargs', 'keywords')}"
    return add_parameter(facts, init, rest), rest


def _passed_by_name(facts: Facts, init: cst.FunctionDef, names: Collection[str]) -> tuple[Edit, ...] | None:
    """`def __init__(self, rows, workers=1)` with `super().__init__(workers=workers)`."""
    calls = [call for call in facts.tree.inside(init.body, cst.Call) if _is_base_init(call)]
    taken = {param.name.value for param in parameters(init.params)}
    if len(calls) != 1 or not set(names) <= taken:
        return None
    passed = {argument.keyword.value: argument for argument in calls[0].args if argument.keyword is not None}
    return () if all(name in passed and _is(passed[name], "", name) for name in names) else None


def _is_base_init(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__"


def _is(argument: cst.Arg, star: str, name: str) -> bool:
    return argument.star == star and isinstance(argument.value, cst.Name) and argument.value.value == name


def _takes_from(facts: Facts, init: cst.FunctionDef, name: str) -> bool:
    """Whether the `__init__` reads or changes its keyword arguments by worker names: `kwargs.pop("workers", 1)`."""
    for node in facts.tree.inside(init.body, cst.Call):
        func = node.func
        if not isinstance(func, cst.Attribute) or not isinstance(func.value, cst.Name) or func.value.value != name:
            continue
        first = facts.values.constant(node.args[0].value) if node.args else None
        if func.attr.value in _TAKES and (first is None or first.value in WORKER_ARGUMENTS):
            return True
    return False
