"""What the variable of a loop takes in turn, where the loop goes over what is written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

Row = cst.BaseExpression | tuple["Row | None", ...]
"""One round: an expression, or what `zip`, `enumerate` and `items` put together; None in it for what is not written out."""

_MAX_STEPS = 4
_SAME_ITEMS = frozenset({
    "builtins.frozenset", "builtins.iter", "builtins.list", "builtins.reversed", "builtins.set", "builtins.sorted", "builtins.tuple",
})  # fmt: skip


class Looped:
    """The values of loop variables."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        self._tree = tree
        self._names = names
        self._values = values

    def of(self, name: cst.BaseExpression) -> tuple[cst.BaseExpression, ...] | None:
        """The expressions that a variable takes in turn: `for a, b in PAIRS`, `for key in ("x", "y")`; None if unsure."""
        bindings = self._names.reaching(name) if isinstance(name, cst.Name) else ()
        if len(bindings) != 1 or bindings[0].kind != "for" or bindings[0].value is None:
            return None
        path, rows = self._path(bindings[0]), self._rows(bindings[0].value, _MAX_STEPS)
        if path is None or rows is None:
            return None
        found = [self._at(row, path) for row in rows]
        known = tuple(one for one in found if isinstance(one, cst.BaseExpression))
        return known if len(known) == len(found) else None

    def _path(self, binding: Binding) -> tuple[int, ...] | None:
        """The places, from the target of the loop to the variable, in the tuples that it unpacks."""
        path: list[int] = []
        here = binding.node
        while not isinstance(parent := self._tree.parents[here], (cst.For, cst.CompFor)):
            whole = self._tree.parents[parent] if isinstance(parent, cst.Element) else None
            if not isinstance(whole, (cst.Tuple, cst.List)) or any(
                isinstance(one, cst.StarredElement) for one in whole.elements
            ):
                return None
            path.insert(0, whole.elements.index(parent))
            here = whole
        return tuple(path)

    def _at(self, row: Row | None, path: tuple[int, ...]) -> Row | None:
        for place in path:
            if isinstance(row, cst.BaseExpression):
                made = self._values.only(row)
                row = self._elements(made) if isinstance(made, (cst.Tuple, cst.List)) else None
            row = row[place] if isinstance(row, tuple) and place < len(row) else None
        return row

    def _rows(self, node: cst.BaseExpression, steps: int) -> tuple[Row | None, ...] | None:
        made = self._values.only(node)
        if made is None or not steps:
            return None
        if isinstance(made, (cst.Tuple, cst.List, cst.Set)):
            return self._elements(made)
        if isinstance(made, cst.Dict):
            return self._of_dict(made, "keys")
        return self._of_call(made, steps) if isinstance(made, cst.Call) and made.args else self._of_method(made)

    def _elements(self, made: cst.Tuple | cst.List | cst.Set) -> tuple[Row | None, ...] | None:
        starred = any(isinstance(one, cst.StarredElement) for one in made.elements)
        return None if starred else tuple(one.value for one in made.elements)

    def _of_dict(self, made: cst.Dict, method: str) -> tuple[Row | None, ...] | None:
        pairs = [(one.key, one.value) for one in made.elements if isinstance(one, cst.DictElement)]
        if len(pairs) < len(made.elements):
            return None
        return tuple(pairs) if method == "items" else tuple(key if method == "keys" else value for key, value in pairs)

    def _of_method(self, made: cst.BaseExpression) -> tuple[Row | None, ...] | None:
        """`names.items()` of a dict that is written out."""
        if not isinstance(made, cst.Call) or not isinstance(made.func, cst.Attribute):
            return None
        method, whole = made.func.attr.value, self._values.only(made.func.value)
        known = isinstance(whole, cst.Dict) and method in ("keys", "values", "items")
        return self._of_dict(whole, method) if known and isinstance(whole, cst.Dict) else None

    def _of_call(self, made: cst.Call, steps: int) -> tuple[Row | None, ...] | None:
        name = self._names.qualified(made.func)
        plain = [one.value for one in made.args if one.keyword is None and not one.star]
        if name == "builtins.zip" and len(plain) == len(made.args):
            columns = [self._rows(one, steps - 1) for one in plain]
            known = [one for one in columns if one is not None]
            return tuple(zip(*known, strict=False)) if len(known) == len(columns) else None
        inner = self._rows(plain[0], steps - 1) if plain and name is not None else None
        if inner is None:
            return None
        if name == "builtins.enumerate":
            return tuple((None, one) for one in inner)
        return inner if name in _SAME_ITEMS else None
