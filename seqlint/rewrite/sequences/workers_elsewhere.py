"""Worker arguments for Sequences of other files: their constructors pass them on, or they are set on the object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import WORKER_ARGUMENTS, Facts
from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.sequences.constructors import forward_keywords

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from seqlint.facts.external.made import Home

_NAMES = {"train": "batches", "validation": "held_out"}


def passed_on(home: Home, names: Collection[str]) -> tuple[Edit, ...] | None:
    """Edits of the file of a class after which its constructor passes arguments on to Keras; none where it does already.

    None where that is impossible, or the class has a use of its own for these names.
    """
    other = home.file
    if not isinstance(other, Facts):
        return None
    edits = forward_keywords(other, home.owner, names)
    if edits is None or (edits and speaks_of(home, names)):
        return None
    if edits and other.subclasses.external(home.owner):
        return None  # which may rely on what its constructor takes and calls
    return tuple(replace(edit, path=other.source.path) for edit in edits)


def speaks_of(home: Home, names: Collection[str] = WORKER_ARGUMENTS) -> bool:
    """Whether a class or a base of it in its file names worker settings."""
    texts = [home.file.tree.text(found.node) for found in home.owner.lineage]
    return any(name in text for text in texts for name in names)


def bears_attributes(home: Home, names: Collection[str]) -> bool:
    """Whether settings can be set on an instance of a class: nothing of its own has these names, as far as all bases are known."""
    return home.owner.lineage_is_known and not speaks_of(home, names)


@dataclass(frozen=True, slots=True)
class Lifted:
    """Data that a call makes for itself, as a variable above it.

    Attributes:
        data: what the call made.
        name: the variable.
        line: what makes it.
        edit: what puts the variable into the call.
    """

    data: cst.BaseExpression
    name: str
    line: str
    edit: Edit


def lifted(
    facts: Facts, call: cst.Call, data: cst.BaseExpression, role: str, others: Collection[Lifted]
) -> Lifted | None:
    """Data as a variable above the statement of a call; None where that would change what runs first.

    Args:
        others: what the same fix has lifted already.
    """
    above = [other.data for other in others]
    if not isinstance(data, cst.Call) or not _stands_alone(facts, call) or not _comes_first(call, data, above):
        return None
    taken = [other.name for other in others]
    name = free_name(facts, facts.tree.function(call), _NAMES.get(role, "batches"), f"{role}_batches", taken=taken)
    return Lifted(data, name, f"{name} = {facts.text(data)}", Edit(*facts.span(data), name))


def _stands_alone(facts: Facts, call: cst.Call) -> bool:
    """Whether a statement is the call, returns it or assigns it to names."""
    line = facts.tree.statement(call)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    only = line.body[0]
    if isinstance(only, cst.Assign):
        return only.value is call and all(isinstance(target.target, cst.Name) for target in only.targets)
    return isinstance(only, (cst.Expr, cst.Return)) and only.value is call


def _comes_first(call: cst.Call, data: cst.BaseExpression, above: Collection[cst.BaseExpression]) -> bool:
    """Whether all that runs before the data are made is a look at names and attributes, or stands above the call by then."""
    before = [call.func]
    for argument in call.args:
        if argument.value is data:
            return all(node in above or _is_plain(node) for node in before)
        before.append(argument.value)
    return False


def _is_plain(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        return _is_plain(node.value)
    return isinstance(node, (cst.Name, cst.Integer, cst.Float, cst.SimpleString))


def settings_of(name: str, texts: Mapping[str, str]) -> list[str]:
    """The statements that set worker settings on a variable."""
    return [f"{name}.{setting} = {text}" for setting, text in texts.items()]
