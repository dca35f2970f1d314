"""Iterators that `__getitem__` advances: each call gets the next item, whatever index it is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.classes.classes import ClassFacts, Reached
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.instances.attributes import Attributes, Touch

_MAKES = frozenset(
    {"builtins.iter", "builtins.map", "builtins.zip", "builtins.filter", "builtins.enumerate", "csv.reader"}
)
_READS = frozenset({
    "builtins.list", "builtins.tuple", "builtins.zip", "builtins.enumerate", "itertools.islice", "itertools.chain",
    "itertools.takewhile", "numpy.fromiter",
})  # fmt: skip
_OPENS = frozenset({"builtins.open", "bz2.open", "codecs.open", "gzip.open", "io.open", "lzma.open"})
_READ_ON = frozenset({"read", "readline", "readlines"})
_METHODS = frozenset({"get_next", "__next__", "next"})
_TABLES = ("pandas.read_",)
_IN_PIECES = ("chunksize", "iterator")


@dataclass(frozen=True, eq=False)
class Advance:
    """One place on the way to a batch that takes the next item of an iterator which outlives the call.

    Attributes:
        owner: the Sequence.
        reached: the function that holds the place.
        node: `next(self.rows)`, `self.rows.get_next()`, or the iterator that a loop continues with.
        iterator: as the code calls it: "self.rows".
        attribute: the attribute that holds it; empty for a variable outside the class.
    """

    owner: ClassFacts
    reached: Reached
    node: cst.BaseExpression
    iterator: str
    attribute: str = ""


class Advances:
    """The places in one file where Sequences advance an iterator."""

    def __init__(self, batches: Batches, attributes: Attributes, calls: CallGraph) -> None:
        self._batches = batches
        self._attributes = attributes
        self._calls = calls
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values

    @cached_property
    def all(self) -> tuple[Advance, ...]:
        """Each place once, in reading order."""
        found: dict[cst.BaseExpression, Advance] = {}
        for owner in self._batches.sequences:
            for advance in self.of(owner):
                found.setdefault(advance.node, advance)
        return self._tree.order.sorted(found.values(), lambda advance: advance.node)

    def of(self, owner: ClassFacts) -> tuple[Advance, ...]:
        """Those of one Sequence."""
        ways = owner.reachable("__getitem__")
        found = [advance for reached in ways for advance in self._in(owner, reached) if not self._is_of_base(advance)]
        picks = self._picks_by_index(owner)
        return tuple(a for a in found if not self._only_counts(a) and not (picks and self._may_be_draws(a)))

    def _is_of_base(self, advance: Advance) -> bool:
        """Whether the bases in another file, which call the method here, may make the iterator, or restart it."""
        name = advance.attribute
        if advance.reached.template_method is None or not name:
            return False
        return advance.owner.is_used_externally(name) or not self._is_iterator(advance.owner, name)

    def _picks_by_index(self, owner: ClassFacts) -> bool:
        """Whether `__getitem__` uses its index at all."""
        method = owner.method("__getitem__")
        taken = parameters(method[1].params)[1:2] if method is not None else ()
        names = self._tree.inside(method[1].body, cst.Name) if method is not None else ()
        return any(
            name.value == param.name.value and not self._tree.is_label(name) for param in taken for name in names
        )

    def _may_be_draws(self, advance: Advance) -> bool:
        """Whether an iterator that comes from elsewhere may give random transforms for rows that the index picks."""
        values = self._values.attribute_values(advance.owner.node, advance.attribute) if advance.attribute else ()
        made = (node for value in values if value is not None for node in self._tree.walk(value))
        return bool(values) and not any(isinstance(n, cst.BaseExpression) and self._makes_iterator(n) for n in made)

    def _in(self, owner: ClassFacts, reached: Reached) -> Iterator[Advance]:
        for touch in self._attributes.of(reached.node):
            place = self._place(owner, touch)
            if place is not None and not self._is_fresh(touch):
                yield Advance(owner, reached, place, f"self.{touch.name}", touch.name)
        for call in self._tree.inside(reached.node.body, cst.Call):
            name = self._outer(call)
            if name is not None:
                yield Advance(owner, reached, call, name.value)

    # -- attributes -------------------------------------------------------------------------------------------------

    def _place(self, owner: ClassFacts, touch: Touch) -> cst.BaseExpression | None:
        if touch.kind == "advance":
            call = self._tree.enclosing(touch.node, cst.Call)
            return call if call is not None else touch.node
        if touch.kind == "read" and (call := self._next(touch.node) or self._read_on(owner, touch)) is not None:
            return call
        if touch.kind == "read" and self._goes_on(touch.node) and self._is_iterator(owner, touch.name):
            return touch.node
        return None

    def _next(self, node: cst.BaseExpression) -> cst.Call | None:
        """`self.flow.next()`, a method of Keras's own iterators."""
        method = self._tree.parents[node]
        call = self._tree.parents[method]
        if not isinstance(method, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not method:
            return None
        if method.attr.value == "get_chunk":  # of a table that pandas reads in pieces
            return call if any(v is not None and self._reads_in_pieces(v) for v in self._values.of(node)) else None
        return call if method.attr.value == "next" and not call.args else None

    def _read_on(self, owner: ClassFacts, touch: Touch) -> cst.Call | None:
        """`self.file.readline()` of a file that was opened once, and in which no batch seeks."""
        method = self._tree.parents[touch.node]
        call = self._tree.parents[method]
        if not isinstance(method, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not method:
            return None
        ways = {reached.node for reached in owner.reachable("__getitem__")}
        places = (node.value for node in self._tree.attributes("seek") if self._tree.function(node) in ways)
        if method.attr.value not in _READ_ON or any(
            isinstance(p, cst.Attribute) and p.attr.value == touch.name for p in places
        ):
            return None
        values = self._values.attribute_values(owner.node, touch.name)
        names = {self._names.qualified(v.func) if isinstance(v, cst.Call) else None for v in values}
        return call if names and names <= _OPENS else None

    def _goes_on(self, node: cst.BaseExpression) -> bool:
        """Whether a loop, `list(...)` or `islice(...)` reads what the expression holds."""
        parent = self._tree.parents[node]
        if isinstance(parent, (cst.For, cst.CompFor)):
            return parent.iter is node
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
        return isinstance(call, cst.Call) and self._names.qualified(call.func) in _READS

    def _is_iterator(self, owner: ClassFacts, name: str) -> bool:
        values = self._values.attribute_values(owner.node, name)
        return bool(values) and all(value is not None and self._makes_iterator(value) for value in values)

    def _makes_iterator(self, value: cst.BaseExpression) -> bool:
        if not isinstance(value, cst.Call):
            return isinstance(value, cst.GeneratorExp)
        name = self._names.qualified(value.func) or ""
        function = self._calls.called(value)
        return (
            name in _MAKES
            or self._reads_in_pieces(value)
            or name.startswith("itertools.")
            or (function is not None and not function.decorators and self._values.is_generator(function))
        )

    def _reads_in_pieces(self, value: cst.BaseExpression) -> bool:
        """`pd.read_csv(path, chunksize=32)`."""
        if not isinstance(value, cst.Call) or not (self._names.qualified(value.func) or "").startswith(_TABLES):
            return False
        given = {argument.keyword.value: argument.value for argument in value.args if argument.keyword is not None}
        asked = [self._values.constant(given[word]) for word in _IN_PIECES if word in given]
        return bool(asked) and not all(constant is not None and not constant.value for constant in asked)

    def _is_fresh(self, touch: Touch) -> bool:
        """Whether the same call of the function has made the iterator: `self.rows = iter(...)` just before."""
        return any(
            other.name == touch.name
            and other.kind == "assign"
            and self._tree.order.precedes(other.node, touch.node)
            and self._tree.holds(self._tree.block(other.node), touch.node)
            for other in self._attributes.of(touch.function)
        )

    # -- variables outside the class --------------------------------------------------------------------------------

    def _outer(self, call: cst.Call) -> cst.Name | None:
        """The variable of the module, or of an enclosing function, whose next item is taken."""
        given = call.args[0].value if call.args and self._names.qualified(call.func) == "builtins.next" else None
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS and not call.args:
            given = call.func.value
        if not isinstance(given, cst.Name):
            return None
        bindings = self._names.bindings(given)
        function = self._tree.function(call)
        outside = bindings and all(b.kind == "assign" and b.scope.node is not function for b in bindings)
        if not outside or self._names.same_frame(given, bindings[0].scope):
            return None
        return given if all(b.value is not None and self._makes_iterator(b.value) for b in bindings) else None

    # -- counters ---------------------------------------------------------------------------------------------------

    def _only_counts(self, advance: Advance) -> bool:
        """Whether no batch depends on what is taken: `next(itertools.count())` numbers the calls."""
        values = self._values.attribute_values(advance.owner.node, advance.attribute) if advance.attribute else ()
        made = [v for v in values if isinstance(v, cst.Call)]
        if not made or not all(self._names.qualified(value.func) == "itertools.count" for value in made):
            return False
        makers = [maker for maker in self._batches.makers if maker.owner is advance.owner]
        batches = [batch for maker in makers for batch in self._batches.of(maker)]
        flow = self._batches.flow
        parts = (part.node for batch in batches for part in flow.mentioned(Traced(batch.value.node, batch.value.frame)))
        return all(node is not advance.node for node in parts)
