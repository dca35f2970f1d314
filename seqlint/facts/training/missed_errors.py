"""Handlers round a fit for errors of its data, which do not arrive as what they were raised."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_super
from seqlint.facts.failures.handlers import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.calls import Calls
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

_OF_FILES = frozenset(
    f"builtins.{name}" for name in ("FileNotFoundError", "PermissionError", "IsADirectoryError", "OSError", "IOError", "EOFError")
)  # fmt: skip
_OF_ITEMS = frozenset({"builtins.KeyError", "builtins.IndexError", "builtins.LookupError"})
_OF_LIBRARIES = frozenset(
    {"PIL.UnidentifiedImageError", "json.JSONDecodeError", "cv2.error", "builtins.UnicodeDecodeError"}
)
_OPENS = frozenset(
    {"builtins.open", "numpy.load", "numpy.fromfile", "keras.utils.load_img", "json.load", "PIL.Image.open"}
)
_QUIET = ("builtins.print", "time.", "logging.", "builtins.len", "datetime.")
_PLAIN = frozenset({
    "builtins.range", "builtins.list", "builtins.tuple", "builtins.dict", "builtins.zip", "builtins.enumerate", "builtins.len",
    "builtins.super", "builtins.int", "builtins.float", "builtins.str", "builtins.min", "builtins.max", "numpy.arange", "numpy.array", "numpy.asarray",
    "numpy.random.shuffle", "numpy.random.permutation", "numpy.ceil", "numpy.floor", "math.ceil", "math.floor",
})  # fmt: skip
"""Functions that raise none of these errors for what a Sequence is made of."""
_CALM = frozenset({
    "keras.callbacks.EarlyStopping", "keras.callbacks.ReduceLROnPlateau", "keras.callbacks.TerminateOnNaN",
    "keras.callbacks.LearningRateScheduler", "keras.callbacks.History",
})  # fmt: skip
"""Callbacks that raise none of these errors: they write no files and ask for no keys."""
_MAX_BASES = 5
_METHODS = frozenset({"fit", "evaluate", "predict", "fit_generator", "evaluate_generator", "predict_generator"})


@dataclass(frozen=True, eq=False)
class MissedError:
    """A handler that does not see the errors it is made for.

    Attributes:
        call: the call that reads the data.
        caught: what the handler catches, in order.
        maker: the function that raises the error on the way to a batch.
        named: whether the handler asks for more than the text of the error.
    """

    handler: cst.ExceptHandler
    call: TrainerCall
    caught: tuple[cst.BaseExpression, ...]
    maker: str
    named: bool


class MissedErrors:
    """The handlers of one file that never match."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: Calls, training: Training) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._training = training

    @cached_property
    def all(self) -> tuple[MissedError, ...]:
        """In reading order."""
        found = (self._missed(node) for node in self._tree.all(cst.ExceptHandler))
        return tuple(each for each in found if each is not None)

    def _missed(self, handler: cst.ExceptHandler) -> MissedError | None:
        guarded = self._tree.parents[handler]
        caught = _types(handler.type)
        if not isinstance(guarded, cst.Try) or not caught or not all(map(self._is_narrow, guarded.handlers)):
            return None
        calls = self._tree.inside(guarded.body, cst.Call)
        fits = [fit for fit in self._training.calls if fit.node in calls and fit.method in _METHODS]
        if len(fits) != 1 or self._tree.function(fits[0].node) is not self._tree.function(handler):
            return None
        fit = fits[0]
        if not all(self._is_quiet(call) for call in calls if call is not fit.node) or not self._is_calm(fit):
            return None
        if any(self._names.qualified(error) in _OF_ITEMS for error in caught) and any(
            _takes_item(part) for part in self._tree.inside(guarded.body, cst.Subscript)
        ):
            return None
        makers = {self._maker(fit, error) for error in caught}
        if len(makers) != 1 or None in makers:
            return None
        return MissedError(handler, fit, caught, makers.pop() or "", self._asks_for_more(handler))

    def _is_narrow(self, handler: cst.ExceptHandler) -> bool:
        """Whether a handler catches nothing but errors that the data can raise."""
        caught = _types(handler.type)
        return bool(caught) and all(self._is_of_data(error) or self._is_by_hand(error) for error in caught)

    def _is_by_hand(self, error: cst.BaseExpression) -> bool:
        return self._names.qualified(error) == "builtins.KeyboardInterrupt"

    def _is_of_data(self, error: cst.BaseExpression) -> bool:
        if self._names.qualified(error) in _OF_FILES | _OF_ITEMS | _OF_LIBRARIES:
            return True
        own = self._kinds(error)
        return (
            isinstance(self._names.definition(error), cst.ClassDef) and "builtins.Exception" in own and None not in own
        )

    def _kinds(self, error: cst.BaseExpression, steps: int = _MAX_BASES) -> frozenset[str | cst.CSTNode | None]:
        """An error with all that it is made from; None among them for what is not in sight."""
        own = self._names.definition(error)
        if not isinstance(own, cst.ClassDef):
            name = self._names.qualified(error) or ""
            kind = getattr(builtins, name.removeprefix("builtins."), None) if name.startswith("builtins.") else None
            above = kind.__mro__ if isinstance(kind, type) and issubclass(kind, BaseException) else ()
            return frozenset({name or None, *(f"builtins.{one.__name__}" for one in above)})
        inherited = (self._kinds(base.value, steps - 1) if steps else {None} for base in own.bases)
        return frozenset({own}).union(*inherited)

    def _is_quiet(self, call: cst.Call) -> bool:
        """Whether a call beside the fit can't raise these errors itself."""
        name = self._names.qualified(call.func) or ""
        function = self._calls.called(call)
        starts = function is not None and self._values.is_generator(function)
        return starts or name in _CALM or name.startswith(_QUIET) or name in _PLAIN or self._makes_quietly(call)

    def _makes_quietly(self, call: cst.Call) -> bool:
        """Whether a call makes an instance of a class of this file whose `__init__` only keeps and orders what it is given."""
        owner = self._names.definition(call.func)
        init = self._calls.called(call) if isinstance(owner, cst.ClassDef) else None
        return init is not None and init.name.value == "__init__" and self._is_plain(init, frozenset())

    def _is_plain(self, function: cst.FunctionDef, seen: frozenset[cst.FunctionDef]) -> bool:
        """Whether nothing in a function of a Sequence looks anything up, opens, raises or calls what is not known."""
        if function in seen or self._tree.inside(function.body, cst.Raise):
            return False
        if any(_takes_item(part) for part in self._tree.inside(function.body, cst.Subscript)):
            return False
        return all(self._is_plain_call(call, seen | {function}) for call in self._tree.inside(function.body, cst.Call))

    def _is_plain_call(self, call: cst.Call, seen: frozenset[cst.FunctionDef]) -> bool:
        name = self._names.qualified(call.func) or ""
        if name in _PLAIN or name.startswith(_QUIET):
            return True
        if isinstance(call.func, cst.Attribute) and is_super(call.func.value):
            owner = self._tree.enclosing(call, cst.ClassDef)
            bases = (
                [self._names.qualified(base.value) or "" for base in owner.bases]
                if isinstance(owner, cst.ClassDef)
                else []
            )
            return bool(bases) and all(base.startswith("keras.") for base in bases)
        function = self._calls.called(call)
        own = isinstance(call.func, cst.Attribute) and self._values.self_class(call.func.value) is not None
        return function is not None and own and self._is_plain(function, seen)

    def _is_calm(self, fit: TrainerCall) -> bool:
        """Whether the callbacks of a fit raise none of these errors."""
        given = fit.value("callbacks")
        if given is None:
            return not any(argument.star for argument in fit.node.args)
        value = self._values.only(given)
        if not isinstance(value, (cst.List, cst.Tuple)):
            return False
        made = [self._values.only(element.value) for element in value.elements]
        return all(isinstance(one, cst.Call) and self._names.qualified(one.func) in _CALM for one in made)

    def _asks_for_more(self, handler: cst.ExceptHandler) -> bool:
        if handler.name is None or not isinstance(handler.name.name, cst.Name):
            return False
        asked = self._tree.asked_of(handler.body, handler.name.name.value)
        return bool(asked)

    # -- what raises it ---------------------------------------------------------------------------------------------

    def _maker(self, fit: TrainerCall, error: cst.BaseExpression) -> str | None:
        """The function on the way to a batch that raises an error; None where none in sight does."""
        for name, functions in self._makers(fit):
            if any(self._raises(function, error) for function in functions):
                return name
        return None

    def _makers(self, fit: TrainerCall) -> Iterator[tuple[str, list[cst.FunctionDef]]]:
        data = fit.data
        for value in self._values.of(data) if data is not None else ():
            owner = self._training.class_of(value) if isinstance(value, cst.Call) else None
            if owner is not None and owner.is_a("sequence") == "yes":
                ways = owner.reachable("__getitem__")
                out = [each.node for each in ways if each.piece is None or not each.piece.asked.caught]
                yield f"{owner.name}.__getitem__", out
                continue
            function = self._calls.called(value) if isinstance(value, cst.Call) else None
            if function is not None and self._values.is_generator(function):
                yield function.name.value, [function, *self._helpers(function)]

    def _helpers(self, function: cst.FunctionDef) -> list[cst.FunctionDef]:
        found = (self._calls.called(call) for call in self._tree.inside(function.body, cst.Call))
        return [helper for helper in found if helper is not None]

    def _raises(self, function: cst.FunctionDef, error: cst.BaseExpression) -> bool:
        name = self._names.qualified(error)
        caught = self._names.definition(error) or name
        for statement in self._tree.inside(function.body, cst.Raise):
            what = statement.exc.func if isinstance(statement.exc, cst.Call) else statement.exc
            if what is not None and caught is not None and caught in self._kinds(what):
                return True
        if name in _OF_FILES | _OF_LIBRARIES:
            calls = self._tree.inside(function.body, cst.Call)
            return any(reads(call) or self._names.qualified(call.func) in _OPENS for call in calls)
        if name not in _OF_ITEMS:
            return False
        return any(self._looks_up(part) for part in self._tree.inside(function.body, cst.Subscript))

    def _looks_up(self, part: cst.Subscript) -> bool:
        """`self.labels[name]`: no slice, no number."""
        index = part.slice[0].slice
        return len(part.slice) == 1 and isinstance(index, cst.Index) and not isinstance(index.value, cst.Integer)


def _takes_item(part: cst.Subscript) -> bool:
    """`heights["low"]` and `heights[0]`: no slice."""
    return isinstance(part.slice[0].slice, cst.Index)


def _types(node: cst.BaseExpression | None) -> tuple[cst.BaseExpression, ...]:
    if isinstance(node, cst.Tuple):
        return tuple(element.value for element in node.elements)
    return (node,) if node is not None else ()
