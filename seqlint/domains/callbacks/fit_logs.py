"""The names under which each fit logs its values: what `compile` asks for, what the model and callbacks add, `val_` forms.

Measured with small fits on Keras 3.15.1, Keras 3.3.3 and tf-keras 2.21:

- Metrics that a model, or a layer of it, keeps in an attribute are logged under their names; with a `metrics` property only those
  of the property.
- ReduceLROnPlateau and LearningRateScheduler add "lr" on Keras 2 and "learning_rate" on Keras 3.
- With validation data every name comes with "val_" too. `validation_split=0.0` gives none.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.callbacks.blanks import is_blank_compile, is_blank_fit
from seqlint.domains.callbacks.lists import FITS, CallbackLists, fit_argument, hides_arguments
from seqlint.domains.callbacks.writers import written_by
from seqlint.domains.models.asked import Asked
from seqlint.domains.models.compiles import Compiles
from seqlint.domains.models.logged import (
    ANYTHING,
    NOTHING,
    VALIDATION,
    Logged,
    either,
    maybe,
    named,
    prefixed,
    together,
)
from seqlint.domains.models.metric_names import MetricNames
from seqlint.domains.models.outputs import ModelOutputs
from seqlint.domains.values.held import options
from seqlint.knowledge import callers
from seqlint.run import Class, Constant, Container, Generator, Instance, Result, Setting, Tuple
from seqlint.run.attributes import lineage
from seqlint.run.objects import itself

if TYPE_CHECKING:
    from seqlint.domains.callbacks.lists import Member
    from seqlint.model import KerasLine
    from seqlint.run import Call, Object, Run, Value
    from seqlint.run.objects import Guards

Answer = Literal["yes", "no", "unknown"]
_OWN_TRAINING = ("train_step", "make_train_function", "train_function", "fit", "compile", "get_metrics_result", "compute_metrics",
                 "metrics", "compute_loss_and_metrics")  # fmt: skip
_OWN_TESTING = ("test_step", "make_test_function", "evaluate")
_RATES = frozenset({"ReduceLROnPlateau", "LearningRateScheduler"})
_MODELS = (
    "keras.Model", "keras.Sequential", "keras.load_model", "keras.saving.load_model", "keras.clone_model", "keras.model_from_json",
    "keras.utils.multi_gpu_model",
)  # fmt: skip
_ADDS = ("add_metric", "metrics_names", "metrics_tensors")
"""What Keras 2 has to log more: a method of layers and models, and lists of models that one can append to."""


class FitLogs:
    """What the fits of a run log."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._compiles = run.domain(Compiles)
        self._outputs = run.domain(ModelOutputs)
        self._names = run.domain(MetricNames)
        self._lists = run.domain(CallbackLists)
        self._known: dict[tuple[Call, KerasLine, Guards], Logged] = {}

    @property
    def fits(self) -> tuple[Call, ...]:
        """The calls that train a Keras model, or something that may be one, in running order."""
        return tuple(call for call in self._run.methods(*FITS) if self.may_be_model(call))

    def of(self, fit: Call, line: KerasLine, way: Guards = frozenset()) -> Logged:
        """The names in the `logs` of a fit at the end of an epoch, on a line of Keras.

        Args:
            way: conditions that hold in addition to those of the fit.
        """
        key = (fit, line, way)
        if key not in self._known:
            self._known[key] = self._of(fit, line, way | fit.context.guards)
        return self._known[key]

    def _of(self, fit: Call, line: KerasLine, way: Guards) -> Logged:
        compiles = [compiled.call for compiled in self._compiles.at(fit, way) if compiled is not None]
        if is_blank_fit(fit) or any(map(is_blank_compile, compiles)):
            return ANYTHING
        train = self._trained(fit, line, way)
        test = ANYTHING if self._overrides(fit, _OWN_TESTING) else train
        validates = self.validates(fit, way)
        found = [train, self.added(fit, line)]
        if validates != "no":
            values = prefixed(VALIDATION, test)
            found.append(values if validates == "yes" else maybe(values))
        return together(found)

    # -- the model --------------------------------------------------------------------------------------------------

    def may_be_model(self, fit: Call) -> bool:
        """Whether a call may be the fit of a Keras model: what is known to be something else is not."""
        name, receiver = fit.name, itself(fit.result.receiver)
        if receiver is None or isinstance(receiver, (Constant, Class)):
            return False
        return name.rpartition(".")[0] in ("keras.Model", "") or self._compiles.is_compiled(receiver)

    def is_model(self, fit: Call) -> bool:
        """Whether a call surely is the fit of a Keras model: one that Keras makes, or that this program compiles."""
        receiver = itself(fit.result.receiver)
        if receiver is None:
            return False
        if isinstance(receiver, Instance):
            return any(
                getattr(each, "name", "") in ("keras.Model", "keras.Sequential") for each in lineage(receiver.cls)
            )
        return fit.name.startswith("keras.Model.") or self._compiles.is_compiled(receiver)

    def has_own_training(self, fit: Call) -> bool:
        """Whether the class of the model may say itself what is logged."""
        return self._overrides(fit, (*_OWN_TRAINING, *_OWN_TESTING))

    def is_plain(self, fit: Call) -> bool:
        """Whether the model surely is one that logs as Keras does."""
        receiver = itself(fit.result.receiver)
        if isinstance(receiver, Instance):
            return not self.has_own_training(fit)
        is_made = isinstance(receiver, Result) and receiver.op == "call" and receiver.keyword("custom_objects") is None
        return is_made and receiver.name.startswith((*_MODELS, "keras.applications."))  # type: ignore[union-attr]

    def _trained(self, fit: Call, line: KerasLine, way: Guards) -> Logged:
        receiver = itself(fit.result.receiver)
        if receiver is None or self._overrides(fit, _OWN_TRAINING) or self._adds_metrics:
            return ANYTHING
        outputs = self._outputs.of(receiver, line)
        ways = [
            ANYTHING if compiled is None else Asked(self._run, compiled, line, way).names(outputs)
            for compiled in self._compiles.at(fit, way)
        ]
        return together([either(ways), self._kept(receiver, line)])

    @cached_property
    def _adds_metrics(self) -> bool:
        """Whether a model or layer of the program adds values on its own."""
        if any(call.result.method in _ADDS for call in self._run.calls) or any(True for _ in self._run.asked(*_ADDS)):
            return True
        return any(
            isinstance(node, ast.Attribute) and node.attr in _ADDS
            for cls in self._run.machine.instances
            for node in ast.walk(cls.node)
        )

    def _overrides(self, fit: Call, methods: tuple[str, ...]) -> bool:
        receiver = itself(fit.result.receiver)
        if not isinstance(receiver, Instance):
            return False
        own = [each for each in lineage(receiver.cls) if isinstance(each, Class)]
        known = any(getattr(each, "name", "") in ("keras.Model", "keras.Sequential") for each in lineage(receiver.cls))
        return not known or any(name in each.frame.own for each in own for name in methods)

    def _kept(self, model: Object, line: KerasLine) -> Logged:
        """Metrics in attributes of the model; those of layers of the program perhaps, as it may not hold them."""
        found: list[Logged] = []
        for store in self._run.stores:
            if (
                not isinstance(store.owner, Instance)
                or not store.owner.made
                or not all(self._names.is_metric(each) for each in store.value)
            ):
                continue
            names = together(self._names.of(each, line) for each in store.value)
            if store.owner is model:
                found.append(names)
            elif any(
                getattr(e, "name", "").startswith(("keras.layers.", "keras.Model", "keras.Layer"))
                for e in lineage(store.owner.cls)
            ):
                found.append(maybe(names))
        return together(found)

    # -- validation -------------------------------------------------------------------------------------------------

    def validates(self, fit: Call, way: Guards = frozenset()) -> Answer:
        """Whether a fit has validation data."""
        if hides_arguments(fit):
            return "unknown"
        here = way | fit.context.guards
        answers = (
            self._given(fit_argument(fit, "validation_data"), here),
            self._split(fit_argument(fit, "validation_split"), here),
        )
        return "yes" if "yes" in answers else "unknown" if "unknown" in answers else "no"

    def _given(self, value: Value | None, way: Guards) -> Answer:
        if value is None:
            return "no"
        answers: set[Answer] = {_is_data(option.object) for option in options(value, way)}
        return answers.pop() if len(answers) == 1 else "unknown"

    def _split(self, value: Value | None, way: Guards) -> Answer:
        if value is None:
            return "no"
        found = {bool(each.object.value) if isinstance(each.object, Constant) else None for each in options(value, way)}
        return {True: "yes", False: "no"}.get(found.pop(), "unknown") if len(found) == 1 else "unknown"  # type: ignore[arg-type,return-value]

    # -- callbacks --------------------------------------------------------------------------------------------------

    def added(self, fit: Call, line: KerasLine = "3.10+") -> Logged:
        """The names that callbacks add."""
        listed = self._lists.of(fit)
        found = [self._by(member, line) for member in listed.members]
        return together([*found, NOTHING if listed.complete else ANYTHING])

    def _by(self, member: Member, line: KerasLine) -> Logged:
        written = written_by(self._run, member.object)
        if member.kind not in _RATES:
            return written
        rate = named("lr" if line == "2" else "learning_rate")
        return together([written, maybe(rate) if member.guards else rate])


def _is_data(found: Object) -> Answer:
    """Whether an object surely is something, or surely None."""
    if isinstance(found, Constant):
        return "no" if found.value is None else "yes"
    if isinstance(found, (Tuple, Container, Instance, Generator)):
        return "yes"
    known = isinstance(found, Result) and found.op == "call" and callers.is_known(found.name)
    return "yes" if known and not isinstance(found, Setting) else "unknown"
