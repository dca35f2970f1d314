"""Samples that are decoded one after the other by the only worker.

## Why
`__getitem__` opens and decodes the files of its batch in turn, and the only thread that makes batches makes them in turn. While it reads
a file, it does nothing else; the model waits for the next batch. Decoders release Python's lock while they work, so several threads
decode several batches at a time.

## Measured
- Keras 3: with `workers=4` four threads make batches; samples, order and history stay the same. With one worker all batches but
  the first two, which Keras reads before the first step, are made in the background, one after the other.
- Keras 2: the same, with `workers=4` as an argument of `fit`.

## Do this
Give the Sequence workers: `Photos(paths, workers=4)`, as many as there are cores; its `__init__` must pass `**kwargs` on to
`super().__init__`. On Keras 2 give them to `fit`. Threads are enough; processes cost more and break more easily.

## Silent when
Workers are given anywhere, or may be; the file trains on no instance of the class.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    KERAS_3_LINES,
    KERAS_LINES,
    ClassFacts,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Maker,
    Note,
    Rule,
    a_call_of_model,
    a_getitem,
    a_sequence,
    add_argument,
    as_template_method,
    forward_keywords,
)

_LEAVES = """
import os
import tempfile

import keras
import numpy as np


class Leaves(keras.utils.PyDataset):
    def __init__(self, paths, kinds, **kwargs):
        super().__init__(**kwargs)
        self.paths, self.kinds = paths, kinds

    def __len__(self):
        return len(self.paths) // 2

    def __getitem__(self, index):
        rows = slice(index * 2, index * 2 + 2)
        images = [self._image(path) for path in self.paths[rows]]
        return np.stack(images), self.kinds[rows]

    def _image(self, path):
        image = keras.utils.load_img(path, target_size=(4, 4))
        return keras.utils.img_to_array(image) / 255


folder = tempfile.mkdtemp()
paths = [os.path.join(folder, f"{number}.png") for number in range(6)]
for number, path in enumerate(paths):
    keras.utils.save_img(path, np.full((5, 5, 3), number * 40.0))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Leaves(paths, np.arange(6.0)), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ228",
    name="slow-batch-one-worker",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    contract=Contract(),
    needs=(a_sequence, a_getitem, a_call_of_model),
    examples=(
        Example(_LEAVES, _LEAVES.replace("np.arange(6.0))", "np.arange(6.0), workers=4)"), keras=">=3"),
        Example(
            _LEAVES.replace(
                "self.paths, self.kinds = paths, kinds", "self.paths = [*paths]\n        self.kinds = kinds"
            )
            .replace("paths, kinds, **kwargs", "paths, kinds")
            .replace("        super().__init__(**kwargs)\n", ""),
            _LEAVES.replace(
                "self.paths, self.kinds = paths, kinds", "self.paths = [*paths]\n        self.kinds = kinds"
            ).replace("np.arange(6.0))", "np.arange(6.0), workers=4)"),
            keras=">=3",
            contract=Contract(repairs=frozenset({"warnings"})),
        ),
        Example.ok(_LEAVES.replace("np.arange(6.0))", "np.arange(6.0), workers=2)")),
        Example.ok(_LEAVES.replace("keras.utils.load_img(path, target_size=(4, 4))", "np.load(path)")),
        Example.ok(
            """
import keras
from PIL import Image


class Leaves(keras.utils.PyDataset):
    def __init__(self, paths, **kwargs):
        super().__init__(**kwargs)
        self.images = [Image.open(path).resize((4, 4)) for path in paths]

    def __getitem__(self, index):
        return self.images[index], self.images[index]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Leaves(["a.png"]))
"""
        ),
    ),
    sources=("Why is TensorFlow 2 model training stalled when using Keras Sequence data generators?",),
)

_NOTE = Note.on_keras_3(
    "`workers=4` makes four batches at a time, in the same order",
    "`workers=4` in `fit` makes four batches at a time, in the same order",
)


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for maker in facts.batches.makers:
        owner = maker.owner
        decoded = facts.decodes.of(maker) if maker.of_sequence else ()
        if owner is None or not decoded or decoded[0] in seen or not _by_one(facts, owner):
            continue
        if maker.template_method is not None and maker.template_method.asked.sets_workers:
            continue
        seen.add(decoded[0])
        message = (
            f"`{facts.text(decoded[0].func)}` decodes the samples of `{owner.name}` one after the other, in one worker"
        )
        finding = facts.finding(decoded[0], message, _NOTE)
        # It is unknown whether threads may share a base in another file.
        edits = _edits(facts, owner) if maker.template_method is None and _can_be_shared(facts, maker, owner) else ()
        # Each Keras takes them in a place of its own.
        lines = KERAS_LINES[:1] if facts.keras.lines == {"2"} else KERAS_3_LINES
        if edits:
            yield finding.fixed_by("Give it four workers: `workers=4`", *edits, lines=lines)
        else:
            yield as_template_method(
                maker.template_method, but(finding, help="give it `workers=4`", no_fix=_reason(facts, maker, owner))
            )


def _reason(facts: Facts, maker: Maker, owner: ClassFacts) -> str:
    if maker.template_method is not None:
        return "a base class in another file calls this method"
    if not _can_be_shared(facts, maker, owner):
        return "its batches draw or change something that threads would share"
    return f"nothing shows that `workers` would reach Keras through `{owner.name}`"


def _by_one(facts: Facts, owner: ClassFacts) -> bool:
    """Whether it is trained on in this file, and nothing gives it workers."""
    settings = (*facts.loading.settings(owner, "workers"), *facts.loading.settings(owner, "use_multiprocessing"))
    fits = (call for call, _ in facts.training.fed(owner) if call.method.startswith("fit"))
    return (
        not settings and not facts.loading.external(owner) and any(facts.evidence.model(call) == "yes" for call in fits)
    )


def _can_be_shared(facts: Facts, maker: Maker, owner: ClassFacts) -> bool:
    """Whether several threads give the same batches as one: none draws a number, or changes what the others read."""
    touched = facts.attributes.assigned(owner, "__getitem__") | facts.attributes.mutated(owner, "__getitem__")
    names = {facts.qualified(call.func) or "" for call, _ in facts.decodes.calls(maker)}
    draws = any(name.startswith(("random.", "tensorflow.random.")) for name in names) or facts.numpy_draws.of(maker)
    writes = any(facts.writes.of(reached) for reached in owner.reachable("__getitem__"))
    return not (touched or draws or writes or facts.handles.of(owner))


def _edits(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    calls = [call for call, _ in facts.training.fed(owner)]
    if facts.keras.lines == {"2"}:
        return tuple(add_argument(facts, call.node, "workers=4") for call in calls if call.method.startswith("fit"))
    forwarded = forward_keywords(facts, owner, ("workers",))
    makers = facts.training.instances(owner)
    if forwarded is None or not makers or any(a.star for made in makers for a in made.args):
        return ()
    return (*forwarded, *(add_argument(facts, made, "workers=4") for made in makers))
