"""A `__getitem__` that yields: each batch is a generator object.

## Why
One `yield` turns the method into a generator function. A call runs no line of its body: it returns a generator object, which
holds no batch yet.

## Measured
- Keras 3.10 and later: ValueError "PyDataset.__getitem__() must return a tuple or a dict" from `fit`, `evaluate` and
  `predict`, before the first step.
- Keras 3.0 to 3.9: the same.
- Keras 2: an error before the first step that names no batch, such as TypeError "Inputs to a layer should be tensors".

## Do this
Return the batch. If the method should go through several batches, write a generator function instead of a class.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Contract, Edit, Example, Facts, Finding, Levels, Maker, Rule, a_sequence, any_of, cst

_CLASS = """
import keras
import numpy as np


class Barks(keras.utils.PyDataset):
    def __init__(self, waves, breeds):
        super().__init__()
        self.waves = waves
        self.breeds = breeds

    def __len__(self):
        return len(self.waves) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
"""
_FIT = """

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Barks(np.ones((8, 3), "float32"), np.ones((8, 1), "float32")), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ236",
    name="yield-in-getitem",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_sequence, any_of("__getitem__"), any_of("yield")),
    examples=(
        Example(
            _CLASS + "        yield self.waves[rows], self.breeds[rows]\n" + _FIT,
            _CLASS + "        return self.waves[rows], self.breeds[rows]\n" + _FIT,
        ),
        Example(
            _CLASS
            + """\
        while True:
            yield self.waves[rows], self.breeds[rows]
"""
            + _FIT
        ),
        Example.ok(
            _CLASS
            + """\
        return np.stack(list(self._each(rows))), self.breeds[rows]

    def _each(self, rows):
        for wave in self.waves[rows]:
            yield wave - wave.mean()

    def __iter__(self):
        for index in range(len(self)):
            yield self[index]
"""
            + _FIT
        ),
        Example.ok(
            """
import keras


class Pages:
    def __init__(self, pages):
        self.pages = pages

    def __getitem__(self, index):
        yield self.pages[index]
"""
        ),
    ),
)


_NOTE = "`fit` fails before the first step"


def check(facts: Facts) -> Iterator[Finding]:
    makers = {maker.function: maker for maker in facts.batches.makers if maker.kind == "sequence"}
    for function, maker in makers.items():
        yields = [node for node in facts.tree.inside(function.body, cst.Yield) if _is_own(facts, node, function)]
        if not yields:
            yield from _by_helpers(facts, maker)
            continue
        if function.asynchronous:
            continue
        message = f"`{_owner(maker)}.__getitem__` yields, so each batch is a generator object"
        finding = facts.finding(yields[0], message, _NOTE)
        edit = _edit(facts, yields, function)
        if edit is not None:
            yield finding.fixed_by("Return the batch", edit)
        else:
            yield but(finding, help="return the batch", no_fix="it does more than yield one batch at its end")


def _by_helpers(facts: Facts, maker: Maker) -> Iterator[Finding]:
    """`return self._batch(index)`, where `_batch` yields."""
    for batch in facts.batches.of(maker):
        value = facts.values.only(batch.value.node) if batch.value.node is not None else None
        function = facts.batches.run_by(maker, value) if isinstance(value, cst.Call) else None
        if isinstance(value, cst.Call) and function is not None and facts.values.is_generator(function):
            helper = facts.text(value.func)
            message = f"`{_owner(maker)}.__getitem__` returns the generator of `{helper}`, not a batch"
            finding = facts.finding(batch.statement, message, _NOTE, f"return the batch from `{helper}`")
            yield finding.unfixed(f"other code may use `{helper}` as a generator")


def _is_own(facts: Facts, node: cst.Yield, function: cst.FunctionDef) -> bool:
    return facts.tree.enclosing(node, cst.FunctionDef, cst.Lambda) is function


def _owner(maker: Maker) -> str:
    return maker.owner.name if maker.owner is not None else ""


def _edit(facts: Facts, yields: list[cst.Yield], function: cst.FunctionDef) -> Edit | None:
    """`return` for one plain `yield` that ends the method."""
    node = yields[0]
    line = facts.tree.statement(node)
    last = function.body.body[-1]
    plain = isinstance(facts.tree.parents[node], cst.Expr) and isinstance(node.value, cst.BaseExpression)
    if len(yields) > 1 or not plain or line is not last or facts.tree.inside(function.body, cst.Return):
        return None
    start = facts.span(node)[0]
    return Edit(start, start + len("yield"), "return")
