"""Whether the `__init__` of a class leads to that of Keras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_super
from seqlint.knowledge.canonical_names import SEQUENCE

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree


def reaches_base(tree: Tree, owner: ClassFacts, start: str = "__init__") -> bool:
    """Whether code that runs when a Sequence is made calls an `__init__` above, or one that can't be seen."""
    for reached in owner.reachable(start):
        for call in tree.inside(reached.node.body, cst.Call):
            func = call.func
            if (
                isinstance(func, cst.Attribute)
                and func.attr.value == "__init__"
                and _leads_up(owner, reached.owner, func)
            ):
                return True
    return False


def is_made_by_dataclass(names: Names, owner: ClassFacts) -> bool:
    """Whether `@dataclass` writes the `__init__` of a class, which calls `__post_init__` and nothing above."""
    for item in owner.node.decorators:
        call = item.decorator if isinstance(item.decorator, cst.Call) else None
        options = call.args if call is not None else ()
        if names.qualified(call.func if call is not None else item.decorator) == "dataclasses.dataclass":
            return not any(option.keyword is not None and option.keyword.value == "init" for option in options)
    return False


def _leads_up(owner: ClassFacts, writer: ClassFacts | None, func: cst.Attribute) -> bool:
    """Whether the call goes to a Sequence, or to what can't be seen; a mixin of the file is neither."""
    found = owner.member(func, writer)
    if found is None or found[0].is_a("sequence") != "no":
        return True
    return is_super(func.value) and any(
        isinstance(each, str) and each in SEQUENCE for each in _between(owner, writer, found[0])
    )


def _between(owner: ClassFacts, writer: ClassFacts | None, found: ClassFacts) -> list[ClassFacts | str]:
    """The classes that `super()` passes on the way to one: that of Keras is where Keras 3 stops."""
    start = owner.order.index(writer) + 1 if writer in owner.order else 0
    return owner.order[start : owner.order.index(found)]
