"""Numbers of the instance that an epoch hook steps, and whether anything hangs on how often it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.instances.attributes import Attributes, Touch
    from seqlint.facts.values.values import Value, Values

_STEPS = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.DivideAssign, cst.FloorDivideAssign, cst.PowerAssign)  # fmt: skip
_OPERATORS = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Power)
_BOUNDS = frozenset({"min", "max", "int", "float", "round", "abs", "clip", "minimum", "maximum", "ceil", "floor"})
_TELLS = frozenset({
    "print", "debug", "info", "warning", "error", "log", "format", "write", "append", "add_scalar", "scalar", "set_description",
})  # fmt: skip
_SEEDS = ("seed", "rng", "randomstate", "random_state", "pcg64", "philox", "mt19937", "fold_in", "prngkey", "stateless")
_DEPTH = 3
_ON_THE_WAY = ("__getitem__", "__len__", "on_epoch_end", "on_epoch_begin")


@dataclass(frozen=True, eq=False)
class HookCounter:
    """A number that a hook takes one step further: `self.epoch += 1`, `self.noise = max(self.noise * 0.9, 0.1)`.

    Attributes:
        name: the attribute.
        node: the assignment.
        via: the helpers on the way.
    """

    hook: Hook
    name: str
    node: cst.CSTNode
    via: tuple[str, ...]


class HookCounters:
    """The steps of the hooks of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, attributes: Attributes, calls: CallGraph
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._attributes = attributes
        self._calls = calls

    def of(self, hook: Hook) -> tuple[HookCounter, ...]:
        """The steps of a hook, each number once. What is wound back to a start in the hook, or by `%`, goes round: it is no step."""
        found: dict[str, HookCounter] = {}
        round_: set[str] = set()
        skipped = 1 if hook.template_method is None else 2
        for reached in hook.reached:
            for touch in self._attributes.of(reached.node):
                node = self._assignment(touch)
                if node is None:
                    continue
                if self._is_step(hook.owner, touch, node):
                    found.setdefault(touch.name, HookCounter(hook, touch.name, node, reached.path[skipped:]))
                else:
                    round_.add(touch.name)
        return tuple(step for name, step in found.items() if name not in round_)

    def _assignment(self, touch: Touch) -> cst.AugAssign | cst.Assign | None:
        if touch.kind not in ("assign", "augment"):
            return None
        node = self._tree.parents[touch.node]
        if isinstance(node, cst.Element):  # `self.epoch, self.level = self.epoch + 1, self.level + 1`
            node = self._tree.parents[self._tree.parents[node]]
        node = self._tree.parents[node] if isinstance(node, cst.AssignTarget) else node
        return node if isinstance(node, (cst.AugAssign, cst.Assign)) else None

    def _is_step(self, owner: ClassFacts, touch: Touch, node: cst.AugAssign | cst.Assign) -> bool:
        if isinstance(node, cst.AugAssign):
            return isinstance(node.operator, _STEPS) and self._is_number(owner, touch.name, node.value)
        stored = self._values.stored(touch.node) if isinstance(touch.node, cst.Attribute) else None
        value = stored[0] if stored is not None else None
        return value is not None and self._steps_on(owner, touch.name, value)

    def _steps_on(self, owner: ClassFacts, name: str, value: cst.BaseExpression) -> bool:
        """Whether a value is that of the attribute, moved on by a number: `self.n + 1`, `min(self.n * 2, 64)`."""
        if isinstance(value, cst.Call):
            word = dotted(value.func).rpartition(".")[2]
            return word in _BOUNDS and any(self._steps_on(owner, name, argument.value) for argument in value.args)
        if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, _OPERATORS):
            return False
        sides = (value.left, value.right)
        for one, other in (sides, sides[::-1]):
            if self._is_own(one, name) and self._is_number(owner, name, other):
                return True
        return any(self._steps_on(owner, name, side) for side in sides)

    def _is_own(self, node: cst.BaseExpression, name: str) -> bool:
        return isinstance(node, cst.Attribute) and node.attr.value == name and self._is_of_self(node)

    def _is_of_self(self, node: cst.Attribute) -> bool:
        return self._values.self_class(node.value) is not None

    def _is_number(self, owner: ClassFacts, name: str, by: cst.BaseExpression) -> bool:
        """Whether an attribute surely is a number that is moved by another: one of them is written out as one."""
        if not isinstance(
            by, (cst.Integer, cst.Float, cst.Name, cst.Attribute, cst.BinaryOperation, cst.UnaryOperation)
        ):
            return False
        return self._has_number(by) or any(self._starts_as_number(value) for value in self.starts(owner, name))

    def _has_number(self, node: cst.BaseExpression) -> bool:
        written = bool(self._tree.inside(node, cst.Integer) or self._tree.inside(node, cst.Float))
        return written or any(self._is_named_number(name) for name in self._tree.inside(node, cst.Name))

    def _is_named_number(self, node: cst.BaseExpression) -> bool:
        """`STEP` of `STEP = 4`."""
        known = self._values.constant(node)
        return known is not None and isinstance(known.value, (int, float)) and not isinstance(known.value, bool)

    def _starts_as_number(self, value: Value) -> bool:
        if isinstance(value, cst.Name) and self._is_named_number(value):
            return True
        if isinstance(value, cst.Name):
            bindings = self._names.bindings(value)
            param = bindings[0].node if len(bindings) == 1 else None
            value = param.default if isinstance(param, cst.Param) else None
        return isinstance(value, (cst.Integer, cst.Float, cst.UnaryOperation))

    def starts(self, owner: ClassFacts, name: str) -> tuple[cst.BaseExpression, ...]:
        """What an attribute is given outside of steps: in the class body and in the methods of the class and its bases."""
        stored = (each for holder in owner.lineage for each in self._values.attribute_values(holder.node, name, 0))
        bodies = (self._names.inner_scope(holder.node).bindings.get(name, ()) for holder in owner.lineage)
        bound = (binding.value for bindings in bodies for binding in bindings if binding.kind == "assign")
        return tuple(value for value in (*stored, *bound) if isinstance(value, cst.BaseExpression))

    def starts_before_zero(self, step: HookCounter) -> bool:
        """Whether a counter starts at -1, so that the call before the first epoch brings it to 0."""
        found = [value for value in self.starts(step.hook.owner, step.name) if not self._tree.holds(step.node, value)]
        return any(isinstance(v, cst.UnaryOperation) and isinstance(v.operator, cst.Minus) for v in found)

    # -- who cares --------------------------------------------------------------------------------------------------

    def use(self, step: HookCounter, *methods: str) -> cst.CSTNode | None:
        """The first place on the way to a batch, or in a hook, that decides or computes by the number; seeds and logs don't count.

        `methods` are asked instead, where they are given.
        """
        owners = [owner for owner in self._classes.all if step.hook.owner in owner.lineage]
        found = {
            t.node: t
            for owner in owners
            for reached, t in self._attributes.on(owner, *(methods or _ON_THE_WAY))
            if t.name == step.name
            and (reached.template_method is None or not reached.template_method.is_used_externally(step.name))
        }
        for node, touch in self._tree.order.sorted(found.items(), lambda item: item[0]):
            if touch.kind == "read" and not self._tree.holds(step.node, node) and self._matters(node, _DEPTH):
                return node
        return None

    def _matters(self, node: cst.BaseExpression, steps: int) -> bool:
        """Whether what happens hangs on a value that is read."""
        computed = False
        for below, outer in self._upwards(node):
            if isinstance(outer, cst.FormattedString):
                return False
            if isinstance(outer, cst.Arg) and not self._is_counted(outer, steps):
                return False
            if isinstance(outer, (cst.If, cst.While)):
                return outer.test is below and not self._only_tells(outer)
            if isinstance(outer, cst.Assign):
                return self._goes_on(outer, steps, computed=computed)
            if isinstance(outer, cst.Return):
                return True
            computed = computed or isinstance(
                outer, (cst.Arg, cst.BinaryOperation, cst.Comparison, cst.Index, cst.Slice)
            )
            if isinstance(outer, (cst.SimpleStatementLine, cst.FunctionDef)):
                break
        return computed

    def _upwards(self, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
        below = node
        for outer in self._tree.ancestors(node):
            yield below, outer
            below = outer

    def _is_counted(self, argument: cst.Arg, steps: int) -> bool:
        """Whether a call that is given the value may do more with it than to seed a generator or to tell it."""
        call = self._tree.parents[argument]
        if not isinstance(call, cst.Call):
            return False
        func = dotted(call.func) or (call.func.attr.value if isinstance(call.func, cst.Attribute) else "")
        keyword = argument.keyword.value if argument.keyword is not None else ""
        words = f"{func.rpartition('.')[2]} {keyword}".lower()
        if func.rpartition(".")[2] in _TELLS or any(seed in words for seed in _SEEDS) or func == "random.Random":
            return False
        if (
            isinstance(call.func, cst.Name)
            and isinstance(self._tree.parents[call], cst.Expr)
            and self._is_variable(call.func)
        ):
            return False  # `listener(self.epoch)` tells somebody
        function = self._calls.called(call)
        return function is None or steps == 0 or self._uses_parameter(function, call, argument, steps - 1)

    def _is_variable(self, name: cst.Name) -> bool:
        """Whether a name stands for what a loop or a parameter gives, and for no function of this file or of an import."""
        return all(binding.kind in ("for", "parameter") for binding in self._names.bindings(name))

    def _uses_parameter(self, function: cst.FunctionDef, call: cst.Call, argument: cst.Arg, steps: int) -> bool:
        for param in parameters(function.params):
            if self._calls.passed(call, function, param.name.value) is argument.value:
                return self._name_matters(function, param.name.value, steps)
        return True

    def _name_matters(self, function: cst.FunctionDef, name: str, steps: int) -> bool:
        uses = (each for each in self._tree.inside(function.body, cst.Name) if each.value == name)
        reads = (
            use
            for use in uses
            if not self._tree.is_label(use) and not isinstance(self._tree.parents[use], cst.AssignTarget)
        )
        return any(self._matters(use, steps) for use in reads)

    def _goes_on(self, assign: cst.Assign, steps: int, *, computed: bool) -> bool:
        """Whether what a value is assigned to matters: another attribute only where something was computed for it."""
        target, function = assign.targets[0].target, self._tree.function(assign)
        if not isinstance(target, cst.Name):
            return computed
        if any(seed in target.value.lower() for seed in _SEEDS) or function is None or steps == 0:
            return False
        return self._name_matters(function, target.value, steps - 1)

    def _only_tells(self, branch: cst.If | cst.While) -> bool:
        """Whether a branch prints or logs, and nothing else."""
        lines = [*branch.body.body, *(branch.orelse.body.body if isinstance(branch.orelse, cst.Else) else ())]
        small = [
            each for line in lines for each in (line.body if isinstance(line, cst.SimpleStatementLine) else (line,))
        ]
        calls = [each.value for each in small if isinstance(each, cst.Expr) and isinstance(each.value, cst.Call)]
        return len(calls) == len(small) and all(dotted(call.func).rpartition(".")[2] in _TELLS for call in calls)
