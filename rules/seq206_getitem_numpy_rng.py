"""Random numbers of NumPy drawn in worker processes, which all draw the same ones.

## Why
Worker processes are forked, and each inherits NumPy's generator as it stands. So all of them draw the same numbers, and because Keras
makes the processes anew for each epoch from the same parent, every epoch draws the same again. What was meant to be augmentation is
a few fixed distortions.

## Measured
- Keras 3.10 and later: 8 batches with 4 processes and slow batches had 2 different draws; the next epoch repeated them. A
  `RandomState` or `default_rng(seed)` that is kept on `self` does the same.
- Keras 3.0 to 3.9: 3 different draws in 16 batches, and each epoch repeats them.
- Keras 2: 3 different draws in 16 batches, and each epoch repeats them.
- Every Keras: Python's `random` is seeded anew after a fork, so its draws differ, 16 of 16; so do those of `np.random.default_rng()` made
  in `__getitem__`, and all of them with threads. Keras gives the processes no seeds.

## Do this
A generator for each batch: `rng = np.random.default_rng()`, or one that can be repeated:
`np.random.default_rng([seed, epoch, index])`.

## Silent when
No process is asked for, or only for instances whose constructor turns the draws off (`train=False`); the generator is seeded on the way
to the batch.
"""

from collections.abc import Iterator

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Maker,
    NumpyDraw,
    Rule,
    a_getitem,
    a_sequence,
    as_piece,
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
    contract=Contract(changes=frozenset({"samples"})),
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
            contract=Contract(changes=frozenset({"samples", "order", "grouping", "history", "weights"})),
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
_DRAWN = Contract(frozenset({"samples", "order", "grouping", "history", "weights"}))


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for maker in facts.batches.makers:
        if maker.owner is None or not maker.of_sequence or facts.loading.processes(maker.owner) == "no":
            continue
        draws = [draw for draw in facts.numpy_draws.of(maker) if draw.node not in seen]
        draws = [draw for draw in draws if facts.switches.in_processes(draw.node, draw.frame, maker.owner)]
        if draws:
            seen.update(draw.node for draw in draws)
            finding = facts.finding(draws[0].node, _message(facts, maker, draws))
            finding = _fixed(facts, maker, draws, finding) if maker.piece is None else as_piece(maker.piece, finding)
            yield if_in_processes(facts, maker.owner, finding, RULE.levels)


def _message(facts: Facts, maker: Maker, draws: list[NumpyDraw]) -> str:
    assert maker.owner is not None
    source = _kept(facts, draws[0]) if draws[0].kept else "NumPy's global generator"
    return (
        f"`{facts.text(draws[0].node.func)}` draws from {source}, which every worker process of `{maker.owner.name}` inherits in one "
        "state: 8 batches had 2 different draws, the same in every epoch"
    )


def _kept(facts: Facts, draw: NumpyDraw) -> str:
    held = facts.text(draw.node.func).rpartition(".")[0]
    return "the generator on `self`" if held.startswith("self.") else f"the one generator `{held}`"


def _fixed(facts: Facts, maker: Maker, draws: list[NumpyDraw], finding: Finding) -> Finding:
    if any(draw.above for draw in draws):
        return finding
    functions = {frame.function for frame in facts.batches.frames(maker) if frame.function is not None}
    edits = fresh_generators(facts, draws, functions)
    title = "Draw from a generator that is made for each batch"
    return finding.fixed_by(title, *edits, contract=_DRAWN) if edits else finding
