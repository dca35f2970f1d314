"""A layer or a model gets arguments of Keras 1.

## Why
Keras 2 has renamed most arguments: `border_mode` is `padding`, `subsample` is `strides`, `W_regularizer` is `kernel_regularizer`. For a while the old
names were taken with a warning. No Keras that is installed today takes them.

## Measured
- Keras 3: `border_mode`, `subsample`, `init`, `W_regularizer` and `nb_filter` raise ValueError "Unrecognized keyword arguments"; `Model(input=...,
  output=...)` raises an error, too.
- Keras 2: they raise TypeError "Keyword argument not understood", and `Model(input=..., output=...)` TypeError.
- On every Keras `Conv2D(24, 5, 5)` has a kernel of 5 by 5 and takes the third number for `strides`: a picture of 40 by 40 gives 8 by 8, not 36 by 36.

## Do this
Write the new names, and the size of a kernel as a pair: `Conv2D(24, (5, 5), strides=(2, 2), padding="same")`.

## Silent when
The class is one of the program, or not known to be one of Keras.
"""

from collections.abc import Iterator

from seqlint.api import Call, Example, Facts, Finding, Levels, Rule, any_of, constant_of

_START = """
import keras

model = keras.Sequential([keras.Input((40, 40, 3)), keras.layers.{0}])
"""

RULE = Rule(
    code="SEQ713",
    name="keras-1-arguments",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    migration=True,
    needs=(
        any_of(
            *(
                "border_mode",
                "subsample",
                "init",
                "inner_init",
                "dim_ordering",
                "nb_filter",
                "nb_row",
                "nb_col",
                "bias",
            ),
            *("W_regularizer", "b_regularizer", "W_constraint", "b_constraint", "Convolution2D", "input"),
        ),
    ),
    examples=(
        Example(_START.format('Conv2D(8, (3, 3), border_mode="same")')),
        Example(_START.format("Convolution2D(8, 5, 5)")),
        Example.ok(_START.format('Conv2D(8, (3, 3), padding="same")')),
        Example.ok(_START.format("Conv2D(8, 4, 4)")),
    ),
)

_NEW = {
    "border_mode": "padding",
    "subsample": "strides",
    "init": "kernel_initializer",
    "inner_init": "recurrent_initializer",
    "dim_ordering": "data_format",
    "nb_filter": "filters",
    "nb_row": "kernel_size",
    "nb_col": "kernel_size",
    "bias": "use_bias",
    "W_regularizer": "kernel_regularizer",
    "b_regularizer": "bias_regularizer",
    "W_constraint": "kernel_constraint",
    "b_constraint": "bias_constraint",
}
_ROOMS = [["core"], ["convolutional"], ["recurrent"], ["pooling"], ["embeddings"], ["normalization"], ["local"]]
"""Modules of `keras.layers` that layers were imported from."""
_OF_MODEL = {"input": "inputs", "output": "outputs"}
_KERNEL = 3
"""A third number that is as large as the kernel is the other side of it, where the class has its old name and the number is odd, from here on."""


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for call in run.calls:
        found = _old(call)
        place = run.place(call) if found is not None else None
        if found is None or place is None or place in seen:
            continue
        seen.add(place)
        message, note, help_ = found
        yield facts.finding_at(run.span(place), message, note, help_)


def _old(call: Call) -> tuple[str, str, str] | None:
    """The message, the note and the help for a call with an argument of Keras 1."""
    name, result = call.name, call.result
    if name == "keras.Model":
        table = _OF_MODEL
    elif name.startswith("keras.layers.") and result.method[:1].isupper() and name.split(".")[2:-1] in ([], *_ROOMS):
        table = _NEW
    else:
        return None
    old = next((given for given, _ in result.keywords if given in table), None)
    if old is not None:
        return (
            f"`{result.method}` takes no `{old}`",
            "it raises where the layer is made",
            f"its name is `{table[old]}` now",
        )
    numbers = [constant_of(value) for value in result.args]
    if (
        result.method == "Convolution2D"
        and len(numbers) == _KERNEL
        and numbers[1] == numbers[2]
        and isinstance(numbers[1], int)
        and numbers[1] >= _KERNEL
        and numbers[1] % 2
    ):
        message = f"the third number of `{result.method}` is its `strides`"
        return (
            message,
            "the picture shrinks by that number",
            f"write the kernel as a pair: `({numbers[1]}, {numbers[2]})`",
        )
    return None
