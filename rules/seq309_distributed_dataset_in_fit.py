"""A distributed dataset is given to `fit`, `evaluate` or `predict`.

## Why
`strategy.experimental_distribute_dataset` is for custom loops that call `strategy.run`. Keras distributes the data itself: it
splits every batch between the replicas of a model that was made in the scope.

## Measured
With two replicas under MirroredStrategy, against the same program with the plain dataset:

- Keras 3.10 and later: the same history, number for number, also for shuffled data. A model that was made outside
  the scope gets the values of all replicas at once, and `fit` raises ValueError.
- Keras 3.0 to 3.9: the same history, and the same ValueError. The result of `distribute_datasets_from_function` is refused:
  ValueError "Unrecognized data type".
- Keras 2: ValueError "When providing a distributed dataset, you must specify the number of steps to run". With steps
  `fit` continues where the last epoch stopped: a finite dataset leaves nothing for the second epoch, which logs a loss
  of 0.0. A plain dataset starts again.

## Do this
Pass the plain dataset to `fit`. Its batch size is the global one, for all replicas together. Where a custom loop uses the
distributed dataset too, keep both under different names.

## Silent when
Only a custom loop uses the dataset, the strategy is the default one, which distributes nothing, or
`tf.distribute.InputOptions` are given, which TPU embeddings need and `fit` does not take.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    ByFunction,
    Constant,
    Contract,
    Distributed,
    Edit,
    Example,
    Facts,
    FedDataset,
    Finding,
    Levels,
    Note,
    Role,
    Rule,
    Sometimes,
    TrainerCall,
    cst,
    delete,
    if_on_model,
    lines_of,
    matching,
    replace,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(16, dtype="float32").reshape(16, 1) / 16
strategy = tf.distribute.MirroredStrategy()

with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer="sgd", loss="mse")

pairs = tf.data.Dataset.from_tensor_slices((rows, 2 * rows))
"""
_EPOCHS = "model.fit(train, epochs=2, verbose=0)\n"

_NO_GAIN = "the history is the same with the plain dataset"
_HELP = "pass the plain dataset to Keras"

RULE = Rule(
    code="SEQ309",
    name="distributed-dataset-in-fit",
    since="0.1.0",
    levels=Levels(keras2="error", early="advice", keras3="advice"),
    sometimes=Sometimes(keras2=("advice",), early=("error",)),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(matching(r"distribute_dataset|distribute_values_from"),),
    examples=(
        Example(
            _START + "train = strategy.experimental_distribute_dataset(pairs.batch(8))\n" + _EPOCHS,
            _START + "train = pairs.batch(8)\n" + _EPOCHS,
            keras=">=2.15",
        ),
        Example(
            _START
            + "check = pairs.batch(4)\ncheck = strategy.experimental_distribute_dataset(check)\n"
            + "model.fit(pairs.batch(8), epochs=2, verbose=0, validation_data=check)\n",
            _START
            + "check = pairs.batch(4)\n"
            + "model.fit(pairs.batch(8), epochs=2, verbose=0, validation_data=check)\n",
            keras=">=2.15",
        ),
        Example(
            _START
            + """train = strategy.experimental_distribute_dataset(pairs.batch(8))
for batch in train:
    strategy.run(print, args=(batch,))
"""
            + _EPOCHS
        ),
        Example.where_unknown(
            _START
            + "def run(twins):\n    model.fit(twins.experimental_distribute_dataset(pairs.batch(8)), epochs=2, verbose=0)\n"
        ),
        Example.ok(_START + "model.fit(pairs.batch(8), epochs=2, verbose=0)\n"),
        Example.ok(
            _START
            + """

@tf.function
def step(batch):
    return strategy.reduce("MEAN", strategy.run(lambda x, y: tf.reduce_mean((model(x) - y) ** 2), args=batch), axis=None)


for batch in strategy.experimental_distribute_dataset(pairs.batch(8)):
    print(step(batch))
model.fit(pairs.batch(8), epochs=2, verbose=0)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(16, dtype="float32").reshape(16, 1) / 16
pairs = tf.data.Dataset.from_tensor_slices((rows, rows)).batch(8)
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(tf.distribute.get_strategy().experimental_distribute_dataset(pairs), verbose=0)
"""
        ),
    ),
    sources=("keras-team/keras#19891",),
)

_STEPS = {"train": "steps_per_epoch", "validation": "validation_steps"}
_WITH_STEPS = Levels.everywhere("advice")
_FROM_FUNCTION = Levels(keras2="error", early="error", keras3="advice")
_FROM_FUNCTION_WITH_STEPS = Levels(keras2="advice", early="error", keras3="advice")


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.distributed.all:
        if found.by_strategy == "no" or len(found.link.node.args) != 1:
            continue
        fed = next((fed for fed in found.feds if not _has_steps(facts, fed.call, fed.role)), found.feds[0])
        if found.by_strategy == "unknown" and facts.evidence.model(fed.call) != "yes":
            continue
        finding = facts.finding(found.link.node, _message(facts, fed.call, fed.data), _note(facts, fed))
        edits = _edits(facts, found)
        title = f"Pass the plain dataset to `{fed.call.method}`"
        finding = finding.fixed_by(title, *edits) if edits else but(finding, help=_HELP, no_fix=_reason(facts, found))
        if _has_steps(facts, fed.call, fed.role):
            finding = but(finding, levels=_WITH_STEPS)
        if found.by_strategy == "unknown":
            assert isinstance(found.link.node.func, cst.Attribute)
            finding = finding.provided(f"`{facts.text(found.link.node.func.value)}` is a strategy", RULE.levels)
        yield if_on_model(facts, fed.call, finding, RULE.levels)
    for given in facts.distributed.by_function:
        if len(given.node.args) != 1:
            continue
        levels = _FROM_FUNCTION if not _has_steps(facts, given.fed, given.role) else _FROM_FUNCTION_WITH_STEPS
        message, note = _message(facts, given.fed, given.data), _by_function(facts, given)
        finding = but(
            facts.finding(given.node, message, note, _HELP), levels=levels, no_fix="a function makes the dataset"
        )
        yield if_on_model(facts, given.fed, finding, levels)


def _by_function(facts: Facts, given: ByFunction) -> Note:
    return Note(_without_steps(facts, given.fed, given.role), "`fit` raises ValueError", _NO_GAIN)


def _note(facts: Facts, fed: FedDataset) -> Note:
    return Note.on_keras_3(_NO_GAIN, _without_steps(facts, fed.call, fed.role))


def _without_steps(facts: Facts, call: TrainerCall, role: Role) -> str:
    if _has_steps(facts, call, role):
        return "each epoch continues where the last one stopped"
    return f"`{call.method}` raises ValueError without `{_STEPS.get(role, 'steps')}`"


def _message(facts: Facts, call: TrainerCall, data: cst.BaseExpression) -> str:
    text = facts.text(data)
    what = f"`{text}` is" if len(text) < 30 else "the data are"
    return f"{what} already distributed, and `{call.method}` distributes its data itself"


def _reason(facts: Facts, found: Distributed) -> str:
    if not (found.only_fed and found.same):
        return "the distributed dataset has other uses"
    if any(_has_steps(facts, fed.call, fed.role) for fed in found.feds):
        return "with steps a plain dataset starts again in each epoch"
    return "a comment or a second argument is in the way"


def _has_steps(facts: Facts, call: TrainerCall, role: Role) -> bool:
    steps = call.value(_STEPS.get(role, "steps"))
    return steps is not None and facts.values.constant(steps) != Constant(None)


def _edits(facts: Facts, found: Distributed) -> tuple[Edit, ...]:
    """The dataset in the place of the call; none where a loop needs what the call gives, or the model has no replicas.

    With steps only where the dataset has no end: tf-keras starts one that ends again, and a distributed one not.
    """
    node = found.link.node
    ends = found.link.before.endless != "yes"
    if not (found.only_fed and found.same) or len(node.args) != 1 or found.by_strategy != "yes":
        return ()
    if ends and any(_has_steps(facts, fed.call, fed.role) for fed in found.feds):
        return ()
    given = node.args[0].value
    text = facts.text(given)
    line = facts.tree.statement(node)
    if isinstance(line, cst.SimpleStatementLine) and facts.tree.variable(node) == text:
        return _without(facts, line)
    text = f"({text})" if "\n" in text else text
    return (replace(facts, node, text),) if "#" not in facts.text(node) else ()


def _without(facts: Facts, line: cst.SimpleStatementLine) -> tuple[Edit, ...]:
    """`check = strategy.experimental_distribute_dataset(check)` taken out; comments stay where they are."""
    whole = facts.source.slice(*lines_of(facts, line))
    if "#" not in whole:
        return delete(facts, line)
    start, end = facts.span(line)
    behind = facts.source.slice(end, lines_of(facts, line)[1])
    if len(line.body) > 1 or not behind.lstrip().startswith("#"):
        return ()
    return (Edit(start, end + len(behind) - len(behind.lstrip()), ""),)
