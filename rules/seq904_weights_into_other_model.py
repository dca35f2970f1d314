"""Weights are loaded into a model that has a layer of another size.

## Why
Weights fit a model whose layers have the sizes of the one that was saved. A size that was changed at one place alone, in the training or in the script
that predicts, shows when the file is loaded.

## Measured
- Keras 3: a layer of 4 units from one of 8 raises ValueError "A total of 2 objects could not be loaded" from `.weights.h5`, two layers being touched.
- Keras 2: a layer of 4 units from one of 8 raises ValueError.
- On every Keras the first layer with weights raises ValueError, too, where its input had 3 columns and now has 5.
- On every Keras another activation, another name, or a layer without weights more or less changes nothing.

## Do this
Build both models by one function, with the same numbers.

## Silent when
A number is not known, or the layers are not the same ones in the same order. `skip_mismatch=True` or `by_name=True` is given.
"""

from collections.abc import Iterator

from seqlint.api import Architectures, Example, Facts, Finding, Levels, Rule, any_of, callee, path_node

_BUILD = """
import keras


def build(units):
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(units, activation="relu"), keras.layers.Dense(1)])


build(8).save_weights("heath.weights.h5")
model = build(4)
model.load_weights("heath.weights.h5")
"""

RULE = Rule(
    code="SEQ904",
    name="weights-into-other-model",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("load_weights"),),
    examples=(
        Example(_BUILD),
        Example.ok(_BUILD.replace("build(4)", "build(8)")),
        Example.ok(
            _BUILD.replace('load_weights("heath.weights.h5"', 'load_weights("heath.weights.h5", skip_mismatch=True'),
            keras=">=3",
        ),
    ),
    sources=("keras-team/keras#18850",),
)


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for found in facts.run.domain(Architectures).other_sizes:
        where = path_node(facts.run, found.load)
        if where is None or where in seen or facts.for_one_keras(found.load.call):
            continue
        seen.add(where)
        one, other = ", ".join(found.saved.sizes), ", ".join(found.loaded.sizes)
        load = callee(facts.run, found.load.call)
        message = f"`{load}` gets weights of `{found.saved.kind}({one})` for `{found.loaded.kind}({other})`"
        yield facts.finding_at(
            facts.run.span(where), message, "ValueError: the shapes differ", "build both by one function"
        )
