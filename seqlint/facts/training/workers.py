"""Several processes that train one model: Horovod, MultiWorkerMirroredStrategy; and what runs in one of them alone."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word
from seqlint.facts.flow.lists import Condition
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.values.values import Values

_CHIEF = re.compile(
    r"_*is_?(?:the_)?(?:chief|master|main|root|rank_?(?:0|zero))(?:_(?:worker|process|node|rank))?", re.IGNORECASE
)
_RANK = re.compile(
    r"(?:hvd_|global_|local_|worker_|task_)?(?:rank|task_?(?:id|index)|worker_?(?:id|index))", re.IGNORECASE
)
_TYPES = (Constant("chief"), Constant("master"))
_MOST = 6
_CALLBACKS = ("BroadcastGlobalVariablesCallback", "MetricAverageCallback", "LearningRateWarmupCallback")
_OTHERS = ("horovod.torch.", "horovod.mxnet.", "horovod.ray.")
_RANKS = ("rank", "local_rank", "cross_rank")


class Workers:
    """The processes of a distributed program."""

    def __init__(self, tree: Tree, names: Names, values: Values, strategies: Strategies) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._strategies = strategies

    @cached_property
    def horovod(self) -> tuple[cst.Call, ...]:
        """The calls that show that the file trains under Horovod: `init`, else its optimizer, else its callbacks."""
        for names in (("init",), ("DistributedOptimizer", "DistributedGradientTape"), _CALLBACKS):
            found = tuple(call for call in self._tree.all(cst.Call) if self._is_horovod(call, names))
            if found:
                return found
        return ()

    def may_lack_horovod(self, node: cst.CSTNode) -> bool:
        """Whether a node can also run in a process that has not started Horovod."""
        for call in self.horovod:
            for outer in self._tree.ancestors(call):
                optional = isinstance(outer, (cst.If, cst.Try, cst.IfExp)) and not self._tree.holds(outer, node)
                if optional and not (isinstance(outer, cst.If) and "__name__" in self._tree.text(outer.test)):
                    return True
        return False

    def _is_horovod(self, call: cst.Call, names: tuple[str, ...]) -> bool:
        name = self._names.qualified(call.func) or ""
        return name.startswith("horovod.") and not name.startswith(_OTHERS) and name.rpartition(".")[2] in names

    @cached_property
    def multi_worker(self) -> bool:
        """Whether the file makes a MultiWorkerMirroredStrategy."""
        return any(strategy.spans_workers for strategy in self._strategies.made)

    def alone(self, condition: Condition) -> bool | None:
        """Whether a branch runs in one process alone.

        True: on rank 0, or on the chief. False: on all others. None: that is not what decides, or it can't be told.
        """
        if condition.test is None:
            return None
        found = self._chief(condition.test, _MOST)
        return found if condition.branch or found is None else not found

    def in_one(self, node: cst.CSTNode) -> bool:
        """Whether a node runs in one process and in no other: `if hvd.rank() == 0: model.fit(...)`."""
        inner = node
        for outer in self._tree.ancestors(node):
            if isinstance(outer, cst.FunctionDef):
                return False
            if isinstance(outer, cst.If) and inner is not outer.test:
                branch = 1 if inner is outer.body else 0
                if self.alone(Condition(outer, branch, outer.test)) is True:
                    return True
            inner = outer
        return False

    def _chief(self, test: cst.BaseExpression, steps: int) -> bool | None:
        """Whether a test holds on the chief alone (True), on all others alone (False), or neither."""
        if not steps:
            return None
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            found = self._chief(test.expression, steps - 1)
            return None if found is None else not found
        if isinstance(test, cst.BooleanOperation):
            return self._chief_of_both(test, steps - 1)
        if isinstance(test, cst.Comparison):
            return self._chief_of_comparison(test)
        if self._is_rank(test):
            return False
        return self._chief_of_value(test, steps - 1)

    def _chief_of_both(self, test: cst.BooleanOperation, steps: int) -> bool | None:
        found = (self._chief(test.left, steps), self._chief(test.right, steps))
        if isinstance(test.operator, cst.And):
            return True if True in found and False not in found else False if found == (False, False) else None
        return found[0] if found[0] == found[1] else None

    def _chief_of_comparison(self, test: cst.Comparison) -> bool | None:
        if len(test.comparisons) != 1:
            return None
        operator, right = test.comparisons[0].operator, test.comparisons[0].comparator
        sides = (test.left, right)
        equal = isinstance(operator, (cst.Equal, cst.Is))
        if not equal and not isinstance(operator, (cst.NotEqual, cst.IsNot, cst.GreaterThan)):
            return None
        constants = [self._values.constant(side) for side in sides]
        if Constant(0) in constants and any(self._is_rank(side) for side in sides):
            return equal
        named = any(constant in _TYPES for constant in constants)
        return equal if named and not isinstance(operator, cst.GreaterThan) else None

    def _is_rank(self, node: cst.BaseExpression) -> bool:
        values = self._values.of(node)
        if all(value is not None and self._is_rank_value(value) for value in values):
            return True
        return None in values and _RANK.fullmatch(_last_word(node)) is not None

    def _is_rank_value(self, value: cst.BaseExpression) -> bool:
        if isinstance(value, cst.Subscript):
            return self._is_index_of_task(value)
        if not isinstance(value, cst.Call):
            return False
        if value.args and self._names.qualified(value.func) == "builtins.int" and not value.args[0].star:
            return self._is_rank(value.args[0].value)
        return self._is_horovod(value, _RANKS)

    def _is_index_of_task(self, value: cst.Subscript) -> bool:
        """`tf_config["task"]["index"]`."""
        outer = value.value
        keys = [self._key(outer) if isinstance(outer, cst.Subscript) else None, self._key(value)]
        return keys == [Constant("task"), Constant("index")]

    def _key(self, value: cst.Subscript) -> Constant | None:
        index = value.slice[0].slice
        return self._values.constant(index.value) if isinstance(index, cst.Index) else None

    def _chief_of_value(self, test: cst.BaseExpression, steps: int) -> bool | None:
        values = self._values.of(test)
        found = {self._chief(value, steps) if value is not None and value is not test else None for value in values}
        if len(found) == 1 and None not in found:
            return found.pop()
        return True if _CHIEF.fullmatch(_last_word(test)) else None


def _last_word(node: cst.BaseExpression) -> str:
    """The name that an expression ends in: of a variable, an attribute, or the function that is called."""
    return last_word(node.func if isinstance(node, cst.Call) else node)
