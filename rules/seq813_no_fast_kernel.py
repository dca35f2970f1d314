"""A recurrent layer is set up so that a GPU can't use its fast kernel.

## Why
LSTM and GRU are one operation of cuDNN on a GPU, but only with the settings that it knows: `tanh`, `sigmoid`, a bias, no dropout between the steps, no
unrolling. With any other Keras runs the steps one by one, each of several small operations, and a long row takes many times as long. `relu` has no
upper end, too: over hundreds of steps its values can grow until the loss is NaN.

## Measured
- Keras 3: what decides whether cuDNN may run, where a GPU is there, says yes to a plain LSTM and GRU, and no with `activation="relu"`,
  `recurrent_activation="hard_sigmoid"`, `unroll=True` or `use_bias=False`; a layer with `recurrent_dropout` does not even ask.
- Keras 2: the layer notes for itself that it can't use the kernel, and says so on a GPU: "will not use cuDNN kernels since it doesn't meet the criteria".

## Do this
Leave these settings at their defaults. In place of `recurrent_dropout` take `dropout`, or a Dropout layer after it.

## Silent when
The settings are not known, or `use_cudnn` is given; the layer is no LSTM or GRU of Keras.
"""

from collections.abc import Iterator

from seqlint.api import Call, Example, Facts, Finding, Levels, Rule, any_of, constant_of

_START = """
import keras

model = keras.Sequential([keras.Input((40, 3)), keras.layers.{0}, keras.layers.Dense(1)])
model.compile("adam", "mse")
"""

RULE = Rule(
    code="SEQ813",
    name="no-fast-kernel",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(
        any_of("LSTM", "GRU"),
        any_of("activation", "recurrent_activation", "recurrent_dropout", "unroll", "use_bias", "reset_after"),
    ),
    examples=(
        Example(_START.format('LSTM(8, activation="relu")')),
        Example(_START.format("GRU(8, recurrent_dropout=0.2)")),
        Example.ok(_START.format('LSTM(8, activation="tanh", dropout=0.2)')),
        Example.ok(_START.format('SimpleRNN(8, activation="relu")')),
    ),
)

_LAYERS = ("keras.layers.LSTM", "keras.layers.GRU")
_PLACES = ("units", "activation", "recurrent_activation", "use_bias")
_KNOWN = {
    "activation": "tanh",
    "recurrent_activation": "sigmoid",
    "use_bias": True,
    "unroll": False,
    "recurrent_dropout": 0,
    "reset_after": True,
}
"""What cuDNN knows."""


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for call in run.called(*_LAYERS):
        place = run.place(call)
        setting = _setting(call)
        if setting is None or place is None or place in seen:
            continue
        seen.add(place)
        message = f"`{call.result.method}` has no fast kernel with `{setting}`"
        note = "a GPU runs its steps one by one, many times as slowly"
        yield facts.finding_at(run.span(place), message, note, "leave it at its default")


def _setting(call: Call) -> str | None:
    """The setting that cuDNN does not know, as code; None where there is none, or another one may decide."""
    result = call.result
    if (
        result.keyword("**") is not None
        or result.keyword("use_cudnn") is not None
        or result.keyword("implementation") is not None
    ):
        return None
    for name, wanted in _KNOWN.items():
        place = _PLACES.index(name) if name in _PLACES else -1
        given = result.keyword(name)
        if given is None and 0 <= place < len(result.args):
            given = result.args[place]
        value = constant_of(given) if given is not None else ...
        if value is not ... and type(value) in (str, bool, int, float) and value != wanted:
            return f"{name}={value!r}"
    return None
