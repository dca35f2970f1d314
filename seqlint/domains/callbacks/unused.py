"""Callbacks that the program makes, and that reach nobody who could call their hooks."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.blanks import is_blank_fit
from seqlint.domains.callbacks.kinds import is_callback, name_of
from seqlint.run import Class, Container, External, Instance, Module, Result, Tuple
from seqlint.run.attributes import lineage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_FITS = frozenset({"fit", "fit_generator"})
_NO_MODELS = frozenset(
    {"sklearn", "xgboost", "lightgbm", "catboost", "statsmodels", "scipy", "imblearn", "umap", "hmmlearn", "prophet"}
)
_SEES_ALL = frozenset(f"builtins.{name}" for name in ("locals", "globals", "vars", "exec", "eval"))
_OF_LISTS = frozenset({"append", "extend", "insert"})


@dataclass(frozen=True, eq=False)
class UnusedCallback:
    """A callback, or a list of them, that nobody gets.

    Attributes:
        node: what makes it: the call, or the display of the list.
        classes: the classes of the callbacks, such as "EarlyStopping".
        name: the variable or attribute that holds it, such as "early" or "self.early"; empty where none does.
        is_list: whether it is a list, tuple or dict of callbacks.
        callbacks: the callbacks themselves.
        lost_by: the `append` whose result, None, takes the place of the list.
    """

    node: ast.expr
    classes: tuple[str, ...]
    name: str
    is_list: bool
    callbacks: tuple[Result | Instance, ...]
    lost_by: ast.Call | None


class UnusedCallbacks:
    """The callbacks of this file that are made and reach no call."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[UnusedCallback, ...]:
        """Each cause once, in the order of the text; none where not all of the program was followed."""
        if not self._is_followed:
            return ()
        tops: dict[ast.AST, list[Object]] = defaultdict(list)
        held: dict[ast.AST, dict[Result | Instance, None]] = defaultdict(dict)
        used: set[ast.AST] = set()
        passed: set[tuple[str, str]] = set()
        for callback in self._made:
            found = self._tops(callback, set())
            if found is None:
                used |= {callback.node} if callback.node is not None else set()
                passed |= {(name_of(callback), name) for name in self._names(callback) or ()}
            named = [top for top in found or () if self._names(top) != []]
            for top in [callback] if any(map(_is_filled_later, named)) else named or found or ():
                tops[_node(top)].append(top)
                held[_node(top)].setdefault(callback)
        # Code that runs several times makes several objects at one place: where one of them is used, the place is.
        lost = {node: [each for each in found if each.node not in used] for node, found in held.items()}
        judged = (
            self._judged(objects[0], lost[node]) for node, objects in tops.items() if node not in used and lost[node]
        )
        kept = [one for one in judged if one is not None and (one.classes[0], one.name) not in passed]
        return tuple(sorted(kept, key=lambda one: self._run.span(one.node)))

    @property
    def _is_followed(self) -> bool:
        """Whether all code of the program was run, and something trains in it."""
        calls = self._run.calls
        if not self._run.complete or self._run.machine.cut or any(call.name in _SEES_ALL for call in calls):
            return False
        return bool(self._trainers) and not any(map(is_blank_fit, self._trainers))

    @cached_property
    def _trainers(self) -> list[Call]:
        """The calls that may train a model of Keras."""
        return [call for call in self._run.calls if call.result.method in _FITS and _may_be_of_model(call)]

    @property
    def _made(self) -> Iterator[Result | Instance]:
        """The callbacks that this file makes before somebody trains."""
        last = max(call.context.clock for call in self._trainers)
        for call in self._run.calls:
            if is_callback(call.result) and call.node in self._nodes and call.context.clock < last:
                yield call.result
        for instances in self._run.machine.instances.values():
            for each in instances:
                if each.made and is_callback(each) and each.node in self._nodes:
                    yield each

    def _tops(self, found: Object, seen: set[int]) -> list[Object] | None:
        """What holds an object and is held by nothing else; None where somebody may get one of them."""
        if id(found) in self._used:
            return None
        seen.add(id(found))
        tops: list[Object] = []
        for holder in self._holders.get(id(found), ()):
            if isinstance(holder, Instance):
                if not self._is_private(holder):
                    return None
            elif id(holder) not in seen:
                above = self._tops(holder, seen)
                if above is None:
                    return None
                tops += above
        return tops or [found]

    def _is_private(self, holder: Instance) -> bool:
        """Whether the class of an object trains itself, and nobody else sees the object."""
        known = all(
            isinstance(each, Class) or (isinstance(each, External) and each.name == "builtins.object")
            for each in lineage(holder.cls)
        )
        inside = set(ast.walk(holder.cls.node))
        return known and id(holder) not in self._used and any(call.node in inside for call in self._trainers)

    # -- who gets what ----------------------------------------------------------------------------------------------

    @cached_property
    def _used(self) -> set[int]:
        """All objects that code which is not seen gets, or that are asked to do something."""
        found: set[int] = set()
        for made in self._run.results:
            if made.op == "call" and made.receiver is not None and made.method != "__init__":
                found.add(id(made.receiver))
            if made.name != "builtins.print":
                found |= _inside(*made.args, *(value for _, value in made.keywords))
        for read in self._run.reads:
            found |= _inside(read.value) if read.kind != "test" else set()
        for store in self._run.stores:
            if not isinstance(store.owner, (Instance, Container, Module)):
                found |= _inside(store.value)
        for batch in self._run.batches:
            found |= _inside(batch.value)
        return found

    @cached_property
    def _holders(self) -> dict[int, list[Object]]:
        """The lists, tuples, dicts and objects that hold each object; a class holds what its body binds, so that anybody may see it."""
        machine = self._run.machine
        owners: dict[object, Object] = {each.serial: each for each in machine.containers}
        owners |= {each.serial: each for instances in machine.instances.values() for each in instances}
        found: dict[int, list[Object]] = defaultdict(list)
        for (owner, _), log in machine.heap.log.items():
            holder = owners.get(owner)
            for value in (put.value for put in log if put.value is not None):
                self._hold(found, holder, value)
        for serial, pieces in machine.pieces.items():
            for piece in pieces:
                self._hold(found, owners.get(serial), piece.value)
        return found

    def _hold(self, found: dict[int, list[Object]], holder: Object | None, value: Value, depth: int = 3) -> None:
        for each in value:
            if holder is not None and holder is not each:
                found[id(each)].append(holder)
            for item in each.items if isinstance(each, Tuple) and depth else ():
                self._hold(found, each, item, depth - 1)

    # -- what is said of it -----------------------------------------------------------------------------------------

    def _judged(self, top: Object, held: list[Result | Instance]) -> UnusedCallback | None:
        node = _node(top)
        if not isinstance(node, ast.expr) or node not in self._nodes or node in self._defaults:
            return None
        names = self._names(top)
        if names is None or any(self._may_be_read(name, top) for name in names):
            return None
        is_list = not isinstance(top, (Result, Instance))
        classes = tuple(dict.fromkeys(name_of(each) for each in held))
        return UnusedCallback(
            node, classes, names[0] if names else "", is_list, tuple(held), self._lost_by(names, node)
        )

    def _names(self, top: Object) -> list[str] | None:
        """The variables and attributes that hold an object; None where a class does."""
        machine = self._run.machine
        classes = {cls.frame.serial for cls in machine.classes}
        instances = {each.serial for found in machine.instances.values() for each in found}
        held: dict[str, None] = {}
        for (owner, name), log in machine.heap.log.items():
            if owner not in machine.made_in and any(top in (put.value or ()) for put in log):
                if owner in classes:
                    return None
                held.setdefault(f"self.{name}" if owner in instances else name)
        return list(held)

    def _may_be_read(self, name: str, top: Object) -> bool:
        """Whether there is code that reads a name and was not run, or asks an object of the program for something."""
        word = name.removeprefix("self.")
        exports = "__all__" in self._run.machine.main.frame.own
        for node in self._nodes:
            if isinstance(top, Instance) and isinstance(node, ast.Attribute) and _word(node.value) == word:
                return True
            if exports and isinstance(node, ast.Constant) and node.value == word:
                return True
            if _word(node) == word and self._is_passed_over(node):
                return True
        return False

    def _is_passed_over(self, node: ast.AST) -> bool:
        """Whether code reads a variable or attribute that no way through the program leads to."""
        reads = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
        return reads and node not in self._run.watched.machine.values

    def _lost_by(self, names: list[str], display: ast.AST) -> ast.Call | None:
        """`hooks = hooks.append(...)`; `[early].append(...)` as an argument."""
        words = {name.removeprefix("self.") for name in names}
        for node in self._nodes:
            if (
                not isinstance(node, ast.Call)
                or not isinstance(node.func, ast.Attribute)
                or node.func.attr not in _OF_LISTS
            ):
                continue
            parent = self._run.parents.get(node)
            owner = node.func.value
            if owner is display and not isinstance(parent, ast.Expr):
                return node
            if (
                isinstance(parent, ast.Assign)
                and len(parent.targets) == 1
                and _word(owner) == _word(parent.targets[0]) != ""
            ) and not {_word(owner), *map(_word, node.args)}.isdisjoint(words):
                return node
        return None

    @cached_property
    def _nodes(self) -> dict[ast.AST, None]:
        return dict.fromkeys(ast.walk(self._run.tree))

    @cached_property
    def _defaults(self) -> set[ast.AST]:
        """What is written as the default of a parameter: who calls without it gets it."""
        own = (node for node in self._nodes if isinstance(node, ast.arguments))
        return {inner for each in own for inner in ast.walk(each)}


def _node(found: Object) -> ast.AST:
    node = getattr(found, "node", None)
    assert isinstance(node, ast.AST)
    return node


def _is_filled_later(top: Object) -> bool:
    """`hooks = []`: what is added to it is better looked at where it is made."""
    return isinstance(top, Container) and isinstance(top.node, ast.List) and not top.node.elts


def _may_be_of_model(call: Call) -> bool:
    """Whether a call of `fit` belongs neither to another library nor to what prepares data."""
    receiver = call.result.receiver
    name = receiver.name if isinstance(receiver, Result) and receiver.op == "call" else ""
    return name.partition(".")[0] not in _NO_MODELS and not name.startswith("keras.preprocessing.")


def _word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _inside(*values: Value, depth: int = 3) -> set[int]:
    """The objects of values, those in tuples among them."""
    found: set[int] = set()
    for value in values:
        for each in value:
            found.add(id(each))
            if isinstance(each, Tuple) and depth:
                found |= _inside(*each.items, depth=depth - 1)
    return found
