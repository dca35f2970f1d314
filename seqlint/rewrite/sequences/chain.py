"""A Sequence that chains several: the class, its place in the file, and the base as the file spells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.imports import Spelling, name_for
from seqlint.rewrite.layout.statements import insert_definition

if TYPE_CHECKING:
    from seqlint.facts import ClassFacts, Facts

NAME = "ChainedSequence"
_CLASS = '''class NAME(BASE):
    """Several sequences, one after the other. Each keeps its own batches and its own shuffling."""

    def __init__(self, parts, **kwargs):
        super().__init__(**kwargs)
        self.parts = list(parts)

    def __len__(self):
        return sum(len(part) for part in self.parts)

    def __getitem__(self, index):
        for part in self.parts:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError("no such batch")'''
_HOOK = """

    def HOOK(self):
        for part in self.parts:
            part.HOOK()"""
_HOOKS = ("on_epoch_begin", "on_epoch_end")
_BASES = ("keras.utils.Sequence", "keras.utils.PyDataset")


@dataclass(frozen=True)
class Chain:
    """The name of the class that chains, and the edits that make it; no edits where the file has it already."""

    name: str
    edits: tuple[Edit, ...] = ()


def chain_for(facts: Facts, owners: tuple[ClassFacts, ...], uses: tuple[cst.CSTNode, ...]) -> Chain:
    """A class that chains instances of `owners`, at the top level above the first of its uses."""
    if any(_is_chain(owner) for owner in facts.sequences):
        return Chain(NAME)
    name = free_name(facts, None, NAME)
    base = _base(facts, owners)
    hooks = [hook for hook in _HOOKS if hook == "on_epoch_end" or any(owner.method(hook) for owner in owners)]
    text = _CLASS.replace("NAME", name).replace("BASE", base.text)
    text += "".join(_HOOK.replace("HOOK", hook) for hook in hooks)
    first = facts.tree.order.sorted(uses)[0]
    made = insert_definition(facts, text, _above(facts, first), first)
    return Chain(name, _in_order(base.edits, made))


def _in_order(imports: tuple[Edit, ...], made: Edit) -> tuple[Edit, ...]:
    """The import first where both are at one place."""
    texts = [edit.text for edit in imports if edit.start == made.start]
    others = [edit for edit in imports if edit.start != made.start]
    return (*others, Edit(made.start, made.end, "".join([*texts, made.text])))


def _is_chain(owner: ClassFacts) -> bool:
    init = owner.methods.get("__init__")
    taken = [param.name.value for param in init.params.params] if init is not None else []
    return owner.name == NAME and taken == ["self", "parts"]


def _base(facts: Facts, owners: tuple[ClassFacts, ...]) -> Spelling:
    """Keras's base class as the classes of the parts write it."""
    for base in (base for owner in owners for above in owner.lineage for base in above.bases):
        if facts.qualified(base) in _BASES and facts.names.scope(base).kind == "module":
            return Spelling(facts.text(base))
    return name_for(facts, _BASES[0], facts.module)


def _above(facts: Facts, use: cst.CSTNode) -> cst.CSTNode | None:
    """The statement that the class goes below: the last Sequence above the use, else the last definition or import."""
    above = []
    for statement in facts.module.body:
        if facts.tree.holds(statement, use):
            break
        above.append(statement)
    sequences = [owner.node for owner in facts.sequences if facts.names.scope(owner.node).kind == "module"]
    found = [one for one in above if any(facts.tree.holds(one, node) for node in sequences)]
    found = found or [one for one in above if isinstance(one, (cst.FunctionDef, cst.ClassDef))]
    found = found or [one for one in above if _imports(facts, one)]
    return found[-1] if found else None


def _imports(facts: Facts, statement: cst.CSTNode) -> bool:
    return any(facts.tree.inside(statement, kind) for kind in (cst.Import, cst.ImportFrom))
