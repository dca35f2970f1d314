"""Findings that rest on a fact: as they are where it is `yes`, as advice that says what is not known where it is `unknown`."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.ends import is_of_model
from seqlint.facts.code.scopes import dotted
from seqlint.knowledge.other_frameworks import WRAPPERS
from seqlint.model import Levels
from seqlint.run import Result

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Maker
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.classes.template_methods import TemplateMethod
    from seqlint.facts.facts import Facts
    from seqlint.facts.training.training import TrainerCall
    from seqlint.model import Finding
    from seqlint.run import Call, Object


def if_on_model(facts: Facts, call: TrainerCall, finding: Finding, levels: Levels) -> Finding:
    """A finding that is only true where a call is one of a Keras model; of one of `tf_keras` what is true of Keras 2.

    Args:
        levels: those of the rule; so in all that follow.
    """
    if facts.packages.is_keras_2(call.receiver):
        on_2 = (finding.levels or levels).keras2
        finding = replace(finding, levels=Levels(on_2, None, None, mixed=on_2))
    if facts.evidence.model(call) == "yes":
        return finding
    name = dotted(call.receiver)
    what = f"`{name}`" if name else f"what `{call.method}` is called on"
    return finding.provided(f"{what} is a Keras model", levels)


def if_for_model(maker: Maker, finding: Finding, levels: Levels) -> Finding:
    """A finding that is only true where the batches of a function go to a Keras model; of a piece it says who calls it."""
    if maker.template_method is not None:
        return as_template_method(maker.template_method, finding)
    if maker.for_model == "yes":
        return finding
    return finding.provided(f"`{maker.function.name.value}` makes batches for a Keras model", levels)


def as_template_method(template_method: TemplateMethod | None, finding: Finding) -> Finding:
    """A finding in a method that a base in another file calls, with who does; fixes only where the base can't mind them."""
    if template_method is None:
        return finding
    noted = replace(finding, note=finding.note.after(template_method.caller))
    return noted if template_method.is_safe_to_mend else noted.unfixed("a base class in another file calls this method")


def if_for_sequence(hook: Hook, finding: Finding, levels: Levels) -> Finding:
    """A finding that is only true where an epoch hook runs for a Sequence, and not for a Callback too."""
    if hook.of_callback == "no":
        return finding
    return finding.provided(f"no base of `{hook.owner.name}` makes it a Callback too", levels)


def if_trains(facts: Facts, hook: Hook, call: TrainerCall, finding: Finding, levels: Levels) -> Finding:
    """A finding that is only true where the model of a call is the one that is trained on the data of a hook."""
    if facts.fit_bindings.trains(hook, call.receiver) == "yes":
        return finding
    return finding.provided(
        f"`{facts.text(call.receiver)}` is the model that is trained on `{hook.owner.name}`", levels
    )


def if_in_processes(facts: Facts, owner: ClassFacts, finding: Finding, levels: Levels) -> Finding:
    """A finding that is only true where the batches of a Sequence are made in processes."""
    if facts.loading.processes(owner) == "yes":
        return finding
    return finding.provided(f"`use_multiprocessing` is on for `{owner.name}`", levels)


def if_by_several(facts: Facts, owner: ClassFacts, finding: Finding, levels: Levels) -> Finding:
    """A finding that is only true where several workers make the batches of a Sequence."""
    if facts.loading.several(owner) == "yes":
        return finding
    return finding.provided(f"`{owner.name}` is given several workers", levels)


def trainer_of(facts: Facts, call: Call) -> TrainerCall | None:
    """A call of the run as the call of a model that this file writes; None in another file, and where it surely is none."""
    if not facts.run.is_here(call.context) or not isinstance(call.node, ast.Call):
        return None
    return facts.training.at(facts.run.span(call.node))


def may_be_of_model(facts: Facts, call: Call) -> bool:
    """Whether a call of the run is one of a Keras model for all that is known: nothing speaks against it."""
    trainer, kind = trainer_of(facts, call), call.name.rpartition(".")[0]
    if (kind and (not kind.startswith("keras.") or kind.startswith(WRAPPERS))) or _is_of_other_library(
        call.result.receiver
    ):
        return False
    return is_of_model(call) or (trainer is not None and facts.evidence.may_be_model(trainer))


def _is_of_other_library(found: Object | None) -> bool:
    """Whether a thing comes from another library in several steps: `tf.estimator.LinearClassifier(...).train(...)`."""
    while isinstance(found, Result) and isinstance(found.receiver, Result):
        found = found.receiver
    name = found.name if isinstance(found, Result) and found.op == "call" else ""
    own = name.startswith(("keras.", ".")) and not name.startswith(WRAPPERS)
    return "." in name.lstrip(".") and not own


def if_of_model(facts: Facts, call: Call, finding: Finding, levels: Levels) -> Finding:
    """A finding about a call of the run that is only true where it is one of a Keras model."""
    trainer = trainer_of(facts, call)
    if is_of_model(call) and (trainer is None or not facts.packages.is_keras_2(trainer.receiver)):
        return finding
    if trainer is not None:
        return if_on_model(facts, trainer, finding, levels)
    return finding.provided(f"`{call.result.method}` is called on a Keras model", levels)
