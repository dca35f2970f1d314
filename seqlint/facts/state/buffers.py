"""Arrays that every batch is written into, while the batch before is still on its way to the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.keys import key_of, word_of
from seqlint.facts.code.tree import is_none
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.state.set_up import is_set_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batch, Batches, Maker
    from seqlint.facts.instances.attributes import Attributes

_BLANK = frozenset({
    "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "numpy.zeros_like", "numpy.ones_like", "numpy.empty_like",
    "numpy.full_like",
})  # fmt: skip
_COPIES = frozenset({"numpy.array", "numpy.copy", "copy.copy", "copy.deepcopy", "numpy.stack", "numpy.concatenate"})
_VIEWS = frozenset({"numpy.asarray", "numpy.squeeze", "numpy.expand_dims"})
_METHODS = {"copy": True, "astype": True, "reshape": False, "squeeze": False}
"""Methods of arrays, and whether their result is a copy."""
_FILLS = frozenset({"numpy.copyto", "numpy.put", "numpy.place", "numpy.putmask"})
_LOOPS = (cst.For, cst.While)


@dataclass(frozen=True, eq=False)
class Buffer:
    """An array that outlives the batch.

    Attributes:
        made: the call that makes it.
        name: the attribute of `self`, or the variable of a generator.
        key: the key under which a dict on `self` holds it, as it is written; empty where no dict does.
        copied: whether the batch holds a copy of it.
        given: where it goes into the batch.
        loop: the loop of a generator that fills it again for each batch.
    """

    maker: Maker
    made: cst.Call
    name: str
    copied: bool
    given: cst.BaseExpression
    loop: cst.For | cst.While | None = None
    key: str = ""


class Buffers:
    """The buffers of one file."""

    def __init__(self, batches: Batches, attributes: Attributes) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values
        self._attributes = attributes

    @cached_property
    def all(self) -> tuple[Buffer, ...]:
        """Each once, with the first batch that it goes into; batches without a copy come first."""
        found: dict[cst.Call, Buffer] = {}
        for maker in self._batches.makers:
            buffers = [buffer for batch in self._batches.of(maker) for buffer in self._in(batch)]
            for buffer in sorted(buffers, key=lambda each: each.copied):
                found.setdefault(buffer.made, buffer)
        return self._tree.order.sorted(found.values(), lambda buffer: buffer.made)

    def _in(self, batch: Batch) -> Iterator[Buffer]:
        for whole in self._batches.values(batch):
            for leaf in self._batches.leaves(whole):
                for array, copied in self._sources(leaf, copied=False):
                    if batch.maker.of_sequence:
                        yield from self._of_self(batch.maker, leaf, array, copied)
                    elif not copied:
                        yield from self._of_generator(batch, array)

    def _sources(self, leaf: Traced, *, copied: bool, steps: int = 6) -> Iterator[tuple[Traced, bool]]:
        """The arrays that a value shares memory with, or is a copy of."""
        for whole in self._flow.trace(leaf):
            node = whole.node
            inner, copies = self._step(node) if node is not None and steps else (None, False)
            if inner is None:
                yield whole, copied
            else:
                yield from self._sources(Traced(inner, whole.frame), copied=copied or copies, steps=steps - 1)

    def _step(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, bool]:
        if isinstance(node, cst.Subscript):
            return (node.value, False) if _is_head(node) else (None, False)
        if not isinstance(node, cst.Call):
            return None, False
        name = self._names.qualified(node.func)
        if name in _COPIES | _VIEWS and node.args:
            return node.args[0].value, name in _COPIES
        func = node.func
        if name is None and isinstance(func, cst.Attribute) and func.attr.value in _METHODS:
            return func.value, _METHODS[func.attr.value]
        return None, False

    # -- on self ----------------------------------------------------------------------------------------------------

    def _of_self(self, maker: Maker, leaf: Traced, array: Traced, copied: bool) -> Iterator[Buffer]:
        (node, key), owner = _out_of_dict(array.node), maker.owner
        if owner is None or leaf.node is None or not isinstance(node, cst.Attribute):
            return
        if self._values.self_class(node.value) is None or owner.is_used_externally(node.attr.value):
            return
        if (
            maker.template_method is not None and maker.template_method.asked.sets_workers
        ):  # processes have a buffer each
            return
        name = node.attr.value
        touches = [touch for _, touch in self._attributes.on(owner, "__getitem__") if touch.name == name]
        if key:
            touches = [touch for touch in touches if self._is_at(touch.node, key) or touch.kind == "assign"]
            if any(self._is_stored_at(touch.node) for touch in touches):  # each batch starts with an array of its own
                return
        later = {touch.kind for touch in touches if not is_set_up(self._tree, touch)}
        if "assign" in later or "change" not in later:
            return
        made = [value for holder in owner.lineage for value in self._values.attribute_values(holder.node, name)]
        made = [self._at(value, key) for value in made] if key else [value for value in made if not is_none(value)]
        calls = [value for value in made if isinstance(value, cst.Call) and self._is_blank(value)]
        if calls and len(calls) == len(made):
            yield Buffer(maker, calls[0], name, copied, leaf.node, key=key)

    def _is_at(self, node: cst.BaseExpression, key: str) -> bool:
        """Whether an attribute is asked for the item of a key: `self.buffers["x"]`."""
        return key_of(self._tree.parents[node]) == key

    def _is_stored_at(self, node: cst.BaseExpression) -> bool:
        return isinstance(self._tree.parents[self._tree.parents[node]], cst.AssignTarget)

    def _at(self, value: cst.BaseExpression | None, key: str) -> cst.BaseExpression | None:
        """What a dict literal holds under a key."""
        elements = value.elements if isinstance(value, cst.Dict) else ()
        found = [e.value for e in elements if isinstance(e, cst.DictElement) and word_of(e.key) == key]
        return found[0] if len(found) == 1 else None

    def _is_blank(self, call: cst.Call) -> bool:
        return self._names.qualified(call.func) in _BLANK

    # -- in a generator ---------------------------------------------------------------------------------------------

    def _of_generator(self, batch: Batch, array: Traced) -> Iterator[Buffer]:
        """An array that is made above the loop that yields it, and filled in the loop."""
        made = array.node
        loop = self._tree.enclosing(batch.statement, *_LOOPS, cst.FunctionDef)
        inside = array.frame.function is batch.maker.function
        if not isinstance(made, cst.Call) or not self._is_blank(made) or not isinstance(loop, _LOOPS) or not inside:
            return
        name = self._tree.given_to(made)
        if name is None or self._is_bound_in(loop, name) or not self.writes(loop.body, name):
            return
        for given in self._tree.inside(batch.statement, cst.Name):
            if given.value == name and not self._tree.is_label(given):
                yield Buffer(batch.maker, made, name, copied=False, given=given, loop=loop)
                return

    def _is_bound_in(self, loop: cst.For | cst.While, name: str) -> bool:
        targets = (target.target for target in self._tree.inside(loop, cst.AssignTarget))
        return any(isinstance(target, cst.Name) and target.value == name for target in targets)

    def writes(self, node: cst.CSTNode, name: str) -> tuple[cst.CSTNode, ...]:
        """The places in code that fill the array of a variable."""
        found: list[cst.CSTNode] = []
        for inner in self._tree.walk(node):
            if isinstance(inner, (cst.AssignTarget, cst.AugAssign)):
                found += [inner] if _is_part_of(inner.target, name) else []
            elif isinstance(inner, cst.Call):
                found += [inner] if self._fills(inner, name) else []
        return tuple(found)

    def _fills(self, call: cst.Call, name: str) -> bool:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "fill" and _is(call.func.value, name):
            return True
        first = bool(call.args) and self._names.qualified(call.func) in _FILLS and _is(call.args[0].value, name)
        return first or any(
            a.keyword is not None and a.keyword.value == "out" and _is(a.value, name) for a in call.args
        )


def _is_head(node: cst.Subscript) -> bool:
    """`x[:n]`, `x[...]`, `x[:]`: from the first row on."""
    first = node.slice[0].slice
    if isinstance(first, cst.Index):
        return isinstance(first.value, cst.Ellipsis)
    return isinstance(first, cst.Slice) and first.lower is None and first.step is None


def _out_of_dict(node: cst.BaseExpression | None) -> tuple[cst.BaseExpression | None, str]:
    """`self.buffers` and `"x"` of `self.buffers["x"]`; anything else as it is."""
    word = key_of(node)
    return (node.value, word) if word and isinstance(node, cst.Subscript) else (node, "")


def _is(node: cst.BaseExpression, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _is_part_of(target: cst.BaseExpression, name: str) -> bool:
    if isinstance(target, (cst.Tuple, cst.List)):  # `rows[row], marks[row] = read()`
        return any(_is_part_of(element.value, name) for element in target.elements)
    if not isinstance(target, cst.Subscript):
        return False
    here: cst.BaseExpression = target
    while isinstance(here, cst.Subscript):
        here = here.value
    return _is(here, name)
