"""`evaluate`, `predict` or training called in the epoch hook of a Sequence.

## Why
The hook runs inside `fit`, after the last step and before `fit` has read its own results. `evaluate` there overwrites
them: the training loss that `fit` then reports is the loss on other data. On Keras 3, callbacks such as EarlyStopping
act on it. Nothing is raised.

## Measured
- Keras 3.10 and later: `evaluate` and `test_on_batch` replace the loss and metrics of the training in the history and in the logs of callbacks;
  weights stay the same. `predict` leaves them alone. `fit` and `train_on_batch` train between the epochs, and once before epoch 0.
- Keras 3.0 to 3.9: the same, except for the call before epoch 0; `test_on_batch` adds its values to those of the training.
- Keras 2: after `evaluate` or `predict` the history that `fit` returns is empty; after `fit` it holds the inner fit's. `test_on_batch` does no harm.
- `evaluate(self)`: RecursionError on Keras 3, never ends on Keras 2. `predict(self)` never ends on any Keras.
- In `on_epoch_begin` (Keras 3.10 and later): the values are mixed into those of the training.
- In a Callback's `on_epoch_end`, `evaluate`, `test_on_batch` and `predict` leave the history as it is, on every Keras. In its `on_epoch_begin` an
  evaluation is as wrong.
- On a model other than the one that `fit` trains: no harm to the history, on any Keras.

## Do this
Evaluate in a Callback's `on_epoch_end`, or pass the data to `fit` as `validation_data`. Move a training out of the hook.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    RUNS,
    Contract,
    Deed,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Sometimes,
    TrainerCall,
    a_call_of_model,
    a_sequence,
    as_template_method,
    callback_fixes,
    epoch_code,
    if_for_sequence,
    if_on_model,
    if_trains,
    why_not_moved,
)

RULE = Rule(
    code="SEQ102",
    name="epoch-hook-runs-model",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes(early=("advice",), keras3=("advice",)),
    contract=Contract(changes=frozenset({"history", "hooks"})),
    needs=(a_sequence, epoch_code, a_call_of_model),
    examples=(
        Example(
            """
import keras
import numpy as np


class Notes(keras.utils.PyDataset):
    def __init__(self, x, y, held_out, **kwargs):
        super().__init__(**kwargs)
        self.x = x
        self.y = y
        self.held_out = held_out
        self.order = np.arange(len(x))

    def __len__(self):
        return len(self.x) // 4

    def __getitem__(self, index):
        rows = self.order[index * 4 : index * 4 + 4]
        return self.x[rows], self.y[rows]

    def on_epoch_end(self):
        np.random.shuffle(self.order)
        # How good is it by now?
        loss = model.evaluate(*self.held_out, verbose=0)
        print(f"held out: {loss:.3f}")


x = np.arange(16, dtype="float32").reshape(8, 2) / 16
y = x.sum(axis=1, keepdims=True)
notes = Notes(x, y, held_out=(x[:2] * 3, y[:2]))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(notes, epochs=2, verbose=0)
""",
            """
import keras
import numpy as np


class Notes(keras.utils.PyDataset):
    def __init__(self, x, y, held_out, **kwargs):
        super().__init__(**kwargs)
        self.x = x
        self.y = y
        self.held_out = held_out
        self.order = np.arange(len(x))

    def __len__(self):
        return len(self.x) // 4

    def __getitem__(self, index):
        rows = self.order[index * 4 : index * 4 + 4]
        return self.x[rows], self.y[rows]

    def on_epoch_end(self):
        np.random.shuffle(self.order)


class EvaluationCallback(keras.callbacks.Callback):
    def __init__(self, held_out):
        super().__init__()
        self.held_out = held_out

    def on_epoch_end(self, epoch, logs=None):
        # How good is it by now?
        loss = self.model.evaluate(*self.held_out, verbose=0)
        print(f"held out: {loss:.3f}")


x = np.arange(16, dtype="float32").reshape(8, 2) / 16
y = x.sum(axis=1, keepdims=True)
notes = Notes(x, y, held_out=(x[:2] * 3, y[:2]))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(notes, epochs=2, verbose=0, callbacks=[EvaluationCallback(notes.held_out)])
""",
            keras=">=3.10",
            contract=Contract(changes=frozenset({"history", "hooks", "output"})),
        ),
        # The model through the constructor, every second epoch, in a helper; nothing else is left in the hook.
        Example(
            """
import keras
import numpy as np


class Notes(keras.utils.PyDataset):
    def __init__(self, x, net, every=2):
        super().__init__()
        self.x = x
        self.net = net
        self.every = every
        self.epoch = 0  # epochs done

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.x, self.x

    def on_epoch_end(self):
        self._check()

    def _check(self):
        self.epoch += 1
        if self.epoch % self.every == 0:
            self.net.evaluate(x_test, x_test, verbose=0)


def train(net, x):
    net.fit(
        Notes(x, net),
        epochs=3,
        callbacks=[
            keras.callbacks.TerminateOnNaN(),
        ],
        verbose=0,
    )


x_test = np.ones((2, 1), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
train(model, np.ones((4, 1), "float32"))
""",
            """
import keras
import numpy as np


class Notes(keras.utils.PyDataset):
    def __init__(self, x, net, every=2):
        super().__init__()
        self.x = x
        self.net = net
        self.every = every

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.x, self.x


class EvaluationCallback(keras.callbacks.Callback):
    def __init__(self, every):
        super().__init__()
        self.every = every
        self.epoch = 0  # epochs done

    def on_epoch_end(self, epoch, logs=None):
        self._check()

    def _check(self):
        self.epoch += 1
        if self.epoch % self.every == 0:
            self.model.evaluate(x_test, x_test, verbose=0)


def train(net, x):
    net.fit(
        Notes(x, net),
        epochs=3,
        callbacks=[
            keras.callbacks.TerminateOnNaN(),
            EvaluationCallback(every=2),
        ],
        verbose=0,
    )


x_test = np.ones((2, 1), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
train(model, np.ones((4, 1), "float32"))
""",
            keras=">=3.10",
        ),
        # Training changes the weights in a callback too; a hook that reads its own Sequence never ends.
        Example(
            """
import keras
import numpy as np


class Notes(keras.utils.PyDataset):
    def __init__(self, x, model):
        super().__init__()
        self.x = x
        self.model = model

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.x, self.x

    def on_epoch_end(self):
        self.model.train_on_batch(self.x, self.x)
        self.model.evaluate(self, verbose=0)


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Notes(np.ones((4, 1)), model), verbose=0)
"""
        ),
        # Which model is trained on this data can't be seen.
        Example.where_unknown(
            """
import keras


class Notes(keras.utils.PyDataset):
    def __init__(self, x, model):
        super().__init__()
        self.x = x
        self.model = model

    def on_epoch_end(self):
        self.model.train_on_batch(self.x, self.x)
        self.model.evaluate(self.x, self.x, verbose=0)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np
from sklearn.linear_model import LinearRegression


class Notes(keras.utils.PyDataset):
    def __init__(self, x, baseline):
        super().__init__()
        self.x = x
        self.baseline = baseline

    def on_epoch_end(self):
        self.guess = self.baseline.predict(self.x)


notes = Notes(np.ones((4, 1)), LinearRegression())
"""
        ),
        Example.ok(
            """
import keras


class Grader:
    def evaluate(self, x):
        return len(x)


class Notes(keras.utils.PyDataset):
    def __init__(self, x):
        super().__init__()
        self.x = x
        self.model = Grader()

    def on_epoch_end(self):
        self.grade = self.model.evaluate(self.x)


class Check(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.evaluate(self.x)
"""
        ),
    ),
    sources=("How do multiple Keras Sequence on_epoch_end() calls affect model training?",),
)

_THE_MODEL = re.compile(r"(?:^|\.)_*(?:keras_)?(?:model|net|network)_*$", re.IGNORECASE)
_BEGIN = Levels(None, None, "error")
_LEVELS = {
    "predict": Levels("error", "advice", "advice"),
    "test_on_batch": Levels("advice", "error", "error"),
}
_GRAVITY = ("fit", "train_on_batch", "evaluate", "test_on_batch", "predict")
_TRAINS = "trains between the epochs of `fit`"
_REPORTS = "replaces the training loss that `fit` reports"
_EMPTY = "leaves the history that `fit` returns empty"
_INSIDE = "runs in the middle of `fit`"
_MESSAGES = {  # on Keras 3, on Keras 2
    "evaluate": (_REPORTS, _EMPTY),
    "test_on_batch": ("changes the training loss that `fit` reports", _INSIDE),
    "predict": (_INSIDE, _EMPTY),
    "fit": (_TRAINS, _TRAINS),
    "train_on_batch": (_TRAINS, _TRAINS),
}
_NOTES = {
    "evaluate": Note(keras2="it leaves the history that `fit` returns empty"),
    "predict": Note(keras2="it leaves the history that `fit` returns empty"),
    "fit": Note("its results get into the history"),
    "train_on_batch": Note.on_keras_3("its loss gets into the history"),
}
_ENDLESS = "each run calls the hook again, without end"
_OUT = "train before or after `fit`"
_HELP = {
    "evaluate": "evaluate in a Callback's `on_epoch_end`, or pass the data to `fit` as `validation_data`",
    "test_on_batch": "call it in a Callback's `on_epoch_end`",
    "predict": "call it in a Callback's `on_epoch_end`",
    "fit": _OUT,
    "train_on_batch": _OUT,
}


def check(facts: Facts) -> Iterator[Finding]:
    runs = _gravest([deed for deed in facts.hooks.runs if _is_harmful(facts, deed)])
    moves = callback_fixes(facts) if runs else ()
    for deed in runs:
        fixes = next((move.fixes for move in moves if move.takes(deed)), ())
        finding = Finding(
            *facts.pointer(deed.node), _message(facts, deed), fixes, _levels(facts, deed), _note(facts, deed)
        )
        finding = _as_known(facts, deed, finding)
        yield finding if finding.fixes else _unfixed(facts, deed, finding)


def _unfixed(facts: Facts, deed: Deed[TrainerCall], finding: Finding) -> Finding:
    return replace(finding.unfixed(why_not_moved(facts, deed)), help=_HELP[_method(deed)])


def _gravest(runs: list[Deed[TrainerCall]]) -> list[Deed[TrainerCall]]:
    """One for each place: the worst of what a helper does there."""
    found: dict[object, Deed[TrainerCall]] = {}
    for deed in sorted(runs, key=lambda deed: _GRAVITY.index(_method(deed))):
        found.setdefault(deed.node, deed)
    return [deed for deed in runs if found[deed.node] is deed]


def _as_known(facts: Facts, deed: Deed[TrainerCall], finding: Finding) -> Finding:
    """The finding; advice where the hook may be a Callback's too, or may run another model than the trained one."""
    finding = as_template_method(deed.hook.template_method, finding)
    if deed.hook.of_callback != "no":
        return if_for_sequence(deed.hook, finding, RULE.levels)
    if facts.evidence.model(deed.done) != "yes" or _reads_itself(facts, deed):
        return if_on_model(facts, deed.done, finding, RULE.levels)
    return if_trains(facts, deed.hook, deed.done, finding, RULE.levels)


def _is_harmful(facts: Facts, deed: Deed[TrainerCall]) -> bool:
    if deed.done.method not in RUNS or not facts.evidence.may_be_model(deed.done):
        return False
    trained = facts.fit_bindings.trains(deed.hook, deed.done.receiver)
    if trained == "unknown":  # a teacher or an encoder may well be another model than the one that is trained
        return _THE_MODEL.search(facts.text(deed.done.receiver)) is not None or _reads_itself(facts, deed)
    return trained == "yes" or _reads_itself(facts, deed)


def _method(deed: Deed[TrainerCall]) -> str:
    return deed.done.method.removesuffix("_generator")


def _reads_itself(facts: Facts, deed: Deed[TrainerCall]) -> bool:
    """Whether the data is the Sequence whose hook this is: its end calls the hook again."""
    data = deed.done.data
    return data is not None and facts.values.self_class(data) is not None


def _levels(facts: Facts, deed: Deed[TrainerCall]) -> Levels | None:
    if deed.hook.name == "on_epoch_begin":
        return _BEGIN
    return None if _reads_itself(facts, deed) else _LEVELS.get(_method(deed))


def _message(facts: Facts, deed: Deed[TrainerCall]) -> str:
    through = f" (through `{deed.via[-1]}`)" if deed.via else ""
    does = f"`{facts.text(deed.done.node.func)}` in `{deed.hook.called}`{through}"
    if _reads_itself(facts, deed):
        return f"{does} reads its own Sequence"
    if _mixes(deed):
        return f"{does} mixes its values into the training loss that `fit` reports"
    on3, on2 = _MESSAGES[_method(deed)]
    return f"{does} {on2 if facts.keras.lines == {'2'} else on3}"


def _note(facts: Facts, deed: Deed[TrainerCall]) -> Note:
    if _reads_itself(facts, deed):
        return Note(_ENDLESS)
    if _mixes(deed) or (facts.keras.lines == {"2"} and _method(deed) in ("evaluate", "predict")):
        return Note()
    return _NOTES.get(_method(deed), Note())


def _mixes(deed: Deed[TrainerCall]) -> bool:
    return deed.hook.name == "on_epoch_begin" and _method(deed) in ("evaluate", "test_on_batch")
