"""Types of array elements, by NumPy's names, and what becomes of them in arithmetic (NumPy 1.24 to 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.values import MAX_STEPS

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.values.values import Values

_SMALL = frozenset({"bool", "int8", "uint8", "int16", "uint16", "float16"})  # float32 holds all of their values
_WHOLE = frozenset({"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"})
_FLOATS = frozenset({"float16", "float32", "float64"})
DTYPES = frozenset({"bool", *_WHOLE, *_FLOATS, "bfloat16", "complex64", "complex128", "string"})
_OTHER_NAMES = {
    "int": "int64", "int_": "int64", "intp": "int64", "long": "int64", "float": "float64", "float_": "float64",
    "double": "float64", "single": "float32", "half": "float16", "bool_": "bool", "byte": "int8", "ubyte": "uint8",
    "f2": "float16", "f4": "float32", "f8": "float64", "i4": "int32", "i8": "int64", "u1": "uint8", "f": "float32",
    "d": "float64", "str": "string",
}  # fmt: skip


def dtype_of(node: cst.BaseExpression, names: Names, values: Values, steps: int = MAX_STEPS) -> str | None:
    """The type that `np.float32`, `"float32"`, `float` or `np.dtype("f4")` stands for; None if unsure.

    `int` counts as int64: on Windows NumPy before 2.0 made it int32.
    """
    known = values.constant(node)
    if known is not None:
        return _named(known.value) if isinstance(known.value, str) else None
    value = values.only(node)
    if isinstance(value, cst.Call) and names.qualified(value.func) == "numpy.dtype" and len(value.args) == 1:
        return dtype_of(value.args[0].value, names, values, steps - 1) if steps else None
    library, _, name = (names.qualified(value) or "").rpartition(".") if value is not None else ("", "", "")
    return _named(name) if library in ("numpy", "tensorflow", "builtins", "tensorflow.dtypes") else None


def _named(name: str) -> str | None:
    name = name.lstrip("<=|")
    name = _OTHER_NAMES.get(name, name)
    return name if name in DTYPES else None


def is_whole(dtype: str | None) -> bool:
    """Whether a type is known to hold whole numbers alone."""
    return dtype in _WHOLE


def is_float(dtype: str | None) -> bool:
    """Whether a type is known to hold floating-point numbers."""
    return dtype in _FLOATS


def with_number(dtype: str | None, operator: cst.BaseBinaryOp, number: int | float) -> str | None:
    """The type of `array operator number` for a Python number."""
    if dtype is None:
        return None
    if isinstance(operator, cst.Divide):
        return dtype if dtype in _FLOATS else "float64"
    if dtype == "bool":
        return "float64" if isinstance(number, float) else "int64"
    return "float64" if dtype in _WHOLE and isinstance(number, float) else dtype


def joined(one: str | None, other: str | None, operator: cst.BaseBinaryOp | None = None) -> str | None:
    """The type of an operation on two arrays, or of both in one array; None if unsure."""
    if one is None or other is None:
        return None
    if isinstance(operator, cst.Divide) and one == other:
        return one if one in _FLOATS else "float64"
    if one == other:
        return one
    pair = {one, other}
    if "float64" in pair and pair <= _WHOLE | _FLOATS | {"bool"}:
        return "float64"
    if "float32" in pair and pair <= _SMALL | {"float32"}:
        return "float32"
    if "float32" in pair and pair <= _WHOLE | {"float32"}:
        return "float64"
    return None
