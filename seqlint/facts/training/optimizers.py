"""Where code makes Keras optimizers, and where it reads or sets their learning rate by the old name `lr`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.facts.keras.public import PUBLIC
from seqlint.facts.values.taken import Taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.evidence import Evidence
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

RateUse = Literal["read", "set", "augment"]
_MAX_PROPERTIES = 3
OPTIMIZERS = frozenset(f"keras.optimizers.{name}" for name in PUBLIC["optimizers"] if name[0].isupper())
# The second names that Keras had up to 2.3, when it was a package of its own; tf.keras never had them.
_SECOND_NAMES = {
    f"keras.optimizers.{name.lower()}": name
    for name in ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD")
}


@dataclass(frozen=True, eq=False)
class Rate:
    """One place that names the learning rate of an optimizer by `lr`.

    Attributes:
        node: the expression, such as `model.optimizer.lr`.
        of_keras: whether the optimizer is one of Keras.
    """

    node: cst.Attribute
    use: RateUse
    of_keras: Answer


class Optimizers:
    """The optimizers of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, training: Training, evidence: Evidence) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._training = training
        self._evidence = evidence
        self._taken = Taken(names, values)

    @cached_property
    def made(self) -> tuple[cst.Call, ...]:
        """The calls that make an optimizer of Keras, in reading order."""
        return tuple(node for node in self._tree.all(cst.Call) if self._makes_one(node))

    def _makes_one(self, call: cst.Call) -> bool:
        """Also `OPTIMIZERS[name](lr=0.1)`, where all in the dict are optimizers; asked only of what sets a rate."""
        if self._names.qualified(call.func) in OPTIMIZERS:
            return True
        named = {argument.keyword.value for argument in call.args if argument.keyword is not None}
        if named.isdisjoint({"lr", "decay", "learning_rate"}) or not isinstance(call.func, (cst.Name, cst.Subscript)):
            return False
        found = self._taken.of(call.func) if isinstance(call.func, cst.Subscript) else self._values.of(call.func)
        return bool(found) and all(one is not None and self._names.qualified(one) in OPTIMIZERS for one in found or ())

    def by_second_name(self) -> Iterator[tuple[cst.Call, str]]:
        """The calls of `keras.optimizers.adam` and its like, with the name that every Keras has: "Adam"."""
        for call in self._tree.all(cst.Call):
            if (name := _SECOND_NAMES.get(self._names.qualified(call.func) or "")) is not None:
                yield call, name

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Every `lr` of what is, or may be, an optimizer of Keras, in reading order."""
        return tuple(self._rates())

    def _rates(self) -> Iterator[Rate]:
        for node in self._tree.all(cst.Attribute):
            if node.attr.value == "lr" and (of_keras := self.is_optimizer(node.value)) != "no":
                yield Rate(node, self._use(node), of_keras)

    def _use(self, node: cst.Attribute) -> RateUse:
        if isinstance(parent := self._tree.parents[node], cst.AugAssign) and parent.target is node:
            return "augment"
        return "set" if self._values.stored(node) is not None else "read"

    def is_optimizer(self, node: cst.BaseExpression, steps: int = _MAX_PROPERTIES) -> Answer:
        """Whether an expression is an optimizer of Keras: made as one, or the `optimizer` of a model."""
        if isinstance(node, cst.Attribute) and node.attr.value == "optimizer" and not self._is_made(node):
            return self._of_model(node.value)
        if self._is_made(node):
            return "yes"
        given = self._values.getters.gives(node) if steps else None
        if given is not None:
            answers = {self.is_optimizer(one, steps - 1) if one is not None else "no" for one in given}
            return answers.pop() if len(answers) == 1 else "no"
        return self._under_a_name(node) if isinstance(node, cst.Name) else "no"

    def _under_a_name(self, node: cst.Name) -> Answer:
        """`optimizer = self.model.optimizer`, and the local name read from then on."""
        held = [binding.value for binding in self._names.reaching(node)]
        if len(held) != 1 or not isinstance(held[0], cst.Attribute) or held[0].attr.value != "optimizer":
            return "no"
        return self._of_model(held[0].value)

    def _is_made(self, node: cst.BaseExpression) -> bool:
        values = self._values.of(node)
        return bool(values) and all(value in self.made for value in values)

    def _of_model(self, owner: cst.BaseExpression) -> Answer:
        if (answer := self._training.is_model(owner)) != "unknown":
            # A class of its own with an `optimizer` is no model, but may hand on the one of a model.
            return "yes" if answer == "yes" else "no"
        for call in self._training.calls:
            if self._is_same(call.receiver, owner) and self._evidence.model(call) == "yes":
                return "yes"
        return "unknown" if self._evidence.imports_keras and not self._evidence.imports_others else "no"

    def _is_same(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions read one variable: the same words, in scopes that share the first of them."""
        if not dotted(one) or dotted(one) != dotted(other):
            return False
        return self._home(one) is not None and self._home(one) is self._home(other)

    def _home(self, node: cst.BaseExpression) -> object | None:
        while isinstance(node, cst.Attribute):
            node = node.value
        if not isinstance(node, cst.Name):
            return None
        return self._values.self_class(node) or self._names.scope(node).home(node.value)
