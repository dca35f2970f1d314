"""The names under which each fit logs its values: what `compile` asks for, what the model and callbacks add, `val_` forms.

Measured with small fits on Keras 3.15.1, Keras 3.3.3 and tf-keras 2.21; the names of single metrics are in `metric_names`:

- "loss" is always there, also when only `add_loss` gives one, unless the model has a `train_step` of its own.
- With one output its name is not used. With several, metrics are "<output>_<metric>". On Keras 2 a flat list goes to every output;
  on Keras 3 it is one for each, and another length is an error. On Keras 3 the outputs of a subclassed model that returns a tuple
  have no names, and their metrics no prefix; on Keras 2 they are "output_1", "output_2".
- "<output>_loss" comes with several losses: on Keras 2 for each output that has one, on Keras 3.15 if there are at least two, on
  Keras 3.3 never.
- Metrics that a model, or a layer of it, keeps in an attribute are logged under their names; with a `metrics` property only those
  of the property.
- ReduceLROnPlateau and LearningRateScheduler add "lr" on Keras 2 and "learning_rate" on Keras 3.
- With validation data every name comes with "val_" too. `validation_split=0.0` gives none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.metrics.asked import Asked
from seqlint.facts.metrics.logged import ANYTHING, NOTHING, VALIDATION, Logged, either, maybe, named, prefixed, together

if TYPE_CHECKING:
    from seqlint.facts.callbacks.logs import Logs
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.allocation_sites import AllocationSites
    from seqlint.facts.flow.lists import Lists
    from seqlint.facts.metrics.compiles import Compile, Compiles, Reaching
    from seqlint.facts.metrics.metric_names import MetricNames
    from seqlint.facts.metrics.outputs import ModelOutputs
    from seqlint.facts.training.callback_lists import CallbackLists, Listed
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Value, Values
    from seqlint.model import KerasLine

FITS = ("fit", "fit_generator")
_OWN_TRAINING = ("train_step", "make_train_function", "train_function", "fit", "compile", "get_metrics_result", "compute_metrics",
                 "metrics", "compute_loss_and_metrics")  # fmt: skip
_OWN_TESTING = ("test_step", "make_test_function", "evaluate")
_RATES = frozenset({"keras.callbacks.ReduceLROnPlateau", "keras.callbacks.LearningRateScheduler"})
_QUIET = ("keras.callbacks.", "tensorflow_addons.callbacks.", "tqdm.", "wandb.", "horovod.keras.callbacks.BroadcastGlobalVariables",
          "horovod.keras.callbacks.MetricAverage")  # fmt: skip
_HOROVOD = "horovod.keras.callbacks.LearningRate"
_LAYERS = "keras.layers."


class Metrics:
    """What the fits of a file log."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, training: Training, compiles: Compiles,
        metric_names: MetricNames, outputs: ModelOutputs, allocation_sites: AllocationSites, lists: Lists, callbacks: CallbackLists,
        logs: Logs,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._compiles = compiles
        self._metric_names = metric_names
        self._outputs = outputs
        self._allocation_sites = allocation_sites
        self._callbacks = callbacks
        self._logs = logs
        self._asked = Asked(values, metric_names, lists)
        self._known: dict[tuple[TrainerCall, KerasLine], Logged] = {}

    @property
    def compiles(self) -> tuple[Compile, ...]:
        """Every `compile` of the file that may be one of a model."""
        return self._compiles.all

    def compiled(self, call: TrainerCall) -> Reaching:
        """The `compile` calls of which one holds when a trainer call runs; None for one that is not in sight."""
        return self._compiles.reaching(call)

    def logs(self, call: TrainerCall, line: KerasLine) -> Logged:
        """The names in the `logs` of a fit at the end of an epoch, on a line of Keras; nothing is known of other calls."""
        if (call, line) not in self._known:
            self._known[call, line] = self._of(call, line) if call.method in FITS else ANYTHING
        return self._known[call, line]

    def _of(self, call: TrainerCall, line: KerasLine) -> Logged:
        train = self._trained(call, line)
        test = ANYTHING if self._overrides(call, _OWN_TESTING) else train
        found = [train, self._added(call, line)]
        validates = self.validates(call)
        if validates != "no":
            values = prefixed(VALIDATION, test)
            found.append(values if validates == "yes" else maybe(values))
        return together(found)

    def validates(self, call: TrainerCall) -> Answer:
        """Whether a fit has validation data."""
        if any(argument.star for argument in call.node.args):
            return "unknown"
        answers = (self._given(call.value("validation_data")), self._split(call.value("validation_split")))
        return "yes" if "yes" in answers else "unknown" if "unknown" in answers else "no"

    def _given(self, value: cst.BaseExpression | None) -> Answer:
        if value is None:
            return "no"
        answers: set[Answer] = set()
        for leaf in self._allocation_sites.of(value):
            node = leaf.node if leaf is not None else None
            nothing = isinstance(node, cst.Name) and node.value == "None"
            answers.add("unknown" if node is None else "no" if nothing else "yes")
        return answers.pop() if len(answers) == 1 else "unknown"

    def _split(self, value: cst.BaseExpression | None) -> Answer:
        if value is None:
            return "no"
        constant = self._values.constant(value)
        return "unknown" if constant is None else "yes" if constant.value else "no"

    # -- what is compiled -------------------------------------------------------------------------------------------

    def _trained(self, call: TrainerCall, line: KerasLine) -> Logged:
        if self._overrides(call, _OWN_TRAINING):
            return ANYTHING
        outputs = self._outputs.of(call.receiver, line)
        ways = [
            ANYTHING if compiled is None else self._asked.of(compiled, outputs, line)
            for compiled in self.compiled(call)
        ]
        return together([either(ways), self._kept(call, line)])

    def _overrides(self, call: TrainerCall, methods: tuple[str, ...]) -> bool:
        """Whether the class of the model may have a method of its own that decides what is logged."""
        owners = self._owners(call)
        if any(not owner.lineage_is_known or any(owner.method(name) for name in methods) for owner in owners):
            return True
        if self._values.self_class(call.receiver) is not None:
            return False
        return not all(
            leaf is not None and self._is_plain(leaf.node) for leaf in self._allocation_sites.of(call.receiver)
        )

    def _owners(self, call: TrainerCall) -> tuple[ClassFacts, ...]:
        """The classes of this file that the model can be an instance of."""
        own = self._values.self_class(call.receiver)
        if own is not None:
            return (self._classes.of(own),)
        made = (leaf.node for leaf in self._allocation_sites.of(call.receiver) if leaf is not None)
        found = (self._names.definition(node.func) if isinstance(node, cst.Call) else None for node in made)
        return tuple(self._classes.of(node) for node in dict.fromkeys(found) if isinstance(node, cst.ClassDef))

    def _is_plain(self, value: Value) -> bool:
        """Whether a model is of a class of Keras or of this file."""
        if not isinstance(value, cst.Call):
            return False
        if isinstance(self._names.definition(value.func), cst.ClassDef):
            return True
        name = self._names.qualified(value.func) or ""
        return name in ("keras.Model", "keras.Sequential") or name.startswith("keras.applications.")

    # -- what the model adds ----------------------------------------------------------------------------------------

    def _kept(self, call: TrainerCall, line: KerasLine) -> Logged:
        """Metrics in attributes of the model; those of layers of this file perhaps, as it may not hold them."""
        own = self._values.self_class(call.receiver)
        owners = (
            [self._classes.of(own)] if own is not None else [o for o in self._training.classes_of(call.receiver) if o]
        )
        found = [self._attributes(owner, line) for owner in owners]
        layers = [owner for owner in self._classes.all if owner not in owners and self._is_part(owner)]
        found += [maybe(self._attributes(owner, line)) for owner in layers]
        if line == "2" and self._tree.attributes("add_metric"):
            found.append(ANYTHING)
        return together(found)

    def _is_part(self, owner: ClassFacts) -> bool:
        """Whether a layer or model of this file may be a part of another model."""
        if owner.is_a("model") != "yes" and not any(base.startswith(_LAYERS) for base in owner.external_bases):
            return False
        return bool(self._training.instances(owner))

    def _attributes(self, owner: ClassFacts, line: KerasLine) -> Logged:
        found: list[Logged] = []
        for holder in owner.lineage:
            for node in self._tree.inside(holder.node, cst.Attribute):
                stored = self._values.stored(node) if self._values.self_class(node.value) is holder.node else None
                value = self._values.only(stored[0]) if stored is not None and stored[0] is not None else None
                if isinstance(value, cst.Call) and self._is_metric(value):
                    found.append(self._metric_names.of(value, line))
        return together(found)

    def _is_metric(self, call: cst.Call) -> bool:
        definition = self._names.definition(call.func)
        if isinstance(definition, cst.ClassDef):
            return self._classes.of(definition).is_a("metric") == "yes"
        name = self._names.qualified(call.func) or ""
        return name.startswith("keras.metrics.") and name.rpartition(".")[2][:1].isupper()

    # -- what callbacks add -----------------------------------------------------------------------------------------

    def _added(self, call: TrainerCall, line: KerasLine) -> Logged:
        argument = self._callbacks.argument(call)
        if argument is None:
            unpacked = any(found.star for found in call.node.args)
            return ANYTHING if unpacked else NOTHING
        lists = [found for found in self._callbacks.all if found.fit is call]
        return together(self._by(member, line) for found in lists for member in found.members)

    def _by(self, member: Listed, line: KerasLine) -> Logged:
        if member.owner is not None and member.owner.lineage_is_known:
            found = self._written()
        elif member.name is not None and member.name.startswith(_QUIET):
            found = NOTHING
        elif member.name is not None and member.name.startswith(_HOROVOD):
            return maybe(named("lr"))
        else:
            return ANYTHING
        if not member.bases & _RATES:
            return found
        rate = named("lr" if line == "2" else "learning_rate")
        return together([found, maybe(rate) if member.conditions else rate])

    def _written(self) -> Logged:
        """The keys that callbacks of this file put into `logs`."""
        keys = self._logs.written
        return ANYTHING if None in keys else maybe(named(*(key for key in keys if key is not None)))
