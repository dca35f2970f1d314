"""Where a class is trained on: the fits, the instances that each is given, and what these were made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import Scope
from seqlint.facts.code.statements import gives_name, references

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

FITS = ("fit", "fit_generator")
_ASKS = frozenset(
    {"builtins.isinstance", "builtins.issubclass", "builtins.super", "builtins.setattr", "builtins.print"}
)
MAX_STEPS = 6
MAX_WRAPS = 3

Variable = tuple[Scope | cst.ClassDef, str]


@dataclass(frozen=True, eq=False)
class FitBinding:
    """A fit that trains on instances of a class.

    Attributes:
        parts: the expressions whose values are the instances: the data, elements of a list, what a chain is made from.
    """

    call: TrainerCall
    parts: tuple[cst.BaseExpression, ...]


class FitBindings:
    """Which fits of one file train on which classes."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        classes: Classes,
        training: Training,
        input_kinds: InputKinds,
        calls: CallGraph,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._input_kinds = input_kinds
        self._calls = calls
        self._on: dict[tuple[str, cst.FunctionDef], tuple[FitBinding, ...] | None] = {}

    def on(self, hook: Hook) -> tuple[FitBinding, ...] | None:
        """Every fit in which Keras calls the hook; None where one may be out of sight, or trains on something else at times."""
        if (hook.name, hook.node) not in self._on:
            self._on[hook.name, hook.node] = self._fits(hook)
        return self._on[hook.name, hook.node]

    def _fits(self, hook: Hook) -> tuple[FitBinding, ...] | None:
        found: list[FitBinding] = []
        for call in self._training.calls:
            if call.method not in FITS or call.data is None:
                continue
            parts = self._parts(hook, call.data)
            if parts is None:
                return None
            if parts:
                found.append(FitBinding(call, parts))
        return tuple(found) if self._all_seen(hook) else None

    def _parts(self, hook: Hook, data: cst.BaseExpression) -> tuple[cst.BaseExpression, ...] | None:
        found: list[cst.BaseExpression] = []
        for part in self.parts(data, through=hook.name):
            classes = self._training.classes_of(part)
            having = [made for made in classes if made is not None and self.has(made, hook)]
            if having and len(having) < len(classes):
                return None
            found += [part] if having else []
        return tuple(found)

    def parts(
        self, data: cst.BaseExpression, wraps: int = MAX_WRAPS, through: str = ""
    ) -> tuple[cst.BaseExpression, ...]:
        """What a call is fed: the data, or the elements of a list of them, and behind each the Sequences that it wraps.

        Args:
            through: only what is wrapped by a class that forwards this hook.
        """
        held = self._input_kinds.collected(data)
        if wraps == 0:
            return (data,)
        if held is not None:
            return tuple(part for element in held.elements for part in self.parts(element, wraps - 1, through))
        makers = [call for call in self._input_kinds.makers(data) if not through or self._forwards(call, through)]
        inner = [part for call in makers for a in call.args for part in self.parts(a.value, wraps - 1, through)]
        return (data, *(part for part in inner if self._training.is_sequence(part) == "yes"))

    def _forwards(self, call: cst.Call, hook: str) -> bool:
        """Whether the class that a call makes has a hook that calls the hook of something else."""
        definition = self._names.definition(call.func)
        reached = self._classes.of(definition).reachable(hook) if isinstance(definition, cst.ClassDef) else ()
        calls = [inner.func for found in reached for inner in self._tree.inside(found.node.body, cst.Call)]
        return any(
            isinstance(f, cst.Attribute) and f.attr.value == hook and not isinstance(f.value, cst.Call) for f in calls
        )

    def has(self, made: ClassFacts, hook: Hook) -> bool:
        """Whether the hook runs, own or inherited or through `super()`, when Keras calls it on an instance of a class."""
        return any(reached.node is hook.node for reached in made.reachable(hook.name))

    def _all_seen(self, hook: Hook) -> bool:
        """Whether every instance that the file makes arrives at a trainer call of the file, and no class is handed on."""
        owners = [owner for owner in self._classes.all if self.has(owner, hook)]
        if any(self._is_handed_on(owner) for owner in owners) or self._leaves(owners):
            return False
        made = {call for owner in owners for call in self._training.instances(owner)}
        for call in self._training.calls:
            for _, data in call.feeds:
                for part in self.parts(data):
                    made -= {value for value in self._values.of(part) if isinstance(value, cst.Call)}
        return not made

    def _leaves(self, owners: list[ClassFacts]) -> bool:
        """Whether an instance is given to code of another file, which may train on it."""
        trainers = {call.node for call in self._training.calls}
        for argument in self._tree.all(cst.Arg):
            call = self._tree.parents[argument]
            if not isinstance(call, cst.Call) or call in trainers or self._stays(call):
                continue
            if any(made in owners for made in self._training.classes_of(argument.value)):
                return True
        return False

    def _stays(self, call: cst.Call) -> bool:
        """Whether a call runs code of this file, or code that only looks at what it is given or keeps it in a list."""
        if self._calls.called(call) is not None or self._names.definition(call.func) is not None:
            return True
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in ("append", "extend", "insert"):
            return True
        return (self._names.qualified(call.func) or "").startswith("builtins.")

    def _is_handed_on(self, owner: ClassFacts) -> bool:
        """Whether code does more with a class than make instances, take from it, name it as a type, or read its attributes."""
        for name in references(self._tree, self._tree.module, *self._names.spellings(owner.node)):
            parent = self._tree.parents[name]
            if self._names.definition(name) is not owner.node or gives_name(parent):
                continue
            around = self._tree.enclosing(name, cst.Call)
            is_callee = isinstance(parent, cst.Call) and parent.func is name
            is_base = isinstance(self._tree.parents.get(parent), cst.ClassDef)
            asks = around is not None and self._names.qualified(around.func) in _ASKS
            typed = isinstance(parent, cst.Attribute) or self._tree.enclosing(name, cst.Annotation) is not None
            if not (is_callee or is_base or asks or typed):
                return True
        return False

    def by_hand(self, owner: ClassFacts) -> bool:
        """Whether the file only takes batches out of instances and trains on them itself: none is given to `fit` and its like."""
        owners = [made for made in self._classes.all if owner in made.lineage]
        instances = {call for made in owners for call in self._training.instances(made)}
        alone = not any(self._is_handed_on(made) for made in owners) and not self._leaves(owners)
        if not instances or not alone or not any(call.method.endswith("_on_batch") for call in self._training.calls):
            return False
        fed = [call for call in self._training.calls if not call.method.endswith("_on_batch")]
        parts = [part for call in fed for _, data in call.feeds for part in self.parts(data)]
        return not any(value is None or value in instances for part in parts for value in self._values.of(part))

    # -- what an instance was made with -----------------------------------------------------------------------------

    def given(self, part: cst.BaseExpression, attribute: str) -> cst.BaseExpression | None:
        """The argument, or default, that became an attribute of an instance unchanged; None if that can't be told."""
        call = self._values.only(part)
        definition = self._names.definition(call.func) if isinstance(call, cst.Call) else None
        if not isinstance(call, cst.Call) or not isinstance(definition, cst.ClassDef):
            return None
        kept = self.parameter(self._classes.of(definition), attribute)
        if kept is None:
            return None
        passed = self._values.passed(call, kept[0], kept[1].name.value)
        starred = any(argument.star for argument in call.args)
        return kept[1].default if passed is None and not starred else passed

    def parameter(self, made: ClassFacts, attribute: str) -> tuple[cst.FunctionDef, cst.Param] | None:
        """The `__init__` of a class, and its parameter that becomes an attribute unchanged; None if that can't be told."""
        init = made.method("__init__")
        stored = self._values.attribute_values(init[0].node, attribute) if init is not None else ()
        if init is None or len(stored) != 1 or not isinstance(stored[0], cst.Name):
            return None
        bindings = self._names.bindings(stored[0])
        param = bindings[0].node if len(bindings) == 1 and bindings[0].kind == "parameter" else None
        own = self._tree.function(stored[0]) is init[1]
        return (init[1], param) if isinstance(param, cst.Param) and own else None

    # -- models -----------------------------------------------------------------------------------------------------

    def trains(self, hook: Hook, model: cst.BaseExpression) -> Answer:
        """Whether a fit that reads the data of a hook trains this very model; "no" where each surely trains another."""
        fits = [call for call in self._training.calls if call.method in FITS and call.data is not None]
        trained = [call.receiver for call in fits if call.data is not None and self._reads(hook, call.data)]
        if any(self.same_variable(model, receiver) for receiver in trained):
            return "yes"
        return "no" if trained and all(self._differ(model, receiver) for receiver in trained) else "unknown"

    def _reads(self, hook: Hook, data: cst.BaseExpression) -> bool:
        classes = (made for part in self.parts(data, through=hook.name) for made in self._training.classes_of(part))
        return any(made is None or self.has(made, hook) for made in classes)

    def _differ(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions read two variables that are given objects of their own."""
        left, right = self.variable(one), self.variable(other)
        return left is not None and right is not None and left != right and self._is_made(left) and self._is_made(right)

    def _is_made(self, variable: Variable) -> bool:
        home, name = variable
        if isinstance(home, cst.ClassDef):
            stored = self._values.attribute_values(home, name)
            return bool(stored) and all(isinstance(value, cst.Call) for value in stored)
        bindings = home.bindings.get(name, ())
        return bool(bindings) and all(b.kind == "assign" and isinstance(b.value, cst.Call) for b in bindings)

    # -- variables --------------------------------------------------------------------------------------------------

    def same_variable(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions read one variable, through parameters, attributes of `self` and second names."""
        found = self.variable(one)
        return found is not None and found == self.variable(other)

    def variable(self, node: cst.BaseExpression, steps: int = MAX_STEPS, *, once: bool = False) -> Variable | None:
        """The variable that an expression reads; with `once` only one that is bound in a single place."""
        if steps == 0:
            return None
        if isinstance(node, cst.Name):
            return self._of_name(node, steps, once)
        if not isinstance(node, cst.Attribute) or (owner := self._values.self_class(node.value)) is None:
            return None
        stored = self._stored(owner, node.attr.value)
        if len(stored) == 1 and isinstance(stored[0], (cst.Name, cst.Attribute)):
            return self.variable(stored[0], steps - 1, once=True)
        return (owner, node.attr.value) if stored else None

    def _stored(self, owner: cst.ClassDef, attribute: str) -> tuple[cst.BaseExpression | None, ...]:
        """What an attribute of the instances is given, in the class or at an instance; the `None` that it starts as is left out."""
        found = list(self._values.attribute_values(owner, attribute))
        for node in self._tree.all(cst.Attribute):
            if node.attr.value != attribute or self._values.self_class(node.value) is not None:
                continue
            given = self._values.stored(node)
            made = self._training.class_of(node.value) if given is not None else None
            if given is not None and made is not None and any(above.node is owner for above in made.lineage):
                found.append(given[0])
        return tuple(value for value in found if not self._is_none(value))

    def _is_none(self, value: cst.BaseExpression | None) -> bool:
        """Whether a value is `None`, or a parameter that every call leaves at that, or of a method that nothing calls."""
        if not isinstance(value, cst.Name):
            return False
        bindings = self._names.bindings(value)
        if len(bindings) != 1 or bindings[0].kind != "parameter":
            return value.value == "None"
        function = self._tree.function(bindings[0].node)
        calls = self._calls.callers(function) if function is not None else ()
        given = [self._calls.passed(call, function, value.value) for call in calls if function is not None]
        made = function is not None and (bool(calls) or function.name.value != "__init__")
        return made and all(isinstance(each, cst.Name) and each.value == "None" for each in given)

    def _of_name(self, name: cst.Name, steps: int, once: bool) -> Variable | None:
        bindings = self._names.bindings(name)
        home = self._names.scope(name).home(name.value)
        if home is None or (once and len(bindings) > 1):
            return None
        if len(bindings) == 1 and bindings[0].kind == "parameter" and isinstance(bindings[0].node, cst.Param):
            return self._of_parameter(bindings[0].node, steps) or (home, name.value)
        if (
            len(bindings) == 1
            and bindings[0].kind == "assign"
            and isinstance(bindings[0].value, (cst.Name, cst.Attribute))
        ):
            return self.variable(bindings[0].value, steps - 1, once=True) or (home, name.value)
        return home, name.value

    def _of_parameter(self, param: cst.Param, steps: int) -> Variable | None:
        function = self._tree.function(param)
        found: set[Variable | None] = set()
        if function is None:
            return None
        for call in {*self._calls.callers(function), *self._values.calls_of(function)}:
            value = self._calls.passed(call, function, param.name.value)
            found.add(self.variable(value, steps - 1, once=True) if value is not None else None)
        return found.pop() if len(found) == 1 else None
