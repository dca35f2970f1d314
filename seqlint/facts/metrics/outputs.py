"""How many outputs a model has, and the names under which their losses and metrics are logged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.metrics.metric_names import dotted_last, snake
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.allocation_sites import AllocationSites
    from seqlint.facts.values.values import Value, Values
    from seqlint.model import KerasLine

_SEVERAL = frozenset({"return_state", "return_attention_scores"})
_OPERATIONS = (
    "keras.Input", "keras.activations.", "keras.layers.add", "keras.layers.concatenate", "keras.ops.add", "keras.ops.concatenate",
    "keras.ops.reshape", "keras.ops.sigmoid", "keras.ops.softmax", "keras.ops.squeeze", "tensorflow.add", "tensorflow.concat",
    "tensorflow.identity", "tensorflow.nn.relu", "tensorflow.nn.sigmoid", "tensorflow.nn.softmax", "tensorflow.reduce_",
    "tensorflow.reshape", "tensorflow.sigmoid", "tensorflow.squeeze",
)  # fmt: skip
_SAME = ("keras.clone_model", "keras.models.clone_model")
_MAX_STEPS = 4


@dataclass(frozen=True)
class Outputs:
    """The outputs of a model.

    Attributes:
        names: one for each; "#" in a name stands for nothing or a number, "*" for anything, "" for no name at all.
    """

    names: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Whether there is only one: then its name is not used."""
        return len(self.names) == 1


ONE = Outputs(("*",))


class ModelOutputs:
    """The outputs of the models of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, allocation_sites: AllocationSites
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._allocation_sites = allocation_sites

    def of(self, model: cst.BaseExpression, line: KerasLine) -> Outputs | None:
        """The outputs of a model; None where they can't be told."""
        owner = self._values.self_class(model)
        if owner is not None:
            return self._of_class(self._classes.of(owner), line, _MAX_STEPS)
        leaves = self._allocation_sites.of(model)
        found = {self._of_value(leaf.node if leaf is not None else None, line, _MAX_STEPS) for leaf in leaves}
        return found.pop() if len(found) == 1 else None

    def _of_value(self, value: Value, line: KerasLine, steps: int) -> Outputs | None:
        if not isinstance(value, cst.Call) or not steps:
            return None
        definition = self._names.definition(value.func)
        if isinstance(definition, cst.ClassDef):
            return self._of_class(self._classes.of(definition), line, steps - 1)
        name = self._names.qualified(value.func) or ""
        if name == "keras.Sequential" or name.startswith("keras.applications."):
            return ONE
        if name == "keras.Model":
            return self._of_outputs(bound(value, ("inputs", "outputs")).get("outputs"), line)
        if name in _SAME and value.args:
            inner = {self._of_value(one, line, steps - 1) for one in self._values.of(value.args[0].value)}
            return inner.pop() if len(inner) == 1 else None
        return None

    # -- functional models ------------------------------------------------------------------------------------------

    def _of_outputs(self, argument: cst.Arg | None, line: KerasLine) -> Outputs | None:
        value = self._values.only(argument.value) if argument is not None else None
        if isinstance(value, (cst.List, cst.Tuple)):
            if any(isinstance(element, cst.StarredElement) for element in value.elements):
                return None
            return Outputs(self._numbered([self._name(element.value) for element in value.elements], line))
        if isinstance(value, cst.Dict):
            return self._of_dict(value, line)
        return ONE if value is not None and self._is_tensor(value) else None

    def _of_dict(self, value: cst.Dict, line: KerasLine) -> Outputs | None:
        """On Keras 2 a functional model calls its outputs by their layers, on Keras 3 by the keys."""
        elements = [element for element in value.elements if isinstance(element, cst.DictElement)]
        if len(elements) != len(value.elements) or not elements:
            return None
        if line == "2":
            return Outputs(tuple(self._name(element.value) for element in elements))
        keys = [self._values.constant(element.key) for element in elements]
        return Outputs(tuple(k.value if k is not None and isinstance(k.value, str) else "*" for k in keys))

    def _numbered(self, names: list[str], line: KerasLine) -> tuple[str, ...]:
        """One layer used twice: Keras 2 calls the outputs "d" and "d_1"."""
        if line != "2":
            return tuple(names)
        return tuple(f"{name}#" if names.count(name) > 1 and "#" not in name else name for name in names)

    def _name(self, tensor: cst.BaseExpression) -> str:
        """The name of the layer that gives a tensor."""
        value = self._values.only(tensor)
        layer = self._values.only(value.func) if isinstance(value, cst.Call) else None
        if not isinstance(layer, cst.Call):
            return "*"
        name = self._names.qualified(layer.func) or ""
        given = bound(layer, ()).get("name")
        constant = self._values.constant(given.value) if given is not None else None
        if constant is not None and isinstance(constant.value, str):
            return constant.value
        unnamed = (given is None or constant == Constant(None)) and not any(a.star for a in layer.args)
        known = name.startswith("keras.layers.") or name in ("keras.Sequential", "keras.Model")
        return snake(dotted_last(layer.func)) + "#" if unnamed and known and name != "keras.Model" else "*"

    def _is_tensor(self, value: cst.BaseExpression) -> bool:
        """Whether an expression is surely one tensor: a layer called on something, arithmetic, an operation."""
        if isinstance(value, cst.BinaryOperation):
            return True
        if not isinstance(value, cst.Call):
            return False
        name = self._names.qualified(value.func) or ""
        if name.startswith(_OPERATIONS):
            return True
        layer = self._values.only(value.func)
        maker = (self._names.qualified(layer.func) or "") if isinstance(layer, cst.Call) else ""
        if not isinstance(layer, cst.Call) or not maker.startswith(("keras.layers.", "keras.Sequential")):
            return False
        options = [a.keyword.value for call in (layer, value) for a in call.args if a.keyword is not None]
        return _SEVERAL.isdisjoint(options) and not any(a.star for a in layer.args)

    # -- classes ----------------------------------------------------------------------------------------------------

    def _of_class(self, owner: ClassFacts, line: KerasLine, steps: int) -> Outputs | None:
        """What `call` returns; for a functional model in a class what `super().__init__` is given."""
        functional = self._functional(owner)
        if functional is not None:
            return self._of_outputs(functional, line)
        if owner.is_a("model") == "yes" and self._is_sequential(owner):
            return ONE
        method = owner.method("call")
        if method is None or not steps:
            return None
        returned = [r.value for r in self._values.own(method[1], cst.Return)]
        values = [v for one in returned for v in (self._values.of(one) if one is not None else (None,))]
        found = {self._of_returned(value, line) for value in values}
        return found.pop() if len(found) == 1 else None

    def _is_sequential(self, owner: ClassFacts) -> bool:
        return "keras.Sequential" in owner.external_bases

    def _functional(self, owner: ClassFacts) -> cst.Arg | None:
        init = owner.method("__init__")
        for call in self._tree.inside(init[1].body, cst.Call) if init is not None else ():
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__":
                argument = bound(call, ("inputs", "outputs")).get("outputs")
                if argument is not None:
                    return argument
        return None

    def _of_returned(self, value: Value, line: KerasLine) -> Outputs | None:
        """On Keras 2 the outputs of such a model are "output_1", ...; on Keras 3 they have no names."""
        if isinstance(value, (cst.Tuple, cst.List)):
            if any(isinstance(element, cst.StarredElement) for element in value.elements):
                return None
            count = range(1, len(value.elements) + 1)
            return Outputs(tuple(f"output_{number}" if line == "2" else "" for number in count))
        if isinstance(value, cst.Dict):
            return self._of_dict(value, "3.10+")
        return ONE if value is not None and self._is_tensor(value) else None
