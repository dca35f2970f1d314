"""TensorFlow that runs on the way to a batch: operations, layers, models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project.callee_summaries import CalleeSummaries

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.training.evidence import Evidence
    from seqlint.facts.training.switches import Switches
    from seqlint.facts.training.training import Training

# Plain Python behind TensorFlow's name.
_NO_OPS = (
    "tensorflow.io.gfile.", "tensorflow.gfile.", "tensorflow.compat.", "tensorflow.get_logger", "tensorflow.config.",
    "tensorflow.executing_eagerly", "tensorflow.python.", "tensorflow.train.", "tensorflow.summary.", "tensorflow.is_tensor",
    "tensorflow.logging.", "tensorflow.name_scope", "tensorflow.device", "tensorflow.TensorShape", "tensorflow.debugging.",
)  # fmt: skip
_KERAS_OPS = ("keras.ops.", "keras.random.", "keras.layers.", "keras.metrics.", "keras.losses.")
_CALLABLE = ("keras.layers.", "keras.Sequential", "keras.Model", "keras.models.", "keras.applications.")
_PLAIN_BACKEND = frozenset({
    "floatx", "set_floatx", "epsilon", "set_epsilon", "image_data_format", "set_image_data_format", "backend", "clear_session",
    "learning_phase", "set_learning_phase", "get_uid",
})  # fmt: skip
_BACKEND = "keras.backend."
_LIBRARIES = (b"tensorflow", b"keras")


class TensorOps:
    """The TensorFlow on the way to the batches of one file."""

    def __init__(self, batches: Batches, training: Training, evidence: Evidence, switches: Switches) -> None:
        self._batches = batches
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values
        self._training = training
        self._evidence = evidence
        self._switches = switches
        self._callees = CalleeSummaries(batches.flow.names.project)

    def of(self, maker: Maker) -> tuple[cst.Call, ...]:
        """The calls that compute with TensorFlow whenever a batch is made in a process, in reading order."""
        frames = [frame for frame in self._batches.frames(maker) if frame.function is not None]
        calls = {call: frame for frame in reversed(frames) for call in self._tree.inside(_body(frame), cst.Call)}
        models = {
            call.node for call in self._training.calls if call.node in calls and self._evidence.model(call) == "yes"
        }
        found = [call for call in calls if call in models or self._runs(call, calls[call])]
        owner = maker.owner
        if owner is not None:
            found = [call for call in found if self._switches.in_processes(call, calls[call], owner)]
        return self._tree.order.sorted(found)

    def _runs(self, call: cst.Call, frame: Frame) -> bool:
        """Whether a call runs an operation, one of another file does, or `@tf.function` made one of what is called."""
        name = self._names.qualified(call.func) or ""
        if is_op(name) or any(is_op(far.name) for word in _LIBRARIES for far in self._callees.calls(name, word)):
            return True
        made = self._values.of(call.func) if isinstance(call.func, (cst.Name, cst.Attribute)) else ()
        if made and all(isinstance(each, cst.Call) and self._is_layer(each) for each in made):
            return True
        function = self._batches.flow.called(call, frame)
        decorators = (each.decorator for each in function.decorators) if function is not None else ()
        bare = (each.func if isinstance(each, cst.Call) else each for each in decorators)
        return any(self._names.qualified(each) == "tensorflow.function" for each in bare)

    def _is_layer(self, made: cst.Call) -> bool:
        """A layer, or a model, that is called like a function."""
        return (self._names.qualified(made.func) or "").startswith(_CALLABLE)


def _body(frame: Frame) -> cst.BaseSuite:
    assert frame.function is not None
    return frame.function.body


def is_op(name: str) -> bool:
    """Whether a canonical name is one of a function that runs on TensorFlow."""
    if name.startswith(_BACKEND):
        return name[len(_BACKEND) :] not in _PLAIN_BACKEND
    if name.startswith("tensorflow."):
        last = name.rpartition(".")[2]
        return not name.startswith(_NO_OPS) and not last[0].isupper()
    return name.startswith(_KERAS_OPS)
