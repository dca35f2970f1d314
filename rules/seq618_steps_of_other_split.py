"""A number of steps counts the rows of another split than the one that is read.

## Why
Steps are worked out from the number of rows. Where this is that of the other split, as after a copied line, an epoch is too short or too long. A
generator without end hides it: it goes round, or stops in the middle.

## Measured
- Keras 3 and Keras 2: generators without end over 40 training and 10 validation rows, in batches of 5: `validation_steps=len(train) // 5` reads each
  validation row 4 times.
- Keras 3 and Keras 2: `steps_per_epoch=len(held) // 5` reads 10 of the 40 training rows in an epoch.
- Keras 3 and Keras 2: `predict` with the steps of the validation rows gives 10 of 40 predictions.

## Do this
Count the rows that are read. Keras knows how many batches a Sequence or a dataset that ends has: leave the steps out there.

## Silent when
The number counts rows that are read there, among others; it is a plain number; nobody knows what is read.
"""

from collections.abc import Iterator

from seqlint.api import (
    Counted,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    any_of,
    argument_place,
    here_or_imported,
)

_START = """
import keras
import numpy as np

rows, held = np.ones((40, 3), "float32"), np.zeros((10, 3), "float32")


def forever(table):
    while True:
        for start in range(0, len(table), 5):
            yield table[start : start + 5], table[start : start + 5, :1]


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_FIT = """model.fit(
    forever(rows),
    steps_per_epoch=len(rows) // 5,
    validation_data=forever(held),
    validation_steps=len(held) // 5,
    verbose=0,
)
"""

RULE = Rule(
    code="SEQ618",
    name="steps-of-other-split",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(here_or_imported(a_call_of_model, any_of("steps_per_epoch", "validation_steps", "steps", "fit_generator")),),
    examples=(
        Example(_START + _FIT.replace("len(held) //", "len(rows) //")),
        Example(_START + _FIT.replace("len(rows) //", "len(held) //")),
        Example.ok(_START + _FIT),
        Example.ok(_START + _FIT.replace("len(rows) // 5", "8").replace("len(held) // 5", "2")),
    ),
)


_ROWS = {
    "train": "the training data",
    "validation": "the validation data",
    "evaluate": "the data of `evaluate`",
    "predict": "the data of `predict`",
}
_NOTES = {
    "steps_per_epoch": "an epoch has the length of another split: 10 of 40 rows are read, or some are read again",
    "validation_steps": "rows are scored several times, or not at all",
    "steps": "rows are missing, or come several times",
}


def check(facts: Facts) -> Iterator[Finding]:
    counted, seen = facts.run.domain(Counted), set()
    for each in counted.wrong:
        reader = each.reader
        where = argument_place(facts.run, reader.call, reader.argument)
        if where is None or where in seen:
            continue
        seen.add(where)
        message = f"`{reader.argument}` counts {_ROWS[each.role]}, and not {_ROWS[reader.role]}"
        yield facts.finding_at(
            facts.run.span(where), message, _NOTES[reader.argument], "count the rows that are read here"
        )
    for node, name, twin in counted.named:
        if node not in seen:
            seen.add(node)
            message = f"`validation_steps` counts `{name}`, and not `{twin}`"
            yield facts.finding_at(facts.run.span(node), message, _NOTES["validation_steps"], f"use `{twin}`")
