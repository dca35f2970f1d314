"""`tf.distribute` strategies: which ones a file makes, and which one holds where code runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project.project import BIGGEST
from seqlint.facts.values.values import bound
from seqlint.knowledge.canonical_names import canonical
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.project import Project
    from seqlint.facts.training.training import TrainerCall
    from seqlint.facts.values.values import Values

_ROOTS = ("tensorflow.distribute.experimental.", "tensorflow.distribute.")
STRATEGIES = frozenset({
    "CentralStorageStrategy", "MirroredStrategy", "MultiWorkerMirroredStrategy", "OneDeviceStrategy",
    "ParameterServerStrategy", "TPUStrategy",
})  # fmt: skip
MAX_STEPS = 6
_ENTERS = re.compile(rb"(?i)scope|strateg")
_IMPORTS = re.compile(rb"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import|import[ \t]+()([\w.]+))", re.MULTILINE)
_CHOOSES = re.compile(rb"Strategy\(\s*[^)\s]")


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy that the file makes, or gets from another file of the project.

    Attributes:
        node: the call that makes it; for one of another file what stands for it here.
        name: the name of its class, such as "MirroredStrategy".
        devices: how many devices the call names; None: all that there are, or not in sight. One of another file that may
            name some counts as one of a single device.
    """

    node: cst.BaseExpression
    name: str
    devices: int | None = None

    @property
    def mirrors(self) -> bool:
        """Whether it keeps several replicas in this process; where no devices are named it may."""
        return self.name == "MirroredStrategy" and self.devices != 1

    @property
    def spans_workers(self) -> bool:
        """Whether it joins several processes."""
        return self.name == "MultiWorkerMirroredStrategy"


Held = tuple[Strategy | None, ...]
"""The strategies that can hold at a place; None stands for one that can't be told."""
_Where = Callable[[cst.CSTNode], Held]


class Strategies:
    """The strategies of a file."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._open: set[cst.CSTNode] = set()
        self._imported: dict[cst.CSTNode, Held] = {}

    @cached_property
    def made(self) -> tuple[Strategy, ...]:
        """Every strategy that the file makes, in reading order."""
        found = (self._strategy(node) for node in self._tree.all(cst.Call))
        return tuple(strategy for strategy in found if strategy is not None)

    def _strategy(self, node: cst.Call) -> Strategy | None:
        name = self._names.qualified(node.func)
        kind = _kind(f"{name}()") if name is not None else None
        if kind is None:
            return None
        return Strategy(node, kind, self._devices(node))

    def _devices(self, node: cst.Call) -> int | None:
        argument = bound(node, ("devices",)).get("devices")
        value = self._values.only(argument.value) if argument is not None else None
        return len(value.elements) if isinstance(value, (cst.List, cst.Tuple)) else None

    @cached_property
    def may_replicate(self) -> bool:
        """Whether the file makes a strategy that can have several replicas."""
        return any(found.name != "OneDeviceStrategy" and found.devices != 1 for found in self.made)

    @cached_property
    def _by_call(self) -> dict[cst.CSTNode, Strategy]:
        return {strategy.node: strategy for strategy in self.made}

    def of(self, node: cst.BaseExpression) -> Held:
        """The strategies that an expression can be."""
        values = (node if value is None else value for value in self._values.of(node))
        return _unique(held for value in values for held in self._of_value(value))

    def _of_value(self, node: cst.BaseExpression) -> Held:
        made = self._by_call.get(node)
        if made is not None:
            return (made,)
        if node not in self._imported:
            self._imported[node] = self._from_external(node)
        return self._imported[node]

    def _from_external(self, node: cst.BaseExpression) -> Held:
        """Those of another file: `dist.strategy`, `get_strategy()`."""
        project, called = self._names.project, isinstance(node, cst.Call)
        named = set(self._names.origins(node.func if isinstance(node, cst.Call) else node))
        name = named.pop() if len(named) == 1 else None
        file = project.module_file(name) if project is not None and name is not None else None
        if project is None or name is None or file is None:
            return (None,)
        data = surroundings.content(file, BIGGEST)
        devices = 1 if data is None or _CHOOSES.search(data) or b"Strategy()" not in data else None
        kinds = (_kind(origin) for origin in project.origins(f"{name}()" if called else name))
        return tuple(Strategy(node, kind, devices) if kind is not None else None for kind in kinds)

    def is_default(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is surely what `get_strategy()` gives outside every scope, which distributes nothing."""
        value = self._values.only(node)
        name = "tensorflow.distribute.get_strategy"
        return isinstance(value, cst.Call) and self._names.qualified(value.func) == name and not self.at(value)

    # -- scopes -----------------------------------------------------------------------------------------------------

    def at(self, node: cst.CSTNode) -> Held:
        """The strategies whose scope can hold where a node runs; empty: none, as far as this file tells.

        The scope stands round the node, or round a call of the function that the node stands in.
        """
        around = self.around(node)
        if around or node in self._open:
            return around
        function = self._tree.function(node)
        if function is None:
            return ()
        self._open.add(node)
        found = _unique(strategy for call in self._calls.callers(function) for strategy in self.at(call))
        self._open.discard(node)
        return found

    def around(self, node: cst.CSTNode) -> Held:
        """The strategies of the nearest `with strategy.scope():` in the same function.

        Where there is none, those of `experimental_set_strategy`.
        """
        scope = self.scope_round(node)
        if scope is None:
            return self._set_for_all
        return _unique(strategy for item in scope.items for strategy in self._entered(item.item))

    def scope_round(self, node: cst.CSTNode) -> cst.With | None:
        """The nearest `with strategy.scope():` round a node, in the same function."""
        for outer in self._tree.ancestors(node):
            if isinstance(outer, (cst.FunctionDef, cst.Lambda)):
                return None
            if not isinstance(outer, cst.With) or not self._tree.holds(outer.body, node):
                continue
            if any(self._entered(item.item) for item in outer.items):
                return outer
        return None

    def _entered(self, context: cst.BaseExpression) -> Held:
        """The strategies of `strategy.scope()`, also behind a name or a choice; empty for any other context."""
        if not self.is_used and not self._names_distribute:
            return ()
        scopes = [value.func for value in self._values.of(context) if isinstance(value, cst.Call)]
        if any(self._is_own_scope(func) for func in scopes):
            return (None,)
        entered = [func.value for func in scopes if isinstance(func, cst.Attribute) and func.attr.value == "scope"]
        return _unique(strategy for node in entered for strategy in self.of(node))

    def _is_own_scope(self, func: cst.BaseExpression) -> bool:
        """`with scope():`, a context of the project's own that may enter that of a strategy."""
        name = self._names.qualified(func) or self._tree.text(func)
        known = name.startswith(("builtins.", "keras.", "tensorflow.", "contextlib."))
        word = name.rpartition(".")[2]
        own = isinstance(func, cst.Name) or (self._names.qualified(func) is not None and word != "scope")
        return not known and own and _ENTERS.search(word.encode()) is not None

    @cached_property
    def is_used(self) -> bool:
        """Whether the file makes a strategy, or enters the scope of one that another file makes."""
        scopes = self._tree.attributes("scope") if not self.made else ()
        return bool(self.made) or any(held is not None for node in scopes for held in self.of(node.value))

    @cached_property
    def _names_distribute(self) -> bool:
        return bool(self._tree.attributes("distribute"))

    @cached_property
    def _set_for_all(self) -> Held:
        name = "tensorflow.distribute.experimental_set_strategy"
        calls = (node for node in self._tree.all(cst.Call) if node.args and self._names.qualified(node.func) == name)
        return _unique(strategy for call in calls for strategy in self.of(call.args[0].value))

    # -- models -----------------------------------------------------------------------------------------------------

    def of_model(self, model: cst.BaseExpression) -> Held:
        """The strategies in whose scope a model is made, in any of the ways in which it comes about; empty: in none."""
        return _unique(self._made_under(model, MAX_STEPS, self.at))

    def of_fit(self, call: TrainerCall) -> Held:
        """The strategies that a fit can run under: those of its model, or round the call of a model from elsewhere."""
        found = self.of_model(call.receiver)
        if found or None not in self._values.of(call.receiver):
            return found
        return self.at(call.node)

    def _made_under(self, node: cst.BaseExpression, steps: int, where: _Where) -> Iterable[Strategy | None]:
        """`where` says whether callers count: they don't in a function that was entered through a known call."""
        if not steps:
            return
        if isinstance(node, cst.Name):
            for binding in self._names.reaching(node):
                yield from self._bound_under(binding, steps, where)
        elif isinstance(node, cst.Attribute):
            owner = self._values.self_class(node.value)
            for value in self._values.attribute_values(owner, node.attr.value) if owner is not None else ():
                yield from self._made_under(value, steps - 1, where) if value is not None else ()
        elif around := self.around(node):
            yield from around
        else:
            returned = self._calls.returned(node) if isinstance(node, cst.Call) else None
            inner = [held for value in returned or () for held in self._made_under(value, steps - 1, self.around)]
            yield from inner or where(node) or ((None,) if self._may_enter(node) else ())

    def _may_enter(self, node: cst.BaseExpression) -> bool:
        """Whether a function of another file that makes a model may do so in a scope: it is given a strategy, or its file enters one."""
        project = self._names.project
        if not isinstance(node, cst.Call) or project is None:
            return False
        if any(held is not None for argument in node.args for held in self.of(argument.value)):
            return True
        origins = self._names.origins(node.func)
        files = {project.file(origin) or project.module_file(origin) for origin in origins if origin is not None}
        return any(self._speaks_of_scopes(file, project, deep=True) for file in files if file is not None)

    def _speaks_of_scopes(self, file: Path, project: Project, *, deep: bool) -> bool:
        """Whether a file, or one of the project that it imports, speaks of scopes or strategies."""
        data = surroundings.content(file, BIGGEST)
        if data is None or _ENTERS.search(data):
            return True
        for match in _IMPORTS.finditer(data) if deep else ():
            dots, name = (match[1] or b"").decode(), (match[2] or match[4] or b"").decode()
            above = project.at(file).module_name(file).rsplit(".", len(dots))[0] + "." if dots else ""
            other = project.at(file).module_file(above + name if name else above[:-1])
            if other is not None and other != file and self._speaks_of_scopes(other, project, deep=False):
                return True
        return False

    def _bound_under(self, binding: Binding, steps: int, where: _Where) -> Iterable[Strategy | None]:
        if binding.kind == "parameter" and isinstance(binding.node, cst.Param):
            function = self._tree.enclosing(binding.node, cst.FunctionDef, cst.Lambda)
            for call in self._calls.callers(function) if isinstance(function, cst.FunctionDef) else ():
                assert isinstance(function, cst.FunctionDef)
                value = self._calls.passed(call, function, binding.name)
                yield from self._made_under(value, steps - 1, self.at) if value is not None else ()
        elif binding.value is not None:
            yield from self._made_under(binding.value, steps - 1, where)


def _kind(origin: str) -> str | None:
    """The class of a strategy, of the name of an object: "MirroredStrategy"."""
    name = canonical(origin[:-2]) if origin.endswith("()") else ""
    root = next((root for root in _ROOTS if name.startswith(root)), "")
    return name[len(root) :] if root and name[len(root) :] in STRATEGIES else None


def _unique(found: Iterable[Strategy | None]) -> Held:
    return tuple(dict.fromkeys(found))
