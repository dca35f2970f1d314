"""`fit_generator`, `evaluate_generator` or `predict_generator` is called.

## Why
Keras 3 has no such methods: `fit`, `evaluate` and `predict` take generators, Sequences and datasets themselves. Their arguments have
another order: the second one of `predict_generator` is `steps`, that of `predict` is `batch_size`. So a plain rename is not enough.

## Measured
- Keras 3.10 and later: AttributeError, such as "'Sequential' object has no attribute 'fit_generator'".
- Keras 3.0 to 3.9: the same.
- Keras 2: the methods work, with a deprecation warning. `evaluate_generator` and `predict_generator` print nothing
  unless asked, where `evaluate` and `predict` draw a progress bar.
- An iterator other than a generator, such as `zip(rows, labels)`: ValueError "Unrecognized data type" from `fit`,
  `evaluate` and `predict` of Keras 3; Keras 2 takes it.
- `class_weight` with a Python generator: ValueError from `fit` of Keras 3; Keras 2 takes it.

## Do this
Call `fit`, `evaluate` or `predict` with the data first and everything else by name. Give worker arguments to the dataset, as SEQ701
says; a generator has no use for them on Keras 3, which reads it by one thread. `(batch for batch in iterator)` makes a generator of any iterator. The names of Keras 1 that count samples (`samples_per_epoch`,
`nb_val_samples`, `val_samples`) have no successor: divide by the batch size.

## Silent when
The class of the receiver defines the method itself, or the call is in a branch on the version or in a `try` with another call for
the other Keras.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    SIGNATURES,
    WORKER_ARGUMENTS,
    Constant,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Moved,
    Note,
    Rule,
    TrainerCall,
    any_of,
    cst,
    dotted,
    free_name,
    give_workers,
    if_on_model,
    name_argument,
    no_place_for_workers,
    realign,
    remove_arguments,
    replace,
    spans_both,
    told_of_generators,
    worker_settings,
)

_STREAM = """
import keras
import numpy as np

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def stream(rows, size=2):
    while True:
        for start in range(0, len(rows), size):
            yield rows[start : start + size], rows[start : start + size, :1]


"""
_FEED = """
import keras
import numpy as np


class Hours(keras.utils.Sequence):
    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows

    def __len__(self):
        return len(self.rows) // 2

    def __getitem__(self, index):
        return self.rows[index * 2 : index * 2 + 2], self.rows[index * 2 : index * 2 + 2, :1]


def build(width):
    model = keras.Sequential([keras.Input((width,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
"""

RULE = Rule(
    code="SEQ702",
    name="generator-methods",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors", "warnings"})),
    migration=True,
    needs=(any_of("fit_generator", "evaluate_generator", "predict_generator"),),
    edits_elsewhere=True,
    examples=(
        Example(
            _STREAM
            + """model.fit_generator(stream(rows), 4, epochs=2, verbose=0)
loss = model.evaluate_generator(stream(rows), 4)
guess = model.predict_generator(generator=stream(rows), steps=4, verbose=0)
""",
            _STREAM
            + """model.fit(stream(rows), steps_per_epoch=4, epochs=2, verbose=0)
loss = model.evaluate(stream(rows), steps=4)
guess = model.predict(x=stream(rows), steps=4, verbose=0)
""",
            keras=">=3",
        ),
        Example(
            _FEED
            + """

class Forecast:
    def __init__(self):
        self.model = build(3)

    def train(self, rows):
        hours = Hours(rows)
        return self.model.fit_generator(
            hours, None, 2, 0,
            validation_data=Hours(rows[:4]),
            max_queue_size=4,
            workers=2,
        )


Forecast().train(rows)
build(3).fit_generator(Hours(rows), verbose=0, use_multiprocessing=False)
""",
            _FEED
            + """

class Forecast:
    def __init__(self):
        self.model = build(3)

    def train(self, rows):
        hours = Hours(rows, max_queue_size=4, workers=2)
        return self.model.fit(
            hours, steps_per_epoch=None, epochs=2, verbose=0,
            validation_data=Hours(rows[:4], max_queue_size=4, workers=2),
        )


Forecast().train(rows)
build(3).fit(Hours(rows), verbose=0)
""",
            keras=">=3",
        ),
        Example(
            _STREAM
            + """history = model.fit_generator(stream(rows), 4, 2, verbose=0, shuffle=False)
loss = model.evaluate_generator(stream(rows), 4, workers=1)
""",
            _STREAM
            + """history = model.fit(stream(rows), steps_per_epoch=4, epochs=2, verbose=0, shuffle=False)
loss = model.evaluate(stream(rows), steps=4, verbose=0)
""",
            keras=">=2.15",
        ),
        Example(
            _STREAM + "model.fit_generator(stream(rows), steps_per_epoch=4, nb_epoch=2, nb_worker=2, verbose=0)\n",
            _STREAM + "model.fit(stream(rows), steps_per_epoch=4, epochs=2, verbose=0)\n",
            keras=">=3",
        ),
        Example(
            _STREAM + "model.fit_generator(zip([rows] * 4, [rows[:, :1]] * 4), 2, epochs=2, verbose=0)\n",
            _STREAM
            + "model.fit((batch for batch in zip([rows] * 4, [rows[:, :1]] * 4)), steps_per_epoch=2, epochs=2, verbose=0)\n",
        ),
        Example(_STREAM + "model.fit_generator(stream(rows), samples_per_epoch=8, nb_epoch=2, verbose=0)\n"),
        Example(_STREAM + "model.fit_generator(stream(rows), 4, class_weight={0: 1.0, 1: 2.0}, verbose=0)\n"),
        Example.where_unknown(_STREAM + "def run(trainer):\n    trainer.fit_generator(stream(rows), 4)\n"),
        Example.ok(_STREAM + "model.fit(stream(rows), steps_per_epoch=4, verbose=0)\n"),
        Example.ok(_STREAM + "model.fit_generator(stream(rows), 4, verbose=0)\n", keras="tf-keras"),
        Example.ok(
            _STREAM
            + """class Bagged:
    def __init__(self, models):
        self.models = models

    def fit_generator(self, generator, steps):
        for model in self.models:
            model.fit(generator, steps_per_epoch=steps, verbose=0)

    def twice(self, generator):
        self.fit_generator(generator, 2)
        self.fit_generator(generator, 2)


Bagged([model]).twice(stream(rows))
Bagged([model]).fit_generator(stream(rows), 4)
"""
        ),
        Example.ok(
            _STREAM
            + """if hasattr(model, "fit_generator"):
    model.fit_generator(stream(rows), 4, verbose=0)
else:
    model.fit(stream(rows), steps_per_epoch=4, verbose=0)
"""
        ),
    ),
    sources=("keras-team/keras#19225", "kairess/fingerprint_recognition#2"),
)

# What the positions mean, as far as all versions that had the method agree on them.
_POSITIONS = {
    "fit_generator": ("x", "steps_per_epoch", "epochs", "verbose", "callbacks", "validation_data", "validation_steps"),
    "evaluate_generator": ("x", "steps"),
    "predict_generator": ("x", "steps"),
}
_RENAMED = {"generator": "x", "nb_epoch": "epochs"}
_KERAS_1 = frozenset({"nb_epoch", "max_q_size", "nb_worker", "pickle_safe"})


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        if call.method not in _POSITIONS or not isinstance(call.node.func, cst.Attribute):
            continue
        if not facts.evidence.may_be_model(call) or facts.evidence.guarded(call.node):
            continue
        method = ".".join(part for part in (dotted(call.receiver), call.method) if part)
        finding = facts.finding(call.node.func.attr, f"`{method}` does not exist on Keras 3", _note(facts, call))
        yield if_on_model(facts, call, _fixed(facts, call, finding), RULE.levels)


def _successor(call: TrainerCall) -> str:
    return call.method.partition("_")[0]


def _note(facts: Facts, call: TrainerCall) -> Note:
    taken = f"`{_successor(call)}` takes the same data"
    if iterators := _iterators(facts, call):
        made = next(iter(iterators.values()))
        taken = f'`{_successor(call)}` takes a generator, but raises ValueError "Unrecognized data type" for `{made}`'
    taken = "; ".join(filter(None, (taken, told_of_generators(facts, call))))
    return Note.on_keras_3(f"the call raises AttributeError; {taken}", "it works, with a deprecation warning")


def _iterators(facts: Facts, call: TrainerCall) -> dict[cst.BaseExpression, str]:
    """The data of a call that are iterators but not generators, with what makes them."""
    found = {data: facts.input_kinds.iterator(data) for _, data in call.feeds}
    return {data: made for data, made in found.items() if made}


def _fixed(facts: Facts, call: TrainerCall, finding: Finding) -> Finding:
    """With the whole rewrite, unless an argument has no place in the new method, or a Sequence could lose its workers."""
    by_hand = but(finding, help=f"call `{_successor(call)}` with the data first and everything else by name")
    if obstacle := _obstacle(facts, call):
        return by_hand.unfixed(obstacle)
    workers = tuple(argument for argument in call.node.args if _is_for_workers(call, argument))
    moved = give_workers(facts, call) if workers else Moved()
    if moved is None:
        return by_hand.unfixed(no_place_for_workers(facts, call))
    assert isinstance(call.node.func, cst.Attribute)
    renamed = (
        replace(facts, call.node.func.attr, _successor(call)),
        *_named(facts, call),
        *_quiet(facts, call, workers),
        *_as_generators(facts, call),
    )
    edits = (*renamed, *remove_arguments(facts, call.node, workers), *moved.edits)
    edits = (*edits, *realign(facts, call.node, len("_generator"), edits))
    return finding.fixed_by(f"Call `{_successor(call)}`", *edits, lines=moved.lines)


def _obstacle(facts: Facts, call: TrainerCall) -> str:
    """Why the call can't be renamed; empty where it can."""
    new = _successor(call)
    given = [argument for argument in call.node.args if argument.keyword is None and not argument.star]
    names = {argument.keyword.value for argument in call.node.args if argument.keyword is not None}
    spread = [argument for argument in call.node.args if argument.star]
    if len(given) > len(_POSITIONS[call.method]):
        return "what the later positions mean depends on the version of Keras"
    if names & _KERAS_1 and len(given) > 1:
        return "the second position of Keras 1 counted samples"
    lost = names - {*SIGNATURES[call.method], *SIGNATURES[new], *_KERAS_1}
    if lost:
        return f"`{new}` has no `{min(lost)}`"
    if not all(_same_names(facts, call, argument) for argument in spread):
        return f"the unpacked arguments may hold what `{new}` does not take"
    return "Keras 3 takes no `class_weight` with a generator" if _weighs_generator(facts, call) else ""


def _same_names(facts: Facts, call: TrainerCall, argument: cst.Arg) -> bool:
    """Whether a dict that the call unpacks holds only names that the new method has too."""
    options = facts.input_kinds.options(argument.value) if argument.star == "**" else None
    return options is not None and set(options) <= set(SIGNATURES[_successor(call)]) - {"x", "y", *WORKER_ARGUMENTS}


def _weighs_generator(facts: Facts, call: TrainerCall) -> bool:
    weighted = call.value("class_weight")
    if weighted is None or facts.values.constant(weighted) == Constant(None):
        return False
    return call.data is not None and facts.input_kinds.kind(call.data) == "generator"


def _is_for_workers(call: TrainerCall, argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.value in worker_settings(call).values()


def _named(facts: Facts, call: TrainerCall) -> list[Edit]:
    """Every argument but the data gets the name that it has in the new method."""
    edits = []
    for position, argument in enumerate(call.node.args):
        if argument.keyword is None and not argument.star and position:
            edits.append(name_argument(facts, argument, _POSITIONS[call.method][position]))
        elif argument.keyword is not None and argument.keyword.value in _RENAMED:
            edits.append(name_argument(facts, argument, _RENAMED[argument.keyword.value]))
    return edits


def _as_generators(facts: Facts, call: TrainerCall) -> Iterator[Edit]:
    """`(batch for batch in zip(rows, labels))`, which every Keras takes."""
    batch = free_name(facts, facts.tree.function(call.node), "batch", "one_batch")
    for start, end in map(facts.span, _iterators(facts, call)):
        yield from (Edit(start, start, f"({batch} for {batch} in "), Edit(end, end, ")"))


def _quiet(facts: Facts, call: TrainerCall, removed: tuple[cst.Arg, ...]) -> tuple[Edit, ...]:
    """Where the project may run on Keras 2 too, its output must not gain a progress bar."""
    if call.method == "fit_generator" or not spans_both(facts) or "verbose" in call.arguments:
        return ()
    kept = [argument for argument in call.node.args if argument not in removed]
    end = facts.span(kept[-1])[1] if kept else 0
    return (Edit(end, end, ", verbose=0"),) if kept and not kept[-1].star else ()
