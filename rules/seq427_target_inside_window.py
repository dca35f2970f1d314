"""A window of a time series holds the value that the model is to foretell.

## Why
`timeseries_dataset_from_array` gives the window that starts at row i the target of row i. So the targets must be moved by the length of a
window. Without that the target is one of the values that the model is given. It learns to copy it, and the score is far too good.

## Measured
- Keras 3 and Keras 2: with `timeseries_dataset_from_array(series, series, sequence_length=12)` 89 of 89 windows hold their target.
- Keras 3 and Keras 2: with `targets=series[11:]` it is 89 of 89, with `series[12:]` 0 of 88.
- Keras 3 and Keras 2: with `sampling_rate=2` it is 78 of 78 for `series[12:]`, and 0 of 77 for `series[23:]`.

## Do this
Move the targets by the length of a window: `timeseries_dataset_from_array(series[:-12], series[12:], sequence_length=12)`.

## Silent when
The targets are another array, or columns that the inputs don't have: to say what happens now is a task, too.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Inside, Levels, Rule, Windows, any_of

_SERIES = """
import keras
import numpy as np

tides = np.random.default_rng(1).normal(size=(60, 1)).astype("float32")
"""
_FIT = """model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(windows, epochs=2, verbose=0)
"""
_SAME = (
    _SERIES
    + "windows = keras.utils.timeseries_dataset_from_array(tides, tides, sequence_length=6, batch_size=8)\n"
    + _FIT
)
_MOVED = _SAME.replace("tides, tides", "tides[:-6], tides[6:]")

RULE = Rule(
    code="SEQ427",
    name="target-inside-window",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("timeseries_dataset_from_array"),),
    examples=(
        Example(_SAME),
        Example(_SAME.replace("tides, tides", "tides[:-1], tides[1:]")),
        Example.ok(_MOVED),
        Example.ok(_SAME.replace("tides, tides", "tides, None").replace("(windows", "(windows.map(lambda x: (x, x))")),
    ),
    sources=("tensorflow/tensorflow#40343", "keras-team/keras#14310"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for inside in run.domain(Windows).inside:
        place = run.place(inside.call)
        if place is not None and place not in found:
            note = "the model is given the value that it is to foretell, so the score is far too good"
            found[place] = facts.finding_at(run.span(place), _message(inside), note, _help(inside))
    yield from found.values()


def _message(inside: Inside) -> str:
    if not inside.shift:
        return "the target of each window is its own first row"
    return f"the targets are moved by {inside.shift}, but a window reaches over {inside.span} rows"


def _help(inside: Inside) -> str:
    return f"move the targets by at least {inside.span or 'the length of a window, in'} rows"
