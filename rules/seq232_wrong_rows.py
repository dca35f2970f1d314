"""A shuffled index that one part of a batch ignores, or that a list refuses.

## Why
An array of row numbers works only on arrays: a list refuses it. And a part of a batch that is sliced by position, or read by the
loop counter, does not follow the shuffled index at all.

## Measured
- Keras 3 and Keras 2: a list that is indexed by `np.random.permutation(n)` raises TypeError "only integer scalar arrays can be
  converted to a scalar index".
- Keras 3 and Keras 2: where `self.x` is read through a shuffled index and `self.y` by the slice itself, 1 row in n still has its
  target, by chance, without a warning.
- Keras 3 and Keras 2: where a loop over the rows reads `self.y` by its counter, that of `enumerate`, each batch has the first targets
  again.

## Do this
Make it an array, `np.asarray(x)`, and read all parts of a batch by the same rows of the index.

## Silent when
The type of the indexed object is not known.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, RowTakers, Rule, WrongRows, a_shuffle

_FEED = """
import keras
import numpy as np


class Waves(keras.utils.PyDataset):
    def __init__(self, waves, heights):
        super().__init__()
        self.waves = waves
        self.heights = {heights}
        self.order = np.arange(len(waves))

    def __len__(self):
        return len(self.order) // 4

    def __getitem__(self, index):
        rows = self.order[index * 4 : index * 4 + 4]
        return self.waves[rows], {targets}

    def on_epoch_end(self):
        np.random.shuffle(self.order)


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Waves(np.eye(8), np.arange(8.0)), epochs=2, verbose=0)
"""


def _feed(targets: str, heights: str = "heights") -> str:
    return _FEED.replace("{targets}", targets).replace("{heights}", heights)


_PAST = "self.heights[index * 4 : index * 4 + 4]"

RULE = Rule(
    code="SEQ232",
    name="wrong-rows",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(a_shuffle,),
    examples=(
        Example(_feed(_PAST)),
        Example(_feed("np.array(self.heights[rows])", "list(heights)")),
        Example.ok(_feed("self.heights[rows]")),
        Example.ok(_feed("np.array([self.heights[row] for row in rows])", "list(heights)")),
    ),
)


_NOTES = {
    "list by array": "it raises TypeError",
    "past the index": "their rows belong to different samples",
    "by the counter": "each batch has the targets of the first samples again",
}


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(RowTakers).all:
        if (facts.evidence.imports_keras or facts.sequences) and not _is_set_externally(facts, found):
            span = facts.run.span(found.node)
            yield facts.finding_at(span, _message(facts, found), _NOTES[found.how], _help(found))


def _is_set_externally(facts: Facts, found: WrongRows) -> bool:
    """Whether another file reads or sets one of the attributes of the Sequence."""
    owner = facts.class_of(found.source.cls) if found.source is not None else None
    return owner is not None and any(owner.is_used_externally(name.removeprefix("self.")) for name in found.names)


def _message(facts: Facts, found: WrongRows) -> str:
    taken = facts.run.text(found.node.value)
    if found.how == "list by array":
        return f"`{taken}` is a list, so an array of row numbers can't index it"
    if found.how == "by the counter":
        whole = facts.run.text(found.node)
        return f"`{whole}` uses the loop counter, but `{found.through}` is read through `{found.index}`"
    cut = "read" if found.by_sum else "sliced"
    return f"`{taken}` is {cut} by position, but `{found.through}` is read through the shuffled `{found.index}`"


def _help(found: WrongRows) -> str:
    if found.how == "list by array":
        return "make it an array with `np.asarray`, or read the rows one by one"
    return f"read both through `{found.index}`"
