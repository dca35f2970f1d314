"""Methods: decorators that leave them as they are, and calls by the name behind the dot, found without a look at every call of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.facts.code.tree import Tree

PLAIN = frozenset({
    "builtins.staticmethod", "builtins.classmethod", "typing.final", "typing.override", "typing_extensions.final",
    "typing_extensions.override",
})  # fmt: skip
"""Decorators that leave what a function does as it is."""

PROPERTIES = frozenset({"builtins.property", "functools.cached_property"})
"""Decorators that make a property of a method."""


def method_calls(tree: Tree, names: Iterable[str]) -> tuple[cst.Call, ...]:
    """Every call `x.name(...)` by one of these names, in reading order."""
    found: list[cst.Call] = []
    for name in names:
        for func in tree.attributes(name):
            call = tree.parents[func]
            if isinstance(call, cst.Call) and call.func is func:
                found.append(call)
    return tree.order.sorted(found)
