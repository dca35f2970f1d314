"""Lists of samples on their way into a batch, and those that never become an array."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.batches import parts_of
from seqlint.facts.batches.inputs import Inputs, is_empty
from seqlint.facts.batches.rounds import Rounds
from seqlint.facts.code.slices import is_slice
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batch, Batches
    from seqlint.facts.batches.structures import Structures
    from seqlint.facts.flow.call_frames import Frame

_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.len", "builtins.bool"})
_NO_COLUMNS = ("T", "columns", "dtypes", "iloc", "index", "items", "keys", "loc", "shape")
_AS_ROWS = ("to_list", "to_numpy", "tolist")
_BY_ROW = ("iterrows", "itertuples", "to_pylist")
_PICKS = frozenset({"random.sample", "random.choices"})
_MOST = 4  # comprehensions over one another
_MOST_PARTS = 3  # inputs, targets and weights: a tuple of more is for a loop of the program's own


@dataclass(frozen=True, eq=False)
class BareList:
    """A list of samples that goes into a batch as it is.

    Attributes:
        part: what stands for it in the batch.
        made: the list.
        position: 0 for inputs, 1 for targets, 2 for weights.
        of_numbers: whether its items are surely numbers, and not arrays.
        only: whether nothing else can stand there.
    """

    batch: Batch
    part: Traced
    made: Traced
    position: int
    of_numbers: bool
    only: bool


class Samples:
    """The lists of samples of one file."""

    def __init__(self, batches: Batches, structures: Structures) -> None:
        self._batches = batches
        self._structures = structures
        self._inputs = Inputs(batches)
        self._rounds = Rounds(batches.flow)
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names

    def items(self) -> Iterator[tuple[Batch, int, Traced]]:
        """The items of all batches, with their positions."""
        for maker in self._batches.makers:
            for batch in self._batches.of(maker):
                for whole in self._batches.values(batch):
                    if isinstance(whole.node, (cst.Tuple, cst.List)):
                        parts = parts_of(whole) or ()
                        if len(parts) <= _MOST_PARTS:
                            yield from ((batch, number, part) for number, part in enumerate(parts))
                    elif maker.of_sequence:
                        yield batch, 0, whole

    # -- lists that stay lists ----------------------------------------------------------------------------------------

    @cached_property
    def bare(self) -> tuple[BareList, ...]:
        """Each list of samples that is handed over as a list, once."""
        structures = {part.made for part in self._structures.lists}
        found: dict[cst.CSTNode, BareList] = {}
        for batch, position, item in self.items():
            for part in self.inner(item):
                made = self._flow.trace(part)
                lists = [one for one in made if one.node not in structures and self._is_of_samples(one, part)]
                for one in lists[:1]:
                    assert one.node is not None
                    bare = BareList(batch, part, one, position, self._holds_numbers(one), len(lists) == len(made))
                    found.setdefault(one.node, bare)
        return tuple(found.values())

    def inner(self, item: Traced) -> Iterator[Traced]:
        """The item itself, or those of a tuple or dict of several inputs."""
        inner = [part for whole in self._flow.trace(item) for part in self._parts(whole)]
        yield from inner or [item]

    def _parts(self, whole: Traced) -> tuple[Traced, ...]:
        return (parts_of(whole) or ()) if isinstance(whole.node, (cst.Tuple, cst.Dict)) else ()

    def _is_of_samples(self, made: Traced, part: Traced) -> bool:
        """A comprehension over samples, or a list that a loop fills."""
        whole = self._tree.parents.get(part.node) if part.node is not None else None
        if not isinstance(whole, (cst.Element, cst.DictElement)):  # the list is the whole batch
            return False
        mapped = self.mapped(made.node)
        if mapped is not None:
            rows = mapped.args[1].value
            return all(self._is_of_rows(one) for one in self._flow.trace(Traced(rows, made.frame)))
        if (columns := self._unzipped(made)) is not None:
            position, samples = columns
            return all(self._is_of_pairs(one, position) for one in self._flow.trace(samples))
        if (spelled := self._spelled(made.node)) is not None:
            item, rows = spelled.elt, spelled.for_in.iter
            plain = not isinstance(item, (cst.Tuple, cst.List, cst.Dict)) and spelled.for_in.inner_for_in is None
            return plain and self._is_sample(item, rows, made.frame)
        return isinstance(made.node, cst.List) and not made.node.elements and bool(self._appended(made))

    def _spelled(self, node: cst.BaseExpression | None) -> cst.ListComp | cst.GeneratorExp | None:
        """`[load(path) for path in paths]`, also as `list(load(path) for path in paths)`."""
        if isinstance(node, cst.ListComp):
            return node
        is_list = isinstance(node, cst.Call) and self._names.qualified(node.func) == "builtins.list"
        inner = node.args[0].value if is_list and isinstance(node, cst.Call) and len(node.args) == 1 else None
        return inner if isinstance(inner, cst.GeneratorExp) else None

    def mapped(self, node: cst.BaseExpression | None) -> cst.Call | None:
        """`map(load, paths)` of `list(map(load, paths))`."""
        if not isinstance(node, cst.Call) or len(node.args) != 1 or self._names.qualified(node.func) != "builtins.list":
            return None
        inner = node.args[0].value
        if not isinstance(inner, cst.Call) or self._names.qualified(inner.func) != "builtins.map":
            return None
        return inner if len(inner.args) == 2 and not any(a.star for a in inner.args) else None

    def _unzipped(self, made: Traced) -> tuple[int, Traced] | None:
        """The samples that `images, kinds = zip(*samples)` unpacks, and the place of a name among these.

        Each name then holds a tuple with an item for each sample.
        """
        node = made.node
        if isinstance(node, cst.Call) and len(node.args) == 1 and self._names.qualified(node.func) == "builtins.list":
            node = node.args[0].value
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        if len(bindings) != 1 or bindings[0].kind != "unpack" or not isinstance(zipped := bindings[0].value, cst.Call):
            return None
        starred = len(zipped.args) == 1 and zipped.args[0].star == "*"
        holder = self._tree.parents[self._tree.parents[bindings[0].node]]
        if not starred or self._names.qualified(zipped.func) != "builtins.zip" or not isinstance(holder, cst.Tuple):
            return None
        position = [element.value for element in holder.elements].index(bindings[0].node)  # type: ignore[arg-type]
        return position, Traced(zipped.args[0].value, made.frame)

    def _is_of_pairs(self, leaf: Traced, position: int) -> bool:
        """Whether something holds samples that are pairs, and not the arrays of several inputs."""
        node = leaf.node
        if isinstance(node, cst.Subscript):
            return len(node.slice) == 1 and is_slice(self._names, node)
        if isinstance(node, (cst.ListComp, cst.GeneratorExp)):
            pair, rows = node.elt, node.for_in.iter
            plain = isinstance(pair, cst.Tuple) and node.for_in.inner_for_in is None
            if not plain or not isinstance(pair, cst.Tuple) or position >= len(pair.elements):
                return False
            return self._is_sample(pair.elements[position].value, rows, leaf.frame)
        return isinstance(node, cst.Call) and self._names.qualified(node.func) in _PICKS

    def _is_sample(self, item: cst.BaseExpression, rows: cst.BaseExpression, frame: Frame) -> bool:
        """Whether each round makes one sample: the loop goes over the rows of the batch, and takes no more than one."""
        over = all(self._is_of_rows(leaf) for leaf in self._flow.trace(Traced(rows, frame)))
        return over and not any(self._rounds.takes_rows(leaf) for leaf in self._flow.trace(Traced(item, frame)))

    def _is_of_rows(self, leaf: Traced, steps: int = _MOST) -> bool:
        """A part of something, or as many rounds as something other than a literal says."""
        node = leaf.node
        if isinstance(node, cst.Subscript):
            return True
        if isinstance(node, cst.ListComp):  # lists that are filled later may be one for each input
            return not is_empty(node.elt) and self._is_made_of_rows(Traced(node.for_in.iter, leaf.frame))
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _BY_ROW:
            return True
        if (column := _column_of(node)) is not None:
            return all(is_slice(self._names, one.node) for one in self._flow.trace(Traced(column, leaf.frame)))
        name = self._names.qualified(node.func) if isinstance(node, cst.Call) else None
        if name == "builtins.range" and node is not None:
            return self._inputs.counts_rows(Traced(node, leaf.frame))
        if name not in ("builtins.zip", "builtins.enumerate") or not isinstance(node, cst.Call) or not steps:
            return False
        if any(argument.star for argument in node.args):  # `zip(*samples)` goes over the columns
            return False
        inner = [one for a in node.args for one in self._flow.trace(Traced(a.value, leaf.frame))]
        return any(self._is_of_rows(one, steps - 1) for one in inner)

    def _is_made_of_rows(self, rows: Traced, steps: int = _MOST) -> bool:
        """Whether what a comprehension goes over may be rows: not as many rounds as a model has inputs."""
        return steps == 0 or not any(self._is_of_inputs(leaf, steps) for leaf in self._flow.trace(rows))

    def _is_of_inputs(self, leaf: Traced, steps: int) -> bool:
        """`range(3)` and `range(self.inputs)`, `zip(*samples)`, or what was made for each of those."""
        node = leaf.node
        if isinstance(node, cst.ListComp):  # `images = [cut(image) for image in images]` may go over itself
            return not self._is_made_of_rows(Traced(node.for_in.iter, leaf.frame), steps - 1)
        name = self._names.qualified(node.func) if isinstance(node, cst.Call) else None
        return name in ("builtins.range", "builtins.zip") and not self._is_of_rows(leaf)

    def _appended(self, made: Traced) -> list[cst.BaseExpression]:
        """What a loop over the samples appends to a list."""
        name = self._tree.given_to(made.node) if made.node is not None else None
        function = made.frame.function
        if name is None or function is None:
            return []
        found: list[cst.BaseExpression] = []
        for item, rows in self._taken_in(function, name):
            number = all(self._is_number(leaf.node) for leaf in self._flow.trace(Traced(item, made.frame)))
            if rows is not None and not number and not self._is_sample(item, rows, made.frame):
                return []
            found.append(item)
        return found

    def _taken_in(
        self, function: cst.FunctionDef, name: str
    ) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
        """The statements that put one item after the other into a list, with the item, and what the loop goes over."""
        for node in self._tree.inside_any(function.body, (cst.Call, cst.AugAssign)):
            added = _added(node, name)
            if added is None:
                continue
            loop = self._tree.enclosing(node, cst.For, cst.While, cst.FunctionDef)
            if isinstance(added, (cst.ListComp, cst.GeneratorExp)):
                if loop is function and added.for_in.inner_for_in is None:
                    yield added.elt, added.for_in.iter
            elif isinstance(loop, (cst.For, cst.While)):
                item = (
                    added.elements[0].value
                    if isinstance(node, cst.AugAssign) and isinstance(added, cst.List)
                    else added
                )
                yield item, loop.iter if isinstance(loop, cst.For) else None

    def held(self, made: Traced) -> list[cst.BaseExpression]:
        """What a list of samples holds, one expression for each place that puts something into it."""
        mapped = self.mapped(made.node)
        if mapped is not None:
            function = mapped.args[0].value
            return [function.body] if isinstance(function, cst.Lambda) else []
        spelled = self._spelled(made.node)
        return [spelled.elt] if spelled is not None else self._appended(made)

    def _holds_numbers(self, made: Traced) -> bool:
        mapped = self.mapped(made.node)
        if mapped is not None and self._names.qualified(mapped.args[0].value) in _NUMBERS:
            return True
        held = [one for item in self.held(made) for one in self._flow.trace(Traced(item, made.frame))]
        return bool(held) and all(self._is_number(one.node) for one in held)

    def _is_number(self, node: cst.BaseExpression | None) -> bool:
        if isinstance(node, cst.Call):
            return self._names.qualified(node.func) in _NUMBERS
        return isinstance(node, (cst.Integer, cst.Float, cst.UnaryOperation))


def _column_of(node: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """The table of `table.price` and `table.price.tolist()`; None for what is no attribute of a variable."""
    if isinstance(node, cst.Call):
        node = node.func.value if isinstance(node.func, cst.Attribute) and node.func.attr.value in _AS_ROWS else None
    table = node.value if isinstance(node, cst.Attribute) else None
    if isinstance(table, cst.Attribute) and isinstance(node, cst.Attribute) and node.attr.value == "values":
        table = table.value
    named = isinstance(node, cst.Attribute) and node.attr.value not in _NO_COLUMNS
    return table if named and isinstance(table, cst.Name) else None


def _added(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What a statement puts into a list: the item, or for several the comprehension; for `tiles += [tile]` the list of one."""
    if isinstance(node, cst.AugAssign):
        single = isinstance(node.value, cst.List) and len(node.value.elements) == 1
        plain = single or isinstance(node.value, (cst.ListComp, cst.GeneratorExp))
        return (
            node.value if plain and _is_name(node.target, name) and isinstance(node.operator, cst.AddAssign) else None
        )
    func = node.func if isinstance(node, cst.Call) else None
    if not isinstance(node, cst.Call) or not isinstance(func, cst.Attribute) or not _is_name(func.value, name):
        return None
    value = node.args[0].value if len(node.args) == 1 and not node.args[0].star else None
    several = isinstance(value, (cst.ListComp, cst.GeneratorExp))
    return value if func.attr.value == ("extend" if several else "append") else None


def _is_name(node: cst.BaseExpression, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name
