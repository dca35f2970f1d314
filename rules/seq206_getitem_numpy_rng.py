"""Random numbers of NumPy drawn in worker processes, which all draw the same ones.

## Why
Worker processes are forked, and each one inherits the current state of NumPy's generator. So all of them draw the same numbers. Keras
starts new processes for each epoch from the same parent, so every epoch draws the same numbers again. What should be augmentation is a
few fixed distortions.

## Measured
- Keras 3.10 and later: 8 batches with 4 processes and slow batches had 2 different draws; the next epoch repeated them. A
  `RandomState` or `default_rng(seed)` that is kept on `self` does the same.
- Keras 3.0 to 3.9: 3 different draws in 16 batches, and each epoch repeats them.
- Keras 2: 3 different draws in 16 batches, and each epoch repeats them.
- Every Keras: Python's `random` gets a new seed after a fork, so its draws differ, 16 of 16; so do those of `np.random.default_rng()` made
  in `__getitem__`, and all of them with threads. Keras gives the processes no seeds.

## Do this
Make a generator for each batch: `rng = np.random.default_rng()`, or one that can be repeated:
`np.random.default_rng([seed, epoch, index])`. A function that draws by itself needs the generator as an argument.

## Silent when
The Sequence is not loaded in processes, or only instances whose constructor turns the draws off (`train=False`) are; the generator gets
a seed on the way to the batch.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Maker,
    Note,
    NumpyDraw,
    Rule,
    a_getitem,
    a_sequence,
    as_template_method,
    cst,
    fresh_generators,
    if_in_processes,
)

_TILES = """
import keras
import numpy as np


class Tiles(keras.utils.PyDataset):
    def __init__(self, tiles, answers, **kwargs):
        super().__init__(**kwargs)
        self.tiles, self.answers = tiles, answers

    def __len__(self):
        return len(self.tiles) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self._noisy(self.tiles[rows]), self.answers[rows]

    def _noisy(self, tiles):
        noise = np.random.randn(4, 3)
        return (tiles + noise * np.random.uniform(0, 0.1)).astype("float32")


if __name__ == "__main__":
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    tiles = Tiles(np.ones((8, 3)), np.ones((8, 1)), use_multiprocessing=True)
    model.fit(tiles, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ206",
    name="getitem-numpy-rng",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples"}), holds=frozenset({"labels stay"})),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(
            _TILES,
            _TILES.replace(
                """\
        noise = np.random.randn(4, 3)
        return (tiles + noise * np.random.uniform(0, 0.1)).astype("float32")
""",
                """\
        rng = np.random.default_rng()
        noise = rng.standard_normal((4, 3))
        return (tiles + noise * rng.uniform(0, 0.1)).astype("float32")
""",
            ),
            contract=Contract(
                changes=frozenset({"samples", "order", "grouping", "history", "weights"}),
                holds=frozenset({"labels stay"}),
            ),
        ),
        Example(
            """
import keras
import numpy as np


class Crops(keras.utils.PyDataset):
    def __init__(self, images, seed, **kwargs):
        super().__init__(use_multiprocessing=True, **kwargs)
        self.images = images
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        top = self.rng.integers(4)
        return self.images[index, :, top : top + 4], self.images[index, :, :1, 0]
"""
        ),
        Example.ok(_TILES.replace("use_multiprocessing=True", "workers=4")),
        Example.ok(
            _TILES.replace(
                "noise = np.random.randn(4, 3)", "np.random.seed(len(tiles))\n        noise = np.random.randn(4, 3)"
            )
        ),
        Example.ok(
            """
import random

import keras
import numpy as np


class Crops(keras.utils.PyDataset):
    def __init__(self, images, seed):
        super().__init__(workers=4, use_multiprocessing=True)
        self.images, self.seed = images, seed
        self.order = np.random.permutation(len(images))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        rng = np.random.default_rng([self.seed, index])
        top = rng.integers(4) + random.randrange(3)
        return self.images[self.order[index], :, top:], self.images[index, :, :1, 0]
"""
        ),
        Example.where_unknown(_TILES.replace("use_multiprocessing=True", "use_multiprocessing=choose()")),
    ),
    sources=("keras-team/keras#12639",),
)

# Other numbers are other samples, and train another model.
_DRAWN = Contract(frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"labels stay"}))

_REPEATS = "16 batches had 3 different draws, the same in every epoch"
_NOTE = Note(keras2=_REPEATS, early=_REPEATS, keras3="8 batches had 2 different draws, the same in every epoch")
_HELP = "make a generator for each batch: `np.random.default_rng([seed, epoch, index])`"


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for maker in facts.batches.makers:
        if maker.owner is None or not maker.of_sequence or facts.loading.processes(maker.owner) == "no":
            continue
        draws = [draw for draw in facts.numpy_draws.of(maker) if draw.node not in seen]
        draws = [draw for draw in draws if facts.switches.in_processes(draw.node, draw.frame, maker.owner)]
        if draws:
            seen.update(draw.node for draw in draws)
            message = f"`{facts.text(draws[0].node.func)}` draws the same numbers in all worker processes of `{maker.owner.name}`"
            finding = facts.finding(draws[0].node, message, but(_NOTE, every=_source(facts, draws[0])))
            finding = _fixed(facts, maker, draws, finding)
            yield if_in_processes(facts, maker.owner, finding, RULE.levels)


def _source(facts: Facts, draw: NumpyDraw) -> str:
    held = facts.text(draw.node.func).rpartition(".")[0]
    source = f"`{held}`" if draw.kept else "NumPy's global generator"
    return f"each process inherits the same state of {source}"


def _fixed(facts: Facts, maker: Maker, draws: list[NumpyDraw], finding: Finding) -> Finding:
    if maker.template_method is not None:
        return as_template_method(
            maker.template_method, but(finding, help=_HELP, no_fix="a base class in another file calls this method")
        )
    functions = {frame.function for frame in facts.batches.frames(maker) if frame.function is not None}
    edits = () if any(draw.above for draw in draws) else fresh_generators(facts, draws, functions)
    if not edits:
        return but(finding, help=_HELP, no_fix=_reason(facts, draws, functions))
    return finding.fixed_by("Draw from a new generator for each batch", *edits, contract=_DRAWN)


def _reason(facts: Facts, draws: list[NumpyDraw], functions: set[cst.FunctionDef]) -> str:
    if any(draw.above for draw in draws):
        return "a base class in another file makes the generator"
    if any(draw.seeded for draw in draws):
        return "the generator has a seed, so its numbers should stay repeatable"
    homes = [facts.tree.function(draw.node) for draw in draws]
    for home in homes:
        if home is not None and not {facts.tree.function(call) for call in facts.call_graph.callers(home)} <= functions:
            return f"`{home.name.value}` is called outside of the batches too"
    far = next((draw for draw in draws if not (draw.direct or draw.kept)), None)
    if far is not None:
        return f"`{facts.text(far.node.func)}` chooses its generator itself"
    return "a draw has no plain counterpart on a new generator"
