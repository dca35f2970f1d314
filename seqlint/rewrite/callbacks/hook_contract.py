"""What a program does differently once statements of an epoch hook run in a callback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Contract

if TYPE_CHECKING:
    from seqlint.facts import Cut, Facts, FitBinding, Hook, TrainerCall, Write
    from seqlint.model import Observable

_STEERING = frozenset({"stop_training", "optimizer", "learning_rate", "lr", "trainable", "set_weights", "load_weights"})
_DEAF = frozenset(
    f"keras.callbacks.{name}" for name in ("CSVLogger", "History", "ProgbarLogger", "TensorBoard", "TerminateOnNaN")
)
_SHOWS = ("builtins.print", "pprint.pprint", "sys.stdout.write")


def contract_of(
    facts: Facts,
    hook: Hook,
    cut: Cut,
    fits: tuple[FitBinding, ...],
    writes: tuple[Write, ...],
    runs: tuple[TrainerCall, ...],
) -> Contract | None:
    """What the move changes on purpose; None where it would change more."""
    reach = facts.effects.reach(hook, cut, writes)
    by_hand = facts.effects.by_hand(hook)
    if by_hand == "elsewhere" or (by_hand == "constructor" and reach == "batches"):
        return None
    if reach == "batches" and facts.effects.has_workers():
        return None
    changes: set[Observable] = {"hooks"}
    changes |= {"state"} if writes else set()
    changes |= {"history"} if runs else set()
    changes |= {"output"} if _shows(facts, fits, runs) else set()
    steers = _steers(facts, cut) or (bool(runs) and any(_listens(facts, fit) for fit in fits))
    if reach != "nothing" or steers:
        changes |= {"samples", "order", "grouping", "history", "weights"}
    changes |= {"epochs", "steps", "stop"} if steers else set()
    repairs: set[Observable] = {"errors"} if any(_nests(facts, hook, run) for run in runs) else set()
    return Contract(frozenset(changes), frozenset(repairs))


def _nests(facts: Facts, hook: Hook, run: TrainerCall) -> bool:
    """Whether a hook evaluates on something that has the same hook, which then runs inside itself."""
    classes = facts.training.classes_of(run.data) if run.data is not None else ()
    return any(made is not None and facts.fit_bindings.has(made, hook) for made in classes)


def _steers(facts: Facts, cut: Cut) -> bool:
    """Whether the moved code sets something that the training depends on; it then does so at the right epoch."""
    found = (attribute.attr.value for node in cut.nodes for attribute in facts.tree.inside(node, cst.Attribute))
    return not _STEERING.isdisjoint(found)


def _shows(facts: Facts, fits: tuple[FitBinding, ...], runs: tuple[TrainerCall, ...]) -> bool:
    """Whether the program may print what changes, also later: the state, the history, a progress bar."""
    shown = [*runs, *(fit.call for fit in fits)] if runs else []
    if any((verbose := call.value("verbose")) is None or facts.text(verbose) not in ("0", "False") for call in shown):
        return True
    return bool(facts.calls(*_SHOWS))


def _listens(facts: Facts, fit: FitBinding) -> bool:
    """Whether another callback of the fit may act on what is logged."""
    given = fit.call.value("callbacks")
    if given is None:
        return False
    found = facts.input_kinds.collected(given)
    if found is None or not found.complete:
        return True
    calls = [facts.values.only(element) for element in found.elements]
    return not all(isinstance(call, cst.Call) and facts.qualified(call.func) in _DEAF for call in calls)
