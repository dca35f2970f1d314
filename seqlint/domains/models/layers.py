"""The layers that the output of a model goes through, the last one first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.models.given import Given
from seqlint.knowledge.canonical_names import MODEL
from seqlint.run import Container, Instance, Result, Tuple, Value
from seqlint.run.attributes import inherits
from seqlint.run.objects import Super

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run
    from seqlint.run.machine import Piece

_MOST = 40
_PLAIN = ("tensorflow.", "keras.ops.", "keras.activations.")


def last_layers(run: Run, model: Result | Instance, at: Context) -> Iterator[Object]:
    """The layers of a model from its end on, as far as it is one line without branches."""
    added = _added(run, model, at)
    if added is None:
        return
    yield from added
    if isinstance(model, Instance):
        yield from _of_instance(run, model)
    elif model.op == "call" and model.name == "keras.Sequential":
        yield from _listed(run, model.args[0] if model.args else model.keyword("layers"))
    elif model.op == "call" and model.name == "keras.Model":
        yield from applied(run, model.args[1] if len(model.args) > 1 else model.keyword("outputs"))
    elif model.op == "call" and model.method in ("clone_model", "multi_gpu_model") and model.args:
        inner = model.args[0].only
        if inner is not None:
            yield inner
    elif model.op == "attribute" and model.method == "output" and model.receiver is not None:
        yield model.receiver


def applied(run: Run, output: Value | None) -> Iterator[Object]:
    """The layers and operations that an output of a functional model went through, down to its input, or to what can't be followed."""
    for _ in range(_MOST):
        only = output.only if output is not None else None
        if isinstance(only, (Container, Tuple)):
            items = run.items(only)
            if items is None or len(items) != 1:
                yield only
                return
            output = items[0]
            continue
        if not isinstance(only, Result) or only.op == "parameter":
            return
        if only.op == "attribute" and only.method == "output" and only.receiver is not None:
            yield only.receiver
            return
        is_layer = only.name.endswith("()") and only.receiver is not None
        yield only.receiver if is_layer and only.receiver is not None else only
        if only.op != "call" or not only.args or not (is_layer or only.name.startswith(_PLAIN)):
            return
        output = only.args[0]


def _added(run: Run, model: Result | Instance, at: Context) -> list[Object] | None:
    """The layers that `add` gives a model, the last one first; None where it is not known which are there."""
    if run.domain(Given).before(model, at):
        return None
    calls = [call for call in run.methods("add", "pop") if call.result.receiver is model]
    calls = [call for call in calls if call.context.clock < at.clock and not call.context.excludes(at)]
    found: list[Object] = []
    for call in reversed(calls):
        layer = call.result.args[0].only if call.result.args else None
        if call.result.method == "pop" or layer is None or not _is_sure(run, call, model, at):
            return found or None
        found.append(layer)
    return found


def _is_sure(run: Run, call: Call, model: Result | Instance, at: Context) -> bool:
    """Whether a layer is surely added: on each way to where the model is used, and not in a loop that may have no round."""
    made = run.call_of.get(model) if isinstance(model, Result) else None
    around = {*map(_node, made.context.loops)} if made is not None else set()
    around |= {*map(_node, at.loops)}
    return call.context.guards <= at.guards and {*map(_node, call.context.loops)} <= around


def _node(loop: object) -> int:
    return id(loop.node)  # type: ignore[attr-defined]


def _listed(run: Run, value: Value | None) -> Iterator[Object]:
    """The layers of the list that `Sequential` gets, the last one first."""
    only = value.only if value is not None else None
    if isinstance(only, Result) and only.op == "operator" and only.name == "+" and len(only.args) == 2:
        yield from _listed(run, only.args[1])
        return
    items = run.items(only) if isinstance(only, (Container, Tuple)) else None
    if items is None and isinstance(only, Container):
        items = _tail(run.pieces(only))
    for item in reversed(items or []):
        if item.only is None:
            return
        yield item.only


def _tail(pieces: tuple[Piece, ...]) -> list[Value]:
    """What is appended to a list after the loops that fill it."""
    found: list[Value] = []
    for piece in reversed(pieces):
        if piece.how != "append" or piece.loops or piece.context.guards:
            break
        found.insert(0, piece.value)
    return found


def _of_instance(run: Run, model: Instance) -> Iterator[Object]:
    """The end of a model of the program's own class: what `super().__init__` gets, or what its `call` gives."""
    if not inherits(model.cls, MODEL):
        return
    started = [call for call in run.methods("__init__") if _is_start_of(call, model)]
    for call in started[:1]:
        outputs = call.result.argument("outputs", 1)
        if outputs is not None:
            yield from applied(run, outputs)
            return
        if call.result.args and isinstance(call.result.args[0].only, Container):
            yield from _listed(run, call.result.args[0])
            return
    given = run.given_by(model, "call")
    if given is not None:
        yield from applied(run, given)


def _is_start_of(call: Call, model: Instance) -> bool:
    receiver = call.result.receiver
    return receiver is model or (isinstance(receiver, Super) and receiver.receiver is model)
