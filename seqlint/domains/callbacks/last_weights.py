"""Trainings that keep the best weights by no means, and what uses the last ones after them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.callbacks.lists import FITS, CallbackLists
from seqlint.domains.models.keras_models import KerasModels
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.callbacks.lists import CallbackList, Member
    from seqlint.run import Call, Run

_USES = ("evaluate", "predict", "save", "save_weights", "export")
_BRINGS = frozenset({"load_weights", "set_weights", "load_model", "assign", *FITS})
"""What brings other weights into a model, or trains on."""
_OF_KERAS = frozenset(
    {
        "EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau", "LearningRateScheduler", "TensorBoard", "CSVLogger",
        "TerminateOnNaN", "ProgbarLogger", "History", "RemoteMonitor", "LambdaCallback",
    }
)  # fmt: skip
"""Callbacks that surely put no weights into the model at the end of the training."""


@dataclass(frozen=True, eq=False)
class LastWeights:
    """A callback that knows the best epoch, and a call that uses the weights of the last one.

    Attributes:
        member: an EarlyStopping without `restore_best_weights`, or a ModelCheckpoint that saves the best alone.
        fit: the training that gets it.
        use: the first call that evaluates the model after it, predicts with it or saves it.
    """

    member: Member
    fit: Call
    use: Call

    @property
    def made(self) -> Call:
        """The call that creates the callback."""
        assert self.member.made is not None
        return self.member.made

    @property
    def is_left_out(self) -> bool:
        """Whether nothing is said of `restore_best_weights`; else the program says False."""
        return self.member.argument("restore_best_weights") is None


class Unrestored:
    """The trainings of a run after which the last weights are used."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._logs = run.domain(FitLogs)

    @cached_property
    def all(self) -> tuple[LastWeights, ...]:
        """One for each training, in running order: at its EarlyStopping if there is one."""
        lists = (each for each in self._run.domain(CallbackLists).all if self._is_model(each.fit))
        return tuple(found for each in lists for found in self._of(each))

    def _is_model(self, fit: Call) -> bool:
        """Whether a model of Keras is trained: one that is seen, or one that gets callbacks of Keras as no other thing does."""
        return self._logs.is_model(fit) or self._run.domain(KerasModels).is_model(fit.result.receiver)

    def _of(self, listed: CallbackList) -> Iterator[LastWeights]:
        known = all(member.kind in _OF_KERAS and member.made is not None for member in listed.members)
        members = {member.kind: member for member in listed.members if _knows_best(member)}
        early = any(member.kind == "EarlyStopping" for member in listed.members)
        member = members.get("EarlyStopping" if early else "ModelCheckpoint")
        if not listed.complete or not known or member is None or member.made is None:
            return
        use = self._first_use(listed.fit)
        if use is not None and self._run.is_here(member.made.context):
            yield LastWeights(member, listed.fit, use)

    def _first_use(self, fit: Call) -> Call | None:
        """What uses the model first after a training; None where other weights are brought in somewhere after it."""
        after = [call for call in self._run.calls if call.context.clock > fit.context.clock]
        if not self._run.complete or any(call.result.method in _BRINGS for call in after):
            return None
        uses = (call for call in after if call.result.method in _USES)
        own = (call for call in uses if call.result.receiver is fit.result.receiver)
        return next((call for call in own if not call.context.excludes(fit.context)), None)


def _knows_best(member: Member) -> bool:
    """Whether a callback knows the best epoch and leaves the model as it is."""
    if member.hides_arguments:
        return False
    if member.kind == "ModelCheckpoint":
        return constant(member.argument("save_best_only")) is True
    given = member.argument("restore_best_weights")
    return member.kind == "EarlyStopping" and (given is None or constant(given) is False)
