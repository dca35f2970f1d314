"""Parts of models that are frozen or set free after `compile`, which looks at them once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.made_of import made_of
from seqlint.run import Instance, Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run, Store

Kind = Literal["late", "never-learns", "keeps-learning"]
_TRAINS = ("fit", "fit_generator", "train_on_batch")
_OURS = ("keras.", "tensorflow.", "numpy.", "builtins.")
_PARTS = frozenset({"layers", "get_layer"})


@dataclass(frozen=True, eq=False)
class Freeze:
    """A `trainable` that is set when it is too late.

    Attributes:
        node: the statement that sets it.
        kind: *late*: the model was trained before, and the next training goes on as before, on every Keras; *never-learns*: a model that is
            frozen as a whole after `compile` and then trained, which Keras 3 minds; *keeps-learning*: a part that Keras 2 goes on to train.
        fit: the training that it was meant for.
    """

    node: ast.AST
    kind: Kind
    fit: Call


@dataclass(frozen=True, eq=False)
class _Part:
    """What a `trainable` is set for: the whole of a model or layer, or layers of it."""

    root: Object
    place: ast.AST | None


class Freezes:
    """Such statements of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Freeze, ...]:
        """Each place once."""
        found: dict[tuple[ast.AST, Kind], Freeze] = {}
        if self._stores and self._run.complete:
            for fits in self._trainings.values():
                for each in self._of_model(fits):
                    found.setdefault((each.node, each.kind), each)
        return tuple(found.values())

    def _of_model(self, fits: list[Call]) -> Iterator[Freeze]:
        model = fits[0].result.receiver
        assert model is not None
        for part, stores in self._stores.items():
            if not self._holds(model, part.root, fits[0].context):
                continue
            for number, fit in enumerate(fits):
                last = _last(stores, fit.context)
                if last is None or not self._is_meant(last, fit) or self._is_handed(model, last, fit):
                    continue
                kind = self._kind(model, part, stores, fits[:number], fit)
                if kind:
                    yield Freeze(last.node, kind, fit)

    def _is_meant(self, store: Store, fit: Call) -> bool:
        return self._run.is_here(store.context) and _is_before(store.context, fit.context)

    def _kind(self, model: Object, part: _Part, stores: list[Store], before: list[Call], fit: Call) -> Kind | None:
        """What goes wrong in a training, if anything does: what `compile` or an earlier training saw is compared with what holds there."""
        compiled = [each for each in self._compiles(model) if each.context.clock < fit.context.clock]
        now = _state(stores, fit.context)
        if not compiled or any(not _is_before(each.context, fit.context) for each in compiled[-1:]):
            return None
        since = [each for each in before if each.context.clock > compiled[-1].context.clock]
        if since:
            same = not _is_before(since[0].context, fit.context) or _state(stores, since[0].context) == now
            return None if same else "late"
        if _state(stores, compiled[-1].context) == now:
            return None
        if part.root is model and part.place is None:
            return "never-learns" if not now else None
        return "keeps-learning" if not now else None

    # -- what happens -----------------------------------------------------------------------------------------------

    @cached_property
    def _stores(self) -> dict[_Part, list[Store]]:
        parts: dict[tuple[int, ast.AST | None], _Part] = {}
        found: dict[_Part, list[Store]] = defaultdict(list)
        for store in self._run.stores:
            if store.name != "trainable" or store.owner is None or not isinstance(constant(store.value), bool):
                continue
            root = root_of(store.owner)
            place = None if root is store.owner else store.node
            part = parts.setdefault((id(root), place), _Part(root, place))
            found[part].append(store)
        return found

    @cached_property
    def _trainings(self) -> dict[int, list[Call]]:
        found: dict[int, list[Call]] = defaultdict(list)
        for call in self._run.methods(*_TRAINS):
            if isinstance(call.result.receiver, (Result, Instance)):
                found[id(call.result.receiver)].append(call)
        return found

    def _compiles(self, model: Object) -> list[Call]:
        return [call for call in self._run.methods("compile") if call.result.receiver is model]

    def _is_handed(self, model: Object, store: Store, fit: Call) -> bool:
        """Whether code that is not seen gets the model in between: it may compile it."""
        between = (each for each in self._run.calls if store.context.clock < each.context.clock < fit.context.clock)
        foreign = (each.result for each in between if not each.name.startswith(_OURS))
        values = (value for each in foreign for value in (*each.args, *(value for _, value in each.keywords)))
        return any(model in value.objects for value in values)

    def _holds(self, model: Object, root: Object, context: Context) -> bool:
        return model is root or any(part is root for part in made_of(self._run, model, context))


def root_of(owner: Object) -> Object:
    """The model that a layer is taken from: `base.layers[3]`, each of `base.layers[:100]`, `base.get_layer("head")`."""
    found, inside = owner, False
    while isinstance(found, Result) and found.receiver is not None:
        inside = inside or found.method in _PARTS
        if found.op == "call" and found.method not in _PARTS:
            break
        if found.op not in ("each", "item", "attribute", "call"):
            break
        found = found.receiver
    return found if inside else owner


def _last(stores: list[Store], context: Context) -> Store | None:
    earlier = [store for store in stores if store.context.clock < context.clock]
    return earlier[-1] if earlier else None


def _state(stores: list[Store], context: Context) -> bool:
    last = _last(stores, context)
    return constant(last.value) is True if last is not None else True


def _programs(context: Context) -> list[object]:
    return [each for each in context.phases if each.kind in ("script", "entry")]


def _is_before(one: Context, other: Context) -> bool:
    """Whether what happens is surely led up to by something earlier: the same piece of program, under no condition of its own."""
    return _programs(one) == _programs(other) and {each for each in one.guards if each[0][0] != "round"} <= set(
        other.guards
    )
