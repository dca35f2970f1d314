"""Which statements of a method can leave it together: their locals, their state, and what they need from the instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted, parameters
from seqlint.facts.code.statements import is_declaration, is_docstring, is_idle, references, small, statements
from seqlint.facts.instances.cut import Cut, Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.members import Members
    from seqlint.facts.instances.writes import Write
    from seqlint.facts.values.values import Values

_LEAVES = (cst.Return, cst.Yield, cst.Await)
_RANDOM = ("numpy.random.", "random.", "tensorflow.random.", "keras.random.", "torch.random.")
_DRAWS = frozenset({
    "choice", "choices", "integers", "normal", "permutation", "permuted", "randint", "random", "random_sample", "sample", "shuffle",
    "standard_normal", "uniform",
})  # fmt: skip
_LOGS = frozenset({"debug", "info", "warning"})


class Cuts:
    """Cuts statements out of the methods of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, members: Members) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._members = members

    def cut(
        self,
        owner: ClassFacts,
        function: cst.FunctionDef,
        steps: Iterable[cst.CSTNode],
        writes: Mapping[cst.CSTNode, tuple[Write, ...]],
    ) -> Cut | None:
        """The least that leaves a method when `steps` do; None where it can't be done without a change of meaning.

        Statements that share a local go together, and so do those that read what one of them writes. What is printed right
        beside them goes along.

        Args:
            writes: what each statement of the method writes outside the instance.
        """
        draft = Draft(owner, function, statements(function), self._names.inner_scope(function), writes)
        wanted = {draft.body.index(step) for step in steps}
        while wanted - draft.taken:
            draft.taken |= wanted
            if not all(self._can_go(draft, node) for node in draft.steps) or not self._take_methods(draft):
                return None
            wanted = set(self._pulled(draft))
        draft.taken |= self._prints_beside(draft)
        return None if self._is_left_early(draft) or self._shares_objects(draft) else self._finished(draft)

    # -- what goes along --------------------------------------------------------------------------------------------

    def _pulled(self, draft: Draft) -> Iterator[int]:
        """The statements that share something with those that are taken."""
        locals_ = self._locals(draft, draft.steps)
        writes = [write for step in draft.steps for write in draft.writes.get(step, ())]
        used, bound = self._members.used(draft.nodes).keys(), self._members.bound(draft.nodes)
        for index, statement in enumerate(draft.body):
            if is_declaration(statement) or index in draft.taken:
                continue
            shares_state = self._members.bound((statement,)) & used or self._members.used((statement,)).keys() & bound
            shares_local = self._locals(draft, (statement,)) & locals_
            if shares_local or shares_state or any(self._reads(draft, statement, write) for write in writes):
                yield index

    def _locals(self, draft: Draft, nodes: Iterable[cst.CSTNode]) -> set[str]:
        """The locals of the method that code reads or binds: by assignment, import, `def`, `with`, `for`."""
        found: set[str] = set()
        for node in nodes:
            found |= {name.value for name in references(self._tree, node) if self._is_local(draft, name)}
            for name, bindings in draft.scope.bindings.items():
                if any(self._tree.holds(node, binding.node) for binding in bindings):
                    found.add(name)
        return found - {param.name.value for param in parameters(draft.function.params)}

    def _is_local(self, draft: Draft, name: cst.Name) -> bool:
        return self._names.scope(name).home(name.value) is draft.scope

    def _reads(self, draft: Draft, statement: cst.CSTNode, write: Write) -> bool:
        if write.kind == "environment":
            return any(node.attr.value in ("environ", "getenv") for node in self._tree.inside(statement, cst.Attribute))
        if write.attribute is not None:
            return any(node.attr.value == write.attribute for node in self._tree.inside(statement, cst.Attribute))
        if write.root is None:
            return False
        wanted = write.root.value
        return any(n.value == wanted and not self._is_local(draft, n) for n in references(self._tree, statement))

    def _prints_beside(self, draft: Draft) -> set[int]:
        """The prints in a row with what goes, where nothing that stays is their other neighbour."""
        found: set[int] = set()
        row: list[int] = []
        before: int | None = None
        live = [i for i, s in enumerate(draft.body) if not is_declaration(s) and not is_docstring(draft.function, s)]
        for index in (*live, None):
            if index is not None and index not in draft.taken and self._is_print(draft, draft.body[index]):
                row.append(index)
                continue
            neighbours = {side for side in (before, index) if side is not None}
            found |= set(row) if neighbours and neighbours <= draft.taken else set()
            row, before = [], index
        return found

    def _is_print(self, draft: Draft, statement: cst.CSTNode) -> bool:
        """Whether a statement only prints or logs, and nothing that depends on the instance or on a local."""
        expression = small(statement)
        if not isinstance(expression, cst.Expr) or not isinstance(expression.value, cst.Call):
            return False
        if any(self._is_local(draft, name) for name in references(self._tree, statement)):
            return False
        func = expression.value.func
        logs = isinstance(func, cst.Attribute) and func.attr.value in _LOGS and "log" in dotted(func.value).lower()
        return logs or self._names.qualified(func) == "builtins.print"

    def _is_left_early(self, draft: Draft) -> bool:
        """Whether what stays can leave the method before something that goes would have run."""
        before = [statement for index, statement in enumerate(draft.body) if index < max(draft.taken)]
        staying = [statement for statement in before if statement in draft.left]
        leaves = [inner for statement in staying for inner in self._tree.walk(statement) if isinstance(inner, _LEAVES)]
        return any(self._tree.function(leaf) is draft.function for leaf in leaves)

    def _shares_objects(self, draft: Draft) -> bool:
        """Whether what stays may change, in place, an object of the module that what goes reads."""
        read = {name.value for node in draft.nodes for name in references(self._tree, node)}
        handed = (name for statement in draft.left for name in references(self._tree, statement) if name.value in read)
        return any(self._is_variable(draft, name) and self._is_handed(name) for name in handed)

    def _is_variable(self, draft: Draft, name: cst.Name) -> bool:
        kinds = {binding.kind for binding in self._names.bindings(name)}
        return bool(kinds) and not self._is_local(draft, name) and not kinds & {"import", "class", "function"}

    def _is_handed(self, name: cst.Name) -> bool:
        """Whether a name is given to a call that may change its object, or a method of it is called."""
        argument = self._tree.enclosing(name, cst.Arg)
        call = self._tree.parents[argument] if argument is not None else None
        if isinstance(call, cst.Call) and not (self._names.qualified(call.func) or "").startswith("builtins."):
            return True
        attribute = self._tree.parents[name]
        return isinstance(attribute, cst.Attribute) and isinstance(self._tree.parents[attribute], cst.Call)

    # -- what forbids it --------------------------------------------------------------------------------------------

    def _can_go(self, draft: Draft, node: cst.CSTNode) -> bool:
        """Whether code means the same in a method of another class: no way out of the hook, no `super`, no random draw."""
        is_method = any(node is method.body for method in draft.methods.values())
        for inner in self._tree.walk(node):
            if isinstance(inner, _LEAVES) and not is_method and self._tree.function(inner) is draft.function:
                return False
            if isinstance(inner, cst.Call) and (
                self.draws(inner) or self._names.qualified(inner.func) == "builtins.super"
            ):
                return False
            if (
                isinstance(inner, cst.Attribute)
                and _is_mangled(inner.attr)
                and self._values.self_class(inner.value) is None
            ):
                return False
        return all(self._name_can_go(draft, name) for name in references(self._tree, node))

    def draws(self, call: cst.Call) -> bool:
        """Whether a call takes something from a random generator, or may: later draws hang on how often it runs."""
        if (self._names.qualified(call.func) or "").startswith(_RANDOM):
            return True
        return isinstance(call.func, cst.Attribute) and call.func.attr.value in _DRAWS

    def _name_can_go(self, draft: Draft, name: cst.Name) -> bool:
        if self._values.self_class(name) is not None:
            parent = self._tree.parents[name]
            return (isinstance(parent, cst.Attribute) and parent.value is name) or self._is_type_of_self(name)
        if _is_mangled(name):
            return False
        return not self._is_local(draft, name) or all(
            binding.kind != "parameter" for binding in self._names.bindings(name)
        )

    def _is_type_of_self(self, name: cst.Name) -> bool:
        """`type(self)`, which can be written as the name of the class."""
        call = self._tree.parents.get(self._tree.parents[name])
        return (
            isinstance(call, cst.Call) and self._names.qualified(call.func) == "builtins.type" and len(call.args) == 1
        )

    def _take_methods(self, draft: Draft) -> bool:
        """Take the methods along that only what goes calls; False where something else needs one of them."""
        for name, uses in self._members.used(draft.nodes).items():
            if name in draft.methods or draft.owner.method(name) is None:
                continue
            method = draft.owner.methods.get(name)
            if method is None or not self._is_plain(method) or not all(self._is_called(use) for use in uses):
                return False
            draft.methods[name] = method
            return self._can_go(draft, method.body) and self._take_methods(draft)
        return True

    def _is_plain(self, method: cst.FunctionDef) -> bool:
        return not method.decorators and method.asynchronous is None and not self._values.is_generator(method)

    def _is_called(self, use: cst.Attribute) -> bool:
        call = self._tree.parents[use]
        return isinstance(call, cst.Call) and call.func is use

    # -- the answer -------------------------------------------------------------------------------------------------

    def _finished(self, draft: Draft) -> Cut | None:
        inside, bound = self._members.used(draft.nodes), self._members.bound(draft.nodes)
        started = [self._members.start(draft.owner, name, inside[name]) for name in sorted(bound)]
        needs = tuple(name for name in inside if name not in bound and name not in draft.methods)
        changes = self._members.changed(draft.nodes) & set(needs)
        if None in started or not self._alone(draft) or not self._keep(draft, needs, changes):
            return None
        lines = self._tree.order.sorted(line for line in started if line is not None)
        rest = (s for s in draft.left if not is_declaration(s) and not is_idle(draft.function, s))
        loose = frozenset(name for name in needs if not self._members.is_settled(draft.owner, name))
        return Cut(
            draft.function, draft.steps, tuple(rest), tuple(draft.methods.values()), lines, needs, loose, changes
        )

    def _alone(self, draft: Draft) -> bool:
        """Whether the methods that go are used by what goes alone, and defined once."""
        for name in draft.methods:
            if not all(any(self._tree.holds(node, use) for node in draft.nodes) for use in self._members.all(name)):
                return False
            if sum(name in owner.methods for owner in self._classes.all) != 1:
                return False
        return True

    def _keep(self, draft: Draft, needs: tuple[str, ...], changes: frozenset[str]) -> bool:
        """Whether the attributes that the code needs mean the same to it wherever it runs."""
        gone = {draft.function, *draft.methods.values()}
        staying = [
            m.body
            for owner in draft.owner.lineage
            for n, m in owner.methods.items()
            if m not in gone and n != "__init__"
        ]
        if self._members.changed((*staying, *draft.left)) & set(needs):
            return False
        on_the_way = [reached.node.body for reached in draft.owner.reachable("__getitem__", "__len__")]
        return not self._members.used((*on_the_way, *draft.left)).keys() & changes


def _is_mangled(name: cst.Name) -> bool:
    return name.value.startswith("__") and not name.value.endswith("__")
