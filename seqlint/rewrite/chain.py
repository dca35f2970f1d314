"""A Sequence that chains several: the class, its place in the file, and the base as the file spells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.rewrite.imports import Spelling, name_for
from seqlint.rewrite.statements import fresh_name, insert_definition

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts import ClassFacts, Facts
    from seqlint.model import Edit

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
    """The name of the class that chains, and the edits that make it; none where the file has it already."""

    name: str
    edits: tuple[Edit, ...] = ()


def chain_for(facts: Facts, owners: tuple[ClassFacts, ...], uses: tuple[cst.CSTNode, ...]) -> Chain:
    """A class that chains instances of `owners`, at the top level above the first of its uses."""
    if any(_is_chain(owner) for owner in facts.sequences):
        return Chain(NAME)
    name = fresh_name(facts, NAME)
    base = _base(facts, owners)
    hooks = [hook for hook in _HOOKS if hook == "on_epoch_end" or any(owner.method(hook) for owner in owners)]
    text = _CLASS.replace("NAME", name).replace("BASE", base.text)
    text += "".join(_HOOK.replace("HOOK", hook) for hook in hooks)
    first = min(uses, key=lambda use: facts.tree.order[use])
    return Chain(name, (insert_definition(facts, text, _last_sequence(facts, first), first), *base.edits))


def _is_chain(owner: ClassFacts) -> bool:
    init = owner.methods.get("__init__")
    taken = [param.name.value for param in init.params.params] if init is not None else []
    return owner.name == NAME and taken == ["self", "parts"]


def _base(facts: Facts, owners: tuple[ClassFacts, ...]) -> Spelling:
    """Keras's base class as the classes of the parts spell it."""
    for base in (base for owner in owners for above in owner.lineage for base in above.bases):
        if facts.qualified(base) in _BASES and facts.names.scope(base).kind == "module":
            return Spelling(facts.text(base))
    return name_for(facts, _BASES[0], facts.module)


def _last_sequence(facts: Facts, first: cst.CSTNode) -> cst.ClassDef | None:
    """The last Sequence at the top level that stands wholly above a use."""
    top = [owner.node for owner in facts.sequences if facts.names.scope(owner.node).kind == "module"]
    limit = _top(facts, first)
    above = [node for node in top if _top(facts, node) < limit]
    return above[-1] if above else None


def _top(facts: Facts, node: cst.CSTNode) -> int:
    """The number of the top-level statement that holds a node."""
    return next(number for number, statement in enumerate(facts.module.body) if facts.tree.holds(statement, node))
