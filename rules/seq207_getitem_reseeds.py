"""A seed set on the way to a batch: every epoch draws the same numbers.

## Why
Augmentation should show each sample a little differently in each epoch. A generator that is set to a constant, or to the index, before
each batch draws the same crops, flips and noise again and again. The seed is also that of the whole process: a shuffle in
`on_epoch_end` then starts from the same state.

## Measured
- Every Keras: after `np.random.seed(index)` a batch has the same draws in every epoch.
- Every Keras: after `np.random.seed(7)` all batches of all epochs have the same draws. A `np.random.RandomState(7)` that is made for
  each of them does the same.
- Keras 3 and Keras 2: no difference between one worker and several; a process sets its own copy.

## Do this
Seed once, at the start of the program, with `keras.utils.set_random_seed`. For draws that can be repeated, make a generator in the call
from epoch and index: `np.random.default_rng([seed, self.epoch, index])`, and count `self.epoch` in `on_epoch_end`.

## Silent when
The seed contains the epoch, or the index where it is that of a generator made in the call; it is drawn, taken from the clock, or set
under a condition; the class feeds no fit; or the whole batch consists of random draws.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    WORKER_ARGUMENTS,
    Constant,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Getitems,
    Levels,
    Rule,
    a_getitem,
    a_sequence,
    as_template_method,
    comment_behind,
    cst,
    delete,
    indent_of,
    lines_of,
)

_CLASS = """
import keras
import numpy as np


class Leaves(keras.utils.PyDataset):
    def __init__(self, images, names):
        super().__init__()
        self.images = images
        self.names = names
        self.epoch = 0

    def __len__(self):
        return len(self.images) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
"""
_FIT = """

keras.utils.set_random_seed(5)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
leaves = Leaves(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"))
model.fit(leaves, epochs=3, verbose=0)
"""
_NOISE = """\
        noise = np.random.normal(size=(4, 3)).astype("float32")
        return self.images[rows] + noise, self.names[rows]
"""

RULE = Rule(
    code="SEQ207",
    name="getitem-reseeds",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"samples", "history", "weights"}), holds=frozenset({"labels stay", "epochs differ"})
    ),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(_CLASS + "        np.random.seed(index)\n" + _NOISE + _FIT, _CLASS + _NOISE + _FIT),
        Example(
            _CLASS
            + """\
        return self._noisy(self.images[rows]), self.names[rows]

    def _noisy(self, images):
        np.random.seed(42)
        return images + np.random.normal(size=images.shape).astype("float32")
"""
            + _FIT,
            _CLASS
            + """\
        return self._noisy(self.images[rows]), self.names[rows]

    def _noisy(self, images):
        return images + np.random.normal(size=images.shape).astype("float32")
"""
            + _FIT,
        ),
        Example.ok(_CLASS + "        np.random.seed(self.epoch * 1000 + index)\n" + _NOISE + _FIT),
        Example.ok(_CLASS + "        np.random.seed()\n" + _NOISE + _FIT),
        Example.ok(
            _CLASS
            + """\
        np.random.seed(index)
        return np.random.normal(size=(4, 3)), np.zeros((4, 1))
"""
            + _FIT
        ),
    ),
)

_NOTE = "every epoch draws the same numbers for a batch, and all later random draws repeat as well"
_ONCE = "seed once, at the start of the program, with `keras.utils.set_random_seed`"
_OWN = "make it from seed, epoch and index: `np.random.default_rng([seed, self.epoch, index])`"


def check(facts: Facts) -> Iterator[Finding]:
    for reseed in facts.reseeds.all:
        way = f"{reseed.owner.name}.{' > '.join(reseed.reached.path)}"
        if reseed.own:
            made = facts.text(reseed.node)
            text = f"`{way}` makes the same `{made}` for each batch"
            finding = facts.finding(reseed.node, text, "all batches of all epochs draw the same numbers", _OWN)
            yield as_template_method(
                reseed.reached.template_method,
                finding.unfixed("it needs another seed in each epoch, which you have to choose"),
            )
            continue
        through = f" through `{facts.text(reseed.node.func)}`" if reseed.external else ""
        finding = facts.finding(reseed.node, f"`{way}` sets the seed for each batch{through}", _NOTE)
        edits = _edits(facts, reseed.node) if reseed.reached.template_method is None and not reseed.external else ()
        if edits:
            finding = finding.fixed_by("Remove the call that sets the seed", *edits)
        else:
            finding = but(
                finding,
                help=_ONCE,
                no_fix=_reason(
                    facts, reseed.node, external=reseed.external, above=reseed.reached.template_method is not None
                ),
            )
        yield as_template_method(reseed.reached.template_method, finding)
    yield from _when_it_runs(facts)


def _when_it_runs(facts: Facts) -> Iterator[Finding]:
    """Seeds that objects of the Sequence set, of this file or another."""
    told = {facts.span(reseed.node) for reseed in facts.reseeds.all}
    for found in facts.run.domain(Getitems).reseeds():
        span = facts.run.span(found.node)
        if span not in told:
            told.add(span)
            text = f"`{facts.run.text(found.node)}` sets the seed for each batch of `{found.owner}`"
            yield facts.finding_at(span, text, _NOTE, help=_ONCE).unfixed(
                "an object that the Sequence keeps sets the seed"
            )


def _reason(facts: Facts, seed: cst.Call, *, external: bool, above: bool) -> str:
    if external:
        return "a function of another file sets the seed"
    if above:
        return "a base class in another file calls this method"
    if _may_use_processes(facts):
        return "without the seed, worker processes may all draw the same numbers"
    if not _is_for_batches(facts, seed):
        return "the function that sets the seed may be called from elsewhere too"
    return "the call is a part of a longer statement"


def _edits(facts: Facts, seed: cst.Call) -> tuple[Edit, ...]:
    """Without the line, but for comments on it; not where processes may copy the generator, since each of them would go on with the same numbers."""
    line = facts.tree.statement(seed)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or _may_use_processes(facts):
        return ()
    if not _is_for_batches(facts, seed):
        return ()
    if facts.tree.parents[seed] is not line.body[0] or not isinstance(line.body[0], cst.Expr):
        return ()
    return _without(facts, line)


def _without(facts: Facts, line: cst.SimpleStatementLine) -> tuple[Edit, ...]:
    """The block without a line; comments on it stay where they are, and where it is all there is, `pass` comes."""
    behind = comment_behind(facts, line)
    start, end = facts.span(line.body[0])
    first, last = lines_of(facts, line)
    if b"#" not in facts.source.utf8[first:start] and not behind:
        return delete(facts, line)
    block = facts.tree.parents[line]
    if isinstance(block, cst.IndentedBlock) and len(block.body) == 1:
        return (Edit(start, end, "pass"),)
    if behind:
        return (Edit(start, facts.source.utf8.index(b"#", end), ""),)
    return (Edit(start - len(indent_of(facts, line)), last, ""),)


def _is_for_batches(facts: Facts, seed: cst.Call) -> bool:
    """Whether no one else sets a seed by the function: not `set_seed(42)`, which `main` calls, too, or another file may."""
    function = facts.tree.function(seed)
    if function is None or not isinstance(facts.tree.enclosing(function, cst.ClassDef, cst.FunctionDef), cst.ClassDef):
        return False
    name = function.name.value
    return name == "__getitem__" or len(facts.tree.attributes(name)) == 1


def _may_use_processes(facts: Facts) -> bool:
    name = WORKER_ARGUMENTS[2]
    arguments = [a.value for a in facts.tree.all(cst.Arg) if a.keyword is not None and a.keyword.value == name]
    stores = bool(facts.tree.attributes(name))
    return stores or any(facts.values.constant(value) != Constant(False) for value in arguments)
