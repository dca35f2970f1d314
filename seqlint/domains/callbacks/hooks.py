"""What the hooks of callbacks read that Keras does not give them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.callbacks.kinds import is_callback
from seqlint.run import Constant, Container, Instance, Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Phase, Run
    from seqlint.run.trace import Context, Watched

_NAME = "validation_data"


@dataclass(frozen=True, eq=False)
class BeginRead:
    """A place that reads a value of `logs` in a hook that gets none.

    Attributes:
        how: *item*: `logs["loss"]`, *get*: `logs.get("loss")`, *in*: `"loss" in logs`.
        hook: such as "on_epoch_begin".
    """

    node: ast.expr
    how: Literal["item", "get", "in"]
    hook: str


@dataclass(frozen=True, eq=False)
class ValidationRead:
    """A place that reads `validation_data` of a callback, or of its model.

    Attributes:
        owner: the name of the callback's class.
    """

    node: ast.AST
    owner: str
    of_model: bool


def hook_of(context: Context) -> Phase | None:
    """The hook of a callback whose code runs, the innermost."""
    return next((phase for phase in reversed(context.phases) if phase.kind == "callback"), None)


def parameter_hook(found: Object, name: str) -> str:
    """The hook that gets an object as its parameter `logs`, `epoch` or `batch`; empty for anything else."""
    if not isinstance(found, Result) or found.op != "parameter" or found.name != name or not found.args:
        return ""
    hook = found.args[0].only
    return str(hook.value) if isinstance(hook, Constant) else ""


def is_model_of_callback(found: Object | None) -> bool:
    """Whether an object is `self.model` of a callback."""
    if not isinstance(found, Result) or found.op != "attribute" or found.method != "model":
        return False
    return isinstance(found.receiver, Instance) and is_callback(found.receiver)


def is_trained_model(found: Object | None, phase: Phase) -> bool:
    """Whether an object is the model that is trained while a hook runs: `self.model`, or the one whose `fit` gets the callback."""
    trained = phase.owner.receiver if phase.owner is not None else None
    return is_model_of_callback(found) or (found is not None and found is trained)


class HookReads:
    """What the hooks of this file read in vain."""

    def __init__(self, run: Run) -> None:
        self._run = run

    # -- logs of begin hooks ------------------------------------------------------------------------------------------

    @cached_property
    def of_begin(self) -> tuple[BeginRead, ...]:
        """The reads of `logs` where it is empty, in the order of the text; a test that guards others speaks for them."""
        found = sorted(self._of_begin(), key=lambda read: self._run.span(read.node))
        guarded = {self._function(read.node) for read in found if read.how == "in"}
        return tuple(read for read in found if read.how == "in" or self._function(read.node) not in guarded)

    def _of_begin(self) -> Iterator[BeginRead]:
        values = self._run.watched.machine.values
        for node in ast.walk(self._run.tree):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                asked, read = node.value, BeginRead(node, "item", self._hook(values.get(node.value)))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
                asked, read = node.func.value, BeginRead(node, "get", self._hook(values.get(node.func.value)))
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                asked = node.comparators[0]
                read = BeginRead(node, "in", self._hook(values.get(asked)))
            else:
                continue
            if read.hook and asked in values:
                yield read

    def _hook(self, values: list[Watched] | None) -> str:
        """The begin hook whose `logs` an expression surely is each time; `logs or {}` is, too."""
        hooks = set()
        for watched in values or ():
            value = watched.value
            given = [parameter_hook(each, "logs") for each in value]
            others = [each for each, hook in zip(value, given, strict=True) if not hook]
            if not any(given) or not all(isinstance(each, (Container, Constant)) for each in others):
                return ""
            hooks |= {hook for hook in given if hook}
        return hooks.pop() if len(hooks) == 1 and all(hook.endswith("_begin") for hook in hooks) else ""

    def _function(self, node: ast.AST) -> ast.AST | None:
        return self._functions.get(node)

    @cached_property
    def _functions(self) -> dict[ast.AST, ast.AST]:
        """The innermost function that each node is in."""
        found: dict[ast.AST, ast.AST] = {}
        for outer in ast.walk(self._run.tree):
            if isinstance(outer, (ast.FunctionDef, ast.Lambda)):
                found.update(dict.fromkeys(ast.walk(outer), outer))
        return found

    # -- validation data --------------------------------------------------------------------------------------------

    @cached_property
    def of_validation(self) -> tuple[ValidationRead, ...]:
        """The reads of `validation_data` that nobody has set, each place once."""
        found: dict[ast.AST, ValidationRead] = {}
        tested = {each for call in self._run.called("builtins.hasattr") for each in _tested(call)}
        for asked in self._run.asked(_NAME):
            if not self._run.is_here(asked.context) or asked.node in found or not tested.isdisjoint(asked.owners):
                continue
            for owner in asked.owners:
                callback = owner.receiver if isinstance(owner, Result) and is_model_of_callback(owner) else owner
                if isinstance(callback, Instance) and is_callback(callback):
                    found[asked.node] = ValidationRead(asked.node, callback.cls.name, callback is not owner)
        return tuple(found.values())


def _tested(call: Call) -> tuple[Object, ...]:
    """What `hasattr(self, "validation_data")` asks."""
    args = call.result.args
    return args[0].objects if len(args) == 2 and constant(args[1]) == _NAME else ()
