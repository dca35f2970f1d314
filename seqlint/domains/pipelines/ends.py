"""Whether datasets end, and what Keras is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.pipelines.passes import repeats_for_ever
from seqlint.knowledge.other_frameworks import WRAPPERS
from seqlint.run import Container, Instance, Result
from seqlint.run.handed import is_of_keras
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.domains.pipelines.pipelines import Pipelines, Reading
    from seqlint.run import Call, Object, Run

STEPS = {"trained": "steps_per_epoch", "validated": "validation_steps", "evaluated": "steps", "predicted": "steps"}
"""The argument that says how many batches a role reads."""
_PLACES = {
    ("fit", "steps_per_epoch"): 12,
    ("fit", "validation_steps"): 13,
    ("evaluate", "steps"): 5,
    ("predict", "steps"): 3,
}
_ENDLESS_SOURCES = ("counter", "Counter", "random")
_BATCH_HOOKS = ("on_train_batch_begin", "on_train_batch_end", "on_batch_begin", "on_batch_end")
_INHERITS = frozenset({
    "batch", "padded_batch", "ragged_batch", "cache", "snapshot", "enumerate", "filter", "flat_map", "ignore_errors", "interleave", "map", "prefetch",
    "rebatch", "scan", "shard", "shuffle", "skip", "unbatch", "unique", "window", "with_options", "bucket_by_sequence_length", "repeat",
})  # fmt: skip


def why_endless(pipelines: Pipelines, dataset: Result) -> Result | None:
    """The step that makes a dataset endless; None where it ends, or nobody knows."""
    return _why_endless(pipelines, dataset, {})


def _why_endless(pipelines: Pipelines, dataset: Result, known: dict[Result, Result | None]) -> Result | None:
    """The same, with the answers that were found already: a dataset may be a part of another in many ways."""
    if dataset not in known:
        known[dataset] = None
        known[dataset] = _of_parents(pipelines, dataset, known)
    return known[dataset]


def _of_parents(pipelines: Pipelines, dataset: Result, known: dict[Result, Result | None]) -> Result | None:
    if repeats_for_ever(pipelines, dataset) or dataset.method in _ENDLESS_SOURCES:
        return dataset
    parents = pipelines.parents(dataset)
    causes = [_why_endless(pipelines, parent, known) for parent in parents]
    if dataset.method == "zip":
        return causes[0] if causes and None not in causes else None
    if dataset.method == "concatenate":
        return next((cause for cause in causes if cause is not None), None)
    return causes[0] if dataset.method in _INHERITS and len(causes) == 1 else None


def inherits_end(step: Result) -> bool:
    """Whether what a step gives ends if, and only if, what it is made from does."""
    return step.method in _INHERITS


def steps_given(reading: Reading) -> bool | None:
    """Whether Keras is told how many batches to read; None where nobody knows."""
    assert reading.trainer is not None
    result, name = reading.trainer.result, STEPS.get(reading.role, "")
    place = _PLACES.get((result.method, name))
    if place is None:
        return None
    given = result.keyword(name)
    if given is None and place < len(result.args):
        given = result.args[place]
    if given is None:
        return None if any(key in ("*", "**") for key, _ in result.keywords) else False
    return False if constant(given) is None else None if constant(given) is ... else True


def may_be_stopped(run: Run, trainer: Call) -> bool:
    """Whether a callback may end a training within an epoch: one that is not Keras's, with a hook for batches."""
    given = trainer.result.keyword("callbacks")
    if given is None or constant(given) is None:
        return False
    listed = run.items(given)
    if listed is None or any(run.pieces(each) for each in given if isinstance(each, Container)):
        return True
    return any(_may_stop(run, each) for value in listed for each in value)


def _may_stop(run: Run, callback: Object) -> bool:
    if isinstance(callback, Result) and callback.op == "call":
        return not callback.name.startswith("keras.callbacks.") or callback.method == "LambdaCallback"
    if not isinstance(callback, Instance):
        return True
    bases = [each for base in callback.cls.bases for each in base]
    plain = all(getattr(each, "name", "").startswith("keras.callbacks.") for each in bases)
    hooks = {one.name for one in callback.cls.node.body if hasattr(one, "name")}
    return not plain or not hooks.isdisjoint(_BATCH_HOOKS)


def is_of_model(trainer: Call) -> bool:
    """Whether a trainer call surely is that of a Keras model: one that Keras makes, or of a class that is made from Keras's."""
    receiver = trainer.result.receiver
    of_keras = trainer.name.startswith("keras.") and not trainer.name.startswith(WRAPPERS)
    return of_keras or (isinstance(receiver, Instance) and is_of_keras(receiver))


def has_own_step(trainer: Call) -> bool:
    """Whether the class of the model says itself what a step does with a batch."""
    receiver = trainer.result.receiver
    return isinstance(receiver, Instance) and any(
        getattr(one, "name", "") in ("train_step", "test_step", "fit") for one in receiver.cls.node.body
    )


def is_expected_to_fail(trainer: Call) -> bool:
    """Whether a test wants a call to fail: `with pytest.raises(...)`."""
    around = (each for each in trainer.context.within if isinstance(each, Result))
    return any(each.method in ("raises", "assertRaises", "assertRaisesRegex") for each in around)
