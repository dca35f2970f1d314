"""The best by a validation metric is saved after a number of batches.

## Why
With a number for `save_freq` the callback looks at the logs of a batch. These have no `val_` metric: validation runs at the end of an epoch. So
"best" is never known when it saves.

## Measured
- Keras 3.10 and later: it warns "Can save best model only with val_loss available", and saves each time, whatever the value: the newest is kept, not the best.
- Keras 3.0 to 3.9: it warns, and saves nothing.
- Keras 2: it logs a warning, and saves nothing.
- Keras 3.10 and later: with `monitor="loss"`, which batches log, the second save within the first epoch raises TypeError "'NoneType' object is not callable".
- Keras 2 and Keras 3.0 to 3.9: `monitor="loss"` with a number works.

## Do this
Leave `save_freq` at "epoch". To save within epochs, too, add a second ModelCheckpoint without `save_best_only`.

## Silent when
The metric is one of the training, `save_best_only` may be False, or `save_freq` may be "epoch".
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    BestByBatch,
    Checkpoints,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    any_of,
    dict_value,
    keyword_place,
)

_BEST = """
import keras
import numpy as np

rows = np.ones((12, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
keep = keras.callbacks.ModelCheckpoint("best.weights.h5", save_best_only=True, save_weights_only=True, save_freq=2)
model.fit(rows, rows[:, :1], batch_size=2, epochs=2, verbose=0, validation_data=(rows, rows[:, :1]), callbacks=[keep])
"""

RULE = Rule(
    code="SEQ521",
    name="checkpoint-best-by-batch",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"output", "settings"}),
        repairs=frozenset({"warnings"}),
        holds=frozenset({"only moments asked"}),
    ),
    needs=(any_of("ModelCheckpoint"), any_of("save_freq")),
    examples=(
        Example(_BEST, _BEST.replace("save_freq=2", 'save_freq="epoch"')),
        Example.ok(_BEST.replace("save_freq=2", 'save_freq="epoch", monitor="loss"')),
        Example.ok(_BEST.replace("save_best_only=True", "save_best_only=False")),
    ),
    sources=("tensorflow/tensorflow#44107", "keras-team/keras#16734"),
)

_NAME = "save_freq"
_NOTE = Note(
    keras2="it saves nothing, and logs a warning",
    early="it saves nothing, and warns",
    keras3="it saves each time, so the newest is kept",
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    seen = set()
    for found in run.domain(Checkpoints).best_by_batch:
        where = dict_value(run, found.number, _NAME) or keyword_place(run, found.call, _NAME)
        if where is None or where in seen or facts.for_one_keras(found.call):
            continue
        seen.add(where)
        message = f"the best by `{found.monitor}` is saved after batches, which do not log it"
        finding = _fixed(facts, found, facts.finding_at(run.span(where), message, _NOTE))
        yield finding.provided("the options keep their defaults", RULE.levels) if found.by_default else finding


def _fixed(facts: Facts, found: BestByBatch, finding: Finding) -> Finding:
    node = facts.run.written(found.call, _NAME) or dict_value(facts.run, found.number, _NAME)
    if node is None:
        return but(finding, help='leave `save_freq` at "epoch"', no_fix="another place sets the number")
    edit = Edit(*facts.run.span(node), '"epoch"')
    return finding.fixed_by("Save at the end of epochs", edit)
