"""Shuffles whose result goes where it was not meant to go: None that is used for rows, and new orders that nothing uses."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.rows.rows import RowOrders
from seqlint.domains.rows.steps import Moment
from seqlint.domains.rows.terms import within
from seqlint.knowledge.orders import IN_PLACE, PERMUTED, moves_in_place
from seqlint.run import Container, Result, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Read, Run

Why = Literal["gone", "discarded", "a copy", "returned"]
"""*gone*: the None of a shuffle in place is used. *discarded*: nothing takes a shuffled copy. *a copy*: a shuffle in place moves a copy that nothing
else holds. *returned*: a function of the program returns rows in a new order, and nothing takes them."""
_SAYS = frozenset({"builtins.print", "builtins.str", "builtins.repr"})
_COPIES = frozenset({"builtins.list", "builtins.sorted", "copy.copy", "copy.deepcopy", "numpy.array", "numpy.copy"})
_COPIED = frozenset({"copy", "tolist"})


@dataclass(frozen=True, eq=False)
class LostOrder:
    """A call of this file whose new order is lost."""

    why: Why
    node: ast.Call


class LostOrders:
    """The new orders of a run that are lost."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows = run.domain(RowOrders)

    @cached_property
    def all(self) -> tuple[LostOrder, ...]:
        """In reading order, each call once."""
        found: dict[ast.Call, LostOrder] = {}
        for each in (*self._gone(), *self._dropped()):
            if self._run.is_own(each.node):
                found.setdefault(each.node, each)
        return tuple(sorted(found.values(), key=lambda each: self._run.span(each.node)))

    def _gone(self) -> Iterator[LostOrder]:
        for call in self._run.called(*IN_PLACE):
            if isinstance(call.node, ast.Call) and call.result in self._used:
                yield LostOrder("gone", call.node)

    @cached_property
    def _used(self) -> set[Object]:
        """What something is made of, or goes through."""
        users = (made for made in self._run.results if made.op != "operator" and made.name not in _SAYS)
        values = (value for made in users for value in (*made.args, *(value for _, value in made.keywords)))
        read = (read.value for read in self._run.reads if read.kind in ("loop", "list", "unpack"))
        found = {each for value in (*values, *read) for each in within(value)}
        return found | {made.receiver for made in self._run.results if made.op in ("item", "call") and made.receiver}

    def _dropped(self) -> Iterator[LostOrder]:
        for read in self._run.reads:
            if read.kind != "drop" or not isinstance(read.node, ast.Expr) or not isinstance(read.node.value, ast.Call):
                continue
            for each in read.value:
                why = self._why(read, each, read.node.value)
                if why == "a copy" or (why is not None and not self._run.is_shown(read.node)):
                    yield LostOrder(why, read.node.value)

    def _why(self, read: Read, found: Object, node: ast.Call) -> Why | None:
        if not isinstance(found, Result) or found.node is not node:
            return "returned" if node.args and self._only_returns(read, found, node) else None
        if found.name in IN_PLACE:
            return "a copy" if found.args and all(_is_copy(each, node) for each in found.args[0]) else None
        return "discarded" if _gives_copy(found) else None

    def _only_returns(self, read: Read, found: Object, node: ast.Call) -> bool:
        """Whether a call gives its arguments in an order that it draws, and changes nothing else."""
        parts = [value.only for value in found.items] if isinstance(found, Tuple) else [found]
        at = Moment(read.context.clock, read.context.guards)
        rows = [self._rows.of(each, at) if isinstance(each, (Result, Container)) else None for each in parts]
        moves = [each.moves[-1] if each is not None and each.moves else None for each in rows]
        if not moves or not all(
            move is not None and move.draw and self._is_inside(move.draw.call, node) for move in moves
        ):
            return False
        inside = [call for call in self._run.calls if self._is_inside(call, node)]
        made = {call.result for call in inside}
        moved = (call.result.args[0] for call in inside if moves_in_place(call.name) and call.result.args)
        stores = any(node in store.context.stack for store in self._run.stores)
        return (
            not stores
            and all(each in made for value in moved for each in value)
            and not any(call.name == "setitem" for call in inside)
        )

    def _is_inside(self, call: Call, node: ast.Call) -> bool:
        return node in call.context.stack


def _gives_copy(made: Result) -> bool:
    """Whether a call gives all rows of its argument in a new order."""
    if made.method == "sample":
        part, many = made.keyword("frac"), made.argument("k", 1)
        if made.name != "random.sample":
            return made.receiver is not None and part is not None and part.constant == 1
        only = many.only if many is not None else None
        if not isinstance(only, Result) or only.name != "builtins.len" or not only.args or not made.args:
            return False
        return only.args[0].term == made.args[0].term
    if made.name == "keras.random.shuffle":
        axis = made.argument("axis", 1)
        return axis is None or axis.constant == 0
    return made.name == "sklearn.utils.shuffle" or (made.name in PERMUTED and made.keyword("out") is None)


def _is_copy(found: Object, node: ast.Call) -> bool:
    """Whether what a call shuffles is a copy that is made in its own argument."""
    given = node.args[0] if node.args else None
    if not isinstance(found, (Result, Container)) or found.node is not given or not isinstance(given, ast.Call):
        return False
    if isinstance(found, Container):
        return True
    return (found.name in _COPIES and len(given.args) == 1) or (found.method in _COPIED and not given.args)
