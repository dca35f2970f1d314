"""Gives a class that has the hooks of a callback the base class of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import positional
from seqlint.model import Edit
from seqlint.rewrite.callbacks.hooks import CALLBACK
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import insert_first, replace
from seqlint.run.callbacks import HOOKS as CALLBACK_HOOKS

if TYPE_CHECKING:
    from seqlint.facts import ClassFacts, Facts

_OF_BASE = (
    "model", "params", "validation_data", "_model", "_chief_worker_only", "_supports_tf_logs", "_implements_train_batch_hooks",
    "set_model", "set_params", "__setattr__", "__getattr__", "__getattribute__", "__slots__", "__new__", "__init_subclass__",
)  # fmt: skip
"""What the base stores or defines, and what controls which attributes there are."""


def give_callback_base(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...] | str:
    """`keras.callbacks.Callback` as the base of a class that has none but `object`; a text says why it can't be one."""
    if owner.node.decorators or owner.node.keywords or owner.external_bases - {"builtins.object"}:
        return "the class has a decorator or another base"
    if len(owner.lineage) > 1 or any(owner in other.lineage for other in facts.classes if other is not owner):
        return "other classes are made from it, or it from them"
    if any(facts.attributes.has(owner, name) != "no" for name in _OF_BASE):
        return "it sets what the base sets, too"
    hooks = [method for name, method in owner.methods.items() if name in CALLBACK_HOOKS]
    if not hooks or not all(_takes_what_is_passed(hook) for hook in hooks):
        return "its hooks don't take what Keras passes"
    init = owner.methods.get("__init__")
    if init is not None and (init.decorators or not isinstance(init.body, cst.IndentedBlock)):
        return "its `__init__` is no plain one"
    if "super" in facts.text(owner.node):
        return "it calls `super()`"
    base = name_for(facts, CALLBACK, owner.node)
    called = () if init is None else (insert_first(facts, init, "super().__init__()"),)
    return (_based(facts, owner, base.text), *called, *base.edits)


def _takes_what_is_passed(hook: cst.FunctionDef) -> bool:
    """Whether a hook has the parameters that Keras passes, by their names, and nothing else."""
    names = tuple(param.name.value for param in positional(hook.params)[1:])
    plain = hook.params.star_arg is cst.MaybeSentinel.DEFAULT and not hook.params.kwonly_params
    return plain and not hook.decorators and names == CALLBACK_HOOKS[hook.name.value]


def _based(facts: Facts, owner: ClassFacts, base: str) -> Edit:
    if owner.bases:  # `object`
        return replace(facts, owner.bases[0], base)
    end = facts.span(owner.node.name)[1]
    colon = end + facts.source.utf8[end:].index(b":")
    return Edit(end, colon, f"({base})")
