"""What a model is made of that Keras does not know by itself: layers, losses and metrics of the program."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.paths.saved_models import SavedModels
from seqlint.domains.paths.saves import Saved, Saves
from seqlint.run import Bound, Class, Container, External, Function, Instance, Result, Tuple
from seqlint.run.attributes import lineage, lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_SCOPES = ("custom_object_scope", "CustomObjectScope")
_TELL_NOTHING = frozenset({"function", "dataclass", "final", "override", "deprecated"})
"""Decorators that register nothing with Keras."""
_ALIASES = frozenset({"mse", "mae", "MSE", "MAE", "mape", "msle", "kld", "bce"})
"""Short names of losses that Keras 3 writes into `.h5` and does not find again."""
_DEEPEST = 200


@dataclass(frozen=True, eq=False)
class CustomPart:
    """A part of a saved model that `load_model` must be told of.

    Attributes:
        role: *layer* (or the model itself) is needed always, *loss* (a function) where the model is compiled on loading, *compiled* (another loss,
            a metric) there in `.keras` alone, *alias* (a loss by its short name) there in `.h5` alone.
    """

    name: str
    role: Literal["layer", "loss", "compiled", "alias"]
    made_of: Class | Function | None


@dataclass(frozen=True, eq=False)
class Unloadable:
    """A load of a model that has parts which nobody names.

    Attributes:
        load: the call of `load_model`.
        save: what writes the file.
    """

    load: Saved
    save: Saved
    parts: tuple[CustomPart, ...]


class CustomParts:
    """The own parts of the models of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._saves = run.domain(Saves)
        self._models = run.domain(SavedModels)

    @property
    def unloadable(self) -> Iterator[Unloadable]:
        """The loads that miss a part, where the same program saves the model at that path."""
        if any(call.result.method == "get_custom_objects" for call in self._run.calls):
            return
        for load in self._saves.all:
            if load.kind != "load_model" or self._is_told(load.call) or load.refused():
                continue
            same = [other for other in self._saves.of_same_path(load) if not other.is_load]
            others = [other for other in same if other.weights is False and not other.refused()]
            parts = [self._missed(load, save) for save in others]
            if others and all(parts):
                yield Unloadable(load, others[0], parts[0])

    def _is_told(self, call: Call) -> bool:
        result = call.result
        hidden = any(name in ("custom_objects", "*", "**") for name, _ in result.keywords) or len(result.args) > 1
        around = (each for each in call.context.within if isinstance(each, Result))
        return hidden or any(each.method in _SCOPES for each in around)

    def _missed(self, load: Saved, save: Saved) -> tuple[CustomPart, ...]:
        compiles = load.call.result.keyword("compile")
        compiled = compiles is None or compiles.constant is True
        is_h5 = all(ending.text.endswith((".h5", ".hdf5")) for ending in load.endings)
        model = self._models.model(save)
        if model is None:
            return ()
        found = {part.name: part for part in reversed([*self._parts(model)])}
        kept = (part for part in found.values() if part.role == "layer" or compiled)
        return tuple(part for part in kept if part.role != ("compiled" if is_h5 else "alias"))

    # -- parts --------------------------------------------------------------------------------------------------------

    def _parts(self, model: Object) -> Iterator[CustomPart]:
        for found in self._reached(model):
            own = isinstance(found, Instance) and (found is model or self._is_of(found, "keras.layers.", "keras.Model"))
            if own and isinstance(found, Instance) and not _is_registered(found.cls):
                yield CustomPart(found.cls.name, "layer", found.cls)
        for call in self._run.methods("compile"):
            receiver = call.result.receiver
            if receiver is model:
                yield from self._compiled(call.result)

    def _reached(self, model: Object) -> Iterator[Object]:
        """The layers of a model, and what it is computed from."""
        waiting: list[Object] = [model, *self._added.get(model, ())]
        seen: set[int] = set()
        while waiting and len(seen) < _DEEPEST:
            found = waiting.pop()
            if id(found) in seen:
                continue
            seen.add(id(found))
            yield found
            if isinstance(found, Result) and found.op == "call":
                waiting += [found.receiver] if found.receiver is not None else []
                waiting += [each for value in (*found.args, *(value for _, value in found.keywords)) for each in value]
            elif isinstance(found, (Container, Tuple)):
                waiting += [each for value in self._run.items(found) or () for each in value]

    @cached_property
    def _added(self) -> dict[Object, list[Object]]:
        """What `model.add` has added to each model."""
        found: dict[Object, list[Object]] = {}
        for call in self._run.methods("add"):
            if call.result.receiver is not None and call.result.args:
                found.setdefault(call.result.receiver, []).extend(call.result.args[0])
        return found

    def _compiled(self, compiled: Result) -> Iterator[CustomPart]:
        loss = compiled.argument("loss", 1)
        metrics = compiled.argument("metrics", 2)
        if loss is not None and loss.constant in _ALIASES:
            yield CustomPart(str(loss.constant), "alias", None)
        for part in self._own(loss) if loss is not None else ():
            yield part if isinstance(part.made_of, Class) else replace(part, role="loss")
        for value in (self._run.items(metrics) or ()) if metrics is not None else ():
            yield from self._own(value)

    def _own(self, value: Value) -> Iterator[CustomPart]:
        only = value.only
        if isinstance(only, Bound):
            only = only.function
        if isinstance(only, Function) and isinstance(only.node, ast.FunctionDef) and not _is_registered(only):
            yield CustomPart(only.name, "compiled", only)
        elif (
            isinstance(only, Instance)
            and self._is_of(only, "keras.losses.", "keras.metrics.")
            and not _is_registered(only.cls)
        ):
            yield CustomPart(only.cls.name, "compiled", only.cls)

    def _is_of(self, found: Instance, *homes: str) -> bool:
        return any(isinstance(each, External) and each.name.startswith(homes) for each in lineage(found.cls))

    def config_is_known(self, part: CustomPart) -> bool:
        """Whether Keras can make the part anew: a function, or a class with `get_config`, or without arguments of its own."""
        cls = part.made_of
        if not isinstance(cls, Class):
            return True
        if lookup(self._run.machine, cls, "get_config").value is not None:
            return True
        init = lookup(self._run.machine, cls, "__init__").value
        function = init.only if init is not None else None
        if init is None:
            return True
        own = function.node.args if isinstance(function, Function) else None
        return own is not None and len(own.args) == 1 and not own.kwonlyargs and own.kwarg is not None

    def loads_early(self, found: Unloadable) -> bool:
        """Whether Keras 3.0 to 3.9 finds all by itself: classes of modules that it can import, in `.keras`."""
        own = [part.made_of for part in found.parts]
        elsewhere = all(isinstance(each, Class) and each.frame.module is not self._run.machine.main for each in own)
        return elsewhere and all(ending.text.endswith(".keras") for ending in found.load.endings)

    def is_named_here(self, part: CustomPart) -> bool:
        """Whether the top of this file defines the part, so that its name means it everywhere in the file."""
        return part.made_of is not None and part.made_of.node in self._run.tree.body


def _is_registered(made_of: Class | Function) -> bool:
    """Whether a decorator tells Keras of it, or may: one of the program that says `@exported("shapes.Ring")`."""
    node = made_of.node
    decorators = [] if isinstance(node, ast.Lambda) else [_last_name(each) for each in node.decorator_list]
    return any(name not in _TELL_NOTHING for name in decorators)


def _last_name(decorator: ast.expr) -> str:
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""
