"""`fit`, `evaluate` or `predict` is given `workers` or its like.

## Why
Keras 3 took `workers`, `use_multiprocessing` and `max_queue_size` out of the trainer methods. The dataset has them now, as arguments of
its constructor. For a class without `super().__init__` Keras warns that the arguments of `fit` "will be ignored". They are not: `fit`
refuses them.

## Measured
- Keras 3.10 and later: TypeError from `fit` and `predict`, ValueError from `evaluate`, before the first step, whatever
  the data are.
- Keras 3.0 to 3.9: the same.
- Keras 2: the arguments work. `MyData(..., workers=4)` raises TypeError there; `data.workers = 4` after construction
  sets the workers on Keras 3 and has no effect on Keras 2. So neither is written where the project may run on
  Keras 2: `keras = ">=3"` says that it does not.
- Arrays, generators and tf.data datasets have no use for them on Keras 3: a generator is read by one thread.
- `workers=1`, `use_multiprocessing=False` and `max_queue_size=10` are what every Keras takes by itself.

## Do this
Give them to the constructor of each Sequence or PyDataset, for training and for validation. Its class must take `**kwargs` and pass
them to `super().__init__`. If their values are not known yet when the dataset is made, set its attributes before the fit. With any
other data, leave them out, and leave out what Keras takes by itself. A project that runs on both lines needs two calls, in a branch on the version.

## Silent when
The call is in a branch on the version, or in a `try` with another call for the other Keras.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    WORKER_ARGUMENTS,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    TrainerCall,
    a_call_of_model,
    any_of,
    cst,
    dotted,
    give_workers,
    if_on_model,
    no_place_for_workers,
    remove_arguments,
    told_of_generators,
)

_FEED = """
import keras
import numpy as np


class Spectra(keras.utils.Sequence):
    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows

    def __len__(self):
        return len(self.rows) // 2

    def __getitem__(self, index):
        rows = self.rows[index * 2 : index * 2 + 2]
        return rows, rows.sum(axis=1, keepdims=True)
"""
_BARE = _FEED.replace(", **kwargs", "").replace("        super().__init__(**kwargs)\n", "")
_MODEL = """

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_STREAM = """

def stream(rows):
    while True:
        yield rows[:2], rows[:2, :1]


model.fit(stream(rows), steps_per_epoch=3, workers=2, epochs=2, verbose=0)
model.fit(rows, rows[:, :1], verbose=0, use_multiprocessing=False)
"""

RULE = Rule(
    code="SEQ701",
    name="worker-arguments-in-fit",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(a_call_of_model, any_of(*WORKER_ARGUMENTS)),
    edits_elsewhere=True,
    examples=(
        Example(
            _FEED
            + _MODEL
            + """
train = Spectra(rows)
held_out = Spectra(rows[:4])
model.fit(
    train,
    validation_data=held_out,
    workers=2,
    use_multiprocessing=False,
    epochs=2,
    verbose=0,
)
""",
            _FEED
            + _MODEL
            + """
train = Spectra(rows, workers=2, use_multiprocessing=False)
held_out = Spectra(rows[:4], workers=2, use_multiprocessing=False)
model.fit(
    train,
    validation_data=held_out,
    epochs=2,
    verbose=0,
)
""",
            keras=">=3",
        ),
        Example(
            _BARE + _MODEL + "model.fit(Spectra(rows), epochs=2, verbose=0, workers=2)\n",
            _FEED + _MODEL + "model.fit(Spectra(rows, workers=2), epochs=2, verbose=0)\n",
            keras=">=3",
        ),
        Example(
            _FEED
            + _MODEL
            + """

def main(jobs=2):
    spectra = Spectra(rows)
    model.fit(spectra, verbose=0, workers=jobs)
    model.evaluate(spectra, workers=jobs, verbose=0)
    return model.predict(spectra, verbose=0, workers=jobs)


main()
""",
            _FEED
            + _MODEL
            + """

def main(jobs=2):
    spectra = Spectra(rows, workers=jobs)
    model.fit(spectra, verbose=0)
    model.evaluate(spectra, verbose=0)
    return model.predict(spectra, verbose=0)


main()
""",
            keras=">=3",
        ),
        Example(
            _FEED + _MODEL + "spectra = Spectra(rows)\nmodel.fit(spectra, verbose=0, workers=2, max_queue_size=4)\n",
            keras=">=2.15",
        ),
        Example(
            _FEED + _MODEL + "model.fit(Spectra(rows), workers=1, max_queue_size=10, verbose=0)\n",
            _FEED + _MODEL + "model.fit(Spectra(rows), verbose=0)\n",
        ),
        Example(
            _FEED
            + _MODEL
            + """
spectra = Spectra(rows)
for jobs in (1, 2):
    model.fit(spectra, workers=jobs, verbose=0)  # which is faster?
""",
            _FEED
            + _MODEL
            + """
spectra = Spectra(rows)
for jobs in (1, 2):
    spectra.workers = jobs
    model.fit(spectra, verbose=0)  # which is faster?
""",
            keras=">=3",
        ),
        Example(
            _FEED + _MODEL + _STREAM,
            _FEED + _MODEL + _STREAM.replace(" workers=2,", "").replace(", use_multiprocessing=False", ""),
        ),
        Example(
            _FEED
            + _MODEL
            + """
for jobs in (1, 2):
    feeds = {"train": Spectra(rows)}
    options = {"workers": jobs, "verbose": 0}
    model.fit(feeds["train"], **options)
""",
        ),
        Example.where_unknown(_FEED + "\n\ndef train(learning, rows):\n    learning.fit(rows, rows, workers=2)\n"),
        Example.ok(_FEED + _MODEL + "model.fit(Spectra(rows, workers=2), verbose=0)\n", keras=">=3"),
        Example.ok(_FEED + _MODEL + "model.fit(Spectra(rows), verbose=0, workers=2)\n", keras="tf-keras"),
        Example.ok(
            _FEED
            + _MODEL
            + """
if int(keras.__version__.split(".")[0]) < 3:
    model.fit(Spectra(rows), verbose=0, workers=2)
else:
    model.fit(Spectra(rows, workers=2), verbose=0)
"""
        ),
        Example.ok(
            _FEED
            + _MODEL
            + """

class Trainer:
    def __init__(self, model):
        self.model = model

    def fit(self, data, workers):
        return self.model.fit(Spectra(data, workers=workers), verbose=0)


Trainer(model).fit(rows, workers=2)
"""
        ),
    ),
    sources=("pythonlessons/mltu#60",),
)

_ERRORS = {"fit": "TypeError", "evaluate": "ValueError", "predict": "TypeError"}


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for call in facts.training.calls:
        if call.method not in _ERRORS:
            continue
        named = {node: name for node, name in _named(facts, call).items() if node not in seen}
        if not named or not facts.evidence.may_be_model(call) or facts.evidence.guarded(call.node):
            continue
        seen.update(named)
        text = "; ".join(
            filter(None, (f"{_ERRORS[call.method]} before the first step", told_of_generators(facts, call)))
        )
        note = Note.on_keras_3(text, "the arguments work")
        finding = facts.finding(next(iter(named)), _message(call, tuple(named.values())), note)
        yield if_on_model(facts, call, _fixed(facts, call, finding), RULE.levels)


def _named(facts: Facts, call: TrainerCall) -> dict[cst.CSTNode, str]:
    """The worker arguments of a call with their names, also those of a known dict that is given as `**options`."""
    found: dict[cst.CSTNode, str] = {}
    for argument in call.node.args:
        if argument.keyword is not None and argument.keyword.value in WORKER_ARGUMENTS:
            found[argument] = argument.keyword.value
        if argument.star == "**":
            options = facts.input_kinds.options(argument.value, some=True) or {}
            known = {node: name for name, node in options.items() if name in WORKER_ARGUMENTS}
            found |= known or dict.fromkeys([argument] if (given := _given(facts, call)) else [], ", ".join(given))
    return found


def _given(facts: Facts, call: TrainerCall) -> list[str]:
    """The worker arguments that a call gets when it runs, however the dict of `**options` was filled."""
    named = {argument.keyword.value for argument in call.node.args if argument.keyword is not None}
    ran = [name for each in facts.run.at(facts.span(call.node)) for name, _ in each.result.keywords]
    return [name for name in dict.fromkeys(ran) if name in WORKER_ARGUMENTS and name not in named]


def _message(call: TrainerCall, names: tuple[str, ...]) -> str:
    receiver = dotted(call.receiver)
    method = f"{receiver}.{call.method}" if receiver else call.method
    *others, last = (f"`{name}`" for name in names)
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"`{method}` takes no {listed} on Keras 3"


def _fixed(facts: Facts, call: TrainerCall, finding: Finding) -> Finding:
    named = _named(facts, call)
    given = tuple(argument for argument in call.node.args if argument in named and not argument.star)
    moved = give_workers(facts, call)
    if moved is None or len(given) != len(named):
        reason = no_place_for_workers(facts, call) if moved is None else "they are given in a dict, with `**`"
        return but(finding, help="give them to the constructor of the dataset", no_fix=reason)
    title = "Move the worker arguments to the dataset" if moved.edits else "Drop the worker arguments"
    edits = (*remove_arguments(facts, call.node, given), *moved.edits)
    return finding.fixed_by(title, *edits, lines=moved.lines)
