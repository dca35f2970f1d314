"""Sequences that are nothing but a tf.data dataset: `__getitem__` gives what an iterator over it gives next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.code.statements import is_docstring, is_idle
from seqlint.facts.code.tree import is_super, last_word
from seqlint.facts.datasets.lengths import Lengths, Steps, parts

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.datasets.datasets import Datasets
    from seqlint.facts.numbers.counts import Counts
    from seqlint.facts.state.advances import Advances
    from seqlint.facts.values.values import Values

HOOKS = ("on_epoch_end", "on_epoch_begin")
_ENDS = frozenset({"StopIteration", "OutOfRangeError"})


@dataclass(frozen=True, eq=False)
class DatasetWrapper:
    """Such a class.

    Attributes:
        iterator: the attribute that holds the iterator.
        dataset: what it iterates over, where `__init__` makes it: `self.rows`, a name of `__init__`, or a chain of calls.
        made: the line of `__init__` that makes the iterator.
        base_call: the line that calls `super().__init__`, if there is one.
        extra: the `**kwargs` that goes there and nowhere else.
        dropped: the methods that do nothing but read the iterator.
    """

    owner: ClassFacts
    iterator: str
    dataset: cst.BaseExpression
    made: cst.SimpleStatementLine
    base_call: cst.SimpleStatementLine | None
    extra: cst.Param | None
    dropped: tuple[cst.FunctionDef, ...]
    steps: Steps


class DatasetWrappers:
    """The shells of one file."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        advances: Advances,
        datasets: Datasets,
        counts: Counts,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._advances = advances
        self._datasets = datasets
        self._lengths = Lengths(names, values, counts)

    def of(self, owner: ClassFacts) -> DatasetWrapper | None:
        """What a Sequence wraps; None where it does anything else."""
        names = {advance.attribute for advance in self._advances.of(owner)}
        if len(names) != 1 or not self._is_plain(owner) or not (iterator := names.pop()):
            return None
        init, give = owner.methods["__init__"], owner.methods["__getitem__"]
        made = self._made(owner, init, iterator)
        if made is None or not self._gives_next(give, iterator):
            return None
        line, dataset = made
        hooks = [owner.methods[name] for name in HOOKS if name in owner.methods]
        if not all(self._only_resets(hook, iterator) for hook in hooks) or self._is_used(
            owner, iterator, (init, give, *hooks)
        ):
            return None
        base_call, extra = self._base(init)
        chain = self._datasets.chain(dataset)
        steps = self._lengths.steps(owner, chain, dataset) if chain is not None else None
        if steps is None or (base_call is None and self._calls_super(init)):
            return None
        return DatasetWrapper(owner, iterator, dataset, line, base_call, extra, (give, *hooks), steps)

    def _is_plain(self, owner: ClassFacts) -> bool:
        """One base, Keras's own, and methods of which Python and Keras call no others than those of a Sequence."""
        special = {"__init__", "__len__", "__getitem__"}
        others = {name for name in owner.methods if name.startswith("__") and name.endswith("__")} - special
        alone = len(owner.lineage) == 1 and len(owner.bases) == len(owner.node.bases) == 1 and not owner.node.keywords
        return (
            alone
            and special <= owner.methods.keys()
            and not others
            and not owner.node.decorators
            and owner.lineage_is_known
        )

    # -- __init__ ---------------------------------------------------------------------------------------------------

    def _made(
        self, owner: ClassFacts, init: cst.FunctionDef, name: str
    ) -> tuple[cst.SimpleStatementLine, cst.BaseExpression] | None:
        """The one line of `__init__` that makes the iterator, and what it goes over."""
        lines = [found for found in statements(init.body) if (self._reset(found, name)) is not None]
        if len(lines) != 1 or not isinstance(lines[0], cst.Assign):
            return None
        line, dataset = self._tree.statement(lines[0]), self._reset(lines[0], name)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or dataset is None:
            return None
        texts = {self._tree.text(dataset)} if isinstance(dataset, cst.Attribute) else set()
        for node in self._tree.inside(owner.node, cst.Assign):
            over = self._reset(node, name)
            if node is not lines[0] and over is not None and self._tree.text(over) not in texts:
                return None
        return line, dataset

    def _reset(self, node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
        """The dataset of `self.rows = iter(dataset)`."""
        if (
            not isinstance(node, cst.Assign)
            or len(node.targets) != 1
            or not self._is_attribute(node.targets[0].target, name)
        ):
            return None
        call = node.value
        plain = (
            isinstance(call, cst.Call) and self._names.qualified(call.func) == "builtins.iter" and len(call.args) == 1
        )
        return call.args[0].value if plain and isinstance(call, cst.Call) else None

    def _is_attribute(self, node: cst.CSTNode, name: str) -> bool:
        return (
            isinstance(node, cst.Attribute)
            and node.attr.value == name
            and self._values.self_class(node.value) is not None
        )

    def _base(self, init: cst.FunctionDef) -> tuple[cst.SimpleStatementLine | None, cst.Param | None]:
        """The line `super().__init__(**kwargs)`, with the parameter that goes nowhere else."""
        extra = init.params.star_kwarg
        for line in init.body.body:
            small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
            call = small.value if isinstance(small, cst.Expr) else None
            if (
                not isinstance(line, cst.SimpleStatementLine)
                or not isinstance(call, cst.Call)
                or not self._is_base_call(call)
            ):
                continue
            if not call.args:
                return line, None
            uses = [
                n for n in self._tree.inside(init.body, cst.Name) if extra is not None and n.value == extra.name.value
            ]
            only = len(call.args) == 1 and call.args[0].star == "**" and uses == [call.args[0].value]
            return (line, extra) if only else (None, None)
        return None, None

    def _is_base_call(self, call: cst.Call) -> bool:
        func = call.func
        return isinstance(func, cst.Attribute) and func.attr.value == "__init__" and is_super(func.value)

    def _calls_super(self, init: cst.FunctionDef) -> bool:
        return any(is_super(call) for call in self._tree.inside(init.body, cst.Call))

    def _is_used(self, owner: ClassFacts, iterator: str, known: tuple[cst.FunctionDef, ...]) -> bool:
        """Whether other code reads the iterator, takes batches of the instance, or hands the instance itself on."""
        for node in self._tree.all(cst.Attribute):
            if node.attr.value == iterator and self._tree.function(node) not in known:
                return True
        for method in owner.methods.values():
            for name in self._tree.inside(method.body, cst.Name) if method not in known[1:] else ():
                bare = not self._tree.is_label(name) and not isinstance(self._tree.parents[name], cst.Attribute)
                if bare and self._values.self_class(name) is not None and not self._is_len(name):
                    return True
        return False

    def _is_len(self, name: cst.Name) -> bool:
        call = self._tree.parents[self._tree.parents[name]]
        return isinstance(call, cst.Call) and self._names.qualified(call.func) == "builtins.len"

    # -- __getitem__ and hooks --------------------------------------------------------------------------------------

    def _only_resets(self, hook: cst.FunctionDef, iterator: str) -> bool:
        return all(is_idle(hook, one) or self._reset(_small(one), iterator) is not None for one in hook.body.body)

    def _gives_next(self, give: cst.FunctionDef, iterator: str) -> bool:
        """Whether every batch is what the iterator gives, and nothing else happens on the way."""
        taken: set[tuple[str, ...]] = set()
        return all(self._is_step(one, iterator, taken) for one in statements(give.body) if not _is_doc(give, one))

    def _is_step(self, node: cst.CSTNode, iterator: str, taken: set[tuple[str, ...]]) -> bool:
        if isinstance(node, cst.Pass) or self._reset(node, iterator) is not None:
            return True
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and self._is_next(node.value, iterator):
            names = _names_of(node.targets[0].target)
            taken.add(names)
            return bool(names)
        if isinstance(node, cst.Return) and node.value is not None:
            return self._is_next(node.value, iterator) or _names_of(node.value) in taken - {()}
        if isinstance(node, cst.If):
            asks = {name.value for name in self._tree.inside(node.test, cst.Name)} - {"None"}
            plain = any(asks == set(names) for names in taken) and node.orelse is None
            return plain and self._are_steps(node.body, iterator, taken)
        if isinstance(node, cst.Try):
            ends = all(h.type is not None and last_word(h.type) in _ENDS for h in node.handlers)
            blocks = [node.body, *(handler.body for handler in node.handlers)]
            plain = ends and node.orelse is None and node.finalbody is None
            return plain and all(self._are_steps(block, iterator, taken) for block in blocks)
        return False

    def _are_steps(self, block: cst.CSTNode, iterator: str, taken: set[tuple[str, ...]]) -> bool:
        return all(self._is_step(one, iterator, taken) for one in statements(block))

    def _is_next(self, node: cst.BaseExpression, iterator: str) -> bool:
        if not isinstance(node, cst.Call):
            return False
        if self._names.qualified(node.func) == "builtins.next":
            return bool(node.args) and self._is_attribute(node.args[0].value, iterator)
        func = node.func
        return (
            isinstance(func, cst.Attribute)
            and func.attr.value == "get_next"
            and self._is_attribute(func.value, iterator)
        )


def _small(node: cst.CSTNode) -> cst.CSTNode:
    return node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else node


def _is_doc(function: cst.FunctionDef, node: cst.CSTNode) -> bool:
    first = function.body.body[0]
    return isinstance(first, cst.SimpleStatementLine) and first.body[0] is node and is_docstring(function, first)


def _names_of(node: cst.BaseExpression) -> tuple[str, ...]:
    """The names of `x, y`, also of `x.numpy(), y.numpy()`; nothing for anything else."""
    found = tuple(_name_of(part) for part in parts(node))
    return found if all(found) else ()


def _name_of(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "numpy":
        node = node.func.value
    return node.value if isinstance(node, cst.Name) else ""
