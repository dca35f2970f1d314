"""Numbers of one batch that `train_step` and `test_step` return under the names of logs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word
from seqlint.facts.flow.followed import Followed
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values

STEPS = ("train_step", "test_step")
_LOSSES = frozenset({"compute_loss", "compiled_loss"})
_MAKERS = ("tensorflow.reduce_", "tensorflow.math.reduce_", "keras.ops.mean", "keras.ops.sum", "keras.losses.")


_Entry = tuple[cst.BaseExpression | str, cst.BaseExpression]


@dataclass(frozen=True, eq=False)
class RawResult:
    """One entry of the dict that a step returns whose value is the tensor of this batch.

    Attributes:
        node: the value.
        alone: whether the dict has no other entry: under "loss" Keras 3 then logs its own tracker, which nobody updated.
    """

    owner: ClassFacts
    step: cst.FunctionDef
    key: str
    node: cst.BaseExpression
    returned: cst.Return
    alone: bool


class StepResults:
    """What the steps of a file's models return."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph, classes: Classes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._classes = classes
        self._followed = Followed(names, values, calls)
        self._open: set[cst.CSTNode] = set()  # what is being looked at: a method may call itself

    @cached_property
    def raw(self) -> tuple[RawResult, ...]:
        """In reading order."""
        models = (owner for owner in self._classes.all if owner.is_a("model") == "yes")
        steps = ((owner, owner.methods.get(name)) for owner in models for name in STEPS)
        return tuple(raw for owner, step in steps if step is not None for raw in self._of(owner, step))

    def _of(self, owner: ClassFacts, step: cst.FunctionDef) -> Iterator[RawResult]:
        seen: set[cst.CSTNode] = set()
        for returned in self._values.own(step, cst.Return):
            made = self._values.only(returned.value) if returned.value is not None else None
            if returned.value is None or made is None or not self._tree.holds(step, made):
                continue
            first, later = self._spelled(made), list(self._put(returned.value, step))
            keys = [self._key(key) for key, _ in (*first, *later)]
            for key, (_, value) in zip(keys, (*first, *later), strict=True):
                if not key or keys.count(key) > 1 or value in seen or (key == "loss" and not self._is_plain(made)):
                    continue
                if self._is_raw(value):
                    seen.add(value)
                    yield RawResult(owner, step, key, value, returned, _holds_one(made, later))

    def _spelled(self, made: cst.BaseExpression) -> list[_Entry]:
        """The entries of a dict, with those of the dicts that it unpacks: `{**losses, "kl": kl}`; what is overwritten is left out."""
        if not isinstance(made, cst.Dict):
            return _entries(made)
        found: dict[str, _Entry] = {}
        for place, entry in enumerate(made.elements):
            inner = self._values.only(entry.value) if isinstance(entry, cst.StarredDictElement) else None
            given = _entries(inner) if not isinstance(entry, cst.DictElement) else [(entry.key, entry.value)]
            found |= {self._key(one[0]) or f"{place} {number}": one for number, one in enumerate(given)}
        return list(found.values())

    def _is_plain(self, made: cst.BaseExpression) -> bool:
        """Whether a dict is written out: `{m.name: m.result() for m in self.metrics}` has a "loss" of Keras 3's own."""
        if not isinstance(made, cst.Dict):
            return isinstance(made, cst.Call) and last_word(made.func) == "dict"
        inner = [self._values.only(e.value) for e in made.elements if isinstance(e, cst.StarredDictElement)]
        return all(isinstance(each, cst.Dict) for each in inner)

    def _key(self, key: cst.BaseExpression | str) -> str:
        constant = Constant(key) if isinstance(key, str) else self._values.constant(key)
        return constant.value if isinstance(constant, Constant) and isinstance(constant.value, str) else ""

    def _put(self, returned: cst.BaseExpression, step: cst.FunctionDef) -> Iterator[_Entry]:
        """What the step puts into the dict that it returns by name: `logs["kl"] = kl`, `logs.update(kl=kl)`."""
        if not isinstance(returned, cst.Name):
            return
        for assign in self._tree.inside(step.body, cst.Assign):
            target = assign.targets[0].target
            index = target.slice[0].slice if isinstance(target, cst.Subscript) else None
            if isinstance(target, cst.Subscript) and isinstance(index, cst.Index) and _is(target.value, returned):
                yield index.value, assign.value
        for call in self._tree.inside(step.body, cst.Call):
            if (
                isinstance(call.func, cst.Attribute)
                and last_word(call.func) == "update"
                and _is(call.func.value, returned)
            ):
                yield from (*_entries(call.args[0].value if call.args else None), *_entries(call))

    def _is_raw(self, node: cst.BaseExpression) -> bool:
        """Whether a value is surely worked out from this batch: a loss, a mean, or arithmetic with one."""
        last = self._last(node) if isinstance(node, cst.Name) else []
        if isinstance(node, cst.Name) and last and self._is_differentiated(node):
            return True
        if any(binding.kind == "augment" for binding in last):  # `loss *= 0.5`: what it was before
            return all(self._is_bound_raw(binding, node) for binding in last)
        values = [binding.value for binding in last if binding.kind == "assign"]
        found = [v for value in values if value is not None for v in self._values.of(value)]
        if not last or len(values) < len(last):
            found = list(self._followed.of(node))
        return bool(found) and all(value is not None and self._is_of_batch(value) for value in found)

    def _is_differentiated(self, name: cst.Name) -> bool:
        """Whether a tape takes the gradient of what a call gave, whatever that was: no result of a metric has one."""
        made = self._made_once(name)
        return made is not None and made in self._differentiated

    @cached_property
    def _differentiated(self) -> frozenset[cst.Call]:
        """The calls that give what a tape takes the gradient of, under a name."""
        found: set[cst.Call] = set()
        for node in self._tree.attributes("gradient"):
            call = self._tree.parents[node]
            given = bound(call, ("target",)).get("target") if isinstance(call, cst.Call) and call.func is node else None
            made = self._made_once(given.value) if given is not None and isinstance(given.value, cst.Name) else None
            found |= {made} if made is not None else set()
        return frozenset(found)

    def _made_once(self, name: cst.Name) -> cst.Call | None:
        """The one call in the same function that gives a name its value; none that asks a metric."""
        bindings = self._names.reaching(name)
        made = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
        if not isinstance(made, cst.Call) or last_word(made.func) == "result":
            return None
        return made if self._tree.function(made) is self._tree.function(name) else None

    def _is_as_differentiated(self, call: cst.Call) -> bool:
        """Whether a step asks the same function for its loss as one of the class that takes the gradient: `self.loss_fn(y, x)`."""
        if not self._is_lasting(call.func):
            return False
        owner, asked = self._tree.enclosing(call, cst.ClassDef), self._tree.text(call.func)
        alike = (made for made in self._differentiated if self._tree.text(made.func) == asked)
        return any(self._tree.enclosing(made, cst.ClassDef) is owner for made in alike)

    def _is_lasting(self, func: cst.BaseExpression) -> bool:
        """Whether a function is the same one in all methods: an attribute of the model, or a name of the module."""
        while isinstance(func, cst.Attribute):
            if self._values.self_class(func.value) is not None:
                return True
            func = func.value
        home = self._names.scope(func).home(func.value) if isinstance(func, cst.Name) else None
        return home is not None and home.kind == "module"

    def _is_bound_raw(self, binding: Binding, node: cst.BaseExpression) -> bool:
        if binding.kind == "augment":
            return isinstance(binding.node, cst.Name) and binding.node is not node and self._is_raw(binding.node)
        return binding.kind == "assign" and binding.value is not None and self._is_raw(binding.value)

    def _last(self, name: cst.Name) -> list[Binding]:
        """The bindings that a name can have, but for those that a later one of the same block takes the place of."""
        found: dict[cst.CSTNode, Binding] = {}
        for binding in self._tree.order.sorted(self._names.reaching(name), lambda binding: binding.node):
            found[self._tree.parents[self._tree.statement(binding.node)]] = binding
        return list(found.values())

    def _gives_raw(self, call: cst.Call) -> bool:
        """Whether all that a method of the model returns is worked out from this batch."""
        if call in self._open:
            return False
        self._open.add(call)
        given = self._calls.returned(call) or ()
        raw = bool(given) and all(self._is_raw(value) for value in given)
        self._open.discard(call)
        return raw

    def _is_made_of_batch(self, value: cst.BaseExpression, *parts: cst.BaseExpression) -> bool:
        if value in self._open:  # `loss = loss + part` in a loop
            return False
        self._open.add(value)
        raw = any(map(self._is_raw, parts))
        self._open.discard(value)
        return raw

    def _is_of_batch(self, value: cst.BaseExpression) -> bool:
        if isinstance(value, cst.BinaryOperation):
            return self._is_made_of_batch(value, value.left, value.right)
        if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
            return self._is_made_of_batch(value, value.expression)
        if not isinstance(value, cst.Call):
            return False
        if isinstance(value.func, cst.Attribute) and self._values.self_class(value.func.value) is not None:
            own = value.func.attr.value in _LOSSES or self._gives_raw(value)
            return own or self._is_as_differentiated(value)
        if self._is_as_differentiated(value):
            return True
        made = value.func if isinstance(value.func, cst.Call) else value
        return (self._names.qualified(made.func) or "").startswith(_MAKERS)


def _entries(made: cst.BaseExpression | None) -> list[_Entry]:
    """The entries of `{"kl": kl}`, and of `dict(kl=kl)` or `logs.update(kl=kl)`."""
    if isinstance(made, cst.Dict):
        return [(entry.key, entry.value) for entry in made.elements if isinstance(entry, cst.DictElement)]
    if not isinstance(made, cst.Call) or last_word(made.func) not in ("dict", "update"):
        return []
    return [(given.keyword.value, given.value) for given in made.args if given.keyword is not None]


def _holds_one(made: cst.BaseExpression, later: list[_Entry]) -> bool:
    """Whether a dict surely has one entry in the end."""
    if isinstance(made, cst.Dict):
        plain = all(isinstance(entry, cst.DictElement) for entry in made.elements)
        return plain and len(made.elements) + len(later) == 1
    return isinstance(made, cst.Call) and last_word(made.func) == "dict" and len(made.args) + len(later) == 1


def _is(node: cst.BaseExpression, name: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and isinstance(name, cst.Name) and node.value == name.value
