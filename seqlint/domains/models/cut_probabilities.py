"""Predictions between 0 and 1 that are made integers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.heads import Heads
from seqlint.run import Constant, Container, External, Result

if TYPE_CHECKING:
    from seqlint.run import Call, Object, Run, Value

_PREDICTS = frozenset({"predict", "predict_on_batch", "predict_generator"})
_BETWEEN = frozenset({"sigmoid", "softmax"})
_SHAPES = frozenset({"flatten", "ravel", "squeeze", "reshape", "numpy", "tolist", "copy"})
_ARRAYS = frozenset({"array", "asarray", "squeeze", "concatenate", "vstack", "ravel", "reshape"})
_INTEGERS = frozenset({"int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "int_", "intp", "uint"})
_CASTS = frozenset({"numpy.array", "numpy.asarray", "tensorflow.cast", "keras.ops.cast", "keras.backend.cast"})
_MOST = 8


@dataclass(frozen=True, eq=False)
class Cut:
    """A call that makes integers of probabilities.

    Attributes:
        activation: that of the last layer.
    """

    call: Call
    activation: str


class CutProbabilities:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._heads = run.domain(Heads)

    @cached_property
    def all(self) -> tuple[Cut, ...]:
        """Every such call, in running order."""
        return tuple(cut for call in self._run.calls if (cut := self._of(call)) is not None)

    def _of(self, call: Call) -> Cut | None:
        source = _made_integer(call.result)
        predicted = self._predicted(source, 0) if source is not None else None
        made = self._run.call_of.get(predicted) if predicted is not None else None
        if made is None:
            return None
        head = self._heads.of(made.result.receiver, made.context)
        return Cut(call, head.activation) if head is not None and head.activation in _BETWEEN else None

    def _predicted(self, value: Value | Object, depth: int) -> Result | None:
        """The call of `predict` that numbers come from, with nothing but their order and shape changed."""
        found = getattr(value, "only", None) if not isinstance(value, (Result, Container)) else value
        if depth > _MOST:
            return None
        if isinstance(found, Container):
            items = self._run.items(found)
            values = items or [piece.value for piece in self._run.pieces(found)]
            inside = [self._predicted(each, depth + 1) for each in values]
            return inside[0] if inside and all(each is not None for each in inside) else None
        if not isinstance(found, Result):
            return None
        if found.op == "call" and found.method in _PREDICTS and found.receiver is not None:
            return found
        is_part = found.op in ("item", "each", "element") or (found.op == "call" and found.method in _SHAPES)
        if is_part and found.receiver is not None:
            return self._predicted(found.receiver, depth + 1)
        if found.op == "call" and found.name.startswith("numpy.") and found.method in _ARRAYS and found.args:
            return self._predicted(found.args[0], depth + 1) if found.keyword("dtype") is None else None
        return None


def _made_integer(result: Result) -> Value | Object | None:
    """What a call makes integers of: `x.astype(int)`, `np.array(x, dtype="int32")`, `tf.cast(x, tf.int32)`, `int(x)`."""
    if result.method == "astype" and result.receiver is not None and result.args:
        return result.receiver if _is_integer(result.args[0]) else None
    if result.name == "builtins.int" and len(result.args) == 1:
        return result.args[0]
    if result.name in _CASTS and result.args:
        kind = result.argument("dtype", 1)
        return result.args[0] if kind is not None and _is_integer(kind) else None
    return None


def _is_integer(kind: Value) -> bool:
    only = kind.only
    if isinstance(only, Constant):
        return only.value in _INTEGERS
    return isinstance(only, External) and only.name.rpartition(".")[2] in _INTEGERS
