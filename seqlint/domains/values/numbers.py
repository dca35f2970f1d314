"""Whether a number surely is a float, whatever its value: `n / b`, what NumPy rounds, `round(x, 1)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from seqlint.run import Constant, Result, Setting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.run import Object, Run, Value

NumberKind = Literal["int", "float", "tensor", "unknown"]
"""*tensor*: of TensorFlow, or of a backend of Keras."""

_INTS = frozenset({
    "builtins.int", "builtins.len", "math.ceil", "math.floor", "math.trunc", "builtins.ord", "numpy.int32", "numpy.int64", "os.cpu_count",
    "builtins.hash", "numpy.argmax", "numpy.prod",
})  # fmt: skip
_FLOATS = frozenset({
    "builtins.float", "numpy.ceil", "numpy.floor", "numpy.trunc", "numpy.rint", "numpy.round", "numpy.around", "numpy.true_divide", "numpy.divide",
    "math.sqrt", "math.log", "math.log2", "math.exp", "numpy.float32", "numpy.float64", "operator.truediv",
})  # fmt: skip
_SAME_AS_ARGUMENTS = frozenset({"builtins.max", "builtins.min", "builtins.abs", "builtins.sum"})
_TENSORS = ("tensorflow.", "keras.ops.")


class Numbers:
    """The numbers of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, value: Value) -> NumberKind:
        """What a value surely is; unknown where its options differ."""
        kinds = {self._of(each, 0) for each in value}
        return kinds.pop() if len(kinds) == 1 else "unknown"

    def _of(self, found: Object, depth: int) -> NumberKind:
        if isinstance(found, Setting):
            return self._of(found.origin, depth + 1) if depth < 40 else "unknown"
        if isinstance(found, Constant):
            return _of_constant(found.value)
        if not isinstance(found, Result) or depth > 40:
            return "unknown"
        if found.op == "operator":
            return self._of_operator(found, depth)
        if found.op == "call":
            return self._of_call(found, depth)
        return "unknown"

    def _of_operator(self, found: Result, depth: int) -> NumberKind:
        kinds = [self._any(value, depth) for value in found.args]
        if "tensor" in kinds:
            return "tensor"
        if found.name == "/":
            return "float" if len(found.args) == 2 and not self._may_be_array(found) else "unknown"
        if found.name in ("+", "-", "*", "//", "%"):
            return _joined(kinds)
        return "unknown"

    def _may_be_array(self, found: Result) -> bool:
        """Whether a quotient may be one of arrays or paths: one side must be a number, or a size."""
        return not any(self._is_number(each) for value in found.args for each in value)

    def _is_number(self, each: Object) -> bool:
        if isinstance(each, (Constant, Setting)):
            default = each.default.value if isinstance(each, Setting) else each.value
            return isinstance(default, (int, float))
        named = isinstance(each, Result) and each.op in ("attribute", "parameter")
        return self._of(each, 1) in ("int", "float") or (named and isinstance(each, Result) and _is_size(each.method))

    def _any(self, value: Value, depth: int) -> NumberKind:
        return _joined([self._of(each, depth + 1) for each in value], same=True)

    def _of_call(self, found: Result, depth: int) -> NumberKind:
        name = found.name
        if name == "builtins.round" and found.args:
            return "int" if len(found.args) == 1 else self._any(found.args[0], depth)
        if name in _INTS:
            return "int"
        if name in _FLOATS:
            return "float"
        if name.startswith(_TENSORS) and found.method in ("ceil", "floor", "round", "divide", "cast", "constant"):
            return "tensor"
        if name in _SAME_AS_ARGUMENTS and len(found.args) > 1:
            return _joined([self._any(value, depth) for value in found.args], same=True)
        return "unknown"


def _is_size(name: str) -> bool:
    return name in ("size", "batch_size", "samples", "n", "num_samples", "length", "steps")


def _of_constant(value: object) -> NumberKind:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "unknown"
    return "int" if isinstance(value, int) else "float"


def _joined(kinds: Iterable[NumberKind], *, same: bool = False) -> NumberKind:
    """What `a + b` is: a float where one of them is; of alternatives (`same`) all must agree."""
    found = set(kinds)
    if len(found) == 1:
        return found.pop()
    if not same and "float" in found and found <= {"int", "float"}:
        return "float"
    return "unknown"
