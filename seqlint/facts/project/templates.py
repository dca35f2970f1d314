"""What the methods of bases in other files have a class do: the methods of its own that they call, and what becomes of the results."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from seqlint.facts.project.bases import Method, down_to_keras, first, is_super
from seqlint.facts.project.index_dependence import IndexDependence
from seqlint.facts.project.result_use import ResultUse, ResultUses
from seqlint.knowledge.canonical_names import NEUTRAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.project.project import Project

_ORDINARY = NEUTRAL | {"builtins.object"}
"""Bases that have no methods of data."""

_HANDS_ON = frozenset(
    {"map", "imap", "imap_unordered", "starmap", "submit", "apply", "apply_async", "delayed", "filter"}
)
_WORKERS = frozenset({"workers", "use_multiprocessing"})
_POOLS = frozenset(
    {"Parallel", "executor", "Executor", "ProcessPoolExecutor", "ThreadPoolExecutor", "Thread", "Process"}
)
_QUIET = frozenset(
    {"abstractmethod", "override", "final", "property", "cached_property", "classmethod", "staticmethod"}
)


@dataclass(frozen=True)
class Asked:
    """A method of the instance that bases in other files call on the way through one of theirs.

    Attributes:
        name: the method, such as "load".
        by: the method of the base that is called first: "Rows.__getitem__".
        file: the file of that, without its folder.
        read: whether it is read like an attribute, as a property is, and never called.
        result_use: what becomes of its result.
        caught: whether an error of it may be caught by a base.
        alone: whether the bases speak of it nowhere else.
        in_turn: whether it is called in a loop, once for each sample as it seems, and no pool of threads does it.
        varying: the places of the arguments that hang on the index, from 0.
        words: every name and attribute that the bases speak of on the way.
        all_words: those of all their methods but `__init__`.
        sets_workers: whether they say anything of workers, also in `__init__`.
        takes_rows: whether they take parts of what the instance holds on the way.
        sets: the attributes that they give a value, or an item, on the way.
        counts_parts: whether their `__len__` divides: there are several batches, each a part of the data.
    """

    name: str
    by: str
    file: str
    read: bool
    result_use: ResultUse
    caught: bool
    alone: bool
    in_turn: bool
    varying: frozenset[int]
    words: frozenset[str]
    all_words: frozenset[str]
    sets_workers: bool
    takes_rows: bool
    sets: frozenset[str]
    counts_parts: bool


@dataclass(frozen=True, eq=False)
class Chain:
    """Classes of the project that are made from one another, down to Keras's own, the nearest first, with their files."""

    classes: tuple[tuple[ast.ClassDef, str], ...]

    def asks(self, hook: str, own: Iterable[str]) -> tuple[Asked, ...]:
        """The methods that the hook of the bases calls, itself or through helpers, and that an heir has itself.

        Args:
            own: the methods of the heir.
        """
        return _Walk(self, hook, frozenset(own)).found

    def finds(self, name: str, start: int = 0) -> tuple[int, Method] | None:
        """The method of a name that is nearest, and the place of its class."""
        for place, (node, _) in list(enumerate(self.classes))[start:]:
            if name in _otherwise(node):
                return None
            known = _methods(node).get(name)
            if known is not None:
                return place, known
        return None

    @cached_property
    def rebound(self) -> frozenset[str]:
        """The attributes that are given a value on the instance anywhere: none of them is the method of its name for sure."""
        nodes = (each for node, _ in self.classes for each in ast.walk(node))
        return frozenset(
            each.attr for each in nodes if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
        )

    @cached_property
    def sets_workers(self) -> bool:
        """Whether a class says anything of workers: gives them on, or has a parameter or attribute for them."""
        nodes = [each for node, _ in self.classes for each in ast.walk(node)]
        named = {each.arg for each in nodes if isinstance(each, (ast.keyword, ast.arg))}
        return not _WORKERS.isdisjoint(named.union(*(_spoken(each) for each in nodes if isinstance(each, Method))))

    @cached_property
    def counts_parts(self) -> bool:
        """Whether the `__len__` divides."""
        known = self.finds("__len__")
        nodes = ast.walk(known[1]) if known is not None else ()
        return any(isinstance(each, ast.BinOp) and isinstance(each.op, (ast.Div, ast.FloorDiv)) for each in nodes)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name and attribute that a method speaks of once the instance is made."""
        methods = (method for node, _ in self.classes for name, method in _methods(node).items() if name != "__init__")
        return frozenset().union(*map(_spoken, methods))


def chain_of(project: Project, name: str) -> Chain | None:
    """A class of the project with its bases, by its name; None where one of them can't be read, or may be made over."""
    found = down_to_keras(project, name, _is_ordinary, _ORDINARY)
    return Chain(tuple((node, file.name) for node, file in found)) if found else None


class _Walk:
    """The way through one method of a chain."""

    def __init__(self, chain: Chain, hook: str, own: frozenset[str]) -> None:
        self._chain = chain
        self._own = own
        self._methods: dict[Method, int] = {}
        self._sites: dict[str, list[tuple[ast.Attribute, Method]]] = {}
        self._calls: dict[Method, list[tuple[ast.Attribute, Method]]] = {}
        self._start = chain.finds(hook)
        if self._start is not None:
            self._go(*self._start)

    @cached_property
    def found(self) -> tuple[Asked, ...]:
        if self._start is None:
            return ()
        uses = ResultUses(self._start[1], self._calls)
        owner, file = self._chain.classes[self._start[0]]
        by = f"{owner.name}.{self._start[1].name}"
        found = []
        for name, sites in self._sites.items():
            places = [place for place in sites if _is_run(uses.parent(*place), place[0])]
            plain = all(map(_is_quiet, {method for _, method in sites}))
            kept = {uses.of(uses.parent(*place), place[1]) for place in places} if plain else set()
            result_use: ResultUse = kept.pop() if len(kept) == 1 else "open"
            caught = not plain or any(map(uses.is_caught, *zip(*sites, strict=True)))
            in_turn = bool(places) and not self._has_pool and all(uses.is_in_loop(*place) for place in places)
            found.append(
                Asked(
                    name,
                    by,
                    file,
                    read=not places,
                    result_use=result_use,
                    caught=caught,
                    alone=self._is_alone(name),
                    in_turn=in_turn,
                    varying=self._varying.of(places),
                    words=self._words,
                    all_words=self._chain.words,
                    sets_workers=self._chain.sets_workers,
                    takes_rows=any(map(_takes_rows, self._methods)),
                    sets=frozenset().union(*map(_stored, self._methods)),
                    counts_parts=self._chain.counts_parts,
                )
            )
        return tuple(found)

    def _go(self, place: int, method: Method) -> None:
        """Notes where a method, and those that it leads to, speak of methods of the instance."""
        if method in self._methods:
            return
        self._methods[method] = place
        for node in ast.walk(method):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                self._step(node, place, method)

    def _step(self, node: ast.Attribute, place: int, method: Method) -> None:
        name = node.attr
        if is_super(node.value):
            inner = self._chain.finds(name, place + 1)
        elif isinstance(node.value, ast.Name) and node.value.id == first(method):
            if name.startswith("__") and not name.endswith("__"):  # mangled: the method of the class that wrote it
                known = _methods(self._chain.classes[place][0]).get(name)
                inner = (place, known) if known is not None else None
            elif name in self._own:
                if name not in self._chain.rebound:
                    self._sites.setdefault(name, []).append((node, method))
                return
            else:
                inner = self._chain.finds(name)
        else:
            return
        if inner is not None:
            self._calls.setdefault(inner[1], []).append((node, method))
            self._go(*inner)

    def _is_alone(self, name: str) -> bool:
        others = (m for node, _ in self._chain.classes for m in _methods(node).values() if m not in self._methods)
        return not any(name in _spoken(method) for method in others)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset().union(*map(_spoken, self._methods))

    @cached_property
    def _has_pool(self) -> bool:
        return any("pool" in word.lower() or word in _POOLS for word in self._words)

    @cached_property
    def _varying(self) -> IndexDependence:
        assert self._start is not None
        return IndexDependence(self._start[1], self._calls)


def _is_run(around: ast.AST | None, node: ast.Attribute) -> bool:
    """Whether a method is called, or handed to what calls it: `self.load(row)`, `pool.map(self.load, rows)`."""
    if not isinstance(around, ast.Call):
        return False
    func = around.func
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    return func is node or name in _HANDS_ON


def _is_ordinary(node: ast.ClassDef) -> bool:
    """Whether a class has the methods that are written in it, and finds them by their names."""
    plain = all(keyword.arg == "metaclass" and _last(keyword.value) == "ABCMeta" for keyword in node.keywords)
    return plain and not node.decorator_list and not {"__getattribute__", "__new__"} & _methods(node).keys()


def _is_quiet(method: Method) -> bool:
    """Whether no decorator may catch what is raised, or make something else of what is given."""
    return all(_last(each) in _QUIET for each in method.decorator_list)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@lru_cache(maxsize=64)
def _otherwise(node: ast.ClassDef) -> frozenset[str]:
    """What a class body binds in another way than by a plain `def`: by `load = read`, or under a condition."""
    others = (each for each in node.body if not isinstance(each, Method))
    nodes = [inner for each in others for inner in ast.walk(each)]
    names = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return frozenset(names | {each.name for each in nodes if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))})


@lru_cache(maxsize=64)
def _methods(node: ast.ClassDef) -> dict[str, Method]:
    """The methods of a class body; of several the last."""
    return {each.name: each for each in node.body if isinstance(each, Method)}


def _takes_rows(method: Method) -> bool:
    """`self.x[rows]`."""
    parts = (each.value for each in ast.walk(method) if isinstance(each, ast.Subscript))
    owners = (part.value for part in parts if isinstance(part, ast.Attribute))
    return any(isinstance(owner, ast.Name) and owner.id == first(method) for owner in owners)


def _stored(method: Method) -> frozenset[str]:
    """The attributes that a method gives a value: `self.rows = rows`, `self.rows[0] = row`."""
    stores = (each for each in ast.walk(method) if isinstance(each, (ast.Attribute, ast.Subscript)))
    heads = (
        each.value if isinstance(each, ast.Subscript) else each for each in stores if isinstance(each.ctx, ast.Store)
    )
    return frozenset(each.attr for each in heads if isinstance(each, ast.Attribute))


@lru_cache(maxsize=256)
def _spoken(method: Method) -> frozenset[str]:
    return frozenset(_words(method))


def _words(method: Method) -> Iterator[str]:
    for each in ast.walk(method):
        if isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value
