"""`batch_size` has no effect, because the data already come in batches.

## Why
A Sequence, a generator or a `tf.data.Dataset` decides by itself how many samples a batch has. `batch_size` only cuts arrays. With
other data nobody reads it, and the batches stay as they are.

## Measured
- Keras 3 and Keras 2: `fit`, `evaluate` and `predict` accept it for a Sequence, a generator and a dataset, say nothing,
  and the batches stay as they are. The same holds for `validation_batch_size`.
- Keras 3: the same holds for a DataLoader of torch.
- Every Keras: in `fit` it does count where the validation data are arrays: it cuts those.
- Every Keras: the second position of `predict` is `batch_size`, that of `predict_generator` was `steps`. So
  `predict(endless(), 10)` never ends.

## Do this
Give the size to the data: `MyData(..., batch_size=64)`, `dataset.batch(64)`. For a count of steps write `steps=`.

## Silent when
The data may be arrays, or the validation data of the same call are arrays or may be.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    SIGNATURES,
    Constant,
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
)

_FEED = """
import keras
import numpy as np


class Tides(keras.utils.Sequence):
    def __init__(self, levels, **kwargs):
        super().__init__(**kwargs)
        self.levels = levels

    def __len__(self):
        return len(self.levels) // 2

    def __getitem__(self, index):
        rows = slice(index * 2, index * 2 + 2)
        return self.levels[rows], self.levels[rows, :1]


levels = np.ones((8, 3), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_STREAM = """
import keras
import numpy as np


def stream(rows):
    while True:
        yield rows[:4], rows[:4, :1]


rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ603",
    name="batch-size-ignored",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(a_call_of_model, a_source),
    examples=(
        Example(
            _FEED + "model.fit(Tides(levels), batch_size=64, epochs=2, verbose=0)\n",
            _FEED + "model.fit(Tides(levels), epochs=2, verbose=0)\n",
            keras=">=2.15",
        ),
        Example(
            _FEED
            + """check = Tides(levels)
model.fit(levels, levels[:, :1], 4, validation_data=check, validation_batch_size=64)
model.predict(Tides(levels), 64, 0)
""",
            _FEED
            + """check = Tides(levels)
model.fit(levels, levels[:, :1], 4, validation_data=check)
model.predict(Tides(levels), verbose=0)
""",
        ),
        Example(
            """
import keras
import numpy as np
import tensorflow as tf

pairs = tf.data.Dataset.from_tensor_slices((np.ones((8, 3)), np.ones((8, 1)))).shuffle(8).batch(2)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(pairs, epochs=2, batch_size=64, verbose=0)
""",
            """
import keras
import numpy as np
import tensorflow as tf

pairs = tf.data.Dataset.from_tensor_slices((np.ones((8, 3)), np.ones((8, 1)))).shuffle(8).batch(2)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(pairs, epochs=2, verbose=0)
""",
        ),
        Example(_STREAM + "guess = model.predict(stream(rows), 10)\n"),
        Example.where_unknown(_STREAM + "def run(learning):\n    learning.fit(stream(rows), batch_size=4)\n"),
        Example.ok(
            _FEED + "model.fit(levels, levels[:, :1], batch_size=4, validation_data=Tides(levels), verbose=0)\n"
        ),
        Example.ok(
            _FEED + "model.fit(Tides(levels), batch_size=4, validation_data=(levels, levels[:, :1]), verbose=0)\n"
        ),
    ),
    sources=("tensorflow/tensorflow#49238",),
)

_NOTE = "the batches keep their size"
_HELP = "give the size to the data, and leave it out here"
_METHODS = ("fit", "evaluate", "predict")


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        if call.method not in _METHODS or not facts.evidence.may_be_model(call):
            continue
        for name, data in (("batch_size", call.data), ("validation_batch_size", call.value("validation_data"))):
            argument = call.arguments.get(name)
            if argument is None and data is not None:
                yield from _by_options(facts, call, name, data)
            if argument is None or data is None or facts.values.constant(argument.value) == Constant(None):
                continue
            finding = _finding(facts, call, argument, data)
            if finding is not None and (name != "batch_size" or not _cuts_validation(facts, call)):
                yield if_on_model(facts, call, _placed(facts, data, finding), RULE.levels)


def _kind(facts: Facts, data: cst.BaseExpression) -> str | None:
    """What the data surely are; None where they may be arrays."""
    return facts.fit_sources.kind(data) or facts.handed.kind(data)


def _placed(facts: Facts, data: cst.BaseExpression, finding: Finding) -> Finding:
    """The finding with its levels: what becomes of a loader of torch was measured on Keras 3."""
    of_torch = facts.fit_sources.kind(data) is None and facts.handed.kind(data) == "torch DataLoader"
    return replace(finding, levels=Levels(None, "warning", "warning")) if of_torch else finding


def _cuts_validation(facts: Facts, call: TrainerCall) -> bool:
    """Whether the validation data may be arrays, which `batch_size` is for then."""
    if "validation_data" not in call.arguments and any(_may_give_validation(facts, given) for given in call.node.args):
        return call.method == "fit"
    validation = call.value("validation_data")
    return validation is not None and _kind(facts, validation) is None


def _may_give_validation(facts: Facts, argument: cst.Arg) -> bool:
    """Whether `**options` can hold validation data."""
    options = facts.input_kinds.options(argument.value) if argument.star == "**" else {}
    return options is None or "validation_data" in options


def _by_options(facts: Facts, call: TrainerCall, name: str, data: cst.BaseExpression) -> Iterator[Finding]:
    """A key of the dict that this call alone unpacks."""
    kind = _kind(facts, data)
    for argument in call.node.args:
        options = facts.input_kinds.options(argument.value) if argument.star == "**" else None
        place = options.get(name) if options is not None else None
        if kind is None or place is None or not _is_used_once(facts, argument.value) or _is_none(facts, place):
            continue
        if name != "batch_size" or not _cuts_validation(facts, call):
            shown = facts.text(argument.value)
            message = f"`{name}` in `**{shown}` has no effect: a {kind} makes its own batches"
            finding = facts.finding(place, message, _NOTE, _HELP).unfixed(f"it is given in `**{shown}`")
            yield if_on_model(facts, call, _placed(facts, data, finding), RULE.levels)


def _is_used_once(facts: Facts, options: cst.BaseExpression) -> bool:
    if not isinstance(options, cst.Name):
        return isinstance(options, (cst.Dict, cst.Call))
    same = (name for name in facts.tree.all(cst.Name) if name.value == options.value and not facts.tree.is_label(name))
    return sum(not isinstance(facts.tree.parents[name], cst.AssignTarget) for name in same) == 1


def _is_none(facts: Facts, place: cst.CSTNode) -> bool:
    """Whether a key, or a keyword argument, gives None."""
    holder = facts.tree.parents[place] if isinstance(place, cst.BaseExpression) else place
    value = holder.value if isinstance(holder, (cst.DictElement, cst.Arg)) else None
    return value is None or facts.values.constant(value) == Constant(None)


def _finding(facts: Facts, call: TrainerCall, argument: cst.Arg, data: cst.BaseExpression) -> Finding | None:
    kind, text = _kind(facts, data), facts.text(argument.value)
    if kind is None:
        return None
    if call.method == "predict" and argument.keyword is None and kind == "generator":
        message = f"`{text}` is the `batch_size` of `predict`, not `steps`"
        finding = facts.finding(
            argument.value,
            message,
            "`predict` reads the generator to its end, an endless one for ever",
            f"write `steps={text}`",
        )
        return finding.unfixed("whether `steps` was meant is for you to decide")
    name = argument.keyword.value if argument.keyword is not None else "batch_size"
    shown = f"`{name}={text}`" if argument.keyword is not None else f"`{text}`, the `batch_size`,"
    finding = facts.finding(
        argument if argument.keyword is not None else argument.value,
        f"{shown} has no effect: a {kind} makes its own batches",
        _NOTE,
    )
    edits = _edits(facts, call, argument)
    if edits:
        return finding.fixed_by(f"Leave out `{name}`", *edits)
    return replace(finding, help=_HELP, no_fix=_reason(facts, call, argument))


def _reason(facts: Facts, call: TrainerCall, argument: cst.Arg) -> str:
    if facts.tree.inside(argument.value, cst.Call):
        return f"`{facts.text(argument.value)}` calls a function, which may do more"
    if any(other.star == "*" for other in call.node.args):
        return "the call unpacks arguments with `*`"
    return "a comment speaks of the argument"


def _edits(facts: Facts, call: TrainerCall, argument: cst.Arg) -> tuple[Edit, ...]:
    """The argument out of the call; what is known by its place after it gets its name."""
    if facts.tree.inside(argument.value, cst.Call) or any(other.star == "*" for other in call.node.args):
        return ()
    position = list(call.node.args).index(argument)
    behind = [other for other in call.node.args[position + 1 :] if other.keyword is None and not other.star]
    names = SIGNATURES[call.method][position + 1 :]
    named = (name_argument(facts, other, name) for other, name in zip(behind, names, strict=False))
    removed = remove_argument(facts, call.node, argument)
    return (*removed, *(named if argument.keyword is None else ())) if removed else ()
