"""Puts a `MetricAverageCallback` before the callbacks that decide by a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.model import Edit
from seqlint.rewrite.layout.elements import insert_element, remove_element
from seqlint.rewrite.layout.imports import Spelling, name_for
from seqlint.rewrite.layout.statements import indent_of, insert_before, lines_of

if TYPE_CHECKING:
    from seqlint.facts import Facts, Listed

HOROVOD = "horovod.keras"
AVERAGE = f"{HOROVOD}.callbacks.MetricAverageCallback"


def average_before(facts: Facts, decider: Listed) -> tuple[Edit, ...] | None:
    """Put a new MetricAverageCallback before a callback, on every rank; None where the list can't be edited."""
    spelled = _spelled(facts, decider)
    if spelled is None:
        return None
    made = f"{spelled.text}()"
    holder = decider.item.holder
    if not decider.conditions and isinstance(holder, cst.Element) and _is_in_list(facts, holder):
        return (*spelled.edits, insert_element(facts, holder, made))
    if not decider.conditions and holder is None and decider.item.value is not None:
        return (*spelled.edits, *_as_list(facts, decider.item.value, made))
    line = _line(facts, decider)
    text = _list_name(facts, holder)
    if line is None or text is None or not _is_made_before(facts, text, line):
        return None
    return (*spelled.edits, insert_before(facts, line, f"{text}.append({made})"))


def average_moved(facts: Facts, average: Listed, decider: Listed) -> tuple[Edit, ...] | None:
    """Move the MetricAverageCallback that comes too late; None where that can't be done."""
    late, early = average.item.holder, decider.item.holder
    if average.conditions or average.item.value is None:
        return None
    if isinstance(late, cst.Element) and isinstance(early, cst.Element):
        return _moved_inside(facts, late, early)
    if not isinstance(late, cst.Call) or not isinstance(average.item.value, cst.Call):
        return None
    gone = _own_line(facts, late)
    line = _line(facts, decider)
    if gone is None or line is None or _list_name(facts, late) is None:
        return None
    start, end = lines_of(facts, gone)
    text = facts.source.slice(start, end)
    if isinstance(early, cst.Element) and not decider.conditions and "#" not in text and _is_in_list(facts, early):
        return (Edit(start, end, ""), insert_element(facts, early, facts.text(average.item.value)))
    if _list_name(facts, early) != _list_name(facts, late) or indent_of(facts, gone) != indent_of(facts, line):
        return None
    place = lines_of(facts, line)[0]
    return (Edit(place, place, text), Edit(start, end, ""))


def _moved_inside(facts: Facts, late: cst.Element, early: cst.Element) -> tuple[Edit, ...] | None:
    removed = remove_element(facts, late) if facts.tree.parents[late] is facts.tree.parents[early] else None
    return (removed, insert_element(facts, early, facts.text(late.value))) if removed is not None else None


def _spelled(facts: Facts, decider: Listed) -> Spelling | None:
    """How the file writes the callback; None where no import of Horovod is visible at the place."""
    if decider.item.value is not None and (module := _module_at(facts, decider.item.value)):
        return Spelling(f"{module}.callbacks.{AVERAGE.rpartition('.')[2]}")
    scope = facts.names.scopes.module
    imports = (binding for group in scope.bindings.values() for binding in group if binding.kind == "import")
    if decider.item.value is None or not any((found.origin or "").startswith("horovod.") for found in imports):
        return None
    return name_for(facts, AVERAGE, decider.item.value)


def _module_at(facts: Facts, place: cst.CSTNode) -> str | None:
    """The name of Horovod's Keras module at a place, such as `hvd`."""
    here = facts.names.scope(place)
    for name in facts.tree.all(cst.Name):
        if facts.names.qualified(name) == HOROVOD and facts.names.scope(name).home(name.value) is here.home(name.value):
            return name.value
    return None


def _is_made_before(facts: Facts, name: str, line: cst.CSTNode) -> bool:
    """Whether the function assigns the list above a line."""
    function = facts.tree.function(line)
    if function is not None and any(param.name.value == name for param in parameters(function.params)):
        return True
    for target in facts.tree.all(cst.AssignTarget):
        above = facts.tree.order.precedes(target, line) and facts.tree.function(target) is function
        if above and facts.text(target.target) == name:
            return True
    return False


def _is_in_list(facts: Facts, element: cst.Element) -> bool:
    return isinstance(facts.tree.parents[element], (cst.List, cst.Tuple))


def _as_list(facts: Facts, value: cst.BaseExpression, made: str) -> tuple[Edit, ...]:
    start, end = facts.tree.outer_span(value)
    return (Edit(start, start, f"[{made}, "), Edit(end, end, "]"))


def _own_line(facts: Facts, call: cst.Call) -> cst.SimpleStatementLine | None:
    """The line that holds a call and nothing else."""
    line = facts.tree.statement(call)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    only = line.body[0]
    return line if isinstance(only, cst.Expr) and only.value is call else None


def _line(facts: Facts, member: Listed) -> cst.SimpleStatementLine | cst.BaseCompoundStatement | None:
    """The statement that adds a callback; the outermost `if` around it where there is one."""
    if member.item.holder is None:
        return None
    for condition in member.conditions:
        return condition.node if isinstance(condition.node, cst.If) else None
    return facts.tree.statement(member.item.holder)


def _list_name(facts: Facts, holder: cst.CSTNode | None) -> str | None:
    """The list to which `append`, `extend` or `+=` adds; None for a list literal at the place of use."""
    if holder is None:
        return None
    line = facts.tree.statement(holder)
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if isinstance(small, cst.AugAssign):
        return facts.text(small.target)
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    return facts.text(call.func.value) if call.func.attr.value in ("append", "extend") else None
