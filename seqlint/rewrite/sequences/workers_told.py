"""What a reader is told of worker arguments that are not moved, or have no meaning any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import WORKER_ARGUMENTS
from seqlint.rewrite.sequences.workers import are_all_default, worker_settings
from seqlint.rewrite.sequences.workers_elsewhere import bears_attributes

if TYPE_CHECKING:
    from seqlint.facts import Facts, TrainerCall


def told_of_generators(facts: Facts, call: TrainerCall) -> str:
    """What becomes of settings of a call that reads a generator, for its note; empty where it reads none, or they are the defaults."""
    settings = worker_settings(call)
    if are_all_default(facts, settings):
        return ""
    if not any(facts.input_kinds.kind(data) == "generator" for _, data in call.feeds):
        return ""
    return "a generator is read by one thread there, whatever the worker arguments say"


def no_place_for_workers(facts: Facts, call: TrainerCall) -> str:
    """Why `give_workers` finds none, for the reader of a finding."""
    unknown = [data for _, data in call.feeds if facts.input_kinds.kind(data) == "unknown"]
    homes = [home for data in unknown for home in facts.externally_made.sequences(data)]
    if homes:
        own = next((home.owner.name for home in homes if not bears_attributes(home, WORKER_ARGUMENTS)), "")
        return f"`{own}` may have a meaning of its own for them" if own else "the call is only a part of a statement"
    for data in unknown:
        if function := _handed_to(facts, data):
            return f"whoever calls `{function}` decides what `{facts.text(data)}` is"
    if unknown:
        return f"it is not known what `{facts.text(unknown[0])}` is"
    return "no place is sure to set them for this call alone"


def _handed_to(facts: Facts, data: cst.BaseExpression) -> str:
    """The function that an expression is a parameter of."""
    bindings = facts.names.reaching(data) if isinstance(data, cst.Name) else ()
    function = facts.tree.function(data)
    handed = len(bindings) == 1 and bindings[0].kind == "parameter"
    return function.name.value if handed and function is not None else ""
