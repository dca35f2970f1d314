"""Inputs and targets that are shuffled separately, so that they no longer match.

## Why
Each shuffle draws its own order. After two of them, or after one of the inputs alone, row n of the inputs and row n of the
targets come from different samples. Nothing fails: the model learns that there is nothing to learn.

## Measured
- Keras 3 and Keras 2: after `np.random.shuffle(x)` and `np.random.shuffle(y)` 1 of 1000 rows still has its target, by chance.
- Keras 3 and Keras 2: with the same seed set again before the second shuffle all rows keep their targets, for arrays and lists of equal length.

## Do this
Draw one order for both, `order = np.random.permutation(len(x))`, and take `x[order]` and `y[order]`. Or keep the order in an
index, and take the rows of every batch through it.

## Silent when
One seed, state or permutation serves both. It is not known whether the two belong together row by row. The targets are a
part of what is shuffled in place, or are all the same. Labels whose name says that they are random, such as `random_labels`, while the inputs stay.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Misaligned,
    Rule,
    a_shuffle,
    cst,
    if_on_model,
    one_order,
)

_FEED = """
import random

import keras
import numpy as np


class Waves(keras.utils.PyDataset):
    def __init__(self, waves, heights):
        super().__init__()
        self.waves = waves
        self.heights = heights

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return np.stack(self.waves[rows]), np.stack(self.heights[rows])

    def on_epoch_end(self):
{hook}

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Waves({data}), shuffle=False, epochs=2, verbose=0)
"""
_ARRAYS = "np.eye(8), np.arange(8.0)"
_LISTS = "list(np.eye(8)), list(np.arange(8.0))"


def _feed(hook: str, data: str = _ARRAYS) -> str:
    lines = "".join(f"        {line}\n" for line in hook.split("\n"))
    return _FEED.replace("{hook}", lines).replace("{data}", data)


_SCRIPT = """
import keras
import numpy as np

x, y = np.eye(8), np.arange(8.0)
rng = np.random.default_rng()
{shuffle}
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(x, y, verbose=0)
"""

RULE = Rule(
    code="SEQ109",
    name="shuffle-misaligned",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights", "state"}),
        holds=frozenset({"inputs stay", "pairs match"}),
    ),
    needs=(a_shuffle,),
    examples=(
        Example(
            _feed("np.random.shuffle(self.waves)\nnp.random.shuffle(self.heights)"),
            _feed(
                "order = np.random.permutation(len(self.waves))\n"
                "self.waves, self.heights = self.waves[order], self.heights[order]"
            ),
        ),
        Example(
            _feed("random.shuffle(self.waves)\nrandom.shuffle(self.heights)  # in another order", _LISTS),
            _feed(
                "order = random.sample(range(len(self.waves)), len(self.waves))\n"
                "self.waves, self.heights = [self.waves[row] for row in order], [self.heights[row] for row in order]"
                "  # in another order",
                _LISTS,
            ),
        ),
        Example(
            _SCRIPT.replace("{shuffle}", "x = x[rng.permutation(len(x))]\ny = y[rng.permutation(len(y))]"),
            _SCRIPT.replace("{shuffle}", "order = rng.permutation(len(x))\nx, y = x[order], y[order]"),
        ),
        Example(_SCRIPT.replace("{shuffle}", "rng.shuffle(x)")),
        Example.where_unknown(
            """
import keras
import numpy as np

keras.utils.set_random_seed(1)


def train(learning, rows, answers):
    np.random.shuffle(rows)
    np.random.shuffle(answers)
    learning.fit(rows, answers)
"""
        ),
        Example.ok(
            _feed(
                "order = np.random.permutation(8)\nself.waves = self.waves[order]\nself.heights = self.heights[order]"
            )
        ),
        Example.ok(
            _feed(
                "np.random.seed(1)\nnp.random.shuffle(self.waves)\nnp.random.seed(1)\nnp.random.shuffle(self.heights)"
            )
        ),
        Example.ok(
            _SCRIPT.replace("{shuffle}", "np.random.RandomState(2).shuffle(x)\nnp.random.RandomState(2).shuffle(y)")
        ),
    ),
)


_MADE_WRONG = re.compile(
    r"(^|[_.])(rand(om)?|perm(uted)?|scrambled|nois[ey]+|null|fake|wrong)(?=_|\d*$)", re.IGNORECASE
)
_LABELS = re.compile(r"label|target|answer|class|(^|[_.])ys?(?=_|\d*$)", re.IGNORECASE)


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.separate_moves.all if facts.evidence.imports_keras or facts.sequences else ():
        if found.second is None and _is_by_chance(facts, found):
            continue
        at = found.second or found.first
        finding = facts.finding(at.statement, _message(found), "each row is trained with the target of another row")
        edits = one_order(facts, found)
        finding = finding.fixed_by("Shuffle both in one order", *edits) if edits else _unfixed(facts, found, finding)
        yield finding if found.fit is None else if_on_model(facts, found.fit, finding, RULE.levels)


def _is_by_chance(facts: Facts, found: Misaligned) -> bool:
    """Whether labels are random on purpose, as their name says: what does a model make of them?"""
    statement = found.first.statement
    made = statement.targets[0].target if isinstance(statement, cst.Assign) else None
    names = (found.first.name, facts.text(made) if made is not None else "")
    return any(_MADE_WRONG.search(name) and _LABELS.search(name) for name in names)


def _message(found: Misaligned) -> str:
    if found.second is None:
        return f"`{found.first.name}` is shuffled but `{found.other}` is not, so inputs and targets no longer match"
    return f"`{found.other}` and `{found.second.name}` are shuffled separately, so inputs and targets no longer match"


def _unfixed(facts: Facts, found: Misaligned, finding: Finding) -> Finding:
    return replace(finding, help="draw one order, and take the rows of both by it", no_fix=_reason(facts, found))


def _reason(facts: Facts, found: Misaligned) -> str:
    if found.second is None:
        return f"nothing shows where `{found.other}` should be reordered"
    if found.several:
        return "more than two belong together here"
    if found.first.node is None or found.second.node is None:
        return "a helper function or a loop shuffles them"
    kinds = {facts.containers.kind(node) for node in (found.first.node, found.second.node)}
    if kinds not in ({"array"}, {"list"}):
        return "it is not clear that both are arrays, or both lists"
    return "the two shuffles do not follow each other, or draw in different ways"
