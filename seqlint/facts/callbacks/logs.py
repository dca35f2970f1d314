"""`logs` in the hooks of callbacks: where its values are read, and under which keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word
from seqlint.facts.values.looped import Looped
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values

_PHASES = ("train_batch", "test_batch", "predict_batch", "batch", "epoch")
HOOKS: dict[str, int] = {
    **{f"on_{phase}_{end}": 2 for phase in _PHASES for end in ("begin", "end")},
    **{f"on_{phase}_{end}": 1 for phase in ("train", "test", "predict") for end in ("begin", "end")},
}
"""The hooks of a Callback, with the place of `logs` among their parameters; `self` is 0."""

_MONITORS = ("keras.callbacks.EarlyStopping", "keras.callbacks.ReduceLROnPlateau", "keras.callbacks.ModelCheckpoint")
_PUTS = frozenset({"setdefault", "update"})
_MOST = 5
_MOST_KEYS = 100


@dataclass(frozen=True, eq=False)
class LogRead:
    """A place that reads one value of `logs`: `logs["loss"]`, `logs.get("loss")`.

    Attributes:
        node: the expression.
        keys: the possible keys; None among them for an unknown one.
        owner: the callback whose hook reads; None for a function passed to LambdaCallback.
    """

    node: cst.BaseExpression
    keys: frozenset[str | None]
    owner: ClassFacts | None


class Logs:
    """The reads of `logs` in a file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, callbacks: tuple[ClassFacts, ...]
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._callbacks = callbacks
        self._looped = Looped(tree, names, values)

    @cached_property
    def parameters(self) -> dict[cst.Param, ClassFacts | None]:
        """The parameters through which Keras passes `logs` to a hook, with the callback of each."""
        found: dict[cst.Param, ClassFacts | None] = {}
        for owner in self._callbacks:
            for name, place in (*HOOKS.items(), ("get_monitor_value", 1)):
                method = owner.methods.get(name)
                given = _positional(method.params)[place : place + 1] if method is not None else ()
                found.update(dict.fromkeys(given, owner))
        for call in self._tree.all(cst.Call) if "LambdaCallback" in self._tree.source.text else ():
            if self._names.qualified(call.func) == "keras.callbacks.LambdaCallback":
                found.update(dict.fromkeys(self._of_lambda_callback(call)))
        return found

    def _of_lambda_callback(self, call: cst.Call) -> list[cst.Param]:
        found: list[cst.Param] = []
        for argument in call.args:
            if argument.keyword is None or argument.keyword.value not in HOOKS:
                continue
            value = argument.value if isinstance(argument.value, cst.Lambda) else self._names.definition(argument.value)
            if isinstance(value, (cst.Lambda, cst.FunctionDef)):
                place = HOOKS[argument.keyword.value] - 1
                found += _positional(value.params)[place : place + 1]
        return found

    def is_logs(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is surely the `logs` of a hook, also passed on to a helper, or as `logs or {}`."""
        return self._is_logs(node, _MOST)

    def _is_logs(self, node: cst.BaseExpression, steps: int) -> bool:
        if not steps:
            return False
        if isinstance(node, cst.BooleanOperation):
            return self._is_logs(node.left, steps - 1)
        if isinstance(node, cst.IfExp):
            return self._is_logs(node.body, steps - 1) or self._is_logs(node.orelse, steps - 1)
        if not isinstance(node, cst.Name):
            return False
        # After `if logs is None: logs = {}` it still is `logs`; a dict that only started empty belongs to the user.
        bindings = [binding for binding in self._names.reaching(node) if not _is_empty_dict(binding)]
        return bool(bindings) and all(self._binds_logs(binding, steps - 1) for binding in bindings)

    def _binds_logs(self, binding: Binding, steps: int) -> bool:
        if isinstance(binding.node, cst.Param):
            return binding.node in self.parameters or self._is_given_logs(binding.node, steps)
        if binding.kind != "assign" or binding.value is None:
            return False
        return self._is_logs(binding.value, steps)

    def _is_given_logs(self, param: cst.Param, steps: int) -> bool:
        function = self._tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        if not isinstance(function, cst.FunctionDef) or not (calls := self._calls.callers(function)):
            return False
        given = [self._calls.passed(call, function, param.name.value) for call in calls]
        return all(value is not None and self._is_logs(value, steps) for value in given)

    # -- reads ------------------------------------------------------------------------------------------------------

    @cached_property
    def reads(self) -> tuple[LogRead, ...]:
        """Every place that reads a value of `logs`, in reading order."""
        if not self.parameters:
            return ()
        found = [self._subscript(node) for node in self._tree.all(cst.Subscript)]
        found += [self._get(node) for node in self._tree.all(cst.Call)]
        return self._tree.order.sorted((read for read in found if read is not None), lambda read: read.node)

    @cached_property
    def written(self) -> frozenset[str | None]:
        """The keys under which the file stores something in `logs`; None among them for an unknown one."""
        found: set[str | None] = set()
        for node in self._tree.all(cst.Subscript) if self.parameters else ():
            index = node.slice[0].slice
            stored = isinstance(self._tree.parents[node], (cst.AssignTarget, cst.AugAssign))
            if stored and isinstance(index, cst.Index) and self.is_logs(node.value):
                found |= self._keys(index.value)
        for call in self._tree.all(cst.Call) if self.parameters else ():
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in _PUTS and self.is_logs(call.func.value):
                found.update(self._put(call))
        return frozenset(found)

    def _put(self, call: cst.Call) -> Iterator[str | None]:
        """The keys that `logs.update(...)` and `logs.setdefault(...)` store."""
        for argument in call.args:
            value = argument.value
            if argument.keyword is not None:
                yield argument.keyword.value
            elif last_word(call.func) == "setdefault":
                yield from self._keys(value)
                return
            elif isinstance(value, cst.Dict):
                for each in value.elements:
                    yield from self._keys(each.key) if isinstance(each, cst.DictElement) else (None,)
            else:
                yield None

    def read(self, node: cst.BaseExpression) -> LogRead | None:
        """The read whose value an expression surely has: the read itself, or a variable assigned from it."""
        value = self._values.only(node)
        return next((read for read in self.reads if read.node is node or read.node is value), None)

    def handed(self, node: cst.BaseExpression) -> LogRead | None:
        """The read that a parameter of a helper surely holds: every call in the file passes such a value."""
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) and self.reads else ()
        if len(bindings) != 1 or not isinstance(param := bindings[0].node, cst.Param) or param.star:
            return None
        function = self._tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        calls = self._calls.callers(function) if isinstance(function, cst.FunctionDef) else ()
        given = [
            self._calls.passed(call, function, param.name.value)
            for call in calls
            if isinstance(function, cst.FunctionDef)
        ]
        found = [self.read(value) for value in given if value is not None]
        if not found or len(found) < len(calls) or None in found:
            return None
        reads = [read for read in found if read is not None]
        return LogRead(reads[0].node, frozenset().union(*(read.keys for read in reads)), reads[0].owner)

    def _subscript(self, node: cst.Subscript) -> LogRead | None:
        index = node.slice[0].slice
        if not isinstance(index, cst.Index) or isinstance(
            self._tree.parents[node], (cst.AssignTarget, cst.AugAssign, cst.Del)
        ):
            return None
        return self._read(node, index.value) if self.is_logs(node.value) else None

    def _get(self, node: cst.Call) -> LogRead | None:
        func = node.func
        if not isinstance(func, cst.Attribute) or not node.args:
            return None
        if func.attr.value == "get_monitor_value" and self._calls.called(node) is None:
            owner = self._values.self_class(func.value)
            keys = self._keys_of_attribute(owner, "monitor") if owner is not None else frozenset({None})
            return LogRead(node, keys, self._owner(node))
        key = node.args[0].value
        return self._read(node, key) if func.attr.value == "get" and self.is_logs(func.value) else None

    def _read(self, node: cst.BaseExpression, key: cst.BaseExpression) -> LogRead:
        return LogRead(node, self._keys(key), self._owner(node))

    def _owner(self, node: cst.CSTNode) -> ClassFacts | None:
        holder = self._tree.enclosing(node, cst.ClassDef)
        return next((owner for owner in self._callbacks if owner.node is holder), None)

    def _keys(self, key: cst.BaseExpression, steps: int = _MOST) -> frozenset[str | None]:
        if isinstance(key, cst.Attribute) and (owner := self._values.self_class(key.value)) is not None:
            return self._keys_of_attribute(owner, key.attr.value)
        listed = self._looped.of(key)
        values = self._values.of(key) if listed is None else listed
        return frozenset().union(*(self._texts(value, steps) for value in values))

    def _texts(self, value: cst.BaseExpression | None, steps: int) -> frozenset[str | None]:
        """What a key can be, also a composed one: `f"val_{name}"`, `"val_" + name`."""
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add) and steps:
            return _joined([self._keys(value.left, steps - 1), self._keys(value.right, steps - 1)])
        if not isinstance(value, cst.FormattedString) or not steps:
            return frozenset({_text(self._values.constant(value)) if value is not None else None})
        return _joined([self._part(part, steps - 1) for part in value.parts])

    def _part(self, part: cst.BaseFormattedStringContent, steps: int) -> frozenset[str | None]:
        if isinstance(part, cst.FormattedStringText) and not set(part.value) & set("\\{}"):
            return frozenset({part.value})
        if not isinstance(part, cst.FormattedStringExpression) or part.conversion or part.format_spec:
            return frozenset({None})
        return self._keys(part.expression, steps)

    def _keys_of_attribute(self, owner: cst.ClassDef, name: str) -> frozenset[str | None]:
        """The values of `self.monitor`: its default, and the arguments of instances in this file."""
        stored = self._values.attribute_values(owner, name)
        if not stored:
            return self._monitors(owner) if name == "monitor" else frozenset({None})
        found: set[str | None] = set()
        for value in stored:
            found |= self._stored_keys(value)
        return frozenset(found)

    def _stored_keys(self, value: cst.BaseExpression | None) -> set[str | None]:
        if not isinstance(value, cst.Name):
            return {_text(self._values.constant(value)) if value is not None else None}
        bindings = self._names.reaching(value)
        if len(bindings) != 1 or not isinstance(param := bindings[0].node, cst.Param):
            return {_text(self._values.constant(value))}
        function = self._tree.enclosing(param, cst.FunctionDef)
        given = (
            {self._calls.passed(call, function, value.value) for call in self._calls.callers(function)}
            if function
            else set()
        )
        given |= {param.default} if param.default is not None else set()
        return {_text(self._values.constant(one)) if one is not None else None for one in given} or {None}

    def _monitors(self, owner: cst.ClassDef) -> frozenset[str | None]:
        """What a subclass of EarlyStopping and the like monitors where it does not override the constructor."""
        facts = next((found for found in self._callbacks if found.node is owner), None)
        if facts is None or not facts.external_bases & set(_MONITORS):
            return frozenset({None})
        made = [call for call in self._tree.all(cst.Call) if self._names.definition(call.func) is owner]
        parameters = ("filepath", "monitor") if _MONITORS[2] in facts.external_bases else ("monitor",)
        if facts.method("__init__") is not None:
            return frozenset({None})
        found = {bound(call, parameters).get("monitor") for call in made}
        return frozenset(
            "val_loss" if one is None else _text(self._values.constant(one.value)) for one in found or {None}
        )


def _positional(params: cst.Parameters) -> tuple[cst.Param, ...]:
    return (*params.posonly_params, *params.params)


def _is_empty_dict(binding: Binding) -> bool:
    return binding.kind == "assign" and isinstance(binding.value, cst.Dict) and not binding.value.elements


def _joined(parts: list[frozenset[str | None]]) -> frozenset[str | None]:
    """The texts made of one of the first part, one of the second, and so on."""
    found: frozenset[str | None] = frozenset({""})
    for part in parts:
        found = frozenset(
            one + other if one is not None and other is not None else None for one in found for other in part
        )
        if len(found) > _MOST_KEYS:
            return frozenset({None})
    return found


def _text(constant: Constant | None) -> str | None:
    return constant.value if constant is not None and isinstance(constant.value, str) else None
