"""What the functions of `py_function` and `numpy_function` return, against what `Tout` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.values.arrays import Arrays
from seqlint.run import Constant, Container, Result, Tuple, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_CALLS = ("tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.compat.v1.py_func")
_FLOATS = frozenset({"float16", "float32", "float64"})
_WHOLE = frozenset({"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
_NUMBERS = _FLOATS | _WHOLE
_PLAIN = {bool: "bool", int: "int64", float: "float64", str: "string", bytes: "string", type(None): "None"}
_OPERATORS = ("+", "-", "*", "/")


class PythonResults:
    """The results of a run's Python functions."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._arrays = run.domain(Arrays)

    @property
    def refused(self) -> Iterator[tuple[Call, str]]:
        """The calls whose function surely returns what TensorFlow refuses, with what it is, such as "float64, and `Tout` says float32"."""
        for call in self._run.called(*_CALLS):
            returned, declared = self._run.returned(call.result), self._declared(call.result)
            whats = [self._refused(call.result, each, declared) for value in returned for each in value]
            if declared and whats and all(whats):
                yield call, whats[0]

    def _declared(self, made: Result) -> list[str]:
        """The types of `Tout`; an empty text for one that is not known."""
        given = made.argument("Tout", 2)
        only = given.only if given is not None else None
        if given is None or any(name in ("*", "**") for name, _ in made.keywords):
            return []
        items = self._run.items(only) if isinstance(only, (Tuple, Container)) else [given]
        return [self._named(item) for item in items or ()]

    def _named(self, value: Value) -> str:
        only = value.only
        if getattr(only, "name", "").startswith("builtins."):
            return ""
        found = self._arrays.dtype(value)
        return found if found in _NUMBERS or found in ("string", "bool") else ""

    def _refused(self, made: Result, found: Object, declared: list[str]) -> str:
        if isinstance(found, Tuple):
            if len(found.items) != len(declared):
                return ""
            pairs = zip(found.items, declared, strict=True)
            return next((what for item, told in pairs if (what := self._unlike(made, item.only, told))), "")
        if len(declared) > 1:
            return f"one result, and `Tout` has {len(declared)} types" if self._is_single(found) else ""
        return self._unlike(made, found, declared[0]) if declared else ""

    def _unlike(self, made: Result, found: Object | None, told: str) -> str:
        """How one result differs from its type; empty where it does not, or is converted."""
        if found is None or not told:
            return ""
        refuses = self._by_eager if made.method == "py_function" else self._by_numpy
        given = refuses(found, told)
        return f"{given}, and `Tout` says {told}" if given else ""

    def _by_numpy(self, found: Object, told: str) -> str:
        given = self._plain(found) or self._of_array(found)
        return given if given != told else ""

    def _by_eager(self, found: Object, told: str) -> str:
        tensor = self._of_tensor(found)
        if tensor:
            return f"a tensor of {tensor}" if tensor != told else ""
        plain = self._plain(found)
        if plain == "None" or (plain == "float64" and told in _WHOLE) or (plain == "string" and told in _NUMBERS):
            return "a float" if plain == "float64" else plain
        number = plain if plain == "int64" else self._of_array(found)
        return number if number and told == "string" else ""

    def _plain(self, found: Object) -> str:
        return _PLAIN.get(type(found.value), "") if isinstance(found, Constant) else ""

    def _of_array(self, found: Object) -> str:
        array = self._arrays.of(Value.of(found))
        return array.dtype if array is not None and array.dtype in _NUMBERS else ""

    def _of_tensor(self, found: Object) -> str:
        """The type of a tensor that `tf.cast` and the like make."""
        if not isinstance(found, Result) or found.op != "call":
            return ""
        if found.name == "tensorflow.cast":
            given = found.argument("dtype", 1)
            return self._named(given) if given is not None else ""
        return "int32" if found.name == "tensorflow.size" and len(found.args) == 1 and not found.keywords else ""

    def _is_single(self, found: Object) -> bool:
        """Whether something surely is one result: a number, a text, an array."""
        if isinstance(found, Constant) or self._of_array(found):
            return True
        if not isinstance(found, Result):
            return False
        if found.op == "operator" and found.name in _OPERATORS:
            return any(side.only is not None and self._is_numpy(side.only) for side in found.args)
        return self._is_numpy(found)

    def _is_numpy(self, found: Object) -> bool:
        return isinstance(found, Result) and found.op == "call" and found.method == "numpy" and not found.args
