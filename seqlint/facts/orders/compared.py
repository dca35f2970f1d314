"""Predictions that are compared with labels in another order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.facts.orders.written import iterated, subtracts, uncut
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.datasets.chains import Link
    from seqlint.facts.datasets.datasets import Datasets
    from seqlint.facts.flow.backward_slice import BackwardSlice
    from seqlint.facts.orders.own_orders import OwnOrders
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

# The parameters of ImageDataGenerator's methods up to `shuffle`.
FLOWS: dict[str, tuple[str, ...]] = {
    "flow": ("x", "y", "batch_size", "shuffle"),
    "flow_from_directory": ("directory", "target_size", "color_mode", "classes", "class_mode", "batch_size", "shuffle"),
    "flow_from_dataframe": ("dataframe", "directory", "x_col", "y_col", "weight_col", "target_size", "color_mode", "classes",
                            "class_mode", "batch_size", "shuffle"),
}  # fmt: skip
_LABELS = frozenset({"classes", "labels", "filenames", "filepaths", "file_paths"})
_SIZES = frozenset({
    "len", "set", "unique", "max", "min", "bincount", "Counter", "compute_class_weight", "sum", "size", "shape", "dtype",
    "value_counts", "ceil", "floor", "mean", "median", "std", "var", "nunique", "describe",
})  # fmt: skip
_LIBRARIES = ("sklearn.", "numpy.", "pandas.", "tensorflow.", "keras.", "scipy.", "seaborn.")


@dataclass(frozen=True, eq=False)
class Compared:
    """Predictions and labels of one source that come in different orders.

    Attributes:
        predict: the call that predicts.
        source: the call that shuffles: `flow_from_directory(...)`, `image_dataset_from_directory(...)`, `ds.shuffle(...)`.
        shuffle: its argument `shuffle`, where it is given.
        labels: where the labels are read.
        place: the call or comparison in which both meet.
        trains: whether a fit trains on the source too.
        setting: for a Sequence of the project, the parameter that makes it shuffle; empty where it always does.
    """

    predict: TrainerCall
    source: cst.Call
    shuffle: cst.Arg | None
    labels: cst.BaseExpression
    place: cst.BaseExpression
    trains: bool
    setting: str | None = None

    @property
    def is_dataset(self) -> bool:
        """Whether the labels come from another pass over a tf.data dataset."""
        return not isinstance(self.labels, cst.Attribute) and self.setting is None


class Comparisons:
    """The comparisons of one file."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        training: Training,
        input_kinds: InputKinds,
        datasets: Datasets,
        backward_slice: BackwardSlice,
        own_orders: OwnOrders,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._training = training
        self._input_kinds = input_kinds
        self._datasets = datasets
        self._backward_slice = backward_slice
        self._own_orders = own_orders
        self._known: dict[cst.BaseExpression, frozenset[cst.CSTNode]] = {}

    @cached_property
    def all(self) -> tuple[Compared, ...]:
        """Each shuffled source once for each way to predict on it, in reading order."""
        if any(node.attr.value == "index_array" or self._sets_shuffle(node) for node in self._tree.all(cst.Attribute)):
            return ()
        found = (each for call in self._predicts for each in self._of(call))
        return tuple(each for each in found if each is not None)

    def _sets_shuffle(self, node: cst.Attribute) -> bool:
        """`flow.shuffle = False`, but not inside the class itself."""
        if self._values.self_class(node.value) is not None:
            return False
        return node.attr.value == "shuffle" and isinstance(self._tree.parents[node], cst.AssignTarget)

    @cached_property
    def _predicts(self) -> tuple[TrainerCall, ...]:
        return tuple(call for call in self._training.calls if call.method in ("predict", "predict_generator"))

    def _of(self, call: TrainerCall) -> Iterator[Compared | None]:
        data = call.data
        if data is None or not self._places:
            return
        for source in self._input_kinds.makers(data):
            shuffle = self._flow_shuffle(source)
            if shuffle is not None:
                yield self._met(call, source, shuffle[0], self._labels_of_flow(source))
            own = self._own_orders.shuffled(source)
            if own is not None:
                labels = (*self._given_too(source), *self._kept_too(source))
                yield self._met(call, source, own[1], labels, own[0])
        link = self._reshuffled(data)
        if link is not None:
            given = link.arguments.get("shuffle") if link.name != "shuffle" else None
            yield self._met(call, link.node, given, self._passes(link, call))

    # -- sources ----------------------------------------------------------------------------------------------------

    def _flow_shuffle(self, source: cst.Call) -> tuple[cst.Arg | None] | None:
        """The argument `shuffle` of a flow that shuffles, in a tuple of one; None where it may not."""
        method = source.func.attr.value if isinstance(source.func, cst.Attribute) else ""
        if method not in FLOWS or not all(self._says_no_order(argument) for argument in source.args if argument.star):
            return None
        given = bound(source, FLOWS[method]).get("shuffle")
        return (given,) if given is None or self._values.constant(given.value) == Constant(True) else None

    def _says_no_order(self, argument: cst.Arg) -> bool:
        """Whether `**options` surely holds no `shuffle`."""
        options = self._input_kinds.options(argument.value) if argument.star == "**" else None
        return options is not None and "shuffle" not in options

    def _reshuffled(self, data: cst.BaseExpression) -> Link | None:
        """The call that makes a dataset yield another order in each pass."""
        chain = self._datasets.chain(data)
        if chain is None or chain.state.reshuffled != "yes":
            return None
        return next((link for link in chain.links if link.state.reshuffled == "yes"), None)

    def trains(self, source: cst.Call) -> bool:
        """Whether a fit trains on what a call returns."""
        for call in self._training.calls:
            for role, data in call.feeds:
                if role == "train" and (source in self._input_kinds.makers(data) or self._leads_to(data, source)):
                    return True
        return False

    def _leads_to(self, data: cst.BaseExpression, source: cst.Call) -> bool:
        chain = self._datasets.chain(data)
        return chain is not None and any(link.node is source for link in chain.all())

    # -- labels -----------------------------------------------------------------------------------------------------

    def _labels_of_flow(self, source: cst.Call) -> tuple[cst.BaseExpression, ...]:
        found: list[cst.BaseExpression] = []
        for node in self._tree.all(cst.Attribute):
            if (
                node.attr.value in _LABELS
                and source in self._input_kinds.makers(node.value)
                and not self._is_size(node)
            ):
                found.append(node)
        return tuple(found)

    def _passes(self, link: Link, call: TrainerCall) -> tuple[cst.BaseExpression, ...]:
        """What reads the dataset again: the loops over it, and `ds.file_paths`."""
        loops = [loop.iter for loop in self._tree.all(cst.For)] + [loop.iter for loop in self._tree.all(cst.CompFor)]
        found = [node for node in loops if self._leads_to(iterated(node), link.node)]
        paths = self._tree.attributes("file_paths")
        found += [node for node in paths if self._leads_to(node.value, link.node)]
        return tuple(node for node in found if not self._tree.holds(call.node, node))

    def _given_too(self, source: cst.Call) -> tuple[cst.BaseExpression, ...]:
        """Where else the file reads the arguments of a Sequence, unchanged: `y` of `Feed(x, y)`, `y[cut:]` of `Feed(x[cut:], y[cut:])`."""
        rows = self._own_orders.rows(source)
        given = [value for value in rows if isinstance(value, cst.Name)]
        reached = {name.value: self._names.reaching(name) for name in given}
        found: list[cst.BaseExpression] = []
        for name in self._tree.all(cst.Name) if reached else ():
            if name.value not in reached or self._tree.is_label(name) or self._tree.holds(source, name):
                continue
            if (
                not self._is_part(name)
                and self._names.reaching(name) == reached[name.value]
                and not self._is_size(name)
            ):
                found.append(name)
        parts = [value for value in rows if isinstance(value, (cst.Subscript, cst.Attribute))]
        return (*found, *(node for part in parts for node in self._read_again(source, part)))

    def _read_again(self, source: cst.Call, part: cst.Subscript | cst.Attribute) -> Iterator[cst.BaseExpression]:
        """Where else the file reads the same item or attribute."""
        text, reads = self._tree.text(part), self._reads(part)
        attributes = [node.attr.value for node in self._tree.inside(part, cst.Attribute)]
        if any(sum(self._values.stored(n) is not None for n in self._tree.attributes(a)) > 1 for a in attributes):
            return
        for node in self._tree.all(type(part)):
            plain = self._tree.text(node) == text and not self._tree.holds(source, node) and not self._is_part(node)
            if plain and self._reads(node) == reads and not self._is_size(node):
                yield node

    def _reads(self, node: cst.BaseExpression) -> list[tuple[Binding, ...]]:
        return [self._names.reaching(one) for one in self._tree.inside(node, cst.Name) if not self._tree.is_label(one)]

    def _kept_too(self, source: cst.Call) -> Iterator[cst.BaseExpression]:
        """Where the file reads the rows of a Sequence past its order: `feed.y`."""
        for name in self._own_orders.kept(source):
            for node in self._tree.attributes(name):
                if self._values.self_class(node.value) is not None or source not in self._input_kinds.makers(
                    node.value
                ):
                    continue
                if not self._is_part(node) and not self._is_size(node):
                    yield node

    def _is_part(self, name: cst.BaseExpression) -> bool:
        """Whether only some rows are read: `y[rows]`, not the column `frame["y"]`, nor `feed.y[: len(guesses)]`."""
        around = self._tree.parents[name]
        if not isinstance(around, cst.Subscript):
            return False
        index = around.slice[0].slice
        if isinstance(name, cst.Attribute) and uncut(around) is name:
            return False
        return len(around.slice) > 1 or not (isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString))

    def _is_size(self, node: cst.BaseExpression) -> bool:
        """Whether only the number, the kinds or the mean of the labels are read: `len(flow.classes)`."""
        statement = self._tree.statement(node)
        for outer in self._tree.ancestors(node):
            word = outer.attr.value if isinstance(outer, cst.Attribute) else ""
            if isinstance(outer, cst.Comparison) or subtracts(outer):
                return False  # the comparison is by row: `np.mean(guesses == flow.classes)`
            if isinstance(outer, cst.Call):
                word = dotted(outer.func).rpartition(".")[2]
            if word in _SIZES or outer is statement:
                return word in _SIZES
        return False

    # -- where both meet --------------------------------------------------------------------------------------------

    def _met(
        self, call: TrainerCall, source: cst.Call, shuffle: cst.Arg | None, labels: tuple[cst.BaseExpression, ...],
        setting: str | None = None,
    ) -> Compared | None:  # fmt: skip
        for place in self._places if labels else ():
            parts = [self._depends_on(uncut(part)) | {part} for part in self._operands(place)]
            predicted = [part for part in parts if call.node in part]
            for part in parts if predicted and len(parts) > 1 else ():
                taken = next((label for label in labels if label in part), None)
                past = setting is None or source not in part or isinstance(taken, cst.Attribute)
                if taken is not None and call.node not in part and past:
                    return Compared(call, source, shuffle, taken, place, self.trains(source), setting)
        return None

    @cached_property
    def _places(self) -> tuple[cst.BaseExpression, ...]:
        calls = [call for call in self._tree.all(cst.Call) if len(call.args) > 1 and self._compares(call)]
        return (*calls, *self._tree.all(cst.Comparison), *self._tree.all(cst.Dict), *self._subtractions)

    @cached_property
    def _subtractions(self) -> tuple[cst.BinaryOperation, ...]:
        return tuple(node for node in self._tree.all(cst.BinaryOperation) if subtracts(node))

    def _compares(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func)
        return name == "builtins.zip" or (name is not None and name.startswith(_LIBRARIES))

    def _operands(self, place: cst.BaseExpression) -> list[cst.BaseExpression]:
        if isinstance(place, cst.Call):
            return [argument.value for argument in place.args]
        if isinstance(place, cst.Comparison):
            return [place.left, *(part.comparator for part in place.comparisons)]
        if isinstance(place, cst.Dict):
            return [element.value for element in place.elements if isinstance(element, cst.DictElement)]
        assert isinstance(place, cst.BinaryOperation)
        return [place.left, place.right]

    def _depends_on(self, node: cst.BaseExpression) -> frozenset[cst.CSTNode]:
        """What a value depends on, also through lists that are appended to."""
        if node not in self._known:
            found = set(self._backward_slice.of(node))
            for name in [each for each in found if isinstance(each, cst.Name)]:
                found.update(self._collected(name))
            self._known[node] = frozenset(found)
        return self._known[node]

    def _collected(self, name: cst.Name) -> Iterator[cst.CSTNode]:
        home = self._names.scope(name).home(name.value)
        for func in self._adders:
            same = isinstance(func.value, cst.Name) and func.value.value == name.value
            call = self._tree.parents[func]
            if same and isinstance(call, cst.Call) and self._names.scope(func).home(name.value) is home:
                yield from self._backward_slice.of(*(argument.value for argument in call.args))

    @cached_property
    def _adders(self) -> tuple[cst.Attribute, ...]:
        return tuple(node for node in self._tree.all(cst.Attribute) if node.attr.value in ("append", "extend"))
