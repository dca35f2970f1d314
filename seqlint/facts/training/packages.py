"""Which package a model comes from, in a file that uses two: `tf_keras` is Keras 2 whatever else is installed."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.names import MAX_STEPS
from seqlint.knowledge.canonical_names import MODEL, canonical

if TYPE_CHECKING:
    from seqlint.facts.code.mentions import Mentions
    from seqlint.facts.code.names import Names
    from seqlint.facts.values.values import Values

_OLD = re.compile(r"(?:tf_keras|tensorflow\.python\.keras)\b")


class Packages:
    """The packages that the models of one file come from."""

    def __init__(self, names: Names, values: Values, mentions: Mentions, text: str, *, legacy: bool) -> None:
        """`legacy` says whether `tf.keras` is `tf_keras`."""
        self._names = names
        self._values = values
        self._mentions = mentions
        self._legacy = legacy
        self._is_asked = legacy or _OLD.search(text) is not None

    def is_keras_2(self, node: cst.BaseExpression) -> bool:
        """Whether a model, or an optimizer, surely is one of Keras 2 although the file uses another Keras too.

        Where it is not in sight, all models of the file must be.
        """
        if not self._is_asked:
            return False
        found = self._packages(node)
        return (bool(found) and all(found)) if None not in found else self._makes_old_ones

    def _packages(self, node: cst.BaseExpression) -> set[bool | None]:
        """For each value whether Keras 2 has its class; None where that can't be told."""
        owner = self._values.self_class(node)
        if owner is not None:
            return self._of_class(owner)
        return {answer for value in self._values.of(node) for answer in self._of_value(value)}

    def _of_value(self, value: cst.BaseExpression | None) -> set[bool | None]:
        return self._of_class_named(value.func) if isinstance(value, cst.Call) else {None}

    def _of_class_named(self, func: cst.BaseExpression, steps: int = 0) -> set[bool | None]:
        definition = self._names.definition(func)
        if isinstance(definition, cst.ClassDef):
            return self._of_class(definition, steps + 1)
        return {self._is_old(origin) for origin in self._names.origins(func)}

    def _of_class(self, owner: cst.ClassDef, steps: int = 0) -> set[bool | None]:
        if steps > MAX_STEPS:
            return {None}
        bases = (base.value for base in owner.bases if base.keyword is None)
        known = {answer for base in bases for answer in self._of_class_named(base, steps)} - {None}
        return known if len(known) == 1 else {None}

    def _is_old(self, origin: str | None) -> bool | None:
        if origin is None or not canonical(origin).startswith("keras."):
            return None
        return _OLD.match(origin) is not None or (self._legacy and origin.startswith("tensorflow."))

    @cached_property
    def _makes_old_ones(self) -> bool:
        """Whether all models whose class the file names are of Keras 2."""
        mentions = (*self._mentions.imported, *self._mentions.reached)
        found = {self._is_old(mention.name) for mention in mentions if canonical(mention.name) in MODEL}
        return found == {True}
