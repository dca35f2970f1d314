"""What is known of the calls on the way to a batch: which of them draw, and which give the same for the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_super

if TYPE_CHECKING:
    from seqlint.facts.flow.call_graph import CallGraph

RANDOM = ("numpy.random.", "random.", "tensorflow.random.", "keras.random.", "secrets.")
DRAWS = frozenset({
    "choice", "choices", "sample", "shuffle", "permutation", "randint", "integers", "random", "rand", "randn", "normal",
    "standard_normal", "uniform", "randrange", "binomial", "permuted", "bytes",
})  # fmt: skip
NUMBERS = DRAWS - {"choice", "choices", "sample", "shuffle", "permutation", "permuted"}
_PLAIN = (
    "numpy.",
    "math.",
    "builtins.",
    "operator.",
    "os.fspath",
    "os.path.",
    "pathlib.",
    "keras.utils.to_categorical",
    "tensorflow.constant",
    "tensorflow.convert_to_tensor",
    "cv2.imread",
    "cv2.resize",
    "cv2.cvtColor",
    "cv2.flip",
    "keras.utils.load_img",
    "keras.utils.img_to_array",
    "PIL.Image.open",
)
_LIVE = frozenset(
    {"builtins.next", "builtins.open", "builtins.input", "builtins.iter", "builtins.eval", "builtins.getattr"}
)
_METHODS = frozenset({
    "all", "any", "argmax", "argsort", "astype", "clip", "copy", "flatten", "format", "index", "items", "keys", "max", "mean",
    "min", "ravel", "repeat", "reshape", "squeeze", "std", "sum", "swapaxes", "take", "tolist", "toarray", "todense", "transpose",
    "values", "to_numpy", "numpy", "append", "extend",
})  # fmt: skip


def is_plain(calls: CallGraph, call: cst.Call, name: str, word: str) -> bool:
    """Whether a call gives the same each time, or runs code that is in sight.

    Args:
        name: what is called, by its absolute name; empty where that is not known.
        word: the method that is called; empty for anything else.
    """
    if name:
        return name.startswith(_PLAIN) and name not in _LIVE and not name.startswith(("numpy.load", "numpy.memmap"))
    goes_up = isinstance(call.func, cst.Attribute) and is_super(call.func.value)
    return goes_up or calls.called(call) is not None or word in _METHODS
