"""What models are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.run import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Context, Object, Run, Value

_WITHOUT_WEIGHTS = (
    "Activation", "Add", "AveragePooling", "Average", "Concatenate", "Dot", "Dropout", "Flatten", "Global", "Input", "Lambda", "LeakyReLU", "Masking",
    "MaxPool", "Multiply", "Permute", "ReLU", "Random", "RepeatVector", "Rescaling", "Reshape", "Resizing", "Softmax", "SpatialDropout", "Subtract",
    "UpSampling", "ZeroPadding", "add", "average", "concatenate", "multiply",
)  # fmt: skip
"""Layers of Keras without weights, by the start of their names."""


def made_of(run: Run, model: Object, context: Context) -> list[Object]:
    """The objects that lead to a model: its layers, its inputs, other models within; for one of a class of the program what it holds.

    Args:
        context: where somebody looks: lists are filled on the way there.
    """
    with run.machine.under(context.guards):
        return [*_parts(run, model)]


def _parts(run: Run, model: Object) -> Iterator[Object]:
    for value in _values(run, model):
        for each in contents(run, value):
            yield each
            if isinstance(each, Result) and each.name == "keras.Sequential" and each is not model:
                yield from (part for value in _added(run, each) for part in value)


def weighted_layers(run: Run, model: Object, context: Context) -> set[Object]:
    """The layers of Keras with weights that a model is made of, as far as they are seen."""
    layers = "keras.layers."
    found = (each for each in made_of(run, model, context) if isinstance(each, Result) and each.op == "call")
    return {
        each
        for each in found
        if each.name.startswith(layers)
        and not each.name.endswith("()")
        and not each.name.removeprefix(layers).startswith(_WITHOUT_WEIGHTS)
    }


def _values(run: Run, model: Object) -> list[Value]:
    if isinstance(model, Result):
        return [*model.args, *(value for _, value in model.keywords), *_added(run, model)]
    return [store.value for store in run.stores if store.owner is model]


def _added(run: Run, model: Result) -> list[Value]:
    """What `add` puts into a Sequential."""
    return [value for call in run.methods("add") if call.result.receiver is model for value in call.result.args]
