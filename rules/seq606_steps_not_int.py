"""A number of steps is a float.

## Why
`/` gives a float even where nothing remains, and so do `np.ceil` and `np.floor`, and everything that is computed with them. Keras 2
accepted a float as a number of steps, Keras 3 does not.

## Measured
- Keras 3: TypeError "'float' object cannot be interpreted as an integer" at the start of `fit`, `evaluate` and `predict`, also
  for 2.0 and whatever the data are. A float tensor, as `tf.math.ceil` gives: AttributeError "object has no attribute '__index__'".
- Keras 2: accepted; 2.5 runs 3 steps.

## Do this
Leave it out where the data know their length: Sequences, arrays, datasets that end. Otherwise write `math.ceil(n / size)`, which is
what Keras 2 made of it, or `n // size` for full batches only.
"""

from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Numbers,
    Rule,
    TrainerCall,
    a_call_of_model,
    any_of,
    cst,
    if_on_model,
    remove_argument,
    whole_number,
)

_STREAM = """
import math

import keras
import numpy as np


def stream(rows):
    while True:
        for start in range(0, len(rows), 4):
            yield rows[start : start + 4], rows[start : start + 4, :1]


rows = np.ones((10, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ606",
    name="steps-not-int",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model, any_of("steps_per_epoch", "validation_steps", "steps", "fit_generator")),
    examples=(
        Example(
            _STREAM + "model.fit(stream(rows), steps_per_epoch=len(rows) / 4, epochs=2, verbose=0)\n",
            _STREAM + "model.fit(stream(rows), steps_per_epoch=math.ceil(len(rows) / 4), epochs=2, verbose=0)\n",
        ),
        Example(
            _STREAM
            + """steps = np.ceil(len(rows) / 4)
model.fit(stream(rows), steps_per_epoch=steps, verbose=0)
loss = model.evaluate(stream(rows), steps=steps, verbose=0)
""",
            _STREAM
            + """steps = np.ceil(len(rows) / 4)
model.fit(stream(rows), steps_per_epoch=int(steps), verbose=0)
loss = model.evaluate(stream(rows), steps=int(steps), verbose=0)
""",
        ),
        Example.where_unknown(
            _STREAM + "def run(learning):\n    learning.predict(stream(rows), steps=len(rows) / 4)\n"
        ),
        Example.ok(_STREAM + "model.fit(stream(rows), steps_per_epoch=len(rows) // 4, verbose=0)\n"),
        Example.ok(_STREAM + "model.fit(stream(rows), steps_per_epoch=int(len(rows) / 4), verbose=0)\n"),
        Example.ok(_STREAM + "model.fit(stream(rows), steps_per_epoch=len(rows) / 4, verbose=0)\n", keras="tf-keras"),
    ),
    sources=("avolkov1/keras_experiments#14",),
)

_STEPS = {
    "fit": ("steps_per_epoch", "validation_steps"), "evaluate": ("steps",), "predict": ("steps",),
}  # fmt: skip


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        if call.method not in _STEPS or not facts.evidence.may_be_model(call):
            continue
        for name in _STEPS[call.method]:
            value = call.value(name)
            rounding = _rounding(facts, value) or _when_it_runs(facts, call, name) if value is not None else None
            if value is None or rounding is None:
                continue
            what, error = ("float", "TypeError") if not _is_tensor(facts, value) else ("float tensor", "AttributeError")
            note = Note.on_keras_3(f"{error}, even for a whole number", "it is accepted")
            finding = facts.finding(value, f"`{name}` is a {what}, `{facts.text(value)}`, which Keras 3 refuses", note)
            left_out = _left_out(facts, call, name)
            if left_out:
                finding = finding.fixed_by(f"Leave out `{name}`", *left_out)
            else:
                finding = finding.fixed_by("Make it an int", *whole_number(facts, value, rounding))
            yield if_on_model(facts, call, finding, RULE.levels)


def _when_it_runs(facts: Facts, call: TrainerCall, name: str) -> str | None:
    """What makes an int of the steps that a call gets each time that it runs, if they always are a float."""
    ran = [each.result.keyword(name) for each in facts.run.at(facts.span(call.node))]
    kinds = {facts.run.domain(Numbers).of(value) if value is not None else "unknown" for value in ran}
    return "math.ceil" if kinds == {"float"} else None


def _is_tensor(facts: Facts, value: cst.BaseExpression) -> bool:
    """Whether TensorFlow, or Keras, has rounded the number."""
    made = facts.values.only(value)
    calls = facts.tree.inside(made, cst.Call) if made is not None else ()
    names = {facts.qualified(call.func) or "" for call in calls}
    return "builtins.float" not in names and any(name.startswith(("tensorflow.", "keras.ops.")) for name in names)


def _left_out(facts: Facts, call: TrainerCall, name: str) -> tuple[Edit, ...]:
    """Nothing is said of the steps where a Sequence counts them: rounded up they may be more than it has."""
    argument, data = call.arguments.get(name), call.value("validation_data") if "validation" in name else call.data
    if argument is None or argument.keyword is None or data is None:
        return ()
    return remove_argument(facts, call.node, argument) if facts.step_counts.is_of_batches(argument.value, data) else ()


def _rounding(facts: Facts, value: cst.BaseExpression) -> str | None:
    """What makes an int of a number that surely is a float; None where it may be an int."""
    counts = facts.counts.all(value)
    if all(count is not None and not count.is_int for count in counts):
        return "math.ceil" if any(count is not None and count.kind == "true" for count in counts) else "int"
    numbers = facts.numbers.values(value)
    if numbers and all(isinstance(number, float) for number in numbers):
        return "math.ceil"
    return "math.ceil" if facts.floats.is_one(value) else None
