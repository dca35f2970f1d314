"""What kind of data reaches a trainer call, the calls that make it, and what a list of it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.scopes import dotted

if TYPE_CHECKING:
    from seqlint.facts.calls import Calls
    from seqlint.facts.names import Names
    from seqlint.facts.training import Training
    from seqlint.facts.tree import Tree
    from seqlint.facts.values import Value, Values

FeedKind = Literal["sequence", "generator", "dataset", "arrays", "unknown"]
CollectionKind = Literal["list", "tuple", "dict"]

_FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})
_FLOW_MAKERS = frozenset({"keras.preprocessing.image.ImageDataGenerator"})
_SEQUENCES = frozenset({"keras.preprocessing.sequence.TimeseriesGenerator"})
_DATASETS = ("tensorflow.data.", "tensorflow_datasets.load")
_DATASET_ENDS = ("_dataset_from_directory", "timeseries_dataset_from_array")
_ARRAYS = ("numpy.", "pandas.", "sklearn.", "keras.datasets.", "tensorflow.")
_PLAIN = ("builtins.staticmethod", "builtins.classmethod")
_MAX_LINKS = 40
_NO_ROOT: frozenset[str | None] = frozenset({None})
_MAX_RETURNS = 3
_MAX_LISTS = 8


@dataclass(frozen=True)
class Collected:
    """A list, tuple or dict as far as it can be followed.

    Attributes:
        node: the expression that makes it.
        elements: what is put into it; one expression for the whole of a comprehension.
        complete: whether nothing else gets in.
        counted: whether it holds exactly these elements, each once.
    """

    kind: CollectionKind
    node: cst.BaseExpression
    elements: tuple[cst.BaseExpression, ...]
    complete: bool = True
    counted: bool = True


class Feeds:
    """The data of trainer calls."""

    def __init__(self, tree: Tree, names: Names, values: Values, training: Training, calls: Calls) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._training = training
        self._calls = calls
        self._open: set[cst.CSTNode] = set()  # the lists that are being followed: `a.extend(a)` leads back to itself
        self._lists: dict[cst.CSTNode, Collected | None] = {}
        self._heads: dict[cst.CSTNode, frozenset[str | None]] = {}

    def _of(self, node: cst.BaseExpression, steps: int = _MAX_RETURNS) -> tuple[Value, ...]:
        """The expressions that compute a value, also through methods: what `self.make_feed()` returns."""
        found: list[Value] = []
        for value in self._values.of(node):
            returned = self._calls.returned(value) if isinstance(value, cst.Call) and steps else None
            if returned is None:
                found.append(value)
                continue
            for inner in returned:
                found += self._of(inner, steps - 1)
        return tuple(dict.fromkeys(found))

    def _only(self, node: cst.BaseExpression) -> Value:
        found = self._of(node)
        return found[0] if len(found) == 1 else None

    # -- kinds ------------------------------------------------------------------------------------------------------

    def kind(self, node: cst.BaseExpression) -> FeedKind:
        """What an expression surely is. `None` counts as arrays: nothing of it needs workers."""
        kinds = {self._kind(value) for value in self._of(node)}
        if kinds == {"unknown"}:
            return self._kind_of_root(node)
        return kinds.pop() if len(kinds) == 1 else "unknown"

    def makers(self, node: cst.BaseExpression) -> tuple[cst.Call, ...]:
        """The calls that make the Sequences that an expression surely is; none if it can be anything else."""
        values = self._of(node)
        if any(self._kind(value) != "sequence" for value in values):
            return ()
        return tuple(value for value in values if isinstance(value, cst.Call))

    def options(self, node: cst.BaseExpression) -> dict[str, cst.CSTNode] | None:
        """The keys of a dict that a call unpacks as `**options`, each with its place; None if there may be others."""
        value = self._only(node)
        found: dict[str, cst.CSTNode] = {}
        if isinstance(value, cst.Dict):
            for element in value.elements:
                key = self._values.constant(element.key) if isinstance(element, cst.DictElement) else None
                if not isinstance(element, cst.DictElement) or key is None or not isinstance(key.value, str):
                    return None
                found[key.value] = element.key
            return found
        if not isinstance(value, cst.Call) or self._names.qualified(value.func) != "builtins.dict":
            return None
        named = {argument.keyword.value: argument for argument in value.args if argument.keyword is not None}
        return {**named} if len(named) == len(value.args) else None

    def _kind(self, value: Value) -> FeedKind:
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

    def _kind_of_call(self, value: cst.Call) -> FeedKind:
        if self._training.is_sequence(value) == "yes" or self._is_keras_sequence(value):
            return "sequence"
        function = self._calls.called(value)
        if function is None or not self._values.is_generator(function):
            return "unknown"
        # A decorator may put the generator into an iterator of its own, which Keras 3 does not take.
        plain = all(self._names.qualified(item.decorator) in _PLAIN for item in function.decorators)
        return "generator" if plain else "unknown"

    def _is_keras_sequence(self, value: cst.Call) -> bool:
        """`ImageDataGenerator(...).flow(...)` and the like: Sequences that Keras makes."""
        if self._names.qualified(value.func) in _SEQUENCES:
            return True
        if not isinstance(value.func, cst.Attribute) or value.func.attr.value not in _FLOWS:
            return False
        maker = self._only(value.func.value)
        return isinstance(maker, cst.Call) and self._names.qualified(maker.func) in _FLOW_MAKERS

    def _kind_of_collection(self, value: cst.Tuple | cst.List | cst.Dict) -> FeedKind:
        """A tuple of arrays is arrays. With a Sequence in it Keras takes it as `(sequence, None)` alone."""
        found = self.collected(value)
        elements = found.elements if found is not None else ()
        return "unknown" if any(self.kind(element) == "sequence" for element in elements) else "arrays"

    def _kind_of_root(self, value: cst.BaseExpression) -> FeedKind:
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
        for value in self._of(node):
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

    # -- collections ------------------------------------------------------------------------------------------------

    def collected(self, node: cst.BaseExpression) -> Collected | None:
        """The list, tuple or dict that an expression surely is, with what is put into it; None if unsure.

        Follows names, literals, comprehensions, `list(...)`, slices, `+`, `*`, and `append`, `extend`, `insert`.
        """
        value = self._only(node)
        if value is None or value in self._open or len(self._open) == _MAX_LISTS:
            return None
        if value not in self._lists:
            self._open.add(value)
            found = self._collection(value)
            self._lists[value] = self._with_added(found) if found is not None else None
            self._open.discard(value)
        return self._lists[value]

    def _collection(self, value: cst.BaseExpression) -> Collected | None:
        if isinstance(value, (cst.List, cst.Tuple)):
            return self._literal(value)
        if isinstance(value, cst.Dict):
            keyed = [element for element in value.elements if isinstance(element, cst.DictElement)]
            return Collected("dict", value, tuple(e.value for e in keyed), len(keyed) == len(value.elements))
        if isinstance(value, cst.ListComp):
            return Collected("list", value, (value.elt,), counted=False)
        if isinstance(value, cst.DictComp):
            return Collected("dict", value, (value.value,), counted=False)
        if isinstance(value, cst.BinaryOperation):
            return self._joined(value)
        if isinstance(value, cst.Subscript):
            return self._sliced(value)
        return self._converted(value) if isinstance(value, cst.Call) else None

    def _literal(self, value: cst.List | cst.Tuple) -> Collected:
        elements: list[cst.BaseExpression] = []
        complete = counted = True
        for element in value.elements:
            if not isinstance(element, cst.StarredElement):
                elements.append(element.value)
                continue
            inner = self.collected(element.value)
            elements += inner.elements if inner is not None else ()
            complete = complete and inner is not None and inner.complete
            counted = counted and inner is not None and inner.counted
        return Collected("list" if isinstance(value, cst.List) else "tuple", value, tuple(elements), complete, counted)

    def _joined(self, value: cst.BinaryOperation) -> Collected | None:
        left, right = self.collected(value.left), self.collected(value.right)
        if isinstance(value.operator, cst.Add) and left is not None and right is not None:
            complete, counted = left.complete and right.complete, left.counted and right.counted
            return Collected(left.kind, value, (*left.elements, *right.elements), complete, counted)
        one = left or right
        if isinstance(value.operator, cst.Multiply) and one is not None:
            return Collected(one.kind, value, one.elements, one.complete, counted=False)
        return None

    def _sliced(self, value: cst.Subscript) -> Collected | None:
        if len(value.slice) != 1 or not isinstance(value.slice[0].slice, cst.Slice):
            return None
        whole = self.collected(value.value)
        return (
            Collected(whole.kind, value, whole.elements, whole.complete, counted=False) if whole is not None else None
        )

    def _converted(self, value: cst.Call) -> Collected | None:
        """`list(...)` and `tuple(...)` of something that can be followed, and `.values()` of a dict in one of them."""
        name = self._names.qualified(value.func)
        if name not in ("builtins.list", "builtins.tuple", "builtins.sorted") or not value.args or value.args[0].star:
            return None
        kind: CollectionKind = "tuple" if name == "builtins.tuple" else "list"
        inner = value.args[0].value
        if isinstance(inner, cst.GeneratorExp):
            return Collected(kind, value, (inner.elt,), counted=False)
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute) and inner.func.attr.value == "values":
            inner = inner.func.value
        found = self.collected(inner)
        return Collected(kind, value, found.elements, found.complete, found.counted) if found is not None else None

    def _with_added(self, found: Collected) -> Collected:
        """What `append`, `extend` and `insert` put into a list that a name or attribute holds."""
        elements, complete = list(found.elements), found.complete
        changes = [call for call in self._tree.all(cst.Call) if self._changes(call, found.node)]
        for call in changes:
            method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
            last = call.args[-1].value if call.args and not call.args[-1].star else None
            inner = self.collected(last) if method == "extend" and last is not None else None
            added = inner.elements if inner is not None else () if method == "extend" or last is None else (last,)
            elements += added
            complete = complete and bool(added) and (inner is None or inner.complete)
        counted = found.counted and not changes
        return Collected(found.kind, found.node, tuple(elements), complete, counted)

    def _changes(self, call: cst.Call, collection: cst.BaseExpression) -> bool:
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in ("append", "extend", "insert"):
            return False
        return bool(dotted(func.value)) and self._only(func.value) is collection


def _kind_of_name(name: str | None) -> FeedKind:
    if name is None:
        return "unknown"
    if name.startswith(_DATASETS) or name.endswith(_DATASET_ENDS):
        return "dataset"
    return "arrays" if name.startswith(_ARRAYS) else "unknown"


def _arrays(names: frozenset[str | None]) -> frozenset[str | None]:
    """Those that make arrays: one operand that is one makes the whole one."""
    return frozenset(name for name in names if _kind_of_name(name) == "arrays") or _NO_ROOT
