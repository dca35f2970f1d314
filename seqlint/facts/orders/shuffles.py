"""Calls that shuffle rows, and what they return."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.tree import is_keyword
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

Way = Literal["in place", "copy", "numbers", "either"]
"""*in place*: gives None. *copy*: gives the rows in another order. *numbers*: gives the numbers from 0 in a random order.
*either*: a permutation of something that may be a number or rows."""

_IN_PLACE = frozenset({"numpy.random.shuffle", "random.shuffle"})
_COPIES = frozenset({
    "keras.random.shuffle", "sklearn.utils.shuffle", "tensorflow.random.shuffle",
    "tensorflow.random.experimental.stateless_shuffle",
})  # fmt: skip
_GENERATORS = frozenset({
    "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator", "random.Random",
    "sklearn.utils.check_random_state",
})  # fmt: skip
_WORDS = frozenset({"shuffle", "permutation", "permuted", "sample", "stateless_shuffle"})
_COUNTS = frozenset({"builtins.len", "builtins.int", "builtins.sum", "builtins.min", "builtins.max", "math.floor"})
_STEPS = 3  # sums of sums


@dataclass(frozen=True, eq=False)
class Shuffle:
    """One call that shuffles.

    Attributes:
        name: the canonical name, such as "numpy.random.shuffle"; the method alone where a generator has it: "shuffle".
        subjects: what is shuffled; several for `sklearn.utils.shuffle(x, y)`, none for numbers.
        generator: the generator object that draws; None for the library's global one.
    """

    node: cst.Call
    way: Way
    name: str
    subjects: tuple[cst.BaseExpression, ...]
    generator: cst.BaseExpression | None = None

    @property
    def of_numpy(self) -> bool:
        """Whether NumPy's global generator draws."""
        return self.name.startswith("numpy.")


class Shuffles:
    """The shuffles of a file."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        self._tree = tree
        self._names = names
        self._values = values

    @cached_property
    def all(self) -> tuple[Shuffle, ...]:
        """In reading order."""
        found = (self._shuffle(call) for call in self._tree.all(cst.Call) if call.args and _may_shuffle(call.func))
        return tuple(shuffle for shuffle in found if shuffle is not None)

    def inside(self, node: cst.CSTNode) -> tuple[Shuffle, ...]:
        """Those at or inside a node."""
        return tuple(shuffle for shuffle in self.all if self._tree.holds(node, shuffle.node))

    @cached_property
    def _by_node(self) -> dict[cst.Call, Shuffle]:
        return {shuffle.node: shuffle for shuffle in self.all}

    def of(self, node: cst.CSTNode) -> Shuffle | None:
        """The shuffle of a call; None for any other call."""
        return self._by_node.get(node) if isinstance(node, cst.Call) else None

    # -- one call ---------------------------------------------------------------------------------------------------

    def _shuffle(self, call: cst.Call) -> Shuffle | None:
        name = self._names.qualified(call.func)
        first = call.args[0].value
        if call.args[0].star:
            return None
        if name in _IN_PLACE:
            return Shuffle(call, "in place", name or "", (first,))
        if name == "numpy.random.permutation":
            return self._permutation(call, name, first, None)
        if name in _COPIES:
            if self._is_along_other_axis(call, name):
                return None
            given = [a.value for a in call.args if a.keyword is None and not a.star]
            return Shuffle(call, "copy", name or "", tuple(given if name == "sklearn.utils.shuffle" else given[:1]))
        if name == "random.sample":
            return Shuffle(call, "copy", name, (first,)) if self._takes_all(call, first) else None
        if name is not None or not isinstance(call.func, cst.Attribute):
            return None
        return self._method(call, call.func, first)

    def _method(self, call: cst.Call, func: cst.Attribute, first: cst.BaseExpression) -> Shuffle | None:
        """`rng.shuffle(x)`, `rng.permutation(x)`, `frame.sample(frac=1)`."""
        word = func.attr.value
        if word == "sample":
            given = next((a.value for a in call.args if is_keyword(a, "frac")), None)
            whole = given is not None and self._values.constant(given) in (Constant(1), Constant(1.0))
            return Shuffle(call, "copy", word, (func.value,)) if whole else None
        if not self._is_generator(func.value):
            return None
        if word == "permuted":  # each row in its own order; with `out` it is in place
            into = any(is_keyword(argument, "out") for argument in call.args)
            return None if into else Shuffle(call, "copy", word, (first,), func.value)
        if word == "shuffle":
            return Shuffle(call, "in place", word, (first,), func.value)
        return self._permutation(call, word, first, func.value)

    def _is_generator(self, node: cst.BaseExpression) -> bool:
        made = self._values.of(node)
        return bool(made) and all(
            isinstance(v, cst.Call) and self._names.qualified(v.func) in _GENERATORS for v in made
        )

    def _permutation(
        self, call: cst.Call, name: str, first: cst.BaseExpression, generator: cst.BaseExpression | None
    ) -> Shuffle:
        answers = {self._is_count(value) for value in self._values.of(first)}
        if answers == {True}:
            return Shuffle(call, "numbers", name, (), generator)
        return Shuffle(call, "copy" if answers == {False} else "either", name, (first,), generator)

    def _is_count(self, value: cst.BaseExpression | None, steps: int = _STEPS) -> bool | None:
        """Whether a value is a number; None if unsure."""
        if isinstance(value, cst.Integer):
            return True
        if isinstance(value, cst.Call):
            name = self._names.qualified(value.func)
            return True if name in _COUNTS else False if name is not None else None
        if isinstance(value, cst.Subscript):
            return True if isinstance(value.value, cst.Attribute) and value.value.attr.value == "shape" else None
        if isinstance(value, cst.BinaryOperation):
            given = [one for part in (value.left, value.right) for one in self._values.of(part)] if steps else []
            return True if {self._is_count(one, steps - 1) for one in given} == {True} else None
        return False if isinstance(value, (cst.List, cst.ListComp, cst.Tuple)) else None

    def _is_along_other_axis(self, call: cst.Call, name: str | None) -> bool:
        """`keras.random.shuffle(x, axis=1)`, which leaves the rows where they are."""
        axis = bound(call, ("x", "axis", "seed")).get("axis") if name == "keras.random.shuffle" else None
        return axis is not None and self._values.constant(axis.value) != Constant(0)

    def _takes_all(self, call: cst.Call, first: cst.BaseExpression) -> bool:
        """`random.sample(rows, len(rows))`."""
        many = bound(call, ("population", "k")).get("k")
        if many is None or not isinstance(many.value, cst.Call) or len(many.value.args) != 1:
            return False
        is_len = self._names.qualified(many.value.func) == "builtins.len"
        return is_len and self._tree.text(many.value.args[0].value) == self._tree.text(first)


def _may_shuffle(func: cst.BaseExpression) -> bool:
    """Whether a call may be one, by the last word of what is called: most are not. A name without a dot may be anything."""
    return not isinstance(func, cst.Attribute) or func.attr.value in _WORDS
