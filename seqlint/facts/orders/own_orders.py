"""Sequences that shuffle their rows as soon as they are created."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.slices import is_slice
from seqlint.facts.code.statements import small, statements
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.values.values import Value, Values

    External = Callable[[str], tuple[ClassFacts, "OwnOrders"] | None]

_NUMBERED = frozenset({"numpy.arange", "builtins.range", "builtins.list"})
_SAME = ("copy", "reset_index")
_ARRAYS = frozenset({"numpy.array", "numpy.asarray", "builtins.list", "builtins.tuple"})


class _Made(NamedTuple):
    """The class of an instance, what is known in its file, and its `__init__`."""

    owner: ClassFacts
    there: OwnOrders
    init: cst.FunctionDef | None


class OwnOrders:
    """The shuffled Sequences that one file creates, of its own classes and of those of other files."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, shuffles: Shuffles, external: External
    ) -> None:
        """`external` gives a Sequence of another file by its name, and the shuffled Sequences of that file."""
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._shuffles = shuffles
        self._external = external

    def shuffled(self, source: cst.Call) -> tuple[str, cst.Arg | None] | None:
        """The parameter that makes an instance shuffle, and its argument; None where it may keep the order.

        The parameter is empty for a class that always shuffles.
        """
        made = self._made(source)
        if made is None or any(argument.star for argument in source.args):
            return None
        for setting in made.there.settings(made.owner):
            if not setting:
                return "", None
            given = self._given(source, made, setting)
            value = given.value if given is not None else made.there.default(made.owner, setting)
            holder = self if given is not None else made.there
            if value is not None and holder.is_true(value):
                return setting, given
        return None

    def settings(self, owner: ClassFacts) -> list[str]:
        """The parameters that, if true, make a class of this file shuffle at once; "" for always."""
        if owner.is_a("sequence") != "yes":
            return []
        found = []
        for shuffle, guard in self._at_once(owner):
            inner = self._setting(owner, shuffle.node)
            setting = inner or guard if inner is not None and (not guard or inner in ("", guard)) else None
            name = self._order(owner, shuffle) or self._copied(owner, shuffle)
            if setting is not None and name is not None and self._takes_rows(owner, name):
                found.append(setting)
        return found

    def is_true(self, value: cst.BaseExpression) -> bool:
        """Whether an expression of this file is True."""
        return self._values.constant(value) == Constant(True)

    def default(self, owner: ClassFacts, name: str) -> cst.BaseExpression | None:
        """The default of a parameter of `__init__`."""
        init = owner.method("__init__")
        params = parameters(init[1].params) if init is not None else ()
        return next((param.default for param in params if param.name.value == name), None)

    def _made(self, source: cst.Call) -> _Made | None:
        """The class of which a call creates an instance, where that is one of this file or of another file of the project."""
        definition = self._names.definition(source.func)
        if isinstance(definition, cst.ClassDef):
            here = self._classes.of(definition)
            return _Made(here, self, _init(here))
        name = self._names.qualified(source.func)
        if name is None or name.startswith("keras.") or self._classes.kinds.of_name(name, "sequence") != "yes":
            return None
        found = self._external(name)
        if found is None:
            return None
        owner, there = found
        return _Made(owner, there, _init(owner)) if not self._sets_one_of(there.orders(owner)) else None

    def orders(self, owner: ClassFacts) -> frozenset[str]:
        """The attributes that hold the order of a class of this file."""
        found = (self._order(owner, each) or self._copied(owner, each) for each, _ in self._at_once(owner))
        return frozenset(name for name in found if name is not None)

    def _sets_one_of(self, names: frozenset[str]) -> bool:
        return any(self._values.stored(node) for name in names for node in self._tree.attributes(name))

    def _given(self, source: cst.Call, made: _Made, name: str) -> cst.Arg | None:
        params = parameters(made.init.params)[1:] if made.init is not None else ()
        return bound(source, tuple(param.name.value for param in params)).get(name)

    def rows(self, source: cst.Call) -> tuple[cst.BaseExpression, ...]:
        """The arguments of an instance that its batches take rows or entries of: `x` and `y` of `Feed(x, y, 32)`."""
        made = self._made(source)
        names = made.there.taken(made.owner) if made is not None and made.init is not None else ()
        given = (self._given(source, made, name) for name in names if made is not None)
        return tuple(dict.fromkeys(argument.value for argument in given if argument is not None))

    def taken(self, owner: ClassFacts) -> tuple[str, ...]:
        """The parameters whose rows or entries the batches of a class of this file take."""
        found: dict[str, None] = {}
        for reached in owner.reachable("__getitem__"):
            for part in self._tree.inside(reached.node.body, cst.Subscript):
                parameter = self._parameter(owner, unaliased(self._names, part.value)) or self._parameter_of_copy(
                    owner, self._rows_of(part.value)
                )
                if parameter is not None:
                    found[parameter] = None
        return tuple(found)

    def kept(self, source: cst.Call) -> frozenset[str]:
        """The attributes whose rows a shuffled instance takes through its order, and that nothing reorders: `y` of `self.y[rows]`."""
        made = self._made(source)
        return made.there.unmoved(made.owner) if made is not None else frozenset()

    def unmoved(self, owner: ClassFacts) -> frozenset[str]:
        """The attributes of `kept`, for a class of this file."""
        found: set[str] = set()
        for reached in owner.reachable("__getitem__"):
            for part in self._tree.inside(reached.node.body, cst.Subscript):
                rows = self._rows_of(part.value)
                own = isinstance(rows, cst.Attribute) and self._values.self_class(rows.value) is not None
                if own and isinstance(rows, cst.Attribute) and not is_slice(self._names, part):
                    found.add(rows.attr.value)
        still = {name for name in found - self.orders(owner) if self._stays(owner, name)}
        return frozenset(still | {name for name, method in owner.methods.items() if self._gives(method) in still})

    def _gives(self, method: cst.FunctionDef) -> str | None:
        """The attribute that a property returns unchanged."""
        lines = [small(line) for line in statements(method)]
        value = lines[-1].value if lines and isinstance(lines[-1], cst.Return) else None
        plain = len(lines) == 1 and any(
            self._names.qualified(d.decorator) == "builtins.property" for d in method.decorators
        )
        own = plain and isinstance(value, cst.Attribute) and self._values.self_class(value.value) is not None
        return value.attr.value if own and isinstance(value, cst.Attribute) else None

    def _stays(self, owner: ClassFacts, name: str) -> bool:
        """Whether an attribute gets its rows in `__init__`, and no shuffle gets it."""
        stores = [node for node in self._tree.attributes(name) if self._values.stored(node)]
        moved = (subject for shuffle in self._shuffles.all for subject in shuffle.subjects)
        names = {subject.attr.value for subject in moved if isinstance(subject, cst.Attribute)}
        return (
            len(stores) == 1 and self._tree.function(stores[0]) is owner.methods.get("__init__") and name not in names
        )

    def _parameter(self, owner: ClassFacts, kept: cst.BaseExpression) -> str | None:
        """The parameter of `__init__` that an attribute of `self` always holds."""
        if not isinstance(kept, cst.Attribute) or self._values.self_class(kept.value) is None:
            return None
        values = self._values.attribute_values(owner.node, kept.attr.value)
        only = self._rows_alone(values[0]) if len(values) == 1 else None
        bindings = self._names.bindings(only) if isinstance(only, cst.Name) else ()
        init = owner.methods.get("__init__")
        plain = len(bindings) == 1 and bindings[0].kind == "parameter" and bindings[0].scope.node is init
        return bindings[0].name if plain else None

    def _rows_alone(self, value: Value) -> Value:
        """What an array or a list is built from, row by row and in the same order: `y` of `np.array(y)`."""
        if not isinstance(value, cst.Call) or not value.args or value.args[0].star or value.args[0].keyword is not None:
            return value
        return value.args[0].value if self._names.qualified(value.func) in _ARRAYS else value

    def _parameter_of_copy(self, owner: ClassFacts, kept: cst.BaseExpression) -> str | None:
        """The parameter that an attribute holds at first: `self.frame = frame.reset_index()`, before it is shuffled."""
        if not isinstance(kept, cst.Attribute) or self._values.self_class(kept.value) is None:
            return None
        values = self._values.attribute_values(owner.node, kept.attr.value)
        shuffles = [s.node for s in self._shuffles.all if s.way == "copy" and self._copied(owner, s) == kept.attr.value]
        first = [v for v in values if v is None or not any(self._tree.holds(v, node) for node in shuffles)]
        start = first[0] if shuffles and len(first) == 1 else None
        while isinstance(start, cst.Call) and isinstance(start.func, cst.Attribute) and start.func.attr.value in _SAME:
            start = start.func.value
        bindings = self._names.bindings(start) if isinstance(start, cst.Name) else ()
        init = owner.methods.get("__init__")
        plain = len(bindings) == 1 and bindings[0].kind == "parameter" and bindings[0].scope.node is init
        return bindings[0].name if plain else None

    def _copied(self, owner: ClassFacts, shuffle: Shuffle) -> str | None:
        """The attribute that is replaced by its own rows in a random order: `self.frame = self.frame.sample(frac=1)`."""
        made: cst.CSTNode = shuffle.node
        while isinstance(self._tree.parents[made], cst.Attribute):  # .reset_index(drop=True)
            made = self._tree.parents[self._tree.parents[made]]
        assign = self._tree.parents[made]
        if shuffle.way != "copy" or not isinstance(assign, cst.Assign) or len(shuffle.subjects) != 1:
            return None
        target, subject = assign.targets[0].target, shuffle.subjects[0]
        if not isinstance(target, cst.Attribute) or self._values.self_class(target.value) is not owner.node:
            return None
        own = self._tree.text(target) == self._tree.text(subject)
        stores = [node for node in self._tree.attributes(target.attr.value) if self._values.stored(node)]
        alone = all(self._values.self_class(node.value) is not None for node in stores)
        return target.attr.value if own and alone else None

    def _at_once(self, owner: ClassFacts) -> list[tuple[Shuffle, str]]:
        """The shuffles of `__init__` and of methods that it calls, each with the parameter that must be true; "" for always."""
        init = owner.methods.get("__init__")
        if init is None:
            return []
        functions = {init: ""}
        for call in self._tree.inside(init.body, cst.Call):
            found = owner.member(call.func, owner) if isinstance(call.func, cst.Attribute) else None
            alone = isinstance(self._tree.parents[call], cst.Expr) and not call.args
            setting = self._setting(owner, call) if found is not None and alone else None
            if found is not None and setting is not None:
                functions[found[1]] = setting
        shuffles = ((each, self._tree.function(each.node)) for each in self._shuffles.all)
        return [(each, functions[function]) for each, function in shuffles if function in functions]

    def _setting(self, owner: ClassFacts, node: cst.CSTNode) -> str | None:
        """The parameter of `__init__` that must be true to reach a node; "" for none, None where that is unclear."""
        around = [
            outer
            for outer in self._tree.ancestors(node)
            if isinstance(outer, (cst.If, cst.IfExp, cst.For, cst.While, cst.Try, cst.With, cst.FunctionDef))
        ]
        if isinstance(around[0], cst.FunctionDef):
            return ""
        choice = around[0]
        if not isinstance(choice, cst.If) or not isinstance(around[1], cst.FunctionDef):
            return None
        asked = _truth(choice.test)
        if asked is None or not self._tree.holds(choice.body, node):
            return None
        if isinstance(asked, cst.Attribute):
            stores = self._tree.attributes(asked.attr.value)
            outside = any(self._values.stored(n) and self._values.self_class(n.value) is None for n in stores)
            return self._parameter(owner, asked) if not outside else None
        bindings = self._names.bindings(asked) if isinstance(asked, cst.Name) else ()
        init = owner.methods.get("__init__")
        plain = len(bindings) == 1 and bindings[0].kind == "parameter" and bindings[0].scope.node is init
        return bindings[0].name if plain else None

    def _order(self, owner: ClassFacts, shuffle: Shuffle) -> str | None:
        """The attribute that holds the row numbers in random order, and that nothing outside the class sets."""
        target: cst.CSTNode | None = shuffle.subjects[0] if shuffle.way == "in place" else None
        if shuffle.way == "numbers":
            assign = self._tree.parents[shuffle.node]
            target = assign.targets[0].target if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
        if not isinstance(target, cst.Attribute) or self._values.self_class(target.value) is not owner.node:
            return None
        name = target.attr.value
        made = self._values.attribute_values(owner.node, name)
        numbered = all(
            isinstance(value, cst.Call) and (self._names.qualified(value.func) in _NUMBERED or self._numbers(value))
            for value in made
        )
        stores = [node for node in self._tree.attributes(name) if self._values.stored(node)]
        own = all(self._values.self_class(node.value) is not None for node in stores)
        return name if made and numbered and own else None

    def _numbers(self, call: cst.Call) -> bool:
        """`np.random.permutation(len(x))`, which the hook may draw again."""
        found = self._shuffles.of(call)
        return found is not None and found.way == "numbers"

    def _takes_rows(self, owner: ClassFacts, name: str) -> bool:
        """Whether a batch takes its rows only by a slice of the order."""
        for reached in owner.reachable("__getitem__"):
            for part in self._tree.inside(reached.node.body, cst.Subscript):
                taken = self._rows_of(part.value)
                own = isinstance(taken, cst.Attribute) and self._values.self_class(taken.value) is not None
                if own and isinstance(taken, cst.Attribute) and taken.attr.value == name:
                    return is_slice(self._names, part)
        return False

    def _rows_of(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """`self.frame` of `self.frame.iloc`."""
        located = isinstance(node, cst.Attribute) and node.attr.value in ("iloc", "values")
        return unaliased(self._names, node.value if located and isinstance(node, cst.Attribute) else node)


def _init(owner: ClassFacts) -> cst.FunctionDef | None:
    found = owner.method("__init__")
    return found[1] if found is not None else None


def _truth(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """`self.shuffle` of `self.shuffle`, `self.shuffle == True` and `self.shuffle is True`."""
    if isinstance(test, (cst.Attribute, cst.Name)):
        return test
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    part = test.comparisons[0]
    true = isinstance(part.comparator, cst.Name) and part.comparator.value == "True"
    return test.left if true and isinstance(part.operator, (cst.Equal, cst.Is)) else None
