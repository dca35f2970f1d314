"""Sequences of a file that bring their rows into a random order as soon as they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.slices import is_slice
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.calls import Calls
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.values.values import Values

_NUMBERED = frozenset({"numpy.arange", "builtins.range", "builtins.list"})
_SAME = ("copy", "reset_index")


class OwnOrders:
    """The shuffled Sequences of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, calls: Calls, shuffles: Shuffles
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls
        self._shuffles = shuffles

    def shuffled(self, source: cst.Call) -> tuple[str, cst.Arg | None] | None:
        """The parameter that makes an instance shuffle, and its argument; None where it may keep the order.

        The parameter is empty for a class that always shuffles.
        """
        definition = self._names.definition(source.func)
        owner = self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None
        if owner is None or owner.is_a("sequence") != "yes" or any(argument.star for argument in source.args):
            return None
        for shuffle in self._at_once(owner):
            setting = self._setting(owner, shuffle)
            name = self._order(owner, shuffle) or self._copied(owner, shuffle)
            if setting is None or name is None or not self._takes_rows(owner, name):
                continue
            if not setting:
                return "", None
            init = owner.method("__init__")
            given = self._calls.passed(source, init[1], setting) if init is not None else None
            value = given or (self._default(init[1], setting) if init is not None else None)
            if value is None or self._values.constant(value) != Constant(True):
                continue
            argument = self._tree.parents[given] if given is not None else None
            return setting, argument if isinstance(argument, cst.Arg) else None
        return None

    def _default(self, init: cst.FunctionDef, name: str) -> cst.BaseExpression | None:
        return next((param.default for param in parameters(init.params) if param.name.value == name), None)

    def rows(self, source: cst.Call) -> tuple[cst.BaseExpression, ...]:
        """What an instance is given that its batches take rows or entries of: `x` and `y` of `Feed(x, y, 32)`."""
        definition = self._names.definition(source.func)
        owner = self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None
        init = owner.method("__init__") if owner is not None else None
        if owner is None or init is None:
            return ()
        found: dict[cst.BaseExpression, None] = {}
        for reached in owner.reachable("__getitem__"):
            for part in self._tree.inside(reached.node.body, cst.Subscript):
                parameter = self._parameter(owner, unaliased(self._names, part.value)) or self._parameter_of_copy(
                    owner, self._rows_of(part.value)
                )
                given = self._calls.passed(source, init[1], parameter) if parameter is not None else None
                if given is not None:
                    found[given] = None
        return tuple(found)

    def kept(self, source: cst.Call) -> frozenset[str]:
        """The attributes of which a shuffled instance takes rows through its order, and which nothing moves: `y` of `self.y[rows]`."""
        definition = self._names.definition(source.func)
        owner = self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None
        orders = {self._order(owner, s) or self._copied(owner, s) for s in self._at_once(owner)} if owner else set()
        found: set[str] = set()
        for reached in owner.reachable("__getitem__") if owner is not None else ():
            for part in self._tree.inside(reached.node.body, cst.Subscript):
                rows = self._rows_of(part.value)
                own = isinstance(rows, cst.Attribute) and self._values.self_class(rows.value) is not None
                if own and isinstance(rows, cst.Attribute) and not is_slice(self._names, part):
                    found.add(rows.attr.value)
        return frozenset(name for name in found - orders if owner is not None and self._stays(owner, name))

    def _stays(self, owner: ClassFacts, name: str) -> bool:
        """Whether an attribute is given its rows in `__init__`, and no shuffle is given it."""
        stores = [node for node in self._tree.attributes(name) if self._values.stored(node)]
        moved = (subject for shuffle in self._shuffles.all for subject in shuffle.subjects)
        names = {subject.attr.value for subject in moved if isinstance(subject, cst.Attribute)}
        return (
            len(stores) == 1 and self._tree.function(stores[0]) is owner.methods.get("__init__") and name not in names
        )

    def _parameter(self, owner: ClassFacts, kept: cst.BaseExpression) -> str | None:
        """The parameter of `__init__` that an attribute of `self` keeps, and never anything else."""
        if not isinstance(kept, cst.Attribute) or self._values.self_class(kept.value) is None:
            return None
        values = self._values.attribute_values(owner.node, kept.attr.value)
        only = values[0] if len(values) == 1 else None
        bindings = self._names.bindings(only) if isinstance(only, cst.Name) else ()
        init = owner.methods.get("__init__")
        plain = len(bindings) == 1 and bindings[0].kind == "parameter" and bindings[0].scope.node is init
        return bindings[0].name if plain else None

    def _parameter_of_copy(self, owner: ClassFacts, kept: cst.BaseExpression) -> str | None:
        """The parameter that an attribute keeps at first: `self.frame = frame.reset_index()`, before it is shuffled."""
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

    def _at_once(self, owner: ClassFacts) -> list[Shuffle]:
        """The shuffles of `__init__`, and of a method that it surely calls."""
        init = owner.methods.get("__init__")
        if init is None:
            return []
        functions = [init]
        for call in self._tree.inside(init.body, cst.Call):
            found = owner.member(call.func, owner) if isinstance(call.func, cst.Attribute) else None
            statement = self._tree.parents.get(self._tree.statement(call))
            if found is not None and statement is init.body and not call.args:
                functions.append(found[1])
        return [each for each in self._shuffles.all if self._tree.function(each.node) in functions]

    def _setting(self, owner: ClassFacts, shuffle: Shuffle) -> str | None:
        """The parameter of `__init__` under whose truth the shuffle stands; "" for none, None where that is unclear."""
        around = [
            node
            for node in self._tree.ancestors(shuffle.node)
            if isinstance(node, (cst.If, cst.IfExp, cst.For, cst.While, cst.Try, cst.With, cst.FunctionDef))
        ]
        if isinstance(around[0], cst.FunctionDef):
            return ""
        choice = around[0]
        if not isinstance(choice, cst.If) or not isinstance(around[1], cst.FunctionDef):
            return None
        asked = _truth(choice.test)
        if asked is None or not self._tree.holds(choice.body, shuffle.node):
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
        """The attribute that holds the numbers of the rows in their random order, which nothing outside of the class sets."""
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
        """`np.random.permutation(len(x))`, such as the hook draws it anew."""
        found = self._shuffles.of(call)
        return found is not None and found.way == "numbers"

    def _takes_rows(self, owner: ClassFacts, name: str) -> bool:
        """Whether a batch takes its rows by a slice of the order, and by nothing else of it."""
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


def _truth(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """`self.shuffle` of `self.shuffle`, `self.shuffle == True` and `self.shuffle is True`."""
    if isinstance(test, (cst.Attribute, cst.Name)):
        return test
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    part = test.comparisons[0]
    true = isinstance(part.comparator, cst.Name) and part.comparator.value == "True"
    return test.left if true and isinstance(part.operator, (cst.Equal, cst.Is)) else None
