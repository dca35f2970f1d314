"""Sequences that hand on the batches of another Sequence, and never call its hook."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.sources.flows import PARAMETERS
from seqlint.run import Class, Function, Instance, Result
from seqlint.run.attributes import is_known, lookup
from seqlint.run.sequences import is_sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Value

HOOK = "on_epoch_end"
_INDEXES = ("_set_index_array", "index_array")  # what the hook of a flow works with
_ITERATORS = {
    "flow": "NumpyArrayIterator", "flow_from_directory": "DirectoryIterator", "flow_from_dataframe": "DataFrameIterator",
}  # fmt: skip
_MOST_PLAIN = 3  # positional arguments that surely come before `shuffle`


@dataclass(frozen=True, eq=False)
class Wrapper:
    """A Sequence of this file that takes each batch from the batch of another with the same index, and leaves its hook out.

    Attributes:
        attribute: where it keeps the other.
        called: the names of what the other can be, such as "DirectoryIterator"; none where only other files can tell.
        demands: whether the hook of the other requires arguments.
    """

    cls: Class
    attribute: str
    called: tuple[str, ...]
    demands: bool


class Wrappers:
    """The wrappers of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Wrapper, ...]:
        """One for each class, if all of its objects leave out the hook of the one Sequence that they wrap."""
        if any(self._run.asked(*_INDEXES)) or self._may_be_called or not self._run.complete:
            return ()
        found: dict[Class, list[Wrapper | None]] = {}
        for source in dict.fromkeys(each.source for each in self._run.batches):
            if source is not None and source.cls.frame.module is self._run.machine.main:
                found.setdefault(source.cls, []).append(self._of(source))
        return tuple(
            each[0] for each in found.values() if each[0] and all(one and one.called == each[0].called for one in each)
        )

    @cached_property
    def _may_be_called(self) -> bool:
        """Whether a hook is called of something that nobody knows, or rows of a flow are set by hand."""
        calls = [call for call in self._run.methods(HOOK, *_INDEXES) if not call.name.startswith("keras.utils.")]
        return bool(calls) or any(store.name in _INDEXES for store in self._run.stores)

    def _of(self, source: Instance) -> Wrapper | None:
        taken = self._by_itself(source, dict.fromkeys(self._taken(source)))
        names = {name for each in taken for name, held in self._held(source) if each in held}
        if (
            len(names) != 1
            or not is_known(source.cls)
            or any(self._is_called(each) or self._is_shared(source, each) for each in taken)
        ):
            return None
        if any(each not in taken and self._is_feed(each) for _, held in self._held(source) for each in held):
            return None  # two that are shuffled each for itself no longer belong together
        name = names.pop()
        hooks = {each: self._hook_of(each) for each in taken}
        if not all(called for called, _ in hooks.values()):
            return Wrapper(source.cls, name, (), demands=False) if self._is_open(taken) else None
        called = tuple(dict.fromkeys(called for called, _ in hooks.values()))
        return Wrapper(source.cls, name, called, any(demands for _, demands in hooks.values()))

    def _taken(self, source: Instance) -> Iterator[Object]:
        """What a batch is taken from by the index that Keras asks for."""
        for made in self._run.results:
            by_name = made.op == "call" and made.method == "__getitem__"
            if (made.op == "item" or by_name) and made.receiver and self._is_index(source, made.args):
                yield made.receiver
        for entered in self._run.entered:
            if (
                entered.name == "__getitem__"
                and entered.receiver is not source
                and self._is_index(source, entered.args)
            ):
                yield entered.receiver

    def _by_itself(self, source: Instance, taken: dict[Object, None]) -> dict[Object, None]:
        """What an object takes from itself, and not what a Sequence does that it takes a batch from, by the same index."""
        own = {each for _, held in self._held(source) for each in held}
        further: set[Object] = set()
        waiting = [each for each in taken if isinstance(each, Instance)]
        while waiting:
            found = {each for _, held in self._held(waiting.pop()) for each in held} - further
            further |= found
            waiting += [each for each in found if isinstance(each, Instance)]
        return {each: None for each in taken if each in own or each not in further}

    def _is_index(self, source: Instance, args: tuple[Value, ...]) -> bool:
        index = args[0].only if len(args) == 1 else None
        return isinstance(index, Result) and index.op == "parameter" and index.receiver is source

    def _held(self, source: Instance) -> Iterator[tuple[str, tuple[Object, ...]]]:
        """What the attributes of an object have held."""
        for name in self._run.machine.heap.names.get(source.serial, ()):
            log = self._run.machine.heap.log[source.serial, name]
            yield name, tuple(each for put in log for each in put.value or ())

    def _is_feed(self, found: Object) -> bool:
        flow = isinstance(found, Result) and found.op == "call" and found.method in _ITERATORS
        return flow or (isinstance(found, Instance) and is_sequence(found.cls))

    def _is_shared(self, source: Instance, found: Object) -> bool:
        """Whether another object has it, too: one of them shuffles for both then."""
        others = (each for made in self._run.machine.instances.values() for each in made if each is not source)
        return self._is_feed(found) and any(found in held for other in others for _, held in self._held(other))

    def _is_called(self, found: Object) -> bool:
        """Whether anything but Keras calls its hook."""
        entered = [each for each in self._run.entered if each.receiver is found and each.name == HOOK]
        driven = self._run.machine.phases_of.get(found.serial, ()) if isinstance(found, Instance) else ()
        return any(each.phase not in driven for each in entered)

    # -- the other --------------------------------------------------------------------------------------------------

    def _hook_of(self, found: Object) -> tuple[str, bool]:
        """The name of what has the hook, and whether that requires arguments; an empty name where there is no hook, or nobody knows."""
        cls = found.cls if isinstance(found, Instance) else self._annotated(found)
        if cls is not None:
            member = lookup(self._run.machine, cls, HOOK).value
            hook = member.only if member is not None and is_sequence(cls) else None
            works = isinstance(hook, Function) and _does_something(hook.node)
            return (cls.name, _demands(hook.node)) if works and isinstance(hook, Function) else ("", False)
        return (_ITERATORS[found.method], False) if isinstance(found, Result) and _is_shuffled(found) else ("", False)

    def _annotated(self, found: Object) -> Class | None:
        """`def __init__(self, feed: Feed)`: what a parameter that nobody fills says that it is."""
        function = found.receiver if isinstance(found, Result) and found.op == "parameter" else None
        if not isinstance(function, Function) or not isinstance(found, Result):
            return None
        own = function.node.args
        said = next((each.annotation for each in (*own.args, *own.kwonlyargs) if each.arg == found.name), None)
        value = self._run.machine.evaluate(self._run.machine, said, function.frame) if said is not None else None
        only = value.only if value is not None else None
        return only if isinstance(only, Class) else None

    def _is_open(self, taken: dict[Object, None]) -> bool:
        """Whether only other files can tell what is wrapped: a parameter of which the length is asked, as that of a Sequence."""
        asked = [each for call in self._run.called("builtins.len") for given in call.result.args[:1] for each in given]
        return all(isinstance(each, Result) and each.op == "parameter" and each in asked for each in taken)


def _is_shuffled(found: Result) -> bool:
    """Whether a flow of `ImageDataGenerator` is shuffled: it is, unless somebody turns that off."""
    if found.op != "call" or found.method not in PARAMETERS or len(found.args) > _MOST_PLAIN:
        return False
    given = [value.constant for name, value in found.keywords if name == "shuffle"]
    return all(each is True for each in given) and not any(name in ("*", "**") for name, _ in found.keywords)


def _does_something(function: ast.AST) -> bool:
    """Whether a body is more than a docstring, `pass` and `...`."""
    body = function.body if isinstance(function, ast.FunctionDef) else []
    return any(
        not isinstance(each, ast.Pass) and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in body
    )


def _demands(function: ast.AST) -> bool:
    own = function.args if isinstance(function, ast.FunctionDef) else ast.arguments([], [], None, [], [], None, [])
    return len(own.args) - len(own.defaults) > 1 or None in own.kw_defaults
