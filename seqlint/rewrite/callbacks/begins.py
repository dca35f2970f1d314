"""State of a callback that begins anew with each training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import positional
from seqlint.rewrite.callbacks.hooks import CALLBACK
from seqlint.rewrite.layout.statements import insert_after, insert_first

if TYPE_CHECKING:
    from seqlint.facts import Facts, KeptState
    from seqlint.model import Edit

_INFINITIES = frozenset({"numpy.inf", "math.inf"})
_NAMES = frozenset({"None", "True", "False"})


def begin_anew(facts: Facts, kept: KeptState) -> Edit | str:
    """The assignments of `__init__` once more in `on_train_begin`; a text says why they can't stand there."""
    init = kept.owner.methods["__init__"]
    if not all(len(start.targets) == 1 and _is_plain(facts, start.value) for start in kept.starts):
        return "where they begin depends on more than constants"
    if len(kept.owner.lineage) > 1 or kept.owner.external_bases != {CALLBACK} or facts.may_be_base(kept.owner):
        return "another class may have `on_train_begin`, too"
    if any(kept.owner in other.lineage for other in facts.classes if other is not kept.owner):
        return "another class may have `on_train_begin`, too"
    lines = [f"{facts.text(start.targets[0].target)} = {facts.text(start.value)}" for start in kept.starts]
    receiver = positional(init.params)[0].name.value
    begin = kept.owner.methods.get("on_train_begin")
    if begin is None:
        body = "".join(f"\n    {line}" for line in lines)
        return insert_after(facts, init, f"\ndef on_train_begin({receiver}, logs=None):{body}")
    if begin.decorators or positional(begin.params)[0].name.value != receiver or _speaks_of(facts, begin, kept):
        return "`on_train_begin` does something else with them"
    return insert_first(facts, begin, "\n".join(lines))


def _speaks_of(facts: Facts, begin: cst.FunctionDef, kept: KeptState) -> bool:
    """Whether code of a hook may read an attribute before it begins anew."""
    calls_own = any(isinstance(node.func, cst.Attribute) for node in facts.tree.inside(begin.body, cst.Call))
    names = {node.attr.value for node in facts.tree.inside(begin.body, cst.Attribute)}
    return calls_own or not names.isdisjoint(kept.names)


def _is_plain(facts: Facts, value: cst.BaseExpression) -> bool:
    """A number, a text, None, an infinity, an empty list or dict: the same whenever it is worked out."""
    if isinstance(value, cst.UnaryOperation):
        return _is_plain(facts, value.expression)
    if isinstance(value, (cst.Integer, cst.Float, cst.SimpleString)):
        return True
    if isinstance(value, (cst.List, cst.Dict)):
        return not value.elements
    if isinstance(value, cst.Call):
        texts = all(isinstance(each.value, cst.SimpleString) for each in value.args)
        return facts.qualified(value.func) == "builtins.float" and texts
    if isinstance(value, cst.Name):
        return value.value in _NAMES
    return facts.qualified(value) in _INFINITIES
