"""How many outputs a model has, and the names under which their losses and metrics are logged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.knowledge.metrics import snake
from seqlint.run import Container, External, Instance, Result, Tuple, constant
from seqlint.run.attributes import lineage
from seqlint.run.objects import itself

if TYPE_CHECKING:
    from seqlint.model import KerasLine
    from seqlint.run import Object, Run, Value

_SEVERAL = frozenset({"return_state", "return_attention_scores"})
_OPERATIONS = (
    "keras.Input", "keras.activations.", "keras.layers.add", "keras.layers.concatenate", "keras.ops.add", "keras.ops.concatenate",
    "keras.ops.reshape", "keras.ops.sigmoid", "keras.ops.softmax", "keras.ops.squeeze", "tensorflow.add", "tensorflow.concat",
    "tensorflow.identity", "tensorflow.nn.relu", "tensorflow.nn.sigmoid", "tensorflow.nn.softmax", "tensorflow.reduce_",
    "tensorflow.reshape", "tensorflow.sigmoid", "tensorflow.squeeze",
)  # fmt: skip
_SAME = ("keras.clone_model", "keras.utils.multi_gpu_model")
_LAYERS = ("keras.layers.", "keras.Sequential")
_MOST_STEPS = 4


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
    """The outputs of the models of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[tuple[Instance, KerasLine], Outputs | None] = {}

    def of(self, model: Object, line: KerasLine, steps: int = _MOST_STEPS) -> Outputs | None:
        """The outputs of a model; None where they can't be told."""
        if isinstance(model, Instance):
            if (model, line) not in self._known:
                self._known[model, line] = self._of_instance(model, line)
            return self._known[model, line]
        if not isinstance(model, Result) or model.op != "call" or not steps:
            return None
        if model.name == "keras.Sequential" or model.name.startswith("keras.applications."):
            return ONE
        if model.name == "keras.Model":
            return self._of_arguments(model, line)
        inner = model.args[0].only if model.name in _SAME and model.args else None
        return self.of(inner, line, steps - 1) if inner is not None else None

    # -- functional models ------------------------------------------------------------------------------------------

    def _of_arguments(self, made: Result, line: KerasLine) -> Outputs | None:
        given = made.keyword("outputs") or made.argument("output", 1)
        only = given.only if given is not None else None
        return self._of_outputs(only, line) if only is not None else None

    def _of_outputs(self, found: Object, line: KerasLine) -> Outputs | None:
        if isinstance(found, Container) and found.kind == "dict":
            return self._of_dict(found, line)
        if isinstance(found, (Container, Tuple)):
            items = self._run.items(found)
            return Outputs(_numbered([self._name(item) for item in items], line)) if items else None
        return ONE if self._is_tensor(found) else None

    def _of_dict(self, found: Container, line: KerasLine) -> Outputs | None:
        """On Keras 2 a functional model calls its outputs by their layers, on Keras 3 by the keys."""
        keys = [constant(key) for key in self._run.items(found) or ()]
        if not keys:
            return None
        if line == "2":
            values = [self._run.at_key(found, key) for key in keys]
            return Outputs(tuple(self._name(value) if value is not None else "*" for value in values))
        return Outputs(tuple(key if isinstance(key, str) else "*" for key in keys))

    def _name(self, tensor: Value) -> str:
        """The name of the layer that gives a tensor."""
        only = tensor.only
        layer = only.receiver if isinstance(only, Result) and only.op == "call" else None
        if not isinstance(layer, Result) or layer.op != "call":
            return "*"
        given = layer.keyword("name")
        name = constant(given)
        if isinstance(name, str):
            return name
        unnamed = (given is None or name is None) and not _hides(layer)
        return snake(layer.method) + "#" if unnamed and layer.name.startswith(_LAYERS) else "*"

    def _is_tensor(self, found: Object) -> bool:
        """Whether an object is surely one tensor: a layer called on something, arithmetic, an operation."""
        if not isinstance(found, Result):
            return False
        if found.op == "operator":
            return found.name in ("+", "-", "*", "/", "**", "@")
        if found.op == "attribute" and found.name == "keras.Model.output" and found.receiver is not None:
            return self.of(found.receiver, "3.10+", 1) == ONE
        if found.op != "call" or found.name.startswith(_OPERATIONS):
            return found.op == "call"
        layer = found.receiver
        if not isinstance(layer, Result) or not found.name.endswith("()") or not layer.name.startswith(_LAYERS):
            return False
        options = {name for each in (layer, found) for name, _ in each.keywords}
        return _SEVERAL.isdisjoint(options) and not _hides(layer)

    # -- classes ----------------------------------------------------------------------------------------------------

    def _of_instance(self, model: Instance, line: KerasLine) -> Outputs | None:
        """What `call` returns; for a functional model in a class what `super().__init__` is given."""
        bases = {each.name for each in lineage(model.cls) if isinstance(each, External)}
        if "keras.Sequential" in bases:
            return ONE
        if "keras.Model" not in bases:
            return None
        inits = [
            call.result for call in self._run.called("keras.Model.__init__") if itself(call.result.receiver) is model
        ]
        functional = next(
            (self._of_arguments(made, line) for made in inits if made.args or made.keyword("outputs")), None
        )
        if functional is not None:
            return functional
        given = self._run.given_by(model, "call")
        found = {self._of_returned(each, line) for each in given} if given is not None else set()
        return found.pop() if len(found) == 1 else None

    def _of_returned(self, found: Object, line: KerasLine) -> Outputs | None:
        """On Keras 2 the outputs of such a model are "output_1", ...; on Keras 3 they have no names."""
        if isinstance(found, Container) and found.kind == "dict":
            return self._of_dict(found, "3.10+")
        if isinstance(found, (Container, Tuple)):
            count = range(1, len(self._run.items(found) or ()) + 1)
            return Outputs(tuple(f"output_{number}" if line == "2" else "" for number in count)) if count else None
        return ONE if self._is_tensor(found) else None


def _numbered(names: list[str], line: KerasLine) -> tuple[str, ...]:
    """One layer used twice: Keras 2 calls the outputs "d" and "d_1"."""
    if line != "2":
        return tuple(names)
    return tuple(f"{name}#" if names.count(name) > 1 and "#" not in name else name for name in names)


def _hides(made: Result) -> bool:
    return any(name in ("*", "**") for name, _ in made.keywords)
