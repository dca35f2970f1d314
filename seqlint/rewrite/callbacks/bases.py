"""Gives a class that has the hooks of a callback the base class of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import insert_first, replace

if TYPE_CHECKING:
    from seqlint.facts import ClassFacts, Facts

_OF_BASE = ("model", "params", "_model", "set_model", "set_params", "__setattr__", "__slots__", "__new__")


def give_callback_base(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    """`keras.callbacks.Callback` as the base of a class that has none but `object`; nothing where the two conflict."""
    init = owner.methods.get("__init__")
    if (
        owner.node.decorators
        or owner.node.keywords
        or owner.external_bases - {"builtins.object"}
        or len(owner.lineage) > 1
    ):
        return ()
    if any(facts.attributes.has(owner, name) != "no" for name in _OF_BASE):
        return ()
    if init is not None and (
        init.decorators or not isinstance(init.body, cst.IndentedBlock) or "super" in facts.text(init)
    ):
        return ()
    base = name_for(facts, "keras.callbacks.Callback", owner.node)
    called = () if init is None else (insert_first(facts, init, "super().__init__()"),)
    return (_based(facts, owner, base.text), *called, *base.edits)


def _based(facts: Facts, owner: ClassFacts, base: str) -> Edit:
    if owner.bases:  # `object`
        return replace(facts, owner.bases[0], base)
    end = facts.span(owner.node.name)[1]
    colon = end + facts.source.utf8[end:].index(b":")
    return Edit(end, colon, f"({base})")
