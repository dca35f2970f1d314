"""What speaks for a receiver being a Keras model, and for code that is kept for an older Keras."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import runs_off
from seqlint.facts.code.methods import method_calls
from seqlint.facts.code.scopes import dotted, positional
from seqlint.facts.training.version_branches import VersionBranches
from seqlint.facts.values.values import bound
from seqlint.knowledge.canonical_names import MODEL
from seqlint.knowledge.other_frameworks import LOADERS
from seqlint.knowledge.signatures import SIGNATURES

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Scope
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.model_evidence import ModelEvidence
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

_OF_OTHERS = frozenset(
    {"KeyboardInterrupt", "SystemExit", "MemoryError", "OSError", "FileNotFoundError", "ResourceExhaustedError"}
)
"""What no Keras raises for an argument or a method that it lacks."""
_COMPILE = frozenset({"loss", "optimizer", "metrics"})


class Evidence:
    """Weighs what a file says about the receivers of trainer calls."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        classes: Classes,
        training: Training,
        model_evidence: ModelEvidence,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._model_evidence = model_evidence
        self._version_branches = VersionBranches(tree, names, values, classes)
        self._models: dict[TrainerCall, Answer] = {}

    @property
    def imports_keras(self) -> bool:
        """Whether the file imports Keras or TensorFlow anywhere."""
        return self._model_evidence.imports_keras

    @property
    def imports_others(self) -> bool:
        """Whether the file imports another library with models of its own."""
        return self._model_evidence.others

    def model(self, call: TrainerCall) -> Answer:
        """Whether the receiver of a call is a Keras model, and the method Keras's own.

        "yes": it is made as one or compiled as one; or it is called as no other library's model is, and nothing speaks
        against it. A name alone never decides.
        """
        if call not in self._models:
            self._models[call] = self._model(call)
        return self._models[call]

    def _model(self, call: TrainerCall) -> Answer:
        if self._defines(call):
            return "no"
        if call.model != "unknown":
            return call.model
        if (above := self._above(call)) is not None:
            return above.is_a("model")
        if self._compiled(call):
            return "yes"
        against = self._model_evidence.named_otherwise(call) or self._is_of_unseen_class(call)
        return "yes" if not against and self._has_signs(call) else "unknown"

    def may_be_model(self, call: TrainerCall) -> bool:
        """Whether a receiver is a Keras model, or is one for all that a file that uses Keras says: nothing speaks against it."""
        if (answer := self.model(call)) != "unknown":
            return answer == "yes"
        if not self._model_evidence.of_keras or self._model_evidence.others or self._is_of_unseen_class(call):
            return False
        return not self._model_evidence.named_otherwise(call) or self._model_evidence.strong(call)

    def _has_signs(self, call: TrainerCall) -> bool:
        return self._model_evidence.strong(call) or (
            self._model_evidence.weak(call) and not self._made_externally(call.receiver)
        )

    def _is_of_unseen_class(self, call: TrainerCall) -> bool:
        """Whether the receiver may well be an instance of a class with a method of its own by the name."""
        if self._may_be_wrapper(call):
            return True
        return self._made_externally(call.receiver) and not self._model_evidence.named(call)

    def _defines(self, call: TrainerCall) -> bool:
        """Whether the class of the receiver is seen and has a method of its own by this name."""
        if (above := self._above(call)) is not None:
            return any(call.method in base.methods for base in above.lineage[1:])
        own = self._values.self_class(call.receiver)
        owners = (self._classes.of(own),) if own is not None else self._training.classes_of(call.receiver)
        return any(owner is not None and owner.method(call.method) is not None for owner in owners)

    def _above(self, call: TrainerCall) -> ClassFacts | None:
        """The class in which `super().fit(...)` stands."""
        receiver = call.receiver
        if not isinstance(receiver, cst.Call) or self._names.qualified(receiver.func) != "builtins.super":
            return None
        owner = self._tree.enclosing(call.node, cst.ClassDef)
        return self._classes.of(owner) if owner is not None else None

    def _compiled(self, call: TrainerCall) -> bool:
        """Whether the file compiles the same object as Keras does: with a loss, an optimizer or metrics."""
        if not self._model_evidence.of_keras:
            return False
        return any(self._is_same(receiver, call.receiver) for receiver in self._compiles)

    @cached_property
    def _compiles(self) -> tuple[cst.BaseExpression, ...]:
        """What the file compiles as Keras does."""
        found = (_compiled(node) for node in method_calls(self._tree, ("compile",)))
        return tuple(receiver for receiver in found if receiver is not None)

    def _is_same(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions read one variable, or one call makes both."""
        if dotted(one) and dotted(one) == dotted(other) and self._homes(one) & self._homes(other):
            return True
        made = [value for value in self._values.of(one) if isinstance(value, cst.Call)]
        return any(value is found for value in made for found in self._values.of(other))

    def _homes(self, node: cst.BaseExpression) -> frozenset[Scope | ClassFacts]:
        """Where the first name of a dotted one belongs: its scope, or for a `self` its class and those above."""
        while isinstance(node, cst.Attribute):
            node = node.value
        if (owner := self._values.self_class(node)) is not None:
            return frozenset(self._classes.of(owner).lineage)
        home = self._names.scope(node).home(node.value) if isinstance(node, cst.Name) else None
        return frozenset({home}) if home is not None else frozenset()

    def _may_be_wrapper(self, call: TrainerCall) -> bool:
        """Whether the receiver can be an instance of a class of this file that is no model, as far as one can see."""
        if self._values.self_class(call.receiver) is not None:
            return True
        if any(owner is not None for owner in self._training.classes_of(call.receiver)):
            return True
        own = (owner.methods.get(call.method) for owner in self._classes.all)
        return any(method is not None and _can_take(method, call.node) for method in own)

    def _made_externally(self, receiver: cst.BaseExpression) -> bool:
        """Whether a class of another module makes the receiver, as far as its name tells, or it is unpickled."""
        for value in self._values.of(receiver):
            if not isinstance(value, cst.Call):
                continue
            # A name that no code seen binds may be a class, too.
            name = self._names.qualified(value.func) or dotted(value.func)
            if name.rpartition(".")[2][:1].isupper() or name.partition(".")[0] in LOADERS:
                return True
        return False

    def several_inputs(self, receiver: cst.BaseExpression) -> bool:
        """Whether a model evidently has several inputs; where its making is unseen, whether any model here has."""
        values = self._values.of(receiver)
        made = [value for value in values if isinstance(value, cst.Call)]
        if len(made) != len(values) or not all(self._model_maker(value) for value in made):
            made = [*self._tree.all(cst.Call)]
        return any(self._takes_several(value) for value in made)

    def _model_maker(self, value: cst.Call) -> bool:
        definition = self._names.definition(value.func)
        return isinstance(definition, cst.ClassDef) or self._names.qualified(value.func) in MODEL

    def _takes_several(self, value: cst.Call) -> bool:
        definition = self._names.definition(value.func)
        if isinstance(definition, cst.ClassDef):
            method = self._classes.of(definition).method("call")
            return method is not None and self._unpacks(method[1])
        if self._names.qualified(value.func) != "keras.Model":
            return False
        inputs = bound(value, ("inputs", "outputs")).get("inputs")
        made = self._values.only(inputs.value) if inputs is not None else None
        return isinstance(made, (cst.List, cst.Tuple, cst.Dict)) and len(made.elements) > 1

    def _unpacks(self, function: cst.FunctionDef) -> bool:
        """Whether `call(self, inputs)` unpacks its inputs: `a, b = inputs`, `inputs[0]`, `inputs["left"]`."""
        taken = positional(function.params)
        if len(taken) < 2:
            return False
        name = taken[1].name.value
        parts = [node.value for node in self._tree.inside(function.body, cst.Subscript) if _is_key(node)]
        for node in self._tree.inside(function.body, cst.Assign):
            if isinstance(node.targets[0].target, (cst.Tuple, cst.List)):
                parts.append(node.value)
        return any(isinstance(part, cst.Name) and part.value == name for part in parts)

    def guarded(self, node: cst.CSTNode) -> bool:
        """Whether code stands in a branch on versions or features, or in a `try` of its function that trains in two ways."""
        inside = True
        for found in self._tree.ancestors(node):
            inside = inside and not isinstance(found, (cst.FunctionDef, cst.ClassDef))
            if isinstance(found, (cst.If, cst.IfExp)) and self._version_branches.asks(found.test):
                return True
            if inside and isinstance(found, cst.Try) and self._has_both(found, node):
                return True
        return False

    def for_one_keras(self, node: cst.CSTNode) -> bool:
        """Whether code is kept for some lines of Keras alone: in such a branch, or below one that leaves."""
        if self.guarded(node):
            return True
        function = self._tree.function(node)
        above = self._tree.inside(function.body, cst.If) if function is not None else ()
        return any(
            not self._tree.holds(found, node)
            and self._tree.holds(self._tree.block(found), node)
            and self._tree.order.precedes(found, node)
            and not runs_off(found.body)
            and self._version_branches.asks(found.test)
            for found in above
        )

    def _has_both(self, found: cst.Try, node: cst.CSTNode) -> bool:
        """Whether the `try` and a handler each train: one of them is for another Keras."""
        handlers = [handler.body for handler in found.handlers if not _is_of_others(handler)]
        if self._tree.holds(found.body, node):
            return any(self._trains(body) for body in handlers)
        return any(self._tree.holds(body, node) for body in handlers) and self._trains(found.body)

    def _trains(self, body: cst.CSTNode) -> bool:
        calls = self._tree.inside(body, cst.Call)
        return any(isinstance(call.func, cst.Attribute) and call.func.attr.value in SIGNATURES for call in calls)


def _is_of_others(handler: cst.ExceptHandler) -> bool:
    """Whether a handler is for what says nothing of the version: Ctrl-C, memory."""
    if isinstance(handler.type, cst.Tuple):
        caught = [element.value for element in handler.type.elements]
    else:
        caught = [handler.type] if handler.type is not None else []
    return bool(caught) and all(dotted(each).rpartition(".")[2] in _OF_OTHERS for each in caught)


def _can_take(method: cst.FunctionDef, call: cst.Call) -> bool:
    """Whether a method has a parameter for every argument of a call."""
    params = method.params
    names = {each.name.value for each in (*params.params, *params.kwonly_params)}
    named = {argument.keyword.value for argument in call.args if argument.keyword is not None}
    plain = [argument for argument in call.args if argument.keyword is None and not argument.star]
    places = len(positional(params)) - 1
    if params.star_kwarg is None and not named <= names:
        return False
    return isinstance(params.star_arg, cst.Param) or len(plain) <= places


def _compiled(node: cst.Call) -> cst.BaseExpression | None:
    """`model` for `model.compile(loss=…)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    given = {argument.keyword.value for argument in node.args if argument.keyword is not None}
    return node.func.value if given & _COMPILE else None


def _is_key(node: cst.Subscript) -> bool:
    """`inputs[0]` and `inputs["left"]`, not `inputs[:, 0]`."""
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return False
    return isinstance(node.slice[0].slice.value, (cst.Integer, cst.SimpleString))
