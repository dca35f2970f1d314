"""Handlers round a fit for errors of its data, which do not arrive as what they were raised."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_super
from seqlint.facts.flow.handlers import reads
from seqlint.facts.project.summary import GENERATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.exception_classes import Errors
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
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

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, training: Training, classes: Classes, errors: Errors,
        external: Callable[[str], MissedErrors | None],
    ) -> None:  # fmt: skip
        """`external` gives the handlers of the file that a name of another file leads to."""
        self._classes = classes
        self._errors = errors
        self._external = external
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
        return self._errors.is_own(error) and self._errors.kinds(error) >= {"builtins.Exception"}

    def _is_quiet(self, call: cst.Call) -> bool:
        """Whether a call beside the fit can't raise these errors itself."""
        name = self._names.qualified(call.func) or ""
        function = self._calls.called(call)
        starts = self._training.made(call) == (GENERATOR,) or (
            function is not None and self._values.is_generator(function)
        )
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
            bases = self._classes.of(owner).bases if isinstance(owner, cst.ClassDef) else ()
            return bool(bases) and all((self._names.qualified(base) or "").startswith("keras.") for base in bases)
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
        caught = self._errors.name(error)
        for value in self._values.of(fit.data) if fit.data is not None and caught is not None else ():
            found = self._raiser(value, caught) if isinstance(value, cst.Call) and caught is not None else None
            if found is not None:
                return found
        return None

    def _raiser(self, value: cst.Call, caught: str) -> str | None:
        if self._names.definition(value.func) is None and (name := self._names.qualified(value.func)) is not None:
            other = self._external(name)
            return other.raiser(name.rpartition(".")[2], caught) if other is not None else None
        owner, function = self._training.class_of(value), self._calls.called(value)
        if owner is not None:
            return self._of_class(owner, caught)
        return self._of_function(function, caught) if function is not None else None

    def raiser(self, name: str, caught: str) -> str | None:
        """The function that raises an error on the way to a batch, of a Sequence or generator of this file."""
        owner = next((each for each in self._classes.all if each.name == name), None)
        if owner is not None:
            return self._of_class(owner, caught)
        named = [each for each in self._tree.all(cst.FunctionDef) if each.name.value == name]
        return self._of_function(named[0], caught) if len(named) == 1 else None

    def _of_class(self, owner: ClassFacts, caught: str) -> str | None:
        if owner.is_a("sequence") != "yes":
            return None
        ways = owner.reachable("__getitem__")
        out = [each.node for each in ways if each.template_method is None or not each.template_method.asked.caught]
        return f"{owner.name}.__getitem__" if any(self._raises(function, caught) for function in out) else None

    def _of_function(self, function: cst.FunctionDef, caught: str) -> str | None:
        if not self._values.is_generator(function):
            return None
        out = [function, *self._helpers(function)]
        return function.name.value if any(self._raises(each, caught) for each in out) else None

    def _helpers(self, function: cst.FunctionDef) -> list[cst.FunctionDef]:
        found = (self._calls.called(call) for call in self._tree.inside(function.body, cst.Call))
        return [helper for helper in found if helper is not None]

    def _raises(self, function: cst.FunctionDef, name: str) -> bool:
        for statement in self._tree.inside(function.body, cst.Raise):
            what = statement.exc.func if isinstance(statement.exc, cst.Call) else statement.exc
            if what is not None and name in self._errors.kinds(what):
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
