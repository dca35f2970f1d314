"""Sequences that hand on the batches of another Sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.statements import is_idle, statements
from seqlint.facts.code.tree import is_super
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

Asked = tuple[cst.FunctionDef, cst.Param]
_HOOK = "on_epoch_end"
_INDEXES = frozenset({"_set_index_array", "index_array"})
_ITERATORS = {
    "flow": "NumpyArrayIterator", "flow_from_directory": "DirectoryIterator", "flow_from_dataframe": "DataFrameIterator",
}  # fmt: skip
_MOST_HELPERS = 8  # that are given the index
_MOST_PLAIN = 3  # positional arguments that surely come before `shuffle`


@dataclass(frozen=True, eq=False)
class Wrapper:
    """A Sequence that takes each batch from the batch of another with the same index, and leaves its hook out.

    Attributes:
        attribute: where it keeps the other.
        node: the attribute, where it takes a batch from it.
        inner: what the other is, each a class of the project whose hook does something; none for one that Keras makes.
        called: the names of what it is, such as "DirectoryIterator".
        external: whether other files give it the other: they may give it something else, too.
    """

    owner: ClassFacts
    attribute: str
    node: cst.Attribute
    inner: tuple[ClassFacts, ...]
    called: tuple[str, ...]
    external: bool = False


class Wrappers:
    """The wrappers of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph, training: Training, input_kinds: InputKinds,
        external: Callable[[str], ClassFacts | None], given: Callable[[ClassFacts, str], tuple[ClassFacts, ...]],
    ) -> None:  # fmt: skip
        """`external` gives a Sequence of another file by its name, `given` those that other files give to an attribute."""
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls
        self._training = training
        self._input_kinds = input_kinds
        self._external = external
        self._given = given

    def of(self, owner: ClassFacts) -> Wrapper | None:
        """The other Sequence whose hook a class leaves out; None where it forwards it, wraps several, or may do either."""
        if not owner.lineage_is_known or self._forwards(owner):
            return None
        taken = [(node, self._inner(owner, node), self._flows(node)) for node in self._taken(owner)]
        wrapped = [(node, inner, flows) for node, inner, flows in taken if inner or flows]
        names = {node.attr.value for node, _, _ in wrapped}
        if not names:
            return self._given_externally(owner, [node for node, _, _ in taken])
        if len(names) != 1 or self._wraps_more(owner, names) or self._is_shared(owner):
            return None
        node, inner, flows = wrapped[0]
        return Wrapper(owner, names.pop(), node, inner, tuple(made.name for made in inner) or flows)

    def _given_externally(self, owner: ClassFacts, nodes: list[cst.Attribute]) -> Wrapper | None:
        """A wrapper that other files give what it wraps: each has the length of that, too."""
        names = {node.attr.value for node in nodes}
        name = names.pop() if len(names) == 1 else ""
        length = owner.method("__len__")
        calls = self._tree.inside(length[1].body, cst.Call) if length is not None else ()
        asked = (
            call.args[0].value for call in calls if self._names.qualified(call.func) == "builtins.len" and call.args
        )
        if not any(
            isinstance(each, cst.Attribute) and self._is_own(each) and each.attr.value == name for each in asked
        ):
            return None
        inner = tuple(made for made in self._given(owner, name) if self._has_hook(made))
        called = tuple(dict.fromkeys(made.name for made in inner))
        more = bool(inner) and self._wraps_more(owner, {name})
        return Wrapper(owner, name, nodes[0], inner, called, external=True) if inner and not more else None

    def _taken(self, owner: ClassFacts) -> list[cst.Attribute]:
        """The attributes from which a batch is taken by the index that Keras asked for."""
        method = owner.method("__getitem__")
        params = parameters(method[1].params) if method is not None else ()
        if method is None or len(params) < 2:
            return []
        asked = self._asked(owner, method[1], params[1])
        return [node for function, param in asked for node in self._items(function, param)]

    def _asked(self, owner: ClassFacts, function: cst.FunctionDef, index: cst.Param) -> list[Asked]:
        """The functions that are given the index, `__getitem__` first, each with the parameter that holds it."""
        found = [(function, index)]
        for here, given in found:
            for call in self._tree.inside(here.body, cst.Call) if len(found) < _MOST_HELPERS else ():
                if any(self._is_index(argument.value, given) for argument in call.args):
                    found += self._handed(owner, call, given, [other for other, _ in found])
        return found

    def _handed(
        self, owner: ClassFacts, call: cst.Call, index: cst.Param, known: list[cst.FunctionDef]
    ) -> Iterator[Asked]:
        """The function that a call gives the index to; a method as the class itself has it."""
        function = self._calls.called(call)
        own = isinstance(call.func, cst.Attribute) and self._is_own(call.func)
        held = owner.method(function.name.value) if function is not None and own else None
        function = held[1] if held is not None else function
        if function is None or function in known:
            return
        for param in parameters(function.params):
            value = self._calls.passed(call, function, param.name.value)
            if value is not None and self._is_index(value, index):
                yield function, param

    def _items(self, function: cst.FunctionDef, index: cst.Param) -> list[cst.Attribute]:
        """The attributes of which a function takes the item with the index, also by a local name."""
        found = [node for node in self._tree.inside(function.body, cst.Attribute) if self._is_own(node)]
        items = [node for node in found if self._is_item(node, index)]
        for name in self._tree.inside(function.body, cst.Name):
            held = self._names.reaching(name) if not self._tree.is_label(name) and self._is_item(name, index) else ()
            value = held[0].value if len(held) == 1 and held[0].kind == "assign" else None
            items += [value] if isinstance(value, cst.Attribute) and value in found else []
        return items

    def _is_index(self, node: cst.BaseExpression, index: cst.Param) -> bool:
        bindings = self._names.bindings(node) if isinstance(node, cst.Name) else ()
        return len(bindings) == 1 and bindings[0].node is index

    def _is_item(self, node: cst.Attribute | cst.Name, index: cst.Param) -> bool:
        """`self.source[index]`, `self.source.__getitem__(index)`."""
        whole = self._tree.parents[node]
        given: cst.CSTNode | None = None
        if isinstance(whole, cst.Subscript) and whole.value is node and len(whole.slice) == 1:
            inner = whole.slice[0].slice
            given = inner.value if isinstance(inner, cst.Index) else None
        elif isinstance(whole, cst.Attribute) and whole.attr.value == "__getitem__":
            call = self._tree.parents[whole]
            given = call.args[0].value if isinstance(call, cst.Call) and len(call.args) == 1 else None
        return isinstance(given, cst.Name) and self._is_index(given, index)

    def _is_own(self, node: cst.Attribute) -> bool:
        return self._values.self_class(node.value) is not None

    def _inner(self, owner: ClassFacts, node: cst.Attribute) -> tuple[ClassFacts, ...]:
        """The classes of what a batch is taken from, where all are Sequences of the project with a hook that does something."""
        found = tuple(self._class_of(value) for value in self._values.of(node))
        made = [each for each in found if each is not None] if None not in found else self._annotated(owner, node)
        return tuple(made) if made and all(self._has_hook(each) for each in made) else ()

    def _flows(self, node: cst.BaseExpression) -> tuple[str, ...]:
        """What Keras gives for `ImageDataGenerator().flow(...)` and the like, where all that it can be is shuffled by its hook."""
        makers = self._input_kinds.makers(node)
        words = tuple(dict.fromkeys(call.func.attr.value for call in makers if isinstance(call.func, cst.Attribute)))
        if not words or not all(word in _ITERATORS for word in words) or not all(map(self._shuffles, makers)):
            return ()
        return tuple(_ITERATORS[word] for word in words)

    def _shuffles(self, call: cst.Call) -> bool:
        """Whether a flow is shuffled: it is, unless somebody turns that off."""
        if (
            any(argument.star for argument in call.args)
            or len([a for a in call.args if a.keyword is None]) > _MOST_PLAIN
        ):
            return False
        given = [a.value for a in call.args if a.keyword is not None and a.keyword.value == "shuffle"]
        return all(self._values.constant(value) == Constant(True) for value in given)

    def _annotated(self, owner: ClassFacts, node: cst.Attribute) -> list[ClassFacts]:
        """`def __init__(self, feed: Feed)`: what the parameter says that it is."""
        values = {v for holder in owner.lineage for v in self._values.attribute_values(holder.node, node.attr.value, 0)}
        value = values.pop() if len(values) == 1 else None
        bindings = self._names.bindings(value) if isinstance(value, cst.Name) else ()
        param = bindings[0].node if len(bindings) == 1 else None
        said = param.annotation.annotation if isinstance(param, cst.Param) and param.annotation is not None else None
        made = self._named(said) if said is not None else None
        return [made] if made is not None else []

    def _class_of(self, value: cst.BaseExpression | None) -> ClassFacts | None:
        return self._named(value.func) if isinstance(value, cst.Call) else None

    def _named(self, node: cst.BaseExpression) -> ClassFacts | None:
        """The class of this file or of another one of the project that an expression names."""
        definition = self._names.definition(node)
        if isinstance(definition, cst.ClassDef):
            return self._classes.of(definition)
        name = self._names.qualified(node) if definition is None else None
        return self._external(name) if name is not None else None

    def _has_hook(self, made: ClassFacts) -> bool:
        method = made.method(_HOOK)
        if made.is_a("sequence") != "yes" or method is None:
            return False
        return any(not is_idle(method[1], statement) for statement in statements(method[1]))

    def _forwards(self, owner: ClassFacts) -> bool:
        """Whether the class calls a hook of something else, or other code of the file does so by hand."""
        if any(self._tree.attributes(name) for name in _INDEXES):  # what the hook of a flow does
            return True
        named = (text for text in self._tree.all(cst.SimpleString) if self._is_named_by(text))
        called = (node for node in self._tree.attributes(_HOOK) if not self._is_of_bases(node))
        return any(self._may_be_of(owner, node) for node in (*named, *called))

    def _may_be_of(self, owner: ClassFacts, node: cst.CSTNode) -> bool:
        """Whether code stands in the class, or in none that makes batches of its own."""
        around = self._tree.enclosing(node, cst.ClassDef)
        made = self._classes.of(around) if around is not None else None
        return made is None or made in owner.lineage or made.is_a("sequence") != "yes"

    def _is_named_by(self, text: cst.SimpleString) -> bool:
        """`getattr(self.source, "on_epoch_end")()`: whether a call is given the name of the hook, but to ask whether there is one."""
        argument = self._tree.parents[text] if text.evaluated_value == _HOOK else None
        call = self._tree.parents[argument] if isinstance(argument, cst.Arg) else None
        return isinstance(call, cst.Call) and self._names.qualified(call.func) != "builtins.hasattr"

    def _is_of_bases(self, node: cst.Attribute) -> bool:
        """Whether the hook is that of the instance itself, or of a base: `super().on_epoch_end()`, `Base.on_epoch_end(self)`."""
        if is_super(node.value) or self._values.self_class(node.value) is not None:
            return True
        call = self._tree.parents[node]
        first = call.args[0].value if isinstance(call, cst.Call) and call.func is node and call.args else None
        return first is not None and self._values.self_class(first) is not None

    def _wraps_more(self, owner: ClassFacts, names: set[str]) -> bool:
        """Whether the class also reads another Sequence: two that are shuffled each for itself no longer belong together."""
        for holder in owner.lineage:
            for node in self._tree.inside(holder.node, cst.Attribute):
                if self._is_own(node) and node.attr.value not in names:
                    classes = self._training.classes_of(node)
                    if any(made is not None and made.is_a("sequence") == "yes" for made in classes):
                        return True
                    if self._input_kinds.makers(node):
                        return True
        return False

    def _is_shared(self, owner: ClassFacts) -> bool:
        """Whether two instances are given one and the same variable: one of them shuffles for both then."""
        calls = [call for made in self._classes.all if owner in made.lineage for call in self._training.instances(made)]
        given = [
            self._tree.text(argument.value)
            for call in calls
            for argument in call.args
            if isinstance(argument.value, cst.Name)
        ]
        known = {name for name in given if given.count(name) > 1}
        names = (argument.value for call in calls for argument in call.args)
        return any(
            isinstance(name, cst.Name) and name.value in known and self._training.is_sequence(name) != "no"
            for name in names
        )
