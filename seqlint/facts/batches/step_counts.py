"""Counts of steps that are given together with data that have a length of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.lengths import BatchCounts
    from seqlint.facts.batches.quantities import Quantities
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.numbers.counts import Counts
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.numbers.rounding import Count, Rounding
    from seqlint.facts.training.fit_bindings import FitBindings, Variable
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

Relation = Literal["equal", "fewer", "more", "twice divided"]
"""How the steps compare with the batches; "twice divided" is `len(feed) // size`, where `len(feed)` counts batches."""

_SAMPLES = ("samples", "n")
_FLOW_SIZE = 32
_FLOWS = ("flow", "flow_from_directory", "flow_from_dataframe")
_KINDS: dict[tuple[Rounding, Rounding], Relation] = {
    ("floor", "floor"): "equal", ("ceil", "ceil"): "equal", ("floor", "ceil"): "fewer", ("ceil", "floor"): "more",
    ("floor-plus-one", "floor"): "more", ("floor-plus-one", "ceil"): "more",
}  # fmt: skip


class StepCounts:
    """Compares steps with the length of a Sequence."""

    def __init__(
        self, values: Values, counts: Counts, numbers: Numbers, quantities: Quantities, calls: CallGraph,
        input_kinds: InputKinds, training: Training, fit_bindings: FitBindings, lengths: BatchCounts,
    ) -> None:  # fmt: skip
        self._values = values
        self._counts = counts
        self._numbers = numbers
        self._quantities = quantities
        self._calls = calls
        self._input_kinds = input_kinds
        self._training = training
        self._fit_bindings = fit_bindings
        self._lengths = lengths

    def relation(self, steps: cst.BaseExpression, data: cst.BaseExpression) -> Relation | None:
        """How a number of steps compares with the batches in a Sequence; None where that can't be told."""
        makers = self._input_kinds.makers(data)
        value = self._values.only(steps)
        if len(makers) == 1 and self._counts_samples(steps, makers[0], data):
            return "more"
        measured = self._measured(value) if value is not None else None
        if measured is not None:
            return "equal" if self._is(measured, data) else None
        if len(makers) != 1:
            return None
        if isinstance(value, cst.BinaryOperation) and self._exceeds(value, data):
            return "more"
        count = self._counts.of(steps)
        if count is None or count.kind not in ("floor", "ceil", "floor-plus-one"):
            return None
        by_batch = self._is_size(count.denominator, makers[0], data)
        inner = self._values.only(count.numerator)
        if inner is not None and (measured := self._measured(inner)) is not None and self._is(measured, data):
            return "twice divided" if by_batch else None
        kind = self._kind(makers[0], count, data) if by_batch else None
        return self._compared(count, kind) if kind is not None else None

    def is_of_batches(self, steps: cst.BaseExpression, data: cst.BaseExpression) -> bool:
        """Whether steps are a number of samples by the size of a batch, rounded or not: what a Sequence counts by itself."""
        makers, count = self._input_kinds.makers(data), self._counts.of(steps)
        divisor = self._divisor(makers[0]) if len(makers) == 1 else None
        if count is None or divisor is None or not self._quantities.same(count.denominator, divisor):
            return False
        whole = self._values.only(count.numerator)
        measured = self._measured(whole) if whole is not None else None
        return measured is None or not self._input_kinds.makers(measured)  # `len(feed) / size` is a part of an epoch

    def _compared(self, count: Count, kind: Rounding) -> Relation | None:
        found = _KINDS.get((count.kind, kind))
        even = self._lengths.divides(count)
        if count.kind == "floor-plus-one" or even is None:
            return found if count.kind != "floor-plus-one" or kind == "floor" or even else None
        return "equal" if even else found

    def _exceeds(self, node: cst.BinaryOperation, data: cst.BaseExpression) -> bool:
        """`len(x) + 1` and `len(x) * 2`."""
        least = {cst.Add: 1, cst.Multiply: 2}.get(type(node.operator))
        for one, other in ((node.left, node.right), (node.right, node.left)):
            whole, by = self._values.only(one), self._numbers.value(other)
            measured = self._measured(whole) if whole is not None else None
            if least is not None and measured is not None and isinstance(by, int) and by >= least:
                return self._is(measured, data)
        return False

    def _counts_samples(self, steps: cst.BaseExpression, maker: cst.Call, data: cst.BaseExpression) -> bool:
        """Whether steps are all samples of what gives them in batches: `flow.samples`, `len(paths)` for a Sequence of paths."""
        size = self._size(maker)
        number = self._numbers.value(size) if size is not None else None
        if _is_flow(maker):
            by_default = size is None and not self._may_be_sized(maker)
            counted = self._named(steps)
            of_flow = isinstance(counted, cst.Attribute) and counted.attr.value in _SAMPLES
            is_its = isinstance(counted, cst.Attribute) and of_flow and self._is(counted.value, data)
        else:
            by_default, is_its = False, self._is_numerator(steps, maker)
        return is_its and (by_default or (isinstance(number, int) and number > 1))

    def _is_numerator(self, steps: cst.BaseExpression, maker: cst.Call) -> bool:
        """Whether steps are what a Sequence divides by the size of its batches."""
        value = self._values.only(steps)
        owner = self._training.class_of(maker)
        length = self._lengths.of(owner) if owner is not None else None
        if value is None or self._measured(value) is None or length is None or length.count is None:
            return False
        own = {self._at(variable, maker) for variable in self._quantities.counted(length.count.numerator)}
        return not own.isdisjoint(self._quantities.counted(value))

    def _measured(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The x of `len(x)`, and of `x.__len__()`."""
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "__len__":
            return node.func.value
        is_len = isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "len"
        return node.args[0].value if isinstance(node, cst.Call) and is_len and len(node.args) == 1 else None

    def _is(self, one: cst.BaseExpression, data: cst.BaseExpression) -> bool:
        """Whether two expressions are one object, made in one place."""
        left, right = self._input_kinds.makers(one), self._input_kinds.makers(data)
        return bool(left) and left == right and self._fit_bindings.same_variable(one, data)

    # -- what a Sequence counts -------------------------------------------------------------------------------------

    def _kind(self, maker: cst.Call, count: Count, data: cst.BaseExpression) -> Rounding | None:
        """How the length of a Sequence is rounded, if the steps divide the number of its samples."""
        if _is_flow(maker):
            number = self._named(count.numerator)
            of_flow = isinstance(number, cst.Attribute) and number.attr.value in _SAMPLES
            return "ceil" if isinstance(number, cst.Attribute) and of_flow and self._is(number.value, data) else None
        owner = self._training.class_of(maker)
        length = self._lengths.of(owner) if owner is not None else None
        if length is None or length.count is None:
            return None
        own = {self._at(variable, maker) for variable in self._quantities.counted(length.count.numerator)}
        given = self._quantities.counted(count.numerator)
        return None if own.isdisjoint(given) else length.count.kind

    def _named(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """`flow.samples` of `n`, where that is `n = flow.samples`."""
        bindings = self._values.names.reaching(node) if isinstance(node, cst.Name) else ()
        value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
        return value if isinstance(value, cst.Attribute) else node

    def _at(self, variable: Variable, maker: cst.Call) -> Variable | None:
        """What a parameter of the constructor is for one instance."""
        value = self._argument(variable, maker)
        return variable if value is None else self._quantities.variable(value)

    def _argument(self, variable: Variable, maker: cst.Call) -> cst.BaseExpression | None:
        init = self._calls.called(maker)
        home, name = variable
        return self._calls.passed(maker, init, name) if init is not None and _scope_of(home) is init else None

    def _is_size(self, node: cst.BaseExpression, maker: cst.Call, data: cst.BaseExpression) -> bool:
        """Whether a number is how many samples a batch of an instance has."""
        if isinstance(node, cst.Attribute) and node.attr.value == "batch_size" and self._is(node.value, data):
            return True
        own = self._size(maker)
        if own is not None:
            return self._quantities.same(node, own)
        return _is_flow(maker) and not self._may_be_sized(maker) and self._numbers.value(node) == _FLOW_SIZE

    def _may_be_sized(self, maker: cst.Call) -> bool:
        """Whether `**options` may hold the size of a batch."""
        given = [self._input_kinds.options(argument.value) for argument in maker.args if argument.star]
        return any(options is None or "batch_size" in options for options in given)

    def _size(self, maker: cst.Call) -> cst.BaseExpression | None:
        """The expression that says so, here or in the class."""
        if _is_flow(maker):
            named = (a.value for a in maker.args if a.keyword is not None and a.keyword.value == "batch_size")
            return next(named, None) or next(self._in_options(maker), None)
        owner = self._training.class_of(maker)
        length = self._lengths.of(owner) if owner is not None else None
        return self._divisor(maker) if length is not None and self._lengths.by_size(length) else None

    def _in_options(self, maker: cst.Call) -> Iterator[cst.BaseExpression]:
        """The `batch_size` of a dict that is unpacked: `flow(x, y, **options)`."""
        for argument in maker.args:
            place = (
                (self._input_kinds.options(argument.value) or {}).get("batch_size") if argument.star == "**" else None
            )
            holder = self._values.tree.parents[place] if isinstance(place, cst.BaseExpression) else place
            if isinstance(holder, (cst.DictElement, cst.Arg)):
                yield holder.value

    def _divisor(self, maker: cst.Call) -> cst.BaseExpression | None:
        """What the length of a Sequence divides by, for one instance: a number of the caller, or of the class."""
        owner = self._training.class_of(maker)
        length = self._lengths.of(owner) if owner is not None else None
        if length is None or length.count is None:
            return None
        size = length.count.denominator
        variable = self._quantities.variable(size)
        given = self._argument(variable, maker) if variable is not None else None
        return given or size


def _is_flow(maker: cst.Call) -> bool:
    return isinstance(maker.func, cst.Attribute) and maker.func.attr.value in _FLOWS


def _scope_of(home: Scope | cst.ClassDef) -> cst.CSTNode | None:
    return home.node if isinstance(home, Scope) else None
