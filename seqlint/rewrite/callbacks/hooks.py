"""Hooks of callbacks that take what Keras passes, under the name that it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.facts import positional
from seqlint.model import Edit
from seqlint.rewrite.layout.parameters import add_parameter
from seqlint.run.callbacks import HOOKS as CALLBACK_HOOKS

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts import ClassFacts, Facts

CALLBACK = "keras.callbacks.Callback"


def take_missing(facts: Facts, method: cst.FunctionDef, missing: tuple[str, ...]) -> Edit | str:
    """The last parameters that Keras passes to a hook; a text says why they can't be added.

    Args:
        missing: their names, such as ("epoch", "logs").
    """
    taken = positional(method.params)
    if not taken or method.params.kwonly_params or method.params.star_kwarg is not None:
        return "its parameters are others"
    if any(param.name.value in ("log", "logs") for param in taken):
        return "it takes `logs` where Keras passes something else"
    if any(param.default is not None for param in taken[1:]) and missing != ("logs",):
        return "its parameters have defaults"
    if missing != ("logs",) and facts.called.is_spoken_of(method.name.value):
        return "code of this file calls it, too"
    if any(facts.names.scope(method.body).home(name) is not None for name in missing):
        return f"`{missing[0]}` means something else here"
    return add_parameter(facts, method, ", ".join(f"{name}=None" if name == "logs" else name for name in missing))


def as_hook(facts: Facts, owner: ClassFacts, method: cst.FunctionDef, hook: str) -> Edit | str:
    """The name of the hook that a method was meant to be; a text says why it can't have that.

    Args:
        hook: such as "on_epoch_begin".
    """
    if facts.may_be_base(owner) or owner.external_bases != {CALLBACK}:
        return "a base, or a class that is made from it, may have that hook"
    family = [other for other in facts.classes if owner in other.lineage or other in owner.lineage]
    if any(hook in other.methods for other in family):
        return f"there is a `{hook}` already"
    taken = tuple(param.name.value for param in positional(method.params)[1:])
    if taken != CALLBACK_HOOKS[hook] or method.params.kwonly_params or method.asynchronous is not None:
        return "its parameters are others"
    return Edit(*facts.span(method.name), hook)
