"""What kind of data reaches a trainer call, the calls that make it, and what a list of it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.methods import PLAIN
from seqlint.facts.flow.collected import Collected, Collections
from seqlint.facts.flow.followed import Followed
from seqlint.facts.project.summary import GENERATOR
from seqlint.facts.values.looped import Looped
from seqlint.knowledge.dataset_functions import is_dataset

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Value, Values

InputKind = Literal["sequence", "generator", "dataset", "arrays", "unknown"]

_FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})
_FLOW_MAKERS = frozenset({"keras.preprocessing.image.ImageDataGenerator"})
_SEQUENCES = frozenset({"keras.preprocessing.sequence.TimeseriesGenerator"})
_DATASETS = ("tensorflow.data.", "tensorflow_datasets.load")
_DATASET_ENDS = ("_dataset_from_directory", "timeseries_dataset_from_array")
_ARRAYS = ("numpy.", "pandas.", "sklearn.", "keras.datasets.", "tensorflow.")
_BY_PYTHON = frozenset(f"builtins.{name}" for name in ("enumerate", "filter", "iter", "map", "reversed", "zip"))
_MAX_LINKS = 40
_NO_ROOT: frozenset[str | None] = frozenset({None})


class InputKinds:
    """The data of trainer calls."""

    def __init__(self, tree: Tree, names: Names, values: Values, training: Training, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._looped = Looped(tree, names, values)
        self._training = training
        self._calls = calls
        self._followed = Followed(names, values, calls)
        self._collections = Collections(tree, names, self._followed)
        self._heads: dict[cst.CSTNode, frozenset[str | None]] = {}
        self._known: dict[cst.CSTNode, InputKind] = {}

    def kind(self, node: cst.BaseExpression) -> InputKind:
        """What an expression surely is. `None` counts as arrays: nothing of it needs workers."""
        kinds = {self._kind(value) for value in self._values_of(node)}
        if kinds == {"unknown"}:
            return self._kind_of_root(node)
        return kinds.pop() if len(kinds) == 1 else "unknown"

    def makers(self, node: cst.BaseExpression) -> tuple[cst.Call, ...]:
        """The calls that make the Sequences that an expression surely is; none if it can be anything else."""
        values = self._values_of(node)
        if any(self._kind(value) != "sequence" for value in values):
            return ()
        return tuple(value for value in values if isinstance(value, cst.Call))

    def _values_of(self, node: cst.BaseExpression) -> tuple[Value, ...]:
        """The expressions that compute a value; for the variable of a loop those that it takes in turn."""
        found = self._followed.of(node)
        turns = self._turns(node) if found == (None,) else ()
        return tuple(dict.fromkeys(value for each in turns for value in self._followed.of(each))) or found

    def _turns(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
        """What the variable of a loop takes in turn from lists that stay as they are written; none if unsure."""
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        if len(bindings) != 1 or bindings[0].kind != "for" or bindings[0].value is None:
            return ()
        made = self._values.only(bindings[0].value)
        if isinstance(made, cst.ListComp):
            return (made.elt,) if isinstance(self._tree.parents[bindings[0].node], (cst.For, cst.CompFor)) else ()
        for name in self._tree.inside(bindings[0].value, cst.Name):
            whole = self._values.only(name)
            held = self.collected(name) if isinstance(whole, (cst.List, cst.Tuple, cst.Dict)) else None
            if isinstance(whole, (cst.List, cst.Tuple, cst.Dict)) and (
                held is None or not held.complete or len(held.elements) != len(whole.elements)
            ):
                return ()
        return self._looped.of(node) or ()

    def options(self, node: cst.BaseExpression, *, some: bool = False) -> dict[str, cst.CSTNode] | None:
        """The keys of a dict that a call unpacks as `**options`, each with its place; None if there may be others.

        With `some` it may have others: `{"workers": 4, **options}`.
        """
        value = self._followed.only(node)
        found: dict[str, cst.CSTNode] = {}
        if isinstance(value, cst.Dict):
            for element in value.elements:
                key = self._values.constant(element.key) if isinstance(element, cst.DictElement) else None
                if isinstance(element, cst.DictElement) and key is not None and isinstance(key.value, str):
                    found[key.value] = element.key
                elif not some:
                    return None
            return found
        if not isinstance(value, cst.Call) or self._names.qualified(value.func) != "builtins.dict":
            return None
        named = {argument.keyword.value: argument for argument in value.args if argument.keyword is not None}
        return {**named} if len(named) == len(value.args) else None

    def _kind(self, value: Value) -> InputKind:
        if value is None:
            return "unknown"
        if isinstance(value, cst.Call) and (kind := self._kind_of_call(value)) != "unknown":
            return kind
        if isinstance(value, cst.GeneratorExp):
            return "generator"
        if isinstance(value, (cst.Tuple, cst.List, cst.Dict)):
            return self._kind_of_collection(value)
        if isinstance(value, cst.Name) and value.value == "None":
            return "arrays"
        return self._kind_of_root(value)

    def _kind_of_call(self, value: cst.Call) -> InputKind:
        if self._training.is_sequence(value) == "yes" or self._is_keras_sequence(value):
            return "sequence"
        function = self._calls.called(value)
        if function is None:
            return self._made_externally(value)
        if not self._values.is_generator(function):
            return "unknown"
        # A decorator may put the generator into an iterator of its own, which Keras 3 does not take.
        plain = all(self._names.qualified(item.decorator) in PLAIN for item in function.decorators)
        return "generator" if plain else "unknown"

    def iterator(self, node: cst.BaseExpression) -> str:
        """What surely makes an iterator that is no generator: "zip", or a class of this file. "" if nothing does.

        Keras 2 takes any iterator; Keras 3 takes generators alone.
        """
        found = {self._iterator(value) for value in self._followed.of(node)}
        return found.pop() if len(found) == 1 else ""

    def _iterator(self, value: Value) -> str:
        if not isinstance(value, cst.Call):
            return ""
        name = self._names.qualified(value.func) or ""
        if name in _BY_PYTHON or name.startswith("itertools."):
            return name.removeprefix("builtins.")
        made = self._names.definition(value.func)
        if not isinstance(made, cst.ClassDef) or self._training.is_sequence(value) != "no":
            return ""
        methods = {each.name.value for each in made.body.body if isinstance(each, cst.FunctionDef)}
        return made.name.value if {"__iter__", "__next__"} <= methods else ""

    def is_made_externally(self, node: cst.BaseExpression) -> bool:
        """Whether functions of other files of the project surely give an expression."""
        values = self._followed.of(node)
        return all(isinstance(value, cst.Call) and self._training.made(value) for value in values)

    def _made_externally(self, value: cst.Call) -> InputKind:
        """What a function of another file of the project gives: a generator, a dataset."""
        kinds = {_kind_of_made(each) for each in self._training.made(value)}
        return kinds.pop() if len(kinds) == 1 else "unknown"

    def _is_keras_sequence(self, value: cst.Call) -> bool:
        """`ImageDataGenerator(...).flow(...)` and the like: Sequences that Keras makes."""
        if self._names.qualified(value.func) in _SEQUENCES:
            return True
        if not isinstance(value.func, cst.Attribute) or value.func.attr.value not in _FLOWS:
            return False
        maker = self._followed.only(value.func.value)
        return isinstance(maker, cst.Call) and self._names.qualified(maker.func) in _FLOW_MAKERS

    def _kind_of_collection(self, value: cst.Tuple | cst.List | cst.Dict) -> InputKind:
        """A tuple of arrays is arrays. With a Sequence in it Keras takes it as `(sequence, None)` alone."""
        if value not in self._known:
            self._known[value] = "unknown"  # `x = (x, x)` in a loop leads back here
            self._known[value] = self._kind_of_elements(value)
        return self._known[value]

    def _kind_of_elements(self, value: cst.Tuple | cst.List | cst.Dict) -> InputKind:
        found = self.collected(value)
        elements = found.elements if found is not None else ()
        return "unknown" if any(self.kind(element) == "sequence" for element in elements) else "arrays"

    def _kind_of_root(self, value: cst.BaseExpression) -> InputKind:
        kinds = {_kind_of_name(name) for name in self._roots(value, _MAX_LINKS)}
        return kinds.pop() if len(kinds) == 1 else "unknown"

    def _roots(self, node: cst.BaseExpression, links: int) -> frozenset[str | None]:
        """The library names at the head of a chain: "tensorflow.data.Dataset.range" for `Dataset.range(3).map(f)`."""
        if links == 0:
            return _NO_ROOT
        if node not in self._heads:
            self._heads[node] = _NO_ROOT  # `x = x / 255` in a loop leads back here
            self._heads[node] = self._roots_of(node, links)
        return self._heads[node]

    def _roots_of(self, node: cst.BaseExpression, links: int) -> frozenset[str | None]:
        if (name := self._names.qualified(node)) is not None:
            return frozenset({name})
        if isinstance(node, cst.Call):
            return self._roots(node.func, links - 1)
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            return self._roots(node.value, links - 1)
        if isinstance(node, cst.BinaryOperation):
            return _arrays(self._roots(node.left, links - 1) | self._roots(node.right, links - 1))
        if not isinstance(node, cst.Name):
            return _NO_ROOT
        found: set[str | None] = set()
        for value in self._followed.of(node):
            found |= _NO_ROOT if value is None or value is node else self._roots(value, links - 1)
        return frozenset(found) if found != _NO_ROOT else self._unpacked(node, links)

    def _unpacked(self, name: cst.Name, links: int) -> frozenset[str | None]:
        """The head of what `x_train` comes from in `(x_train, y_train), _ = keras.datasets.mnist.load_data()`."""
        found: set[str | None] = set()
        for binding in self._names.reaching(name):
            whole = binding.value if binding.kind == "unpack" else None
            roots = self._roots(whole, links - 1) if whole is not None else _NO_ROOT
            found |= _arrays(roots) if roots == _arrays(roots) else _NO_ROOT
        return frozenset(found)

    def collected(self, node: cst.BaseExpression) -> Collected | None:
        """The list, tuple or dict that an expression surely is, with what is put into it; None if unsure."""
        return self._collections.collected(node)


def _kind_of_made(name: str) -> InputKind:
    return "generator" if name == GENERATOR else "dataset" if is_dataset(name) else "unknown"


def _kind_of_name(name: str | None) -> InputKind:
    if name is None:
        return "unknown"
    if name.startswith(_DATASETS) or name.endswith(_DATASET_ENDS):
        return "dataset"
    return "arrays" if name.startswith(_ARRAYS) else "unknown"


def _arrays(names: frozenset[str | None]) -> frozenset[str | None]:
    """Those that make arrays: one operand that is one makes the whole one."""
    return frozenset(name for name in names if _kind_of_name(name) == "arrays") or _NO_ROOT
