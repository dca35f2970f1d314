"""`StopIteration` raised where a batch is made.

## Why
It is meant to say that the data have ended. But Keras asks a Sequence for as many batches as `__len__` says, from inside a generator
of its own, and there Python turns it into a RuntimeError. The same happens in a generator function.

## Measured
- Keras 3 and Keras 2: `StopIteration` in `__getitem__` does not end the epoch. From a batch that Keras reads before the first step, `fit`
  ends with a bare StopIteration; from a later one with UnknownError "RuntimeError: generator raised StopIteration".
- Every Keras: `raise StopIteration` in a generator function ends `fit` with "RuntimeError: generator raised StopIteration" as soon as
  it is reached.

## Do this
Return the number of batches from `__len__`, and a batch for each index below it. End a generator function with `return`.

## Silent when
It is caught on the way; it is raised for an index beyond the end, or for a slice that is empty there while the length matches the
data: Keras never asks for such a batch.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Frame,
    Levels,
    Maker,
    Rule,
    Traced,
    a_batch_method,
    any_of,
    cst,
    if_for_model,
    parameters,
    replace,
)

_CLASS = """
import keras
import numpy as np


class Tides(keras.utils.PyDataset):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels

    def __len__(self):
        return 4

    def __getitem__(self, index):
        rows = self.levels[index * 4 : index * 4 + 4]
"""
_FIT = """

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Tides(np.ones((12, 3), "float32")), verbose=0)
"""
_STREAM = """
import keras
import numpy as np


def tides(levels):
    start = 0
    while True:
        if start >= len(levels):
            raise StopIteration  # all are read
        yield levels[start : start + 4], levels[start : start + 4, :1]
        start += 4


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(tides(np.ones((12, 3), "float32")), verbose=0)
"""
_HELP = "return the number of batches from `__len__`"
_CATCHING = ("StopIteration", "Exception", "BaseException")

RULE = Rule(
    code="SEQ231",
    name="stop-iteration",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_batch_method, any_of("StopIteration")),
    examples=(
        Example(
            _CLASS
            + """\
        if len(rows) == 0:
            raise StopIteration
        return rows, rows[:, :1]
"""
            + _FIT
        ),
        Example(_STREAM, _STREAM.replace("raise StopIteration", "return")),
        Example(
            _CLASS
            + """\
        return self._checked(rows), rows[:, :1]

    def _checked(self, rows):
        if not len(rows):
            raise StopIteration("no more tides")
        return rows
"""
            + _FIT
        ),
        Example.ok(
            _CLASS
            + """\
        if index >= len(self):
            raise StopIteration
        return rows, rows[:, :1]
"""
            + _FIT
        ),
        Example.ok(
            _CLASS
            + """\
        try:
            return self._checked(rows), rows[:, :1]
        except StopIteration:
            return self.levels[:4], self.levels[:4, :1]

    def _checked(self, rows):
        if not len(rows):
            raise StopIteration
        return rows

    def __next__(self):
        raise StopIteration
"""
            + _FIT
        ),
    ),
    sources=("keras-team/keras#17946",),
)


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.Raise] = set()
    for maker in facts.batches.makers:
        for frame in facts.batches.frames(maker):
            for node in _raises(facts, frame):
                caught = _is_caught(facts, node, frame) or (
                    maker.template_method is not None and maker.template_method.asked.caught
                )
                if node in seen or caught or _is_beyond(facts, node, maker, frame):
                    continue
                seen.add(node)
                yield _finding(facts, node, maker, frame)


def _finding(facts: Facts, node: cst.Raise, maker: Maker, frame: Frame) -> Finding:
    where = f"`{maker.owner.name if maker.template_method is not None and maker.owner else maker.function.name.value}`"
    message = f"`StopIteration` does not end the data of {where}"
    finding = facts.finding(node, message, '`fit` fails with "generator raised StopIteration"')
    if maker.kind != "generator":
        finding = but(finding, help=_HELP, no_fix="`__len__` decides how many batches there are")
    elif facts.tree.enclosing(node, cst.FunctionDef, cst.ClassDef) is not frame.function:
        finding = but(finding, help="raise nothing in the class", no_fix="a class can't hold `return`")
    elif frame is maker.frame:
        finding = finding.fixed_by("Use `return` to end the generator", replace(facts, node, "return"))
    else:
        finding = but(
            finding, help="end the generator itself with `return`", no_fix="a helper of the generator raises it"
        )
    return if_for_model(maker, finding, RULE.levels)


def _raises(facts: Facts, frame: Frame) -> Iterator[cst.Raise]:
    """The places in a function itself that raise StopIteration."""
    for node in facts.tree.inside(frame.function.body, cst.Raise) if frame.function is not None else ():
        raised = node.exc.func if isinstance(node.exc, cst.Call) else node.exc
        stops = raised is not None and facts.qualified(raised) == "builtins.StopIteration"
        if stops and facts.tree.function(node) is frame.function:
            yield node


def _is_caught(facts: Facts, node: cst.CSTNode, frame: Frame) -> bool:
    """Whether a handler around the place, or around one of the calls that lead there, catches it."""
    here: Frame | None = frame
    while here is not None:
        for found in facts.tree.ancestors(node):
            if found is here.function:
                break
            if isinstance(found, cst.Try) and facts.tree.holds(found.body, node) and _takes(facts, found):
                return True
        if here.call is None:
            return here.handed is not None  # by a pool: it arrives in another way
        node, here = here.call, here.caller
    return False


def _takes(facts: Facts, guarded: cst.Try) -> bool:
    return any(
        handler.type is None or any(name.value in _CATCHING for name in facts.tree.inside(handler.type, cst.Name))
        for handler in guarded.handlers
    )


def _is_beyond(facts: Facts, node: cst.Raise, maker: Maker, frame: Frame) -> bool:
    """Whether a Sequence only raises it for an index past its end."""
    for found in facts.tree.ancestors(node) if maker.of_sequence else ():
        if not isinstance(found, cst.If) or not facts.tree.holds(found.body, node):
            continue
        sides = (
            (found.test.left, *(p.comparator for p in found.test.comparisons))
            if isinstance(found.test, cst.Comparison)
            else ()
        )
        if any(isinstance(side, cst.Name) and _is_index(facts, side, maker, frame) for side in sides):
            return True
        if any(_is_index(facts, name, maker, frame) for name in _bounds_of_rows(facts, found.test)):
            return _ends_with_the_data(facts, maker)
    return False


def _is_index(facts: Facts, name: cst.Name, maker: Maker, frame: Frame) -> bool:
    """Whether a name holds the index; which parameter of a piece is one only its caller knows."""
    if maker.template_method is None or frame is not maker.frame:
        return facts.batches.is_index(Traced(name, frame), maker)
    return any(param.name.value == name.value for param in parameters(maker.function.params))


def _bounds_of_rows(facts: Facts, test: cst.BaseExpression) -> Iterator[cst.Name]:
    """The index of `if len(rows) == 0:` with `rows = self.x[index * 8 : index * 8 + 8]`: such a slice ends where the data end."""
    counted = (facts.values.only(name) for name in facts.tree.inside(test, cst.Name))
    cuts = [*facts.tree.inside(test, cst.Subscript), *(cut for cut in counted if isinstance(cut, cst.Subscript))]
    for cut in cuts:
        if len(cut.slice) == 1 and isinstance(cut.slice[0].slice, cst.Slice):
            yield from _bounding(facts, cut.slice[0].slice)


def _ends_with_the_data(facts: Facts, maker: Maker) -> bool:
    """Whether no index below the length is past the data: a quotient, and nothing added to it."""
    length = maker.owner.method("__len__") if maker.owner is not None else None
    counts = facts.counts.returned(length[1]) if length is not None else ()
    return bool(counts) and all(count is not None and count.kind in ("ceil", "floor") for count in counts)


def _bounding(facts: Facts, cut: cst.CSTNode) -> list[cst.Name]:
    """The names that bound a slice, and those that they are worked out from."""
    found = list(facts.tree.inside(cut, cst.Name))
    made = (facts.values.only(name) for name in found)
    found += [name for each in made if each is not None for name in facts.tree.inside(each, cst.Name)]
    return [name for name in found if not facts.tree.is_label(name)]
