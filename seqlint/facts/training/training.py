"""Calls that train, evaluate or predict, the model they are called on, and what reaches them in which role."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.methods import method_calls
from seqlint.facts.code.tree import is_none, is_super
from seqlint.facts.training.input_kinds import InputKinds
from seqlint.facts.values.looped import Looped
from seqlint.facts.values.values import bound
from seqlint.knowledge.canonical_names import canonical
from seqlint.knowledge.other_frameworks import OTHER_MODELS
from seqlint.knowledge.signatures import SIGNATURES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values

Role = Literal["train", "validation", "evaluate", "predict"]

MAX_WRAPS = 3
_MAKERS = (
    "keras.load_model",
    "keras.clone_model",
    "keras.model_from_json",
    "keras.model_from_yaml",
    "keras.saving.load_model",
)


@dataclass(frozen=True, eq=False)
class TrainerCall:
    """A call such as `model.fit(...)` or `model.predict_generator(...)`.

    Attributes:
        method: the name as written.
        model: whether the receiver is made as a Keras model; `Evidence.model` weighs all else that is known of it.
        arguments: by parameter, bound by position or keyword.
    """

    node: cst.Call
    receiver: cst.BaseExpression
    method: str
    model: Answer
    arguments: dict[str, cst.Arg]

    @property
    def data(self) -> cst.BaseExpression | None:
        """What is trained on, evaluated or predicted."""
        argument = self.arguments.get("generator") if self.method.endswith("_generator") else self.arguments.get("x")
        return argument.value if argument is not None else None

    def value(self, name: str) -> cst.BaseExpression | None:
        """The expression given for a parameter."""
        argument = self.arguments.get(name)
        return argument.value if argument is not None else None

    @property
    def feeds(self) -> tuple[tuple[Role, cst.BaseExpression], ...]:
        """The data of the call with the role of each."""
        role: Role = "train"
        if self.method.startswith(("evaluate", "test")):
            role = "evaluate"
        if self.method.startswith("predict"):
            role = "predict"
        found: list[tuple[Role, cst.BaseExpression]] = [(role, self.data)] if self.data is not None else []
        if (validation := self.value("validation_data")) is not None:
            found.append(("validation", validation))
        return tuple(found)


class Training:
    """The trainer calls of a file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls
        self._looped = Looped(tree, names, values)

    @cached_property
    def calls(self) -> tuple[TrainerCall, ...]:
        """Every call of a method with a trainer's name whose receiver is not known to be something else."""
        found = (self._trainer_call(node) for node in method_calls(self._tree, SIGNATURES))
        return tuple(call for call in found if call is not None and call.model != "no")

    def at(self, span: tuple[int, int]) -> TrainerCall | None:
        """The call at a span, in bytes."""
        return self._by_span.get(span)

    @cached_property
    def _by_span(self) -> dict[tuple[int, int], TrainerCall]:
        return {self._tree.span(call.node): call for call in self.calls}

    def _trainer_call(self, node: cst.Call) -> TrainerCall | None:
        func = node.func
        if not isinstance(func, cst.Attribute):
            return None
        method = func.attr.value
        model = self.is_model(func.value, method)
        return TrainerCall(node, func.value, method, model, bound(node, SIGNATURES[method]))

    def is_model(self, receiver: cst.BaseExpression, method: str = "fit") -> Answer:
        """Whether an expression is a Keras model."""
        owner = self._values.self_class(receiver)
        if owner is not None:
            return self._self_is_model(self._classes.of(owner), method)
        if is_super(receiver):
            return "unknown"
        if self._is_callbacks_model(receiver):
            return "yes"
        answers = {self._is_made_as_model(each) for each in self._looped.of(receiver) or (receiver,)}
        return answers.pop() if len(answers) == 1 else "unknown"

    def _is_made_as_model(self, receiver: cst.BaseExpression) -> Answer:
        # `self.model = None` is where it starts: nothing is called on that.
        values = [value for value in self._values.through_properties(receiver) if not is_none(value)]
        answers = {self._value_is_model(value) for value in values}
        return answers.pop() if len(answers) == 1 else "unknown"

    def _self_is_model(self, owner: ClassFacts, method: str) -> Answer:
        if owner.is_a("model") == "yes":
            return "yes"
        if owner.method(method) is not None or owner.is_a("model") == "no":
            return "no"
        return "unknown"

    def _is_callbacks_model(self, receiver: cst.BaseExpression) -> bool:
        """`self.model` in a Callback: Keras sets it."""
        if not isinstance(receiver, cst.Attribute) or receiver.attr.value != "model":
            return False
        owner = self._values.self_class(receiver.value)
        return owner is not None and self._classes.of(owner).is_a("callback") == "yes"

    def _value_is_model(self, value: cst.BaseExpression | None) -> Answer:
        if value is None:
            return "unknown"
        if not isinstance(value, cst.Call):
            name = self._names.qualified(value)
            return "no" if name is not None and not name.startswith("keras.") else "unknown"
        definition = self._names.definition(value.func)
        if isinstance(definition, cst.ClassDef):
            return self._classes.of(definition).is_a("model")
        name = self._names.qualified(value.func)
        if name is None:
            return "unknown"
        answers = {self._makes_model(each) for each in self._classes.kinds.made(name) or (name,)}
        return answers.pop() if len(answers) == 1 else "unknown"

    def _makes_model(self, name: str) -> Answer:
        """Whether a call of a class, or of a function of a library, gives a model."""
        known = canonical(name)
        if known in _MAKERS or known.startswith("keras.applications."):
            return "yes"
        kind = self._classes.kinds.of_name(known, "model")
        return "no" if kind == "unknown" and self._foreign(known) else kind

    def made(self, call: cst.Call) -> tuple[str, ...]:
        """What a call of a function of another file of the project gives, by the names of what makes it; empty where that is unknown."""
        return self._classes.kinds.made(self._names.qualified(call.func))

    def _foreign(self, name: str) -> bool:
        """A library that is surely not Keras: its `fit` is another one."""
        root = name.partition(".")[0]
        return root in ("torch", "numpy", "scipy", "pandas") or root in OTHER_MODELS

    # -- what reaches a call ----------------------------------------------------------------------------------------

    def instances(self, owner: ClassFacts) -> tuple[cst.Call, ...]:
        """The calls in this file that surely make an instance of exactly this class."""
        return tuple(self._made.get(owner.node, ()))

    @cached_property
    def _made(self) -> dict[cst.CSTNode, list[cst.Call]]:
        """The calls of the classes and functions of this file, by what is called."""
        found: dict[cst.CSTNode, list[cst.Call]] = {}
        for node in self._tree.all(cst.Call):
            definition = self._names.definition(node.func)
            if definition is not None:
                found.setdefault(definition, []).append(node)
        return found

    def class_of(self, node: cst.BaseExpression) -> ClassFacts | None:
        """The class of this file that an expression is surely an instance of, where it is not None yet."""
        found = {self._made_by(value) for value in self._values.of(node) if not is_none(value)}
        return found.pop() if len(found) == 1 else None

    def classes_of(self, node: cst.BaseExpression) -> tuple[ClassFacts | None, ...]:
        """The classes that an expression can be an instance of; None for what is unknown."""
        return tuple(dict.fromkeys(self._made_by(value) for value in self._values.of(node)))

    def _made_by(self, value: cst.BaseExpression | None) -> ClassFacts | None:
        if not isinstance(value, cst.Call):
            return None
        definition = self._names.definition(value.func)
        return self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None

    def is_sequence(self, node: cst.BaseExpression) -> Answer:
        """Whether an expression is an instance of a Sequence or PyDataset, of this file, the project or Keras."""
        answers = {self._value_is_sequence(value) for value in self._values.of(node)}
        return answers.pop() if len(answers) == 1 else "unknown"

    def _value_is_sequence(self, value: cst.BaseExpression | None) -> Answer:
        if not isinstance(value, cst.Call):
            return "unknown" if value is None or self._names.qualified(value) is None else "no"
        definition = self._names.definition(value.func)
        if definition is not None and not isinstance(definition, cst.ClassDef):
            return "no" if self._values.is_generator(definition) else "unknown"
        return self.class_is_sequence(value.func)

    def class_is_sequence(self, node: cst.BaseExpression) -> Answer:
        """Whether what an expression names makes Sequences or PyDatasets when it is called."""
        definition = self._names.definition(node)
        if isinstance(definition, cst.ClassDef):
            return self._classes.of(definition).is_a("sequence")
        return self._classes.kinds.of_made(self._names.qualified(node), "sequence")

    def fed(self, owner: ClassFacts) -> tuple[tuple[TrainerCall, Role], ...]:
        """The trainer calls that an instance of the class, or of a class made from it, can reach, with its role there.

        Also in a list, or through a Sequence that wraps it: `fit(Chained([Feed(a), Feed(b)]))`.
        """
        found: list[tuple[TrainerCall, Role]] = []
        for call in self.calls:
            for role, data in call.feeds:
                if any(owner in made.lineage for made in self._held(data, MAX_WRAPS)):
                    found.append((call, role))
        return tuple(found)

    def keeps_order(self, owners: Iterable[ClassFacts]) -> bool:
        """Whether the fits that are seen leave the batches of instances in their order; by default they draw one, by how many there are."""
        return all(self._keeps_order(owner) for owner in owners)

    def _keeps_order(self, owner: ClassFacts) -> bool:
        calls = self.fed(owner)
        told = [call.value("shuffle") for call, role in calls if role == "train"]
        return bool(calls) and all(isinstance(value, cst.Name) and value.value == "False" for value in told)

    def fits_on(self, owner: ClassFacts) -> bool:
        """Whether a fit of the file trains on an instance of the class."""
        return any(call.method in ("fit", "fit_generator") and role == "train" for call, role in self.fed(owner))

    def _held(self, data: cst.BaseExpression, wraps: int) -> list[ClassFacts]:
        """The classes of an expression, of the elements of a list, and of what is handed to a Sequence of this file."""
        found = [made for made in self.classes_of(data) if made is not None]
        if wraps == 0:
            return found
        held = self._input_kinds.collected(data)
        parts = list(held.elements) if held is not None else []
        for value in self._values.of(data):
            made = self._made_by(value)
            if isinstance(value, cst.Call) and made is not None and made.is_a("sequence") == "yes":
                parts += [argument.value for argument in value.args]
        return [*found, *(inner for part in parts for inner in self._held(part, wraps - 1))]

    @cached_property
    def _input_kinds(self) -> InputKinds:
        return InputKinds(self._tree, self._names, self._values, self, self._calls)
