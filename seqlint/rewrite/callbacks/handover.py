"""What code needs when it moves from a Sequence to a Callback: the trained model, and values of the instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import dotted, parameters
from seqlint.facts.code.statements import is_constant, references
from seqlint.model import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import ClassFacts, Cut, Facts, FitBinding

# What Keras itself stores on a callback: `set_model` would overwrite another `_model` with the trained model.
_TAKEN = frozenset({
    "model", "_model", "params", "set_model", "set_params", "validation_data", "_chief_worker_only", "_supports_tf_logs",
})  # fmt: skip
_PARTS = (cst.Tuple, cst.List, cst.Subscript, cst.Attribute, cst.UnaryOperation, cst.BinaryOperation)


def spellings(
    facts: Facts, owner: ClassFacts, cut: Cut, fits: tuple[FitBinding, ...]
) -> tuple[tuple[Edit, ...], tuple[str, ...]] | None:
    """How the moved code is written in a callback, and the attributes that the callback must get.

    The model that every fit trains is `self.model` there; the class of the instance is called by its name.

    Returns: None where an attribute of the instance would clash with one of Keras.
    """
    model = {
        name for name in cut.needs if all(_is_model(facts, use, fits) for use in facts.members.used(cut.nodes)[name])
    }
    needs = tuple(name for name in cut.needs if name not in model)
    if cut.loose & set(needs):
        return None
    given = {_bare(name) for name in needs}
    if any(_is_of_keras(name) for name in needs) or given & {"self", ""} or len(given) < len(needs):
        return None
    edits = [*_models(facts, cut, fits)]
    for node in cut.nodes:
        for attribute in facts.tree.inside(node, cst.Attribute):
            if attribute.attr.value in model and facts.values.self_class(attribute.value) is not None:
                edits.append(Edit(*facts.span(attribute.attr), "model"))
    own = tuple(_own_class(facts, owner, cut))
    if own and any(owner in other.lineage for other in facts.classes if other is not owner):
        return None  # `type(self)` can be a subclass
    return (*edits, *own), needs


def _is_of_keras(attribute: str) -> bool:
    return attribute in _TAKEN or attribute.startswith("on_")


def _bare(attribute: str) -> str:
    return attribute.lstrip("_")


def _is_model(facts: Facts, node: cst.BaseExpression, fits: tuple[FitBinding, ...]) -> bool:
    return all(facts.fit_bindings.same_variable(node, fit.call.receiver) for fit in fits)


def _models(facts: Facts, cut: Cut, fits: tuple[FitBinding, ...]) -> Iterator[Edit]:
    for node in cut.nodes:
        for name in references(facts.tree, node):
            if facts.values.self_class(name) is None and _is_model(facts, name, fits) and not _is_bound(facts, name):
                yield Edit(*facts.span(name), f"{self_name(facts, name, cut)}.model")


def _is_bound(facts: Facts, name: cst.Name) -> bool:
    """Whether the surrounding function declares the name `global` or `nonlocal`."""
    scope = facts.names.scope(name)
    return name.value in scope.globals | scope.nonlocals


def self_name(facts: Facts, node: cst.CSTNode, cut: Cut) -> str:
    """The name of `self` in the method of the cut that holds a node."""
    methods = (cut.function, *cut.methods)
    method = next(method for method in methods if facts.tree.holds(method, node))
    return parameters(method.params)[0].name.value


def _own_class(facts: Facts, owner: ClassFacts, cut: Cut) -> Iterator[Edit]:
    for node in cut.nodes:
        for inner in facts.tree.walk(node):
            if _is_own_class(facts, inner):
                yield Edit(*facts.span(inner), owner.name)


def _is_own_class(facts: Facts, node: cst.CSTNode) -> bool:
    """`self.__class__` or `type(self)`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == "__class__" and facts.values.self_class(node.value) is not None
    if not isinstance(node, cst.Call) or facts.qualified(node.func) != "builtins.type" or len(node.args) != 1:
        return False
    return facts.values.self_class(node.args[0].value) is not None


# -- arguments ------------------------------------------------------------------------------------------------------------


def arguments(
    facts: Facts, owner: ClassFacts, cut: Cut, needs: tuple[str, ...], fit: FitBinding
) -> tuple[str, ...] | None:
    """The constructor arguments of the callback at a fit, one text for each instance trained on; None where they can't be written."""
    found: list[str] = []
    for part in fit.parts:
        values = [value_of(facts, owner, part, need, fit, by_name=need in cut.changes) for need in needs]
        texts = [value for value in values if value is not None]
        if len(texts) < len(needs):
            return None
        plain = (
            len(needs) == 1 and texts[0].replace(".", "_").isidentifier() and texts[0] not in ("None", "True", "False")
        )
        found.append(texts[0] if plain else ", ".join(f"{_bare(n)}={t}" for n, t in zip(needs, texts, strict=True)))
    return tuple(dict.fromkeys(found))


def value_of(
    facts: Facts, owner: ClassFacts, part: cst.BaseExpression, need: str, fit: FitBinding, *, by_name: bool
) -> str | None:
    """An expression for one attribute of one instance. `by_name`: it must be the same object."""
    place = fit.call.node
    given = facts.fit_bindings.given(part, need)
    if isinstance(given, cst.Name) and facts.names.bindings(given) and is_seen(facts, given, place):
        return given.value
    if isinstance(part, cst.Call):
        if facts.members.is_of_class(owner, need):
            return f"{owner.name}.{need}"
        if by_name:
            return None
        if given is not None:
            return facts.text(given) if is_constant(given) or _can_repeat(facts, given, place) else None
        stored = facts.values.attribute_values(owner.node, need)
        only = stored[0] if len(stored) == 1 else None
        return facts.text(only) if only is not None and is_constant(only) else None
    if not dotted(part) or (need.startswith("__") and not need.endswith("__")):
        return None
    names = tuple(references(facts.tree, part))
    inside = facts.tree.holds(place, part)
    return f"{dotted(part)}.{need}" if inside or all(is_seen(facts, name, place) for name in names) else None


def is_seen(facts: Facts, name: cst.Name, place: cst.CSTNode) -> bool:
    """Whether a name means the same at its own place and at another one: one binding, visible from both."""
    here = facts.names.bindings(name)
    if not here:
        return facts.qualified(name) is not None
    return len(here) == 1 and facts.names.bindings(name, place) == here


def _can_repeat(facts: Facts, node: cst.BaseExpression, place: cst.CSTNode) -> bool:
    """Whether an argument can be written once more in the same call: names, literals, items and parts of them."""
    for inner in facts.tree.walk(node):
        if isinstance(
            inner, (cst.Call, cst.Await, cst.NamedExpr, cst.Yield, cst.Lambda, cst.ListComp, cst.GeneratorExp)
        ):
            return False
    return facts.tree.holds(place, node)
