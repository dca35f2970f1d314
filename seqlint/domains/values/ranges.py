"""Between which numbers the items of an array lie: pictures of 0 to 255, draws of 0 to 1, and what arithmetic makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.values.arrays import Arrays
from seqlint.run import Result, constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.run import Object, Run, Value

_PICTURES = frozenset({"mnist", "fashion_mnist", "cifar10", "cifar100"})
_UNIT = frozenset({"rand", "random", "random_sample", "ranf", "sigmoid", "softmax"})
_FILLED = {"zeros": 0.0, "ones": 1.0, "zeros_like": 0.0, "ones_like": 1.0}
_SAME = frozenset({
    "array", "asarray", "astype", "copy", "cast", "constant", "convert_to_tensor", "reshape", "expand_dims", "squeeze", "transpose", "flip", "tile",
    "permutation",
})  # fmt: skip
_BYTES = frozenset(
    {"cv2.imread", "PIL.Image.open", "imageio.imread", "matplotlib.image.imread", "tensorflow.io.decode_jpeg"}
)
_DEEPEST = 20
_LARGEST = 1e15


@dataclass(frozen=True)
class Range:
    """The lowest and the highest number that can be there, both included."""

    low: float
    high: float


class Ranges:
    """The ranges of a run's arrays."""

    def __init__(self, run: Run) -> None:
        self._arrays = run.domain(Arrays)

    def of(self, value: Value | None, depth: int = 0) -> Range | None:
        """Where the numbers of a value surely lie; None where nobody knows."""
        only = value.only if value is not None else None
        return self._of(only, depth) if only is not None else None

    def _of(self, found: Object, depth: int) -> Range | None:
        if not isinstance(found, Result) or depth > _DEEPEST:
            return None
        if found.op == "operator":
            return self._computed(found, depth + 1)
        if found.op == "item":
            return _picture(found) or (self._of(found.receiver, depth + 1) if found.receiver is not None else None)
        return self._called(found, depth + 1) if found.op == "call" else None

    def _called(self, found: Result, depth: int) -> Range | None:
        method = found.method
        if method in _FILLED:
            return Range(_FILLED[method], _FILLED[method])
        if method in _UNIT:
            return Range(0.0, 1.0)
        if found.name in _BYTES:
            return Range(0.0, 255.0)
        if method == "clip" and len(found.args) >= 2:
            low, high = (_of_constant(value) for value in found.args[-2:])
            return Range(low.low, high.high) if low is not None and high is not None else None
        source = found.receiver or (found.args[0].only if found.args else None)
        return self._of(source, depth) if method in _SAME and source is not None else None

    def _computed(self, found: Result, depth: int) -> Range | None:
        if len(found.args) != 2 or found.name not in _WORK:
            return None
        left, right = (self.of(value, depth) or _of_constant(value) for value in found.args)
        if left is None or right is None or (found.name == "/" and right.low <= 0 <= right.high):
            return None
        ends = [_WORK[found.name](one, other) for one in (left.low, left.high) for other in (right.low, right.high)]
        return Range(min(ends), max(ends))


_WORK: dict[str, Callable[[float, float], float]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "/": lambda one, other: one / other,
}


def _of_constant(value: Value) -> Range | None:
    found = constant(value)
    if not isinstance(found, (int, float)) or isinstance(found, bool) or abs(found) > _LARGEST:
        return None
    return Range(float(found), float(found))


def _picture(found: Result) -> Range | None:
    """`(x, y), _ = keras.datasets.mnist.load_data()`: x."""
    part = found.receiver
    if not isinstance(part, Result) or part.op != "item" or not isinstance(part.receiver, Result):
        return None
    names = part.receiver.name.split(".")
    is_input = bool(found.args) and constant(found.args[0]) == 0
    return Range(0.0, 255.0) if names[:2] == ["keras", "datasets"] and names[2] in _PICTURES and is_input else None
