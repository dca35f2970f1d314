"""Adds a metric to the model for a value that its steps return for one batch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.values import Constant
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import insert_after, insert_before, replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, RawResult
    from seqlint.model import Edit

_STEPS = ("train_step", "test_step")
_CHECKS = {"validation_data", "validation_split"}


def mean_of_batches(facts: Facts, raws: list[RawResult]) -> tuple[Edit, ...]:
    """Create a Mean in `__init__`, update it before each return, and return its result; nothing where a place is not plain."""
    owner, name = raws[0].owner, f"{raws[0].key}_tracker"
    if not all(_is_plain(facts, raw) for raw in raws):
        return ()
    if (known := _tracker(facts, raws[0])) is not None:
        return _through(facts, raws, known)
    if owner.method("metrics") is not None or _is_shown_beside(facts, raws):  # what it does not list is never reset
        return ()
    made = owner.methods.get("__init__")
    init = _super_init(facts, made) if made is not None else None
    named = {node.value for known in owner.lineage for node in facts.tree.inside(known.node, cst.Name)}
    if init is None or not name.isidentifier() or name in named or not owner.lineage_is_known:
        return ()
    mean = name_for(facts, "keras.metrics.Mean", init)
    made_by = f'self.{name} = {mean.text}(name="{raws[0].key}")'
    return (
        *mean.edits,
        insert_after(facts, _last_tracker(facts, init), made_by),
        *_through(facts, raws, f"self.{name}"),
    )


def no_mean(facts: Facts, raws: list[RawResult]) -> str:
    """Why `mean_of_batches` has no edits, for the reader of a finding."""
    owner = raws[0].owner
    if not all(_is_plain(facts, raw) for raw in raws):
        return "the value has no plain name in the returned dict"
    if owner.method("metrics") is not None:
        return f"`metrics` of `{owner.name}` does not list a Mean for it"
    if _is_shown_beside(facts, raws):
        return "the other step would log the new Mean too, at 0.0"
    if "__init__" not in owner.methods:
        return f"`{owner.name}` has no `__init__` to make the Mean in"
    return f"`__init__` of `{owner.name}`, or its base class, has no sure place for the Mean"


def _is_shown_beside(facts: Facts, raws: list[RawResult]) -> bool:
    """Whether Keras's own step may run too: it logs every Mean of the model, at 0.0, and one named "loss" hides the loss."""
    owner, steps = raws[0].owner, {raw.step.name.value for raw in raws}
    if all(step in steps or owner.method(step) is not None for step in _STEPS):
        return False
    if "train_step" not in steps:
        return True
    if owner.method("call") is None:  # Keras's own `test_step` can't run
        return False
    calls = facts.training.calls
    checks = any(call.method.startswith("eval") or _CHECKS & call.arguments.keys() for call in calls)
    return checks or not any(call.method.startswith("fit") for call in calls)


def _tracker(facts: Facts, raw: RawResult) -> str | None:
    """The Mean that the class already has for the logged value, where Keras resets it."""
    init, listed = raw.owner.methods.get("__init__"), raw.owner.method("metrics")
    for assign in facts.tree.inside(init.body, cst.Assign) if init is not None else ():
        call, target = assign.value, facts.text(assign.targets[0].target)
        if not isinstance(call, cst.Call) or facts.qualified(call.func) != "keras.metrics.Mean":
            continue
        names = [facts.values.constant(argument.value) for argument in call.args[:1]]
        known = listed is None or any(
            facts.text(node) == target for node in facts.tree.inside(listed[1], cst.Attribute)
        )
        if Constant(raw.key) in names and target.startswith("self.") and known:
            return target
    return None


def _through(facts: Facts, raws: list[RawResult], tracker: str) -> tuple[Edit, ...]:
    edits = []
    for raw in raws:
        line, update = facts.tree.statement(raw.returned), f"{tracker}.update_state"
        if not any(facts.text(call.func) == update for call in facts.tree.inside(raw.step.body, cst.Call)):
            edits.append(insert_before(facts, line, f"{update}({facts.text(raw.node)})"))
        edits.append(replace(facts, raw.node, f"{tracker}.result()"))
    return tuple(edits)


def _last_tracker(facts: Facts, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
    """The last of the trackers right below a line, or the line itself: new ones are added in the order of the logs."""
    block = facts.tree.parents[line]
    for other in block.body[list(block.body).index(line) + 1 :] if isinstance(block, cst.IndentedBlock) else ():
        if not isinstance(other, cst.SimpleStatementLine) or not re.match(r"self\.\w+_tracker = ", facts.text(other)):
            break
        line = other
    return line


def _is_plain(facts: Facts, raw: RawResult) -> bool:
    """Whether the return is the only statement on its lines, holds the dict, and returns a variable."""
    line = facts.tree.statement(raw.returned)
    inside = facts.tree.holds(raw.returned, raw.node)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    return inside and alone and isinstance(raw.node, cst.Name)


def _super_init(facts: Facts, init: cst.FunctionDef) -> cst.SimpleStatementLine | None:
    """The line of `super().__init__(...)` in the body of `__init__`."""
    for line in init.body.body:
        if isinstance(line, cst.SimpleStatementLine) and facts.text(line).startswith("super("):
            return line
    return None
