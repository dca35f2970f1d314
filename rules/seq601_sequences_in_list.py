"""A list, tuple or dict of Sequences given to `fit`, `evaluate` or `predict`.

## Why
Keras takes one Sequence or PyDataset. It does not know lists of them, although many pages say that it trains on one after
the other and calls `on_epoch_end` of each. It stops before the first step.

## Measured
- Keras 3.10 and later: ValueError "Unrecognized data type", for a list, a tuple and a dict, also with one element.
- Keras 3.0 to 3.9: the same.
- Keras 2: ValueError "Failed to find data adapter".
- `validation_data=[first, second]`: every Keras takes the second one for the targets of the first, and raises
  ValueError. With one element, or as `(sequence, None)`, it works.

## Do this
Write one Sequence that chains them and forwards `on_epoch_end`. Each part keeps its own batches and its own shuffling. `fit`
still shuffles the order of all batches unless told not to. A model with several inputs needs something else: one Sequence
that returns `((first, second), targets)`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Bundle,
    ClassFacts,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    a_source,
    chain_for,
    cst,
    if_on_model,
)

_FEED = """
import keras
import numpy as np


class Drawn(keras.utils.Sequence):
    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows
        self.order = np.arange(len(rows))

    def __len__(self):
        return len(self.rows) // 2

    def __getitem__(self, index):
        chosen = self.order[index * 2 : index * 2 + 2]
        return self.rows[chosen], self.rows[chosen].sum(axis=1, keepdims=True)

    def on_epoch_end(self):
        np.random.shuffle(self.order)
"""
_CHAIN = '''

class ChainedSequence(keras.utils.Sequence):
    """Several sequences, one after the other. Each keeps its own batches and its own shuffling."""

    def __init__(self, parts, **kwargs):
        super().__init__(**kwargs)
        self.parts = list(parts)

    def __len__(self):
        return sum(len(part) for part in self.parts)

    def __getitem__(self, index):
        for part in self.parts:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError("no such batch")

    def on_epoch_end(self):
        for part in self.parts:
            part.on_epoch_end()
'''
_MODEL = """

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_NAMED = """
morning, evening = Drawn(rows[:4]), Drawn(rows[4:])
model.fit(FEEDS, epochs=2, verbose=0)
"""
_PLACES = """

def main(model):
    parts = []
    for half in np.split(rows, 2):
        parts.append(Drawn(half))
    held_out = [Drawn(half) for half in (rows[:4], rows[2:6])]
    model.fit(x=parts, validation_data=held_out, verbose=0)
    return model.predict(tuple(parts), verbose=0)


main(model)
"""
_PLACES_AFTER = """

def main(model):
    parts = []
    for half in np.split(rows, 2):
        parts.append(Drawn(half))
    held_out = [Drawn(half) for half in (rows[:4], rows[2:6])]
    model.fit(x=ChainedSequence(parts), validation_data=ChainedSequence(held_out), verbose=0)
    return model.predict(ChainedSequence(tuple(parts)), verbose=0)


main(model)
"""
_TWO_INPUTS = """

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
left, right = keras.Input((3,)), keras.Input((3,))
model = keras.Model([left, right], keras.layers.Dense(1)(keras.layers.Concatenate()([left, right])))
model.compile(optimizer="sgd", loss="mse")
"""

_HELP = "write one Sequence that returns the batches of all, or the inputs of one batch as a tuple"
_NO_FIX = "it is not clear that chaining them is meant"

RULE = Rule(
    code="SEQ601",
    name="sequences-in-list",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model, a_source),
    examples=(
        Example(
            _FEED + _MODEL + _NAMED.replace("FEEDS", "[morning, evening]"),
            _FEED + _CHAIN + _MODEL + _NAMED.replace("FEEDS", "ChainedSequence([morning, evening])"),
            keras=">=2.15",
        ),
        Example(_FEED + _MODEL + _PLACES, _FEED + _CHAIN + _MODEL + _PLACES_AFTER),
        Example(
            _FEED + _MODEL + "model.fit([Drawn(rows)], verbose=0)\n",
            _FEED + _MODEL + "model.fit(Drawn(rows), verbose=0)\n",
        ),
        Example(_FEED + _TWO_INPUTS + "model.fit([Drawn(rows), Drawn(rows)], verbose=0)\n"),
        Example(_FEED + _MODEL + 'model.fit({"day": Drawn(rows[:4]), "night": Drawn(rows[4:])}, verbose=0)\n'),
        Example(_FEED + _MODEL + "model.fit([Drawn(rows), rows], verbose=0)\n"),
        Example(_FEED + _MODEL + "model.fit([Drawn(rows[:4]), Drawn(rows[4:])], rows[:, :1], verbose=0)\n"),
        Example.where_unknown(_FEED + "\n\ndef run(learning, rows):\n    learning.fit([Drawn(rows), Drawn(rows)])\n"),
        Example.ok(_FEED + _CHAIN + _MODEL + "model.fit(ChainedSequence([Drawn(rows), Drawn(rows)]), verbose=0)\n"),
        Example.ok(_FEED + _MODEL + "model.fit(Drawn(rows), validation_data=[Drawn(rows)], verbose=0)\n"),
        Example.ok(_FEED + _MODEL + "model.fit(Drawn(rows), validation_data=(Drawn(rows), None), verbose=0)\n"),
        Example.ok(_FEED + _TWO_INPUTS + "model.fit([rows, rows], rows[:, :1], verbose=0)\n"),
        Example.ok(
            """
import keras


class Feed(keras.utils.Sequence):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return index


class Scale:
    def fit(self, feeds):
        self.most = max(feed[0] for feed in feeds)


Scale().fit([Feed(), Feed()])
"""
        ),
    ),
    sources=("How do multiple Keras Sequence on_epoch_end() calls affect model training?",),
)

_BESIDE = ("y", "sample_weight", "validation_split")


def check(facts: Facts) -> Iterator[Finding]:
    found = [one for one in facts.bundles.all if not _is_with_targets(one)]
    chained = [one for one in found if _means_chain(facts, one)]
    for one in found:
        finding = facts.finding(one.data, _message(facts, one), _note(one))
        finding = _fixed(facts, finding, one, chained) if one in chained else but(finding, help=_HELP, no_fix=_NO_FIX)
        yield if_on_model(facts, one.call, finding, RULE.levels)


def _is_with_targets(found: Bundle) -> bool:
    """`validation_data=(sequence, sequence)` is inputs and targets: what SEQ602 is for."""
    return found.role == "validation" and isinstance(found.data, cst.Tuple) and found.held.counted


def _fixed(facts: Facts, finding: Finding, found: Bundle, chained: list[Bundle]) -> Finding:
    if (only := found.only) is not None:
        edit = Edit(*facts.tree.outer_span(found.data), facts.text(only))
        return finding.fixed_by("Pass the Sequence itself", edit)
    return finding.fixed_by("Chain them in one Sequence", *_edits(facts, found, chained))


def _means_chain(facts: Facts, found: Bundle) -> bool:
    """Whether one after the other is surely what is meant, and the chain can take the place of the list."""
    if facts.evidence.model(found.call) != "yes" or not found.pure or found.held.kind == "dict":
        return False
    if facts.evidence.several_inputs(found.call.receiver):
        return False
    if found.role == "validation":
        return found.held.kind == "list"  # a tuple is inputs and targets
    if found.role != "predict" and any(_gives_one_array(facts, owner) for owner in found.classes):
        return False
    return not any(found.call.value(name) is not None for name in _BESIDE)


def _gives_one_array(facts: Facts, owner: ClassFacts) -> bool:
    """Whether a batch of the class is inputs alone: then a list of them is inputs and targets."""
    method = owner.method("__getitem__")
    returned = [node.value for node in facts.values.own(method[1], cst.Return)] if method is not None else []
    values = [
        value for value in returned if value is not None and not isinstance(value, (cst.Tuple, cst.List, cst.Dict))
    ]
    return len(values) == len(returned) > 0 and {facts.input_kinds.kind(value) for value in values} == {"arrays"}


def _message(facts: Facts, found: Bundle) -> str:
    where = "validation_data" if found.role == "validation" else found.call.method
    owners = found.classes
    what = f"`{owners[0].name}` objects" if len(owners) == 1 and found.pure else "Sequences"
    return f"`{where}` gets a {found.held.kind} of {what}, and Keras takes only one"


def _note(found: Bundle) -> str:
    if found.role == "validation":
        return "Keras takes the second one for targets and raises ValueError"
    return f"`{found.call.method}` raises ValueError before the first step"


def _edits(facts: Facts, found: Bundle, chained: list[Bundle]) -> tuple[Edit, ...]:
    """The chain at the call. One class serves all calls of the file, so it is made for the parts of all."""
    owners = tuple(dict.fromkeys(owner for one in chained for owner in one.classes))
    chain = chain_for(facts, owners, tuple(one.call.node for one in chained))
    start, end = facts.tree.outer_span(found.data)
    return (Edit(start, start, f"{chain.name}("), Edit(end, end, ")"), *chain.edits)
