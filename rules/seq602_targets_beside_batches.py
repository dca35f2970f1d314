"""Targets or weights are given for data that already contain their own.

## Why
A Sequence, a generator or a `tf.data.Dataset` returns whole batches: inputs, targets and, if wanted, weights. `fit` and
`evaluate` can't cut other targets into the same batches, so they refuse them. Often nobody meant targets: the second
position of `fit_generator` was `steps_per_epoch`, and that of `fit` is `y`.

## Measured
- Keras 3: ValueError "When providing `x` as a PyDataset, `y` should not be passed" before the first step, for
  generators and datasets too, and for `sample_weight` and `validation_data=(source, y)`. A number is refused as well.
- Keras 2: ValueError "`y` argument is not supported when using `keras.utils.Sequence` as input", and the like.
- Every Keras: `y=None` and `validation_data=(source, None)` are accepted.

## Do this
Let each batch be `(inputs, targets)` or `(inputs, targets, weights)`. For an autoencoder that is `(x, x)`; the
iterators of `ImageDataGenerator` give it with `class_mode="input"`. A count of steps is `steps_per_epoch=` in `fit`,
`steps=` in `evaluate`.

## Silent when
The data may be arrays, or the targets may be None.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Constant,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    TrainerCall,
    a_call_of_model,
    a_source,
    cst,
    if_on_model,
    name_argument,
    remove_argument,
    replace,
)

_FEED = """
import keras
import numpy as np


class Tides(keras.utils.Sequence):
    def __init__(self, levels, heights, **kwargs):
        super().__init__(**kwargs)
        self.levels = levels
        self.heights = heights

    def __len__(self):
        return len(self.levels) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self.levels[rows], self.heights[rows]


levels, heights = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_STREAM = """
import keras
import numpy as np


def stream(rows):
    while True:
        for start in range(0, len(rows), 4):
            yield rows[start : start + 4], rows[start : start + 4, :1]


rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ602",
    name="targets-beside-batches",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model, a_source),
    examples=(
        Example(
            _FEED + "model.fit(Tides(levels, heights), heights, epochs=2, verbose=0)\n",
            _FEED + "model.fit(Tides(levels, heights), epochs=2, verbose=0)\n",
            keras=">=2.15",
        ),
        Example(
            _STREAM + "model.fit(stream(rows), len(rows) // 4, epochs=2, verbose=0)\n",
            _STREAM + "model.fit(stream(rows), steps_per_epoch=len(rows) // 4, epochs=2, verbose=0)\n",
            keras=">=2.15",
        ),
        Example(
            _FEED + "model.fit(levels, heights, verbose=0, validation_data=(Tides(levels, heights), heights))\n",
            _FEED + "model.fit(levels, heights, verbose=0, validation_data=Tides(levels, heights))\n",
        ),
        Example(
            """
import keras
import numpy as np
import tensorflow as tf

pairs = tf.data.Dataset.from_tensor_slices((np.ones((8, 3)), np.ones((8, 1)))).batch(4)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(pairs, epochs=2, sample_weight=np.ones(8), verbose=0)
"""
        ),
        Example.where_unknown(_STREAM + "def run(learning):\n    learning.fit(stream(rows), rows[:, :1])\n"),
        Example.ok(_FEED + "model.fit(Tides(levels, heights), None, validation_data=(levels, heights), verbose=0)\n"),
        Example.ok(
            _FEED
            + """
def run(data, targets=None):
    model.fit(data, targets, verbose=0)


run(Tides(levels, heights))
run(levels, heights)
"""
        ),
    ),
    sources=("mjkvaak/ImageDataAugmentor#6", "divamgupta/image-segmentation-keras#290", "keras-team/keras#11800"),
)

_STEPS = {"fit": "steps_per_epoch", "evaluate": "steps"}
_PLACE = {"y": "targets", "sample_weight": "weights"}


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        if call.method in _STEPS and facts.evidence.may_be_model(call):
            found = [*_beside(facts, call), *_in_validation(facts, call)]
            yield from (if_on_model(facts, call, finding, RULE.levels) for finding in found)


def _beside(facts: Facts, call: TrainerCall) -> Iterator[Finding]:
    kind = facts.fit_sources.kind(call.data) if call.data is not None else None
    for name in _PLACE if kind is not None else ():
        argument = call.arguments.get(name)
        if argument is None or call.data is None or _may_be_none(facts, argument.value):
            continue
        if name == "y" and _is_count(facts, argument.value):
            yield _count(facts, call, argument)
            continue
        finding = _finding(facts, argument.value, call.data, name)
        brought = facts.fit_sources.width(call.data) in ((2, 3) if name == "y" else (3,)) and _is_last(call, argument)
        edits = remove_argument(facts, call.node, argument) if brought else ()
        yield finding.fixed_by(f"Leave out `{name}`", *edits) if edits else _unfixed(finding, name, brought=brought)


def _finding(facts: Facts, given: cst.BaseExpression, data: cst.BaseExpression, name: str) -> Finding:
    what, source = facts.text(given), facts.fit_sources.kind(data)
    message = f"`{what}` is given as `{name}`, but a {source} must return the {_PLACE[name]} itself"
    return facts.finding(given, message, "ValueError before the first step")


def _unfixed(finding: Finding, name: str, *, brought: bool = False) -> Finding:
    reason = "an argument after it is known by its place" if brought else f"the batches may not hold the {_PLACE[name]}"
    return but(finding, help=f"return the {_PLACE[name]} with each batch", no_fix=reason)


def _is_last(call: TrainerCall, argument: cst.Arg) -> bool:
    """Whether no later argument is known by its place."""
    later = call.node.args[list(call.node.args).index(argument) + 1 :]
    return argument.keyword is not None or all(other.keyword is not None for other in later)


# -- a count of steps -------------------------------------------------------------------------------------------------


def _is_count(facts: Facts, node: cst.BaseExpression) -> bool:
    value = facts.values.only(node)
    is_length = isinstance(value, cst.Call) and facts.qualified(value.func) == "builtins.len"
    return is_length or facts.numbers.value(node) is not None or facts.counts.of(node) is not None


def _count(facts: Facts, call: TrainerCall, argument: cst.Arg) -> Finding:
    name = _STEPS[call.method]
    message = f"`{facts.text(argument.value)}` is given as `y`, not as `{name}`"
    finding = facts.finding(argument.value, message, "ValueError before the first step")
    free = argument.keyword is None and name not in call.arguments and _is_last(call, argument)
    if free:
        return finding.fixed_by(f"Name it `{name}`", name_argument(facts, argument, name))
    return but(finding, help=f"give it as `{name}`", no_fix=f"`{name}` or a later argument is given already")


# -- validation_data=(source, y) --------------------------------------------------------------------------------------


def _in_validation(facts: Facts, call: TrainerCall) -> Iterator[Finding]:
    pair = call.value("validation_data")
    parts = [element.value for element in pair.elements] if isinstance(pair, cst.Tuple) else []
    if pair is None or len(parts) < 2 or facts.fit_sources.kind(parts[0]) is None:
        return
    for name, part in zip(_PLACE, parts[1:], strict=False):
        if _may_be_none(facts, part):
            continue
        finding = _finding(facts, part, parts[0], name)
        yield _validated_by(facts, finding, pair, parts[0]) if len(parts) == 2 else _unfixed(finding, name)


def _validated_by(facts: Facts, finding: Finding, pair: cst.BaseExpression, data: cst.BaseExpression) -> Finding:
    if facts.fit_sources.width(data) not in (2, 3):
        return _unfixed(finding, "y")
    edit = Edit(*facts.tree.outer_span(pair), replace(facts, data, facts.text(data)).text)
    return finding.fixed_by("Leave out the targets", edit)


def _may_be_none(facts: Facts, node: cst.BaseExpression) -> bool:
    values = facts.values.of(node)
    if any(value is not None and facts.values.constant(value) == Constant(None) for value in values):
        return True
    bindings = facts.names.reaching(node) if isinstance(node, cst.Name) else ()
    return None in values and (isinstance(node, cst.Attribute) or any(b.kind == "parameter" for b in bindings))
