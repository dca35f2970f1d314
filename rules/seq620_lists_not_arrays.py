"""Plain lists are given to a model in place of arrays.

## Why
Keras takes a list of arrays for several inputs, one array for each. A list of numbers, or of lists of numbers, is not an array, however it
looks. Labels that were collected with `append` are still a list when the inputs went through `np.array` long ago.

## Measured
- Keras 3: ValueError "Unrecognized data type" before the first step, for any list, tuple or `range` as `x` or `y`, also if it is only `y`, and for
  `evaluate`, `predict` and `validation_data`. The message prints `x`, even if `y` is the list.
- Keras 2: ValueError "Failed to find data adapter that can handle input" for a list next to an array. Lists as `x` and `y` both are accepted, and
  so is one as `x` of `predict`.
- Keras 3.10 and later: `train_on_batch` with a list as `x` or `y` raises ValueError.
- Keras 3.0 to 3.9: `train_on_batch` takes a list as `y`, and raises ValueError for one as `x`.
- Keras 2: `train_on_batch` with a list as `x` or `y` raises AttributeError "object has no attribute 'shape'".
- On every Keras a list of images is taken for as many inputs as there are images: ValueError "Data cardinality is ambiguous".

## Do this
Make arrays of them, `np.array(labels)`, once they are complete.

## Silent when
The list holds arrays that may be the inputs of a model with several, or seqlint can't tell what it holds.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    KERAS_3_LINES,
    KERAS_LINES,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Plain,
    PlainLists,
    Rule,
    a_call_of_model,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
    name_for,
    part_node,
    trainer_of,
)

_START = """
import keras
import numpy as np

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_LABELS = """
labels = []
for row in rows:
    labels.append(int(row[0] > 0.5))
"""

RULE = Rule(
    code="SEQ620",
    name="lists-not-arrays",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model,),
    examples=(
        Example(
            _START + _LABELS + "model.fit(rows, labels, epochs=2, verbose=0)\n",
            _START + _LABELS + "model.fit(rows, np.array(labels), epochs=2, verbose=0)\n",
        ),
        Example(
            _START + "model.fit(rows, rows[:, :1], verbose=0, validation_data=([[0.1, 0.2, 0.3]], [0.5]))\n",
            _START
            + "model.fit(rows, rows[:, :1], verbose=0, validation_data=(np.array([[0.1, 0.2, 0.3]]), np.array([0.5])))\n",
            keras=">=3",
        ),
        Example.where_unknown(_START + "def train(machine):\n    machine.fit(rows, [0, 1] * 4, verbose=0)\n"),
        Example.ok(_START + _LABELS + "model.fit(rows, np.array(labels), epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit([rows], [rows[:, :1]], epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit([[0.1, 0.2, 0.3]] * 4, [0.5] * 4, verbose=0)\n", keras="tf-keras"),
    ),
)

_REFUSED = Note.on_keras_3(
    'ValueError "Unrecognized data type" before the first step',
    "ValueError next to an array; two lists are accepted",
)
_ON_BATCH = Note.on_keras_3("ValueError", "AttributeError \"object has no attribute 'shape'\"")
_IMAGES = Note("each image is taken for an input of its own: ValueError")
_UNKNOWN = {
    "text": "what shall become of the texts is not known",
    "row": "what the items are is not known",
    "field": "what the items are is not known",
    "sequence": "the lists may differ in length: pad them first",
}


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[object] = set()
    for plain in facts.run.domain(PlainLists).all:
        call = plain.feed.call
        node, _ = part_node(facts.run, plain.feed, plain.parts[0][0])
        if node is None or node in seen or is_expected_to_fail(call) or not may_be_of_model(facts, call):
            continue
        seen.add(node)
        images = plain.parts[0][1] == "image"
        message = f"`{call.result.method}` gets {_what(facts, plain)}, and takes arrays"
        finding = facts.finding_at(facts.run.span(node), message, _IMAGES if images else _REFUSED)
        if call.result.method.endswith("_on_batch"):
            by_hand = Levels("error", None if plain.parts[0][0] == "y" else "error", "error")
            finding = but(finding, levels=by_hand, note=_ON_BATCH)
        elif plain.others != "array" and not images:
            finding = but(finding, levels=Levels(None, "error", "error"))
        yield if_of_model(facts, call, _fixed(facts, finding, plain), RULE.levels)


def _what(facts: Facts, plain: Plain) -> str:
    name, held = plain.parts[0]
    node, exact = part_node(facts.run, plain.feed, name)
    text = facts.run.text(node) if node is not None and exact else ""
    plural = {"sequence": "lists", "field": "rows"}.get(held, f"{held}s")
    return f"`{text}`, a list of {plural}" if text.isidentifier() else f"a list of {plural}"


def _fixed(facts: Facts, finding: Finding, plain: Plain) -> Finding:
    """Arrays of all lists of a call: of one alone it would be a list next to an array."""
    trainer = trainer_of(facts, plain.feed.call)
    nodes = [part_node(facts.run, plain.feed, name) for name, _ in plain.parts]
    help_text = "make arrays of them, `np.array(...)`"
    reasons = [_UNKNOWN[held] for _, held in plain.parts if held in _UNKNOWN]
    if reasons:
        return but(finding, help=help_text, no_fix=reasons[0])
    if trainer is None or not all(exact for _, exact in nodes):
        return but(finding, help=help_text, no_fix="it is given in another place")
    spelling = name_for(facts, "numpy.array", trainer.node)
    edits = [edit for node, _ in nodes if node is not None for edit in _wrapped(*facts.run.span(node), spelling.text)]
    fails = plain.others == "array" or (finding.levels or RULE.levels).keras2 is not None
    lines = KERAS_LINES if fails else KERAS_3_LINES
    title = "Make an array of it" if len(nodes) == 1 else "Make arrays of them"
    return finding.fixed_by(title, *edits, *spelling.edits, lines=lines)


def _wrapped(start: int, end: int, name: str) -> tuple[Edit, Edit]:
    return Edit(start, start, f"{name}("), Edit(end, end, ")")
