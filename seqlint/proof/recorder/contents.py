"""What is in files that TensorFlow writes: of logs the values, of exported models and checkpoints the variables and signatures.

Their bytes hold times, counters and names that TensorFlow makes up, so that two equal runs write others.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOG = "events.out.tfevents."
_EXPORTED = "saved_model.pb"
_INDEX, _DATA = ".index", ".data-"
_MADE_UP = frozenset({"fingerprint.pb", "keras_metadata.pb"})
_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
_HEAD, _TAIL = 12, 4
"""Bytes before and after each event of a log: its length and checksums."""


def of_tensorflow(path: str) -> str | None:
    """What is in a file of TensorFlow, as lines; None where it is none, or can't be read."""
    name = os.path.basename(path)
    with suppress(Exception):  # not what its name says, or not whole
        if name.startswith(_LOG):
            return "\n".join(_logged(path))
        if name == _EXPORTED:
            return "\n".join(_exported(path))
        if name.endswith(_INDEX) and os.path.exists(f"{path.removesuffix(_INDEX)}{_DATA}00000-of-00001"):
            return "\n".join(_kept(path.removesuffix(_INDEX)))
        if name in _MADE_UP or (_DATA in name and os.path.exists(f"{path[: path.rindex(_DATA)]}{_INDEX}")):
            return ""
    return None


def _logged(path: str) -> Iterator[str]:
    """The values of a log in their order, without the graph."""
    import tensorflow as tf

    for event in _events(path):
        for value in event.summary.value:
            number = value.simple_value if value.HasField("simple_value") else tf.make_ndarray(value.tensor)
            if np.asarray(number).dtype.kind in "fiub":
                yield f"{value.tag} of step {event.step}: {_shown(np.asarray(number))}"
            else:
                yield f"{value.tag} of step {event.step}"


def _events(path: str) -> Iterator[Any]:
    import tensorflow as tf

    with open(path, "rb") as file:
        while len(head := file.read(_HEAD)) == _HEAD:
            (length,) = struct.unpack("<Q", head[:8])
            yield tf.compat.v1.Event.FromString(file.read(length))
            file.read(_TAIL)


def _exported(path: str) -> Iterator[str]:
    """The signatures of an exported model, and how often each operation is in it."""
    from tensorflow.core.protobuf import saved_model_pb2

    with open(path, "rb") as file:
        model = saved_model_pb2.SavedModel.FromString(file.read())
    for graph in model.meta_graphs:
        for name, signature in sorted(graph.signature_def.items()):
            for kind, tensors in (("takes", signature.inputs), ("gives", signature.outputs)):
                yield f"{name} {kind} {', '.join(f'{key} {_spec(one)}' for key, one in sorted(tensors.items()))}"
        nodes = [*graph.graph_def.node, *(node for part in graph.graph_def.library.function for node in part.node_def)]
        yield from (f"{count} {op}" for op, count in sorted(Counter(node.op for node in nodes).items()))


def _spec(tensor: Any) -> str:
    import tensorflow as tf

    return f"{tf.as_dtype(tensor.dtype).name}{[size.size for size in tensor.tensor_shape.dim]}"


def _kept(prefix: str) -> Iterator[str]:
    """The variables of a checkpoint."""
    import tensorflow as tf

    reader = tf.train.load_checkpoint(prefix)
    for name in sorted(reader.get_variable_to_shape_map()):
        if name != _GRAPH:
            yield f"{name}: {_shown(np.asarray(reader.get_tensor(name)))}"


def _shown(array: np.ndarray[Any, Any]) -> str:
    """A single number as itself, more of them as a digest."""
    if array.size == 1 and array.dtype.kind in "fiub":
        return f"{array.item():.7g}"
    data = repr(array.tolist()).encode() if array.dtype == object else np.ascontiguousarray(array).tobytes()
    return f"{array.dtype} {list(array.shape)} {hashlib.blake2b(data, digest_size=8).hexdigest()}"
