"""Gives a class that only looks like a dataset of Keras the base class of one, where it then works as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.classes.hook import demanded
from seqlint.model import Edit
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import insert_first, replace

if TYPE_CHECKING:
    from seqlint.facts import ClassFacts, Facts

_HOOKS = ("on_epoch_begin", "on_epoch_end")
_TAKEN = frozenset(
    {
        "workers", "use_multiprocessing", "max_queue_size", "num_batches",
        "_workers", "_use_multiprocessing", "_max_queue_size", "_warn_if_super_not_called",
        "__new__", "__setattr__", "__slots__", "__init_subclass__",
    }
)  # fmt: skip
"""What the base stores or calls, and what controls which attributes can be set."""


def give_base(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    """Sequence or PyDataset as the base of a class that has none but `object`; nothing where it would break the class."""
    init = owner.methods.get("__init__")
    if init is not None and (init.decorators or not isinstance(init.body, cst.IndentedBlock)):
        return ()
    made = () if init is None else _calls_of_init(facts, init)
    if any(call.args for call in made) or not _bears_base(facts, owner):
        return ()
    old = "2" in facts.keras.lines
    base = name_for(facts, "keras.utils.Sequence" if old else "keras.utils.PyDataset", owner.node)
    called = () if init is None or made else (insert_first(facts, init, "super().__init__()"),)
    return (_with_base(facts, owner, base.text), *called, *base.edits)


def _bears_base(facts: Facts, owner: ClassFacts) -> bool:
    """Whether nothing in the class conflicts with what the base stores, and with the hooks that Keras then calls without arguments."""
    if owner.node.decorators or any(facts.attributes.has(owner, name) != "no" for name in _TAKEN):
        return False
    for name in _HOOKS:
        hook = owner.methods.get(name)
        if hook is None and facts.attributes.has(owner, name) != "no":
            return False
        if hook is not None and (hook.decorators or hook.asynchronous is not None or demanded(hook)):
            return False
    return True


def _calls_of_init(facts: Facts, init: cst.FunctionDef) -> tuple[cst.Call, ...]:
    """`super().__init__()` and similar calls: they reach the base already."""
    calls = facts.tree.inside(init.body, cst.Call)
    return tuple(call for call in calls if isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__")


def _with_base(facts: Facts, owner: ClassFacts, base: str) -> Edit:
    if owner.bases:  # `object`
        return replace(facts, owner.bases[0], base)
    end = facts.span(owner.node.name)[1]
    colon = end + facts.source.utf8[end:].index(b":")
    return Edit(end, colon, f"({base})")
