"""`keras.Input(batch_shape=...)` in place of `batch_input_shape=...` of the first layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.arguments import remove_argument
from seqlint.rewrite.layout.imports import name_for

if TYPE_CHECKING:
    from seqlint.facts import Facts


def own_input(facts: Facts, span: tuple[int, int], name: str) -> tuple[Edit, ...]:
    """Edits that put an `Input` before the first layer of a Sequential; none where that is not what the layer evidently is.

    Args:
        span: that of the call which makes the layer.
        name: its argument.
    """
    layer = next((call for call in facts.tree.all(cst.Call) if facts.span(call) == span), None)
    shape = (
        next((each for each in layer.args if each.keyword is not None and each.keyword.value == name), None)
        if layer
        else None
    )
    place = _place(facts, layer) if layer is not None else None
    written = facts.source.slice(*facts.tree.outer_span(shape.value)) if shape is not None else ""
    if layer is None or shape is None or place is None or "\n" in written:
        return ()
    spelling = name_for(facts, "keras.Input", layer)
    removed = remove_argument(facts, layer, shape)
    start, before, after = place
    text = f"{before}{spelling.text}(batch_shape={written}){after}"
    return (Edit(start, start, text), *removed, *spelling.edits) if removed else ()


def _place(facts: Facts, layer: cst.Call) -> tuple[int, str, str] | None:
    """Where the input goes, and what is written around it."""
    holder = next(
        (each for each in facts.tree.all(cst.List) if each.elements and each.elements[0].value is layer), None
    )
    if holder is not None and _is_of_sequential(facts, holder):
        start = facts.span(layer)[0]
        lead = _lead(facts, start)
        return start, "", f",{facts.source.newline}{lead}" if lead is not None else ", "
    add = next((each for each in facts.tree.all(cst.Call) if each.args and each.args[0].value is layer), None)
    if (
        add is None
        or not isinstance(add.func, cst.Attribute)
        or add.func.attr.value != "add"
        or not _is_first(facts, add)
    ):
        return None
    start = facts.span(add)[0]
    lead = _lead(facts, start)
    return (start, f"{facts.text(add.func)}(", f"){facts.source.newline}{lead}") if lead is not None else None


def _is_of_sequential(facts: Facts, holder: cst.List) -> bool:
    makers = (call for call in facts.tree.all(cst.Call) if facts.qualified(call.func) == "keras.Sequential")
    return any(argument.value is holder for call in makers for argument in call.args)


def _is_first(facts: Facts, add: cst.Call) -> bool:
    """Whether nothing was added to the model before, each time that the call ran."""
    calls = facts.run.at(facts.span(add))
    models = {call.result.receiver for call in calls}
    earlier = [call for call in facts.run.methods("add") if call.result.receiver in models and call not in calls]
    first = min((call.context.clock for call in calls), default=0)
    empty = all(
        getattr(model, "name", "") == "keras.Sequential" and not getattr(model, "args", (1,)) for model in models
    )
    return bool(calls) and empty and all(call.context.clock > first for call in earlier)


def _lead(facts: Facts, start: int) -> str | None:
    """The white space before something that begins its line; None where something else does."""
    text = facts.source.utf8
    line = text[text.rfind(b"\n", 0, start) + 1 : start].decode()
    return line if not line.strip() else None
