"""The `__len__` of Sequences: what it returns, and how the batches are cut that it counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.batches.quantities import Quantities
    from seqlint.facts.batches.windows import Window, Windows
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.template_methods import TemplateMethod
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.numbers.counts import Counts
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.numbers.rounding import Count
    from seqlint.facts.training.switches import Switches
    from seqlint.facts.values.values import Values

_LEAST = ("builtins.min", "numpy.min", "numpy.minimum")
_OF_FILES = ("h5py.", "tables.", "zarr.", "netCDF4.", "numpy.load", "numpy.memmap", "numpy.lib.format.open_memmap")
_SHUFFLES = ("shuffle", "permutation", "permuted", "sample", "choice")


@dataclass(frozen=True, eq=False)
class Length:
    """A `__len__`, or a method whose result that of a base in another file gives as it is.

    Attributes:
        owner: the class in which it is written.
        makers: the `__getitem__` of the classes that have it.
        values: what it returns, in reading order.
        count: the quotient that it surely returns; None for anything else.
        template_method: who calls it, where it is not the `__len__` itself.
    """

    function: cst.FunctionDef
    owner: ClassFacts
    makers: tuple[Maker, ...]
    values: tuple[cst.BaseExpression, ...]
    count: Count | None
    template_method: TemplateMethod | None = None

    @property
    def owners(self) -> tuple[ClassFacts, ...]:
        """The classes whose batches are counted."""
        return tuple(maker.owner for maker in self.makers if maker.owner is not None)

    @property
    def called(self) -> str:
        """As a reader knows it: "Tides.__len__"."""
        return f"{self.owner.name}.{self.function.name.value}"


class BatchCounts:
    """The lengths of one file."""

    def __init__(
        self, classes: Classes, batches: Batches, windows: Windows, counts: Counts, values: Values,
        numbers: Numbers, quantities: Quantities, switches: Switches,
    ) -> None:  # fmt: skip
        self._classes = classes
        self._batches = batches
        self._windows = windows
        self._counts = counts
        self._values = values
        self._numbers = numbers
        self._quantities = quantities
        self._switches = switches

    @cached_property
    def all(self) -> tuple[Length, ...]:
        """Each `__len__` that a Sequence of this file has, once, in reading order."""
        found: dict[cst.FunctionDef, Length] = {}
        for made in self._classes.all:
            length = made.method("__len__") if made.is_a("sequence") == "yes" else None
            if length is not None and length[1] not in found:
                found[length[1]] = self._length(*length)
        return self._batches.flow.tree.order.sorted(found.values(), lambda one: one.function)

    @cached_property
    def filled(self) -> tuple[Length, ...]:
        """The methods whose results are those of a `__len__` in another file."""
        found: dict[cst.FunctionDef, Length] = {}
        for method in (method for made in self._classes.all for method in made.template_methods("__len__")):
            if method.asked.result_use == "batch":
                length = self._length(method.holder, method.node)
                found.setdefault(method.node, replace(length, template_method=method))
        return tuple(found.values())

    def of(self, owner: ClassFacts) -> Length | None:
        """The `__len__` of a class, own or inherited in this file."""
        found = owner.method("__len__")
        return next((one for one in self.all if found is not None and one.function is found[1]), None)

    def judges(self, owner: ClassFacts | None) -> bool:
        """Whether the text of this file tells what the `__len__` of a class counts, and how its batches are cut."""
        length = self.of(owner) if owner is not None else None
        return length is not None and (self.by_size(length) or self.counts_samples(length) is not None)

    def _length(self, owner: ClassFacts, function: cst.FunctionDef) -> Length:
        makers = tuple(maker for maker in self._batches.makers if self._has(maker, function))
        given = tuple(statement.value for statement in self._values.own(function, cst.Return))
        counts = self._counts.returned(function)
        only = counts[0] if len(counts) == 1 else None
        return Length(function, owner, makers, tuple(value for value in given if value is not None), only)

    def _has(self, maker: Maker, function: cst.FunctionDef) -> bool:
        found = maker.owner.method("__len__") if maker.kind == "sequence" and maker.owner is not None else None
        return found is not None and found[1] is function

    # -- windows ----------------------------------------------------------------------------------------------------

    def windows(self, length: Length) -> tuple[Window, ...]:
        """The windows of the batches that are counted; none where a class that has this `__len__` cuts in another way."""
        found = [self._windows.of(maker) for maker in length.makers]
        return tuple(window for windows in found for window in windows) if all(found) else ()

    def by_size(self, length: Length) -> bool:
        """Whether batches are cut by the number that the count divides by, and hold more than one sample."""
        count, windows = length.count, self.windows(length)
        if count is None or not windows or self._numbers.value(count.denominator) == 1:
            return False
        return all(self._windows.is_size(window, count.denominator) for window in windows)

    def divides(self, count: Count) -> bool | None:
        """Whether the division leaves no rest, where both numbers are written out; None otherwise."""
        whole, part = self._numbers.value(count.numerator), self._numbers.value(count.denominator)
        return whole % part == 0 if whole is not None and part else None

    def runs_out(self, length: Length) -> bool:
        """Whether a batch behind the last sample is empty: a range of numbers that is not held back goes on, or round."""
        asked = any(self._asks_which(maker) for maker in length.makers)
        return not asked and all(window.ends_early for window in self.windows(length))

    def _asks_which(self, maker: Maker) -> bool:
        """Whether a batch is made in another way by its number: `if index == len(self) - 1`."""
        return any(
            self._is_by_number(choice, frame, maker)
            for frame in self._batches.frames(maker)
            for choice in self._choices(frame)
        )

    def _choices(self, frame: Frame) -> tuple[cst.If, ...]:
        tree, function = self._batches.flow.tree, frame.function
        return tuple(tree.inside(function.body, cst.If)) if function is not None else ()

    def _is_by_number(self, choice: cst.If, frame: Frame, maker: Maker) -> bool:
        tree = self._batches.flow.tree
        asked = tree.inside(choice.test, cst.Name) if isinstance(choice.test, cst.Comparison) else ()
        names = (name for name in asked if not tree.is_label(name))
        by_number = any(self._batches.is_index(Traced(name, frame), maker) for name in names)
        makes = any(isinstance(node, (cst.Return, cst.Assign)) for node in tree.walk(choice.body))
        return by_number and makes and not tree.inside(choice.body, cst.Raise)

    def comes_out_even(self, length: Length) -> bool:
        """Whether `__init__` looks at the rest: `n % size` is refused, or cut off, and `n // size * size` samples are kept."""
        methods = {reached.node for owner in length.owners for reached in owner.reachable("__init__")}
        tree = self._batches.flow.tree
        inside = (node for method in methods for node in tree.inside(method.body, cst.BinaryOperation))
        return any(self._is_of_rest(node, self.windows(length)[0]) for node in inside)

    def _is_of_rest(self, node: cst.BinaryOperation, window: Window) -> bool:
        if isinstance(node.operator, cst.Modulo):
            return self._is_like_size(window, node.right)
        sides = (node.left, node.right)
        whole = any(isinstance(one, cst.BinaryOperation) and isinstance(one.operator, cst.FloorDivide) for one in sides)
        full = any(self._is_like_size(window, one) for one in sides)
        return isinstance(node.operator, cst.Multiply) and whole and full

    def _is_like_size(self, window: Window, node: cst.BaseExpression) -> bool:
        """Whether an expression is the size of a batch, or has its name: that which a subclass hands on to the base."""
        name = last_word(node)
        return self._windows.is_size(window, node) or (bool(name) and name == last_word(window.size.node or node))

    def counts_samples(self, length: Length) -> Window | None:
        """A window into what the one value that is returned counts the items of."""
        value = length.values[0] if len(length.values) == 1 else None
        if value is None or length.count is not None:
            return None
        for window in self.windows(length):
            items = window.items.node if window.items is not None else None
            if items is not None and self._quantities.same_items(value, items):
                return window
            if any(self._is_same(value, limit.node) for limit in self._windows.limits(window)):
                return window
        return None

    def _is_same(self, number: cst.BaseExpression, other: cst.BaseExpression | None) -> bool:
        """Whether two numbers are one, or count the items of one collection."""
        if other is None or isinstance(other, cst.Integer):
            return False
        same = self._quantities.same(number, other)
        return same or not self._quantities.counted(number).isdisjoint(self._quantities.counted(other))

    def may_be_short(self, length: Length) -> bool:
        """Whether a batch may have fewer samples than others, as far as one can see."""
        counted = length.count.node if length.count is not None else None
        if self.is_of_shortest(length):
            return False  # the others have more rows left
        if not all(self._ends_as_counted(window, length) for window in self.windows(length)):
            return False
        return bool(length.makers) and all(self._windows.may_be_short(maker, counted) for maker in length.makers)

    def _ends_as_counted(self, window: Window, length: Length) -> bool:
        """Whether the samples of a window end where the count does, as far as one can see.

        A file of its own may hold fewer rows than there are labels, and `HDF5Matrix` refuses a slice that goes beyond its end.
        """
        items, count = window.items, length.count
        if items is None or items.node is None or count is None:
            return True
        values = [
            each for found in self._batches.flow.trace(items) if found.node for each in self._values.of(found.node)
        ]
        made = [each.func for each in values if isinstance(each, cst.Call)]
        if any(last_word(func) == "HDF5Matrix" for func in made):
            return False
        opened = any((self._batches.flow.names.qualified(func) or "").startswith(_OF_FILES) for func in made)
        part = any(isinstance(each, cst.Subscript) for each in (items.node, *values))
        return not (opened or part) or self._quantities.same_items(count.numerator, items.node)

    def is_of_shortest(self, length: Length) -> bool:
        """Whether the samples are those of the shortest of several collections: `min(len(self.summer), len(self.winter)) // size`."""
        whole = self._values.only(length.count.numerator) if length.count is not None else None
        name = self._batches.flow.names.qualified(whole.func) if isinstance(whole, cst.Call) else None
        if not isinstance(whole, cst.Call) or name not in _LEAST:
            return False
        nodes = [node for argument in whole.args for node in self._batches.flow.tree.walk(argument.value)]
        measured = {
            variable
            for node in nodes
            if isinstance(node, cst.BaseExpression)
            for variable in self._quantities.counted(node)
        }
        loops = any(isinstance(node, (cst.GeneratorExp, cst.ListComp)) for node in nodes)
        return loops or len(measured) > 1

    def reshuffled(self, length: Length) -> bool:
        """Whether the samples get another order with every epoch, whatever the class is made with, or as this file makes it."""
        return bool(length.owners) and all(any(self._shuffles(owner)) for owner in length.owners)

    def _shuffles(self, owner: ClassFacts) -> list[bool]:
        tree = self._batches.flow.tree
        found: list[bool] = []
        for reached in owner.reachable("on_epoch_end"):
            for call in tree.inside(reached.node.body, cst.Call):
                name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
                if isinstance(name, cst.Name) and name.value in _SHUFFLES:
                    plain = tree.enclosing(call, cst.If, cst.IfExp, cst.FunctionDef) is reached.node
                    found.append(plain or self._switches.in_all(call, reached.node, owner))
        return found
