"""What speaks for a receiver being a Keras model, and for code that is kept for an older Keras."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.facts.code.vocabulary import MODEL, canonical
from seqlint.facts.training.training import SIGNATURES
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.project import Project
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

Belief = Literal["yes", "likely", "open", "no"]

_MODEL = re.compile(r"(?:^model|models?|nets?|networks?|autoencoder|discriminator|critic)(?:_?\d+)?$", re.IGNORECASE)
_GUARD = re.compile(r"version|hasattr|signature|keras_?[23]|legacy|is_?tf_?[12]", re.IGNORECASE)
_ESTIMATORS = frozenset({"sklearn", "xgboost", "lightgbm", "catboost", "statsmodels"})


class Evidence:
    """Weighs what a file says about the receivers of trainer calls."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, training: Training, project: Project | None
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._project = project

    @cached_property
    def imports_keras(self) -> bool:
        """Whether the file imports Keras or TensorFlow anywhere."""
        modules = [dotted(alias.name) for node in self._tree.all(cst.Import) for alias in node.names]
        modules += [
            dotted(node.module)
            for node in self._tree.all(cst.ImportFrom)
            if node.module is not None and not node.relative
        ]
        return any(canonical(module).partition(".")[0] in ("keras", "tensorflow") for module in modules)

    def model(self, call: TrainerCall) -> Belief:
        """Whether the receiver of a call is a Keras model, and the method Keras's own.

        "likely": it is compiled like one, or called like one and nothing speaks against it. "open": nothing speaks
        for or against it.
        """
        if self._defines(call):
            return "no"
        if call.model != "unknown":
            return call.model
        if (above := self._above(call)) is not None:
            return "yes" if above.is_a("model") == "yes" else "no"
        if self._compiled(call):
            return "likely"
        if self._may_be_wrapper(call):
            return "no"
        named = _MODEL.search(_identifier(call.receiver)) is not None
        if self._made_elsewhere(call.receiver):
            return "open" if named else "no"
        return "likely" if named else "open"

    def runs_model(self, call: TrainerCall) -> bool:
        """Whether a call surely runs a Keras model, or likely does and no other library with such methods is in sight."""
        belief = self.model(call)
        if belief == "open":  # no other library that is in wide use has these
            return call.method in ("train_on_batch", "test_on_batch")
        return belief == "yes" or (belief == "likely" and not self._imports_estimators)

    @cached_property
    def _imports_estimators(self) -> bool:
        modules = [dotted(alias.name) for node in self._tree.all(cst.Import) for alias in node.names]
        modules += [dotted(node.module) for node in self._tree.all(cst.ImportFrom) if node.module is not None]
        return any(module.partition(".")[0] in _ESTIMATORS for module in modules)

    def _defines(self, call: TrainerCall) -> bool:
        """Whether the class of the receiver is in sight and has a method of its own by this name."""
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
        """Whether the file calls `compile(loss=…)` or `compile(optimizer=…)` on the same name."""
        text = dotted(call.receiver)
        return bool(text) and any(self._compiles(node, text) for node in self._tree.all(cst.Call))

    def _compiles(self, node: cst.Call, text: str) -> bool:
        func = node.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "compile" or dotted(func.value) != text:
            return False
        return any(
            argument.keyword is not None and argument.keyword.value in ("loss", "optimizer") for argument in node.args
        )

    def _may_be_wrapper(self, call: TrainerCall) -> bool:
        """Whether the receiver can be an instance of a class of this file that is no model, as far as one can see."""
        if self._values.self_class(call.receiver) is not None:
            return True
        if any(owner is not None for owner in self._training.classes_of(call.receiver)):
            return True
        return any(call.method in owner.methods for owner in self._classes.all)

    def _made_elsewhere(self, receiver: cst.BaseExpression) -> bool:
        """Whether a class of another module makes the receiver, as far as its name tells."""
        for value in self._values.of(receiver):
            name = self._names.qualified(value.func) if isinstance(value, cst.Call) else None
            if name is not None and name.rpartition(".")[2][:1].isupper():
                return True
        return False

    def several_inputs(self, receiver: cst.BaseExpression) -> bool:
        """Whether a model evidently has several inputs; where its making is out of sight, whether any model here has."""
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
        """Whether `call(self, inputs)` takes its inputs apart: `a, b = inputs`, `inputs[0]`, `inputs["left"]`."""
        if len(function.params.params) < 2:
            return False
        name = function.params.params[1].name.value
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
            if isinstance(found, (cst.If, cst.IfExp)) and _GUARD.search(self._tree.text(found.test)):
                return True
            if inside and isinstance(found, cst.Try) and self._has_both(found, node):
                return True
        return False

    def _has_both(self, found: cst.Try, node: cst.CSTNode) -> bool:
        """Whether the `try` and a handler each train: one of them is for another Keras."""
        handlers = [handler.body for handler in found.handlers]
        if self._tree.holds(found.body, node):
            return any(self._trains(body) for body in handlers)
        return any(self._tree.holds(body, node) for body in handlers) and self._trains(found.body)

    def _trains(self, body: cst.CSTNode) -> bool:
        calls = self._tree.inside(body, cst.Call)
        return any(isinstance(call.func, cst.Attribute) and call.func.attr.value in SIGNATURES for call in calls)


def _is_key(node: cst.Subscript) -> bool:
    """`inputs[0]` and `inputs["left"]`, not `inputs[:, 0]`."""
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return False
    return isinstance(node.slice[0].slice.value, (cst.Integer, cst.SimpleString))


def _identifier(receiver: cst.BaseExpression) -> str:
    """The last name of an expression: "model" for `self.model`, "build_net" for `build_net()`, "nets" for `nets[0]`."""
    if isinstance(receiver, cst.Call):
        return _identifier(receiver.func)
    if isinstance(receiver, cst.Subscript):
        return _identifier(receiver.value)
    if isinstance(receiver, cst.Attribute):
        return receiver.attr.value
    return receiver.value if isinstance(receiver, cst.Name) else ""
