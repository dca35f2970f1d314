"""Sequences that reach a trainer call inside a list, tuple or dict, which no Keras takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.flow.collected import Collected
    from seqlint.facts.training.evidence import Evidence
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import Role, TrainerCall, Training


@dataclass(frozen=True)
class Bundle:
    """One of them.

    Attributes:
        data: what the call is given.
        held: what is in it.
        pure: whether nothing but Sequences is in it, all in sight.
        classes: the classes of this file that its elements are made from.
    """

    call: TrainerCall
    role: Role
    data: cst.BaseExpression
    held: Collected
    pure: bool
    classes: tuple[ClassFacts, ...]

    @property
    def only(self) -> cst.BaseExpression | None:
        """The one Sequence of `fit([sequence])`."""
        written = isinstance(self.data, (cst.List, cst.Tuple)) and self.held.counted
        return self.held.elements[0] if written and len(self.held.elements) == 1 else None


class Bundles:
    """Those of one file."""

    def __init__(
        self, names: Names, classes: Classes, training: Training, input_kinds: InputKinds, evidence: Evidence
    ) -> None:
        self._names = names
        self._classes = classes
        self._training = training
        self._input_kinds = input_kinds
        self._evidence = evidence

    @cached_property
    def all(self) -> tuple[Bundle, ...]:
        """In the order of the calls."""
        return tuple(self._all())

    def _all(self) -> Iterator[Bundle]:
        for call in self._training.calls:
            if call.method.endswith("_on_batch"):
                continue
            for role, data in call.feeds:
                held = self._input_kinds.collected(data)
                if held is None or not self._evidence.may_be_model(call):
                    continue
                sequences = sum(self._input_kinds.kind(element) == "sequence" for element in held.elements)
                if sequences > _allowed(role, held):
                    pure = held.complete and sequences == len(held.elements)
                    yield Bundle(call, role, data, held, pure, self._made_of(held))

    def _made_of(self, held: Collected) -> tuple[ClassFacts, ...]:
        makers = [maker for element in held.elements for maker in self._input_kinds.makers(element)]
        definitions = dict.fromkeys(self._names.definition(maker.func) for maker in makers)
        return tuple(self._classes.of(found) for found in definitions if isinstance(found, cst.ClassDef))


def _allowed(role: Role, held: Collected) -> int:
    """`validation_data=[sequence]` and `(sequence, None)` work."""
    return 1 if role == "validation" and held.kind != "dict" and held.counted else 0
