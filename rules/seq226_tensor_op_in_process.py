"""TensorFlow in worker processes that were forked while it was running.

## Why
When Keras forks the workers, `fit` has already started TensorFlow's threads. A forked process has none of these threads, but believes
that it has: an operation that gives work to them waits for ever. `fit` stops and prints nothing.

## Measured
- Keras 3: a batch that calls a `tf.function`, or multiplies two matrices of 256 x 256 with `tf.matmul`, never comes; `fit` hangs for
  more than 60 seconds without a message.
- Keras 2: the same.
- Every Keras: small operations such as `tf.ones`, and `tf.image.resize` of a small image, came back. With threads all of them work.

## Do this
Compute with NumPy or Pillow in `__getitem__`, or use threads instead of processes: `workers=4` alone. TensorFlow releases Python's
lock while it computes, so threads are as fast.

## Silent when
The call is plain Python under a name of TensorFlow or Keras: `to_categorical`, `load_img`, `pad_sequences`, `preprocess_input`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    ClassFacts,
    Constant,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    a_getitem,
    a_sequence,
    as_template_method,
    cst,
    if_in_processes,
    remove_argument,
)

_WAVES = """
import keras
import numpy as np
import tensorflow as tf


class Waves(keras.utils.PyDataset):
    def __init__(self, waves, **kwargs):
        super().__init__(**kwargs)
        self.waves = waves

    def __len__(self):
        return len(self.waves) // 2

    def __getitem__(self, index):
        rows = self.waves[index * 2 : index * 2 + 2]
        return self._spectrum(rows), rows[:, :1]

    def _spectrum(self, rows):
        return tf.abs(tf.ones(4) * rows).numpy()


if __name__ == "__main__":
    waves = Waves(np.ones((4, 4), "float32"), workers=2, use_multiprocessing=True)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(waves, epochs=1, verbose=0)
"""

RULE = Rule(
    code="SEQ226",
    name="tensor-op-in-process",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(_WAVES, _WAVES.replace(", use_multiprocessing=True", "")),
        Example(
            """
import keras
import tensorflow as tf


class Crops(keras.utils.PyDataset):
    def __init__(self, paths, size=8, processes=True):
        super().__init__(workers=4, use_multiprocessing=processes)
        self.paths, self.size = paths, size

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        image = tf.io.decode_png(tf.io.read_file(self.paths[index]))
        return tf.image.resize(image, (self.size, self.size))[None].numpy(), [[1.0]]
"""
        ),
        Example.ok(_WAVES.replace(", use_multiprocessing=True", "")),
        Example.ok(_WAVES.replace("tf.abs(tf.ones(4) * rows).numpy()", "keras.utils.to_categorical(rows[:, 0], 4)")),
        Example.where_unknown(_WAVES.replace("use_multiprocessing=True", "use_multiprocessing=choose()")),
    ),
    sources=("keras-team/keras#10340", "tensorflow/tensorflow#35879"),
)

_NOTE = "forked processes lack TensorFlow's threads: a `tf.function` or a big product never returns, and `fit` hangs without a message"
_HELP = "compute with NumPy or Pillow, or use threads: `workers=4` without `use_multiprocessing`"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for maker in facts.batches.makers:
        if maker.owner is None or not maker.of_sequence or facts.loading.processes(maker.owner) == "no":
            continue
        calls = [call for call in facts.tensor_ops.of(maker) if call not in seen]
        if not calls:
            continue
        seen.update(calls)
        message = (
            f"`{facts.text(calls[0].func)}` runs TensorFlow in the forked worker processes of `{maker.owner.name}`"
        )
        finding = facts.finding(calls[0], message, _NOTE)
        # What else the base in another file does may count on processes.
        edits = _edits(facts, maker.owner) if maker.template_method is None else ()
        if edits:
            finding = finding.fixed_by("Use threads instead of processes", *edits)
        else:
            reason = (
                _reason(facts, maker.owner)
                if maker.template_method is None
                else "a base class in another file calls this method"
            )
            finding = as_template_method(maker.template_method, but(finding, help=_HELP, no_fix=reason))
        yield if_in_processes(facts, maker.owner, finding, RULE.levels)


def _reason(facts: Facts, owner: ClassFacts) -> str:
    if _counts_on_processes(facts, owner):
        return "threads would share what the batches change, or draw other numbers"
    if facts.loading.external(owner):
        return "code of another file uses the Sequence"
    return "`use_multiprocessing` is not given as the plain argument `True`"


def _edits(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    """Leave `use_multiprocessing=True` out, wherever it is given."""
    settings = [setting for setting in facts.loading.settings(owner, "use_multiprocessing") if setting.on != "no"]
    edits: list[Edit] = []
    for setting in settings:
        call = facts.tree.parents[setting.node]
        plain = isinstance(setting.node, cst.Arg) and facts.values.constant(setting.value) == Constant(True)
        if not plain or not isinstance(call, cst.Call) or not isinstance(setting.node, cst.Arg):
            return ()
        removed = remove_argument(facts, call, setting.node)
        if not removed:
            return ()
        edits += removed
    return tuple(edits) if not (facts.loading.external(owner) or _counts_on_processes(facts, owner)) else ()


def _counts_on_processes(facts: Facts, owner: ClassFacts) -> bool:
    """Whether threads would do something else: share what the batches change, or draw other numbers."""
    touched = facts.attributes.assigned(owner, "__getitem__") | facts.attributes.mutated(owner, "__getitem__")
    makers = (maker for maker in facts.batches.makers if maker.owner is owner)
    return bool(touched) or bool(facts.handles.of(owner)) or any(facts.numpy_draws.of(maker) for maker in makers)
