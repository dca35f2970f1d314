"""What a function writes outside its own instance and its locals: globals, shared objects, classes, modules, seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import Binding, dotted
from seqlint.facts.instances.outer_places import OuterPlaces, Place
from seqlint.facts.project.callee_summaries import CalleeSummaries, ExternalCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts, Reached
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

WriteKind = Literal["global", "enclosing", "object", "class", "module", "environment", "seed"]
"""*global*: a name of the module is bound anew. *enclosing*: one of a function around. *object*: something that such a name
holds is changed. *class*, *module*: an attribute of one, or what it holds. *environment*, *seed*: of the process."""

MUTATORS = frozenset({
    "add", "append", "appendleft", "assign", "assign_add", "assign_sub", "clear", "discard", "extend", "extendleft", "fill", "insert",
    "pop", "popitem", "popleft", "put", "put_nowait", "remove", "reverse", "setdefault", "sort", "subtract", "update",
})  # fmt: skip
# Of these a module has none of its own: `history.append(...)` changes an object even if nothing else is known of it.
_ONLY_OBJECTS = frozenset(
    {"append", "appendleft", "assign_add", "assign_sub", "discard", "extend", "popitem", "setdefault"}
)
_SEEDS = frozenset({
    "numpy.random.seed", "random.seed", "tensorflow.random.set_seed", "tensorflow.random.set_random_seed", "tensorflow.set_random_seed",
    "keras.utils.set_random_seed", "torch.manual_seed",
})  # fmt: skip
_ENVIRONMENT = frozenset({"os.putenv", "os.unsetenv"})
_IN_PLACE = frozenset({"shuffle", "heappush", "heappop", "heapify"})
_SETTERS = frozenset({"builtins.next", "keras.backend.set_value"})  # of what they are given first


@dataclass(frozen=True, eq=False)
class Write:
    """One write.

    Attributes:
        target: what is written, as the code calls it: "counter", "Feed.count", "config.epoch", "os.environ['STEP']",
            "np.random.seed".
        node: the statement or call that writes.
        root: the variable that is bound anew or whose object is changed, where it is one of this file.
        attribute: the attribute that is written, of a class or a module.
        external: the seeds that a function of another file sets, where the call is one of that.
    """

    kind: WriteKind
    target: str
    node: cst.CSTNode
    root: cst.Name | None = None
    attribute: str | None = None
    external: tuple[ExternalCall, ...] = ()


_WRITING: frozenset[type[cst.CSTNode]] = frozenset({
    cst.Call, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Del, cst.For, cst.NamedExpr, cst.WithItem,
})  # fmt: skip


class Writes:
    """The writes of the functions of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._places = OuterPlaces(tree, names, values, classes)
        self._callees = CalleeSummaries(names.project)

    def of(self, reached: Reached) -> tuple[Write, ...]:
        """What a function writes, in reading order. A parameter that is changed counts by what `reached.call` gives to it."""
        found: list[Write] = []
        for node in self._tree.inside_any(reached.node.body, _WRITING):
            if isinstance(node, cst.Call):
                found += self._by_call(node, reached)
            else:
                found += [write for target in _targets(node) if (write := self._stored(target, node, reached))]
        return tuple(found)

    # -- stores -----------------------------------------------------------------------------------------------------

    def _stored(self, target: cst.BaseExpression, node: cst.CSTNode, reached: Reached) -> Write | None:
        if isinstance(target, cst.Name):
            return self._bound(target, node, reached.node)
        if isinstance(target, cst.Attribute):
            place = self._places.outside(target.value, reached)
            if place is None:
                return None
            text = f"{place.text}.{target.attr.value}"
            return Write(place.kind, text, node, place.root, target.attr.value if place.whole else place.attribute)
        if isinstance(target, cst.Subscript):
            return self._item(target, node, reached)
        return None

    def _bound(self, name: cst.Name, node: cst.CSTNode, function: cst.FunctionDef) -> Write | None:
        scope = self._names.scope(name)
        if name.value in scope.globals:
            return Write("global", name.value, node, name)
        if name.value in scope.nonlocals and not self._places.is_inside(scope.home(name.value), function):
            return Write("enclosing", name.value, node, name)
        return None

    def _item(self, target: cst.Subscript, node: cst.CSTNode, reached: Reached) -> Write | None:
        if isinstance(target.value, cst.Call) and self._names.qualified(target.value.func) == "builtins.globals":
            index = _index(target)
            constant = self._values.constant(index) if index is not None else None
            return Write("global", str(constant.value), node) if constant is not None else None
        place = self._places.outside(target.value, reached)
        if place is None or place.whole:
            return None
        text = self._tree.text(target) if place.kind == "environment" else place.text
        return Write(place.kind, text, node, place.root, place.attribute)

    # -- calls ------------------------------------------------------------------------------------------------------

    def _by_call(self, call: cst.Call, reached: Reached) -> Iterator[Write]:
        name = self._names.qualified(call.func)
        if name in _SEEDS:
            yield Write("seed", dotted(call.func), call)
        elif name in _ENVIRONMENT:
            yield Write("environment", "os.environ", call)
        elif name == "builtins.setattr" and len(call.args) == 3:
            yield from self._setattr(call, reached)
        elif name in _SETTERS and call.args:
            place = self._places.outside(call.args[0].value, reached)
            if place is not None:
                yield Write(place.kind, self._tree.text(call.args[0].value), call, place.root, place.attribute)
        elif external := self.external_seeds(name):
            yield Write("seed", dotted(call.func), call, external=external)
        elif isinstance(call.func, cst.Attribute):
            yield from self._by_method(call, call.func, reached)

    def external_seeds(self, name: str | None) -> tuple[ExternalCall, ...]:
        """The seeds that a function of another file surely sets, each to a value."""
        found = self._callees.calls(name, b"seed")
        return tuple(each for each in found if each.name in _SEEDS and each.node.args)

    def _setattr(self, call: cst.Call, reached: Reached) -> Iterator[Write]:
        place = self._places.outside(call.args[0].value, reached)
        attribute = self._values.constant(call.args[1].value)
        if place is not None and attribute is not None and isinstance(attribute.value, str):
            written = attribute.value if place.whole else place.attribute
            yield Write(place.kind, f"{place.text}.{attribute.value}", call, place.root, written)

    def _by_method(self, call: cst.Call, func: cst.Attribute, reached: Reached) -> Iterator[Write]:
        owner = self._class_of(func.value)
        known = owner is not None and owner.method(func.attr.value) is not None
        if not (
            owner is not None and self._changes_itself(owner, func.attr.value) if known else func.attr.value in MUTATORS
        ):
            return
        place = self._places.outside(func.value, reached)
        if place is None or (place.whole and not self._is_object(func, place)):
            return
        yield Write(place.kind, place.text, call, place.root, place.attribute)

    def _class_of(self, node: cst.BaseExpression) -> ClassFacts | None:
        """The class of this file whose instance a variable holds."""
        if self._values.self_class(node) is not None:
            return None
        value = self._values.only(node)
        definition = self._names.definition(value.func) if isinstance(value, cst.Call) else None
        return self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None

    def _changes_itself(self, owner: ClassFacts, method: str) -> bool:
        """Whether a method of a class changes the instance: binds an attribute anew, or changes what one holds."""
        return bool(owner.stores(method)) or any(self.changed(reached.node.body) for reached in owner.reachable(method))

    def changed(self, node: cst.CSTNode) -> frozenset[str]:
        """The attributes of `self` whose objects code changes in place: `self.seen.append(x)`, `self.seen[0] = x`."""
        found: set[str | None] = set()
        for inner in self._tree.walk(node):
            targets: tuple[cst.BaseExpression, ...] = _targets(inner)
            if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute):
                if inner.func.attr.value in MUTATORS:
                    targets = (inner.func,)
                elif inner.func.attr.value in _IN_PLACE:
                    found |= {self._attribute_of_self(argument.value) for argument in inner.args}
            found |= {
                self._attribute_of_self(t.value) for t in targets if isinstance(t, (cst.Attribute, cst.Subscript))
            }
        return frozenset(name for name in found if name is not None)

    def _attribute_of_self(self, node: cst.BaseExpression) -> str | None:
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            if isinstance(node, cst.Attribute) and self._values.self_class(node.value) is not None:
                return node.attr.value
            node = node.value
        return None

    def _is_object(self, func: cst.Attribute, place: Place) -> bool:
        """Whether an imported name holds an object and no module: `from state import HISTORY`."""
        if place.kind != "module" or not isinstance(func.value, cst.Name):
            return False
        imported = all(binding.kind == "import" for binding in self._names.bindings(func.value))
        from_import = all(self._from_module(binding) for binding in self._names.bindings(func.value))
        return imported and from_import and (func.value.value.isupper() or func.attr.value in _ONLY_OBJECTS)

    def _from_module(self, binding: Binding) -> bool:
        return self._tree.enclosing(binding.node, cst.ImportFrom) is not None


def _targets(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    """What a statement gives a value to or takes out, tuples taken apart."""
    if isinstance(node, cst.Assign):
        return tuple(part for target in node.targets for part in _parts(target.target))
    if isinstance(node, cst.AnnAssign):
        return (node.target,) if node.value is not None else ()
    if isinstance(node, (cst.AugAssign, cst.Del, cst.For, cst.NamedExpr)):
        return _parts(node.target)
    if isinstance(node, cst.WithItem) and node.asname is not None and isinstance(node.asname.name, cst.BaseExpression):
        return _parts(node.asname.name)
    return ()


def _parts(target: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    if isinstance(target, (cst.Tuple, cst.List)):
        return tuple(part for element in target.elements for part in _parts(element.value))
    return (target,)


def _index(node: cst.Subscript) -> cst.BaseExpression | None:
    inner = node.slice[0].slice
    return inner.value if len(node.slice) == 1 and isinstance(inner, cst.Index) else None
