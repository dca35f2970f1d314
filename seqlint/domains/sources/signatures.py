"""What `from_generator` is told of its elements, against what its function yields."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, External, Generator, Result, Tuple
from seqlint.run.objects import constant
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from seqlint.run import Object, Run, Value

_SPECS = frozenset({"tensorflow.TensorSpec", "tensorflow.RaggedTensorSpec", "tensorflow.SparseTensorSpec"})
_TYPES = frozenset({
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "double",
    "half", "complex64", "complex128", "string",
})  # fmt: skip


@dataclass(frozen=True)
class Unlike:
    """A value that is yielded and does not have the structure of the signature.

    Attributes:
        what: what it is, and what it should be, such as "a list, and the signature has a tuple".
        value: a list that only has to be a tuple; None for other differences.
    """

    what: str
    value: ast.AST | None = None


class Signatures:
    """The signatures of the generators of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def refused(self, step: Result) -> str:
        """Why `from_generator` refuses its signature at once; empty where it does not, or nobody can tell."""
        signature, types = (self._pipelines.argument(step, name) for name in ("output_signature", "output_types"))
        if self._pipelines.hides_arguments(step):
            return ""
        if signature is None and types is None:
            return "has no signature"
        only = signature.only if signature is not None else None
        if isinstance(only, Container) and only.kind == "list":
            return "has a list as its signature"
        parts = self._run.items(only) if isinstance(only, Tuple) else None
        leaves = [part.only for part in parts] if parts else [only]
        if leaves and all(isinstance(leaf, External) and _is_type(leaf) for leaf in leaves):
            return "has bare types as its signature"
        return ""

    def unlike(self, step: Result) -> Unlike | None:
        """How all that is yielded differs from the signature; None where some of it may fit."""
        told = self._pipelines.argument(step, "output_signature")
        types = self._pipelines.argument(step, "output_types")
        value = told if told is not None and told.constant is not None else types
        given = self._yielded(step)
        if value is None or not given or self._pipelines.hides_arguments(step):
            return None
        found = [self._differs(each, value) for each in given]
        return found[0] if all(each is not None for each in found) else None

    def _yielded(self, step: Result) -> list[Value]:
        """Everything that the function yields; nothing where that is not known."""
        returned = self._run.returned(step)
        only = returned[0].only if len(returned) == 1 else None
        if isinstance(only, Generator):
            return [each.value for each in only.frame.yields]
        if isinstance(only, Container) and only.kind == "list":
            return [
                *(self._run.items(only) or ()),
                *(piece.value for piece in self._run.pieces(only) if piece.how == "append"),
            ]
        return []

    def _differs(self, given: Value, told: Value) -> Unlike | None:
        """Where a value surely has another structure than it is told to have."""
        one, other = given.only, told.only
        if one is None or other is None:
            return None
        if isinstance(other, Tuple):
            return self._from_tuple(one, other)
        if isinstance(other, Container) and other.kind == "dict":
            return self._from_dict(one, other)
        return Unlike("a dict, and the signature has one tensor") if _is_leaf(other) and _is_dict(one) else None

    def _from_tuple(self, one: Object, other: Tuple) -> Unlike | None:
        if isinstance(one, Container) and one.kind == "list":
            fits = isinstance(one.node, ast.List) and len(one.node.elts) == len(other.items)
            return Unlike("a list, and the signature has a tuple", one.node if fits else None)
        if _is_dict(one):
            return Unlike("a dict, and the signature has a tuple")
        if _is_single(one):
            return Unlike("one value, and the signature has a tuple")
        if not isinstance(one, Tuple):
            return None
        if len(one.items) != len(other.items):
            return Unlike(f"{len(one.items)} items, and the signature has {len(other.items)}")
        parts = (self._differs(item, spec) for item, spec in zip(one.items, other.items, strict=True))
        return next((part for part in parts if part is not None), None)

    def _from_dict(self, one: Object, other: Container) -> Unlike | None:
        if isinstance(one, Tuple):
            return Unlike("a tuple, and the signature has a dict")
        if _is_single(one):
            return Unlike("one value, and the signature has a dict")
        if not _is_dict(one):
            return None
        own, wanted = self._keys(one), self._keys(other)
        if own is None or wanted is None:
            return None
        if own != wanted:
            odd = sorted(map(str, own ^ wanted))
            return Unlike(f"a dict with other keys than the signature (`{odd[0]}`)")
        pairs = ((self._run.at_key(one, key), self._run.at_key(other, key)) for key in own)  # type: ignore[arg-type]
        found = (self._differs(value, spec) for value, spec in pairs if value is not None and spec is not None)
        return next((part for part in found if part is not None), None)

    def _keys(self, found: Object) -> set[object] | None:
        keys = self._run.items(found)
        if keys is None and isinstance(found, Container) and isinstance(found.node, ast.Dict):
            written = found.node.keys  # a dict that is made anew in each round of a loop
            return (
                {key.value for key in written if isinstance(key, ast.Constant)}
                if all(map(_is_constant, written))
                else None
            )
        known = {constant(key) for key in keys} if keys is not None else None
        return None if known is None or ... in known else known


def _is_constant(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant)


def _is_type(found: External) -> bool:
    home, _, name = found.name.rpartition(".")
    return home in ("tensorflow", "tensorflow.dtypes", "numpy") and name in _TYPES


def _is_leaf(found: Object) -> bool:
    if isinstance(found, Result):
        return found.op == "call" and found.name in _SPECS
    return isinstance(found, External) and _is_type(found)


def _is_dict(found: Object) -> bool:
    return isinstance(found, Container) and found.kind == "dict"


def _is_single(found: Object) -> bool:
    return isinstance(found, Constant) or (isinstance(found, Result) and type_of(found) == "numpy.ndarray")
