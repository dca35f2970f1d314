"""Attributes that models, layers, metrics and optimizers had on Keras 2 and have no longer."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.symbolic import Symbolic
from seqlint.knowledge.keras_names import MEMBERS_GONE
from seqlint.knowledge.keras_replacements import MEMBERS, STUBS
from seqlint.run import External, Instance, Result
from seqlint.run.attributes import lineage, lookup
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run

_ROOMS = (
    ("keras.metrics.", "metrics.Metric"),
    ("keras.optimizers.", "optimizers.Optimizer"),
    ("keras.layers.", "layers.Layer"),
)
_OF_BASES = {"keras.Model": "Model", "keras.Sequential": "Model", "keras.Layer": "layers.Layer", "keras.layers.Layer": "layers.Layer",
             "keras.metrics.Metric": "metrics.Metric", "keras.Metric": "metrics.Metric"}  # fmt: skip
_NAMES = frozenset(name.rpartition(".")[2] for name in MEMBERS)
_OTHERS = frozenset({"keras.layers.MultiHeadAttention", "keras.layers.Input"})
"""What has some of the attributes still, or is no layer."""


@dataclass(frozen=True, eq=False)
class LostMember:
    """One place that asks for an attribute which Keras 3 lost.

    Attributes:
        member: what is asked for, as in `keras_names`: "metrics.Metric.reset_states".
        owner: what is asked.
        call: the call of it; None where it is only read.
    """

    member: str
    owner: Object
    node: ast.Attribute
    context: Context
    call: Call | None = None

    @property
    def name(self) -> str:
        """The last part of it."""
        return self.member.rpartition(".")[2]

    @property
    def on_2(self) -> bool:
        """Whether Keras 2 lost it, too, before tf-keras."""
        return bool(MEMBERS_GONE.get(self.member, ("", ""))[0])


class LostMembers:
    """The attributes of a run that Keras 3 lost."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[LostMember, ...]:
        """Each place of this file once."""
        found: dict[ast.AST, LostMember] = {}
        for one in (*self._called(), *self._asked()):
            found.setdefault(one.node, one)
        return tuple(found.values())

    def _called(self) -> Iterator[LostMember]:
        for call in self._run.methods(*_NAMES):
            function = call.node.func if isinstance(call.node, ast.Call) else None
            if (
                isinstance(function, ast.Attribute)
                and self._run.is_here(call.context)
                and call.result.receiver is not None
            ):
                member = self._member(call.result.receiver, function.attr)
                if member:
                    yield LostMember(member, call.result.receiver, function, call.context, call)

    def _asked(self) -> Iterator[LostMember]:
        for asked in self._run.asked(*_NAMES):
            members = {self._member(owner, asked.name) for owner in asked.owners}
            if len(members) == 1 and isinstance(asked.node, ast.Attribute) and self._run.is_here(asked.context):
                member = members.pop()
                if member:
                    yield LostMember(member, asked.owners[0], asked.node, asked.context)

    def _member(self, owner: Object, name: str) -> str:
        """The member in the table; "" where the owner may be something else, or has an attribute of its own by the name."""
        kind = self._kind(owner, name)
        member = f"{kind}.{name}"
        if kind == "Model" and member not in MEMBERS:
            member = f"Sequential.{name}"
        gone = member in STUBS or "-" not in MEMBERS_GONE.get(member, ("", "-"))[1]
        return member if member in MEMBERS and gone else ""

    def _kind(self, owner: Object, name: str) -> str:
        if isinstance(owner, Instance):
            if lookup(self._run.machine, owner.cls, name).value is not None:
                return ""
            kinds = {_OF_BASES.get(each.name, "") for each in lineage(owner.cls) if isinstance(each, External)}
            return kinds.pop() if len(kinds) == 1 else ""
        symbolic = self._run.domain(Symbolic)
        if symbolic.is_shape(owner):
            return "KerasTensor.shape"
        if symbolic.is_tensor(owner):
            return "KerasTensor"
        found = type_of(owner) if isinstance(owner, Result) else ""
        if found in _OF_BASES:
            return _OF_BASES[found]
        home, _, last = found.rpartition(".")
        plain = last[:1].isupper() and found not in _OTHERS
        return next((kind for room, kind in _ROOMS if room == f"{home}." and plain), "")
