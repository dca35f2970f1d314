"""What becomes of the result of a call in a method of another file: whether None, or an error, goes through."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from seqlint.facts.project.bases import Method, first

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ResultUse = Literal["batch", "items", "sample", "open"]
"""*batch*: it is the batch, as it is. *items*: it is unpacked, and its items are those of the batch. *sample*: it goes into a
batch, and nothing asks on the way whether it is None. *open*: anything else."""

_LIBRARIES = frozenset({"np", "numpy", "tf", "tensorflow", "keras", "ops", "K", "jnp"})
_PLAIN = frozenset({"list", "tuple", "float", "int"})
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)
_DEEP = 4

# "neutral" says that a use makes no difference.
_Use = Literal["batch", "items", "sample", "open", "neutral"]


class ResultUses:
    """The results on the way through one method.

    Args:
        start: the method that Keras calls.
        calls: for each method on the way where it is spoken of, and in which method.
    """

    def __init__(self, start: Method, calls: Mapping[Method, Sequence[tuple[ast.Attribute, Method]]]) -> None:
        self._start = start
        self._calls = calls
        self._parents: dict[Method, dict[ast.AST, ast.AST]] = {}
        self._caught: dict[Method, bool] = {}
        self._looped: dict[Method, bool] = {}
        self._given_back: dict[tuple[Method, bool, int], _Use] = {}
        self._by_name: dict[tuple[str, Method, bool, int], _Use] = {}

    def parent(self, node: ast.AST, method: Method) -> ast.AST | None:
        """What a node stands in directly."""
        if method not in self._parents:
            self._parents[method] = {
                inner: outer for outer in ast.walk(method) for inner in ast.iter_child_nodes(outer)
            }
        return self._parents[method].get(node)

    def of(self, call: ast.AST | None, method: Method) -> ResultUse:
        """What becomes of what a call gives; of `pool.map(self.load, rows)` that is a list of results."""
        if not isinstance(call, ast.Call):
            return "open"
        handed = isinstance(call.func, ast.Attribute) and call.func.attr in ("map", "imap")
        maps = isinstance(call.func, ast.Name) and call.func.id == "map"
        own = isinstance(call.func, ast.Attribute) and self._is_own(call.func, method)
        if not (handed or maps or own):
            return "open"
        found = self._use(call, method, many=not own, depth=_DEEP)
        return "open" if found == "neutral" else found

    def is_caught(self, node: ast.AST, method: Method) -> bool:
        """Whether an error at a node may be caught on the way back."""
        inner, outer = node, self.parent(node, method)
        while outer is not None and inner is not method:
            if isinstance(outer, ast.Try) and outer.handlers and inner in outer.body:
                return True
            if isinstance(outer, ast.With) and any(_suppresses(item.context_expr) for item in outer.items):
                return True
            if isinstance(outer, ast.Call) and node in outer.args:  # another thread hands it on, or does not
                return True
            inner, outer = outer, self.parent(outer, method)
        if method not in self._caught:
            self._caught[method] = False  # a method that leads back to itself adds nothing
            places = self._calls.get(method, ()) if method is not self._start else ()
            self._caught[method] = any(self.is_caught(place, by) for place, by in places)
        return self._caught[method]

    def is_in_loop(self, node: ast.AST, method: Method) -> bool:
        """Whether a node is in a loop, or whatever leads to its method is."""
        outer = self.parent(node, method)
        while outer is not None:
            if isinstance(outer, _LOOPS) or (isinstance(outer, ast.Call) and node in outer.args):
                return True
            outer = self.parent(outer, method)
        if method not in self._looped:
            self._looped[method] = False
            places = self._calls.get(method, ()) if method is not self._start else ()
            self._looped[method] = bool(places) and all(self.is_in_loop(place, by) for place, by in places)
        return self._looped[method]

    # -- one use ----------------------------------------------------------------------------------------------------

    def _use(self, node: ast.expr, method: Method, *, many: bool, depth: int) -> _Use:
        """What a use of a result says.

        Args:
            many: whether it is a list of results.
        """
        outer = self.parent(node, method)
        if isinstance(outer, ast.Return):
            return self._returned(method, many=many, depth=depth) if self._is_in(outer, method) else "open"
        if isinstance(outer, ast.Tuple) and isinstance(self.parent(outer, method), ast.Return):
            inside = method is self._start and len(outer.elts) > 1
            return "sample" if inside and outer.elts[0] is node else "neutral" if inside else "open"
        if isinstance(outer, ast.Assign) and outer.value is node and len(outer.targets) == 1:
            return self._assigned(outer, method, many=many, depth=depth)
        if isinstance(outer, ast.Call) and node in outer.args:
            return self._given(outer, node, method, many=many, depth=depth)
        if many:
            adds = isinstance(outer, ast.Attribute) and outer.attr in ("append", "extend")
            return "neutral" if adds else "open"
        if isinstance(outer, (ast.ListComp, ast.GeneratorExp)) and outer.elt is node:
            return self._use(outer, method, many=True, depth=depth)
        if isinstance(outer, (ast.Attribute, ast.Subscript)) and outer.value is node:
            return "sample"
        return "sample" if isinstance(outer, (ast.BinOp, ast.AugAssign)) else "open"

    def _is_in(self, node: ast.AST | None, method: Method) -> bool:
        """Whether a node is of a method itself, and of no function inside."""
        while node is not None and node is not method:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                return False
            node = self.parent(node, method)
        return node is method

    def _returned(self, method: Method, *, many: bool, depth: int) -> _Use:
        """What becomes of what a method returns, wherever it is called."""
        if method is self._start:
            return "open" if many else "batch"
        key = (method, many, depth)
        if key not in self._given_back:
            self._given_back[key] = self._used(method, many=many, depth=depth)
        return self._given_back[key]

    def _used(self, method: Method, *, many: bool, depth: int) -> _Use:
        found = set()
        for place, by in self._calls.get(method, ()):
            call = self.parent(place, by)
            is_called = isinstance(call, ast.Call) and call.func is place and depth
            found.add(self._use(call, by, many=many, depth=depth - 1) if is_called else "open")  # type: ignore[arg-type]
        return found.pop() if len(found) == 1 else "open"

    def _assigned(self, assign: ast.Assign, method: Method, *, many: bool, depth: int) -> _Use:
        target = assign.targets[0]
        if isinstance(target, ast.Name):
            return self._named(target.id, method, many=many, depth=depth)
        if many:
            return "open"
        if isinstance(target, (ast.Tuple, ast.List)):
            return self._unpacked(target, method, depth)
        return "sample" if isinstance(target, ast.Subscript) else "open"

    def _named(self, name: str, method: Method, *, many: bool, depth: int) -> _Use:
        """What all uses of a name say together: one that is not known leaves it open."""
        key = (name, method, many, depth)
        if key not in self._by_name:
            self._by_name[key] = self._of_uses(name, method, many=many, depth=depth) if depth else "open"
        return self._by_name[key]

    def _of_uses(self, name: str, method: Method, *, many: bool, depth: int) -> _Use:
        uses = [each for each in ast.walk(method) if isinstance(each, ast.Name) and each.id == name]
        reads = [each for each in uses if isinstance(each.ctx, ast.Load)]
        found = {self._use(each, method, many=many, depth=depth - 1) for each in reads} - {"neutral"}
        if found == {"batch"} and len(uses) > 2:
            return "open"
        return found.pop() if len(found) == 1 else "open"

    def _unpacked(self, target: ast.Tuple | ast.List, method: Method, depth: int) -> _Use:
        """`x, y = self.make(rows)`: with `return x, y` behind it and nothing between the items are those of the batch."""
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        uses = [each for each in ast.walk(method) if isinstance(each, ast.Name) and each.id in names]
        outers = {self.parent(each, method) for each in uses} - {target}
        outer = outers.pop() if len(outers) == 1 else None
        if not isinstance(outer, ast.Tuple) or [getattr(each, "id", None) for each in outer.elts] != names:
            return "sample"
        is_all = isinstance(self.parent(outer, method), ast.Return) and len(uses) == 2 * len(names)
        ends = self._returned(method, many=False, depth=depth) if is_all else "sample"
        return "items" if ends in ("batch", "items") else "sample"

    def _given(self, call: ast.Call, node: ast.expr, method: Method, *, many: bool, depth: int) -> _Use:
        """What a call makes of a result that it is given."""
        func = call.func
        if isinstance(func, ast.Name):
            if many and func.id in _PLAIN:
                return self._use(call, method, many=True, depth=depth)
            return "neutral" if func.id == "len" and many else "sample" if func.id in _PLAIN else "open"
        if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
            return "open"
        if func.attr == "append" and not many:
            return self._named(func.value.id, method, many=True, depth=depth)
        if func.value.id in _LIBRARIES:
            return "open" if self._asks_for_none(call, method) else "sample"
        known = self._is_own(func, method) and not call.keywords
        return self._handed(func, call.args.index(node), method, many=many, depth=depth) if known else "open"

    def _asks_for_none(self, call: ast.Call, method: Method) -> bool:
        """`x = np.array(samples)` with `x[x != None]` behind it."""
        assign = self.parent(call, method)
        target = assign.targets[0] if isinstance(assign, ast.Assign) else None
        if not isinstance(target, ast.Name):
            return False
        asked = (each for each in ast.walk(method) if isinstance(each, ast.Compare))
        none = (
            each for each in asked if any(isinstance(c, ast.Constant) and c.value is None for c in each.comparators)
        )
        return any(isinstance(name, ast.Name) and name.id == target.id for each in none for name in ast.walk(each))

    def _handed(self, func: ast.Attribute, at: int, method: Method, *, many: bool, depth: int) -> _Use:
        """What a helper of the bases makes of what it is given."""
        helper = next((m for m, places in self._calls.items() if (func, method) in places), None)
        arguments = [*helper.args.posonlyargs, *helper.args.args] if helper is not None else []
        if helper is None or at + 1 >= len(arguments) or helper.decorator_list:
            return "open"
        return self._named(arguments[at + 1].arg, helper, many=many, depth=depth)

    def _is_own(self, func: ast.Attribute, method: Method) -> bool:
        return isinstance(func.value, ast.Name) and func.value.id == first(method)


def _suppresses(node: ast.expr) -> bool:
    func = node.func if isinstance(node, ast.Call) else node
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    return name in ("suppress", "raises")
