"""Code that makes a batch and fails whenever it runs.

## Why
An error that no test found ends `fit` at the first batch, or in the middle of an epoch if the line is in a branch. Three kinds are
visible in the code: an augmented assignment that NumPy refuses, a name that no version of NumPy has, and a variable that is read
before it has a value.

`pixels /= 255.0` writes the result into the existing array. An array of integers can't hold fractions, and NumPy
refuses to truncate them silently. `pixels = pixels / 255.0` makes a new array, and works.

## Measured
- Keras 3 and Keras 2: `fit` ends with UFuncTypeError at the first batch, "Cannot cast ufunc 'divide' output from
  dtype('float64') to dtype('uint8')". `-=`, `+=` and `*=` with a float fail in the same way.

- Keras 3 and Keras 2: `np.flatten(x)` raises AttributeError "module 'numpy' has no attribute 'flatten'", with NumPy 1.26 and 2.4 alike.
- Keras 3 and Keras 2: `x = np.stack(x)` without an `x` before it in the method raises UnboundLocalError, whatever the module calls `x`.

## Do this
Write `pixels = pixels / 255.0`, or convert the array to float32 first: `pixels = pixels.astype("float32")`. Use a name that NumPy has,
or call the method of the array, `x.flatten()`. Give the variable a first value, such as an empty list, before it is read.

## Silent when
The dtype of the array is not certain, the code checks it first, or a `try` surrounds it. Some version of NumPy had the name (see
SEQ707), or a future one may have it. The variable has a value on one of the paths that lead to the line.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    MissingName,
    Refused,
    Rule,
    a_batch_method,
    cst,
    if_for_model,
    spelled_out,
)

_SCANS = """
import keras
import numpy as np


class Scans(keras.utils.PyDataset):
    def __init__(self, scans):
        super().__init__()
        self.scans = np.asarray(scans, dtype="uint8")

    def __len__(self):
        return 2

    def __getitem__(self, index):
        scans = self.scans[index * 4 : index * 4 + 4]
        scans /= 255.0
        return scans, scans[:, :1]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Scans([[0, 128, 255]] * 8), epochs=2, verbose=0)
"""
_CENTERED = _SCANS.replace("scans /= 255.0", "scans -= np.mean(scans)  # to the middle")

RULE = Rule(
    code="SEQ233",
    name="batch-cannot-run",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_batch_method,),
    examples=(
        Example(_SCANS, _SCANS.replace("scans /= 255.0", "scans = scans / 255.0")),
        Example(_CENTERED, _CENTERED.replace("scans -= np.mean(scans)", "scans = scans - np.mean(scans)")),
        Example(_SCANS.replace("        scans /= 255.0", "        scans = scans.copy()\n        scans[:, 1:] *= 0.5")),
        Example(_SCANS.replace("        scans /= 255.0", "        scans = np.flatten(scans)[:, None]")),
        Example(
            _SCANS.replace("        scans = self.scans", "        rows = self.scans").replace(
                "scans /= 255.0", "scans = np.array(scans)"
            )
        ),
        Example.ok(_SCANS.replace('dtype="uint8"', 'dtype="float32"')),
        Example.ok(_SCANS.replace("/= 255.0", "//= 2")),
    ),
    sources=("numpy/numpy: casting rule 'same_kind' measured",),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from _refused(facts)
    for missing in facts.missing_names.all:
        if not facts.mentions.optional(missing.node) and not facts.evidence.guarded(missing.node):
            yield if_for_model(missing.maker, _unknown(facts, missing), RULE.levels)
    for unbound in facts.unbound.all:
        message = f"`{unbound.node.value}` has no value yet where `{unbound.function.name.value}` reads it"
        note, help_ = "it raises UnboundLocalError on every path that leads there", "give it a value before it is read"
        finding = facts.finding(unbound.node, message, note, help_).unfixed("its first value is not known")
        yield if_for_model(unbound.maker, finding, RULE.levels)


def _unknown(facts: Facts, missing: MissingName) -> Finding:
    text, module = facts.text(missing.node), facts.text(missing.node.value)
    name = f"`{module}.{missing.meant}`"
    better = f"use {name}, the nearest name" if missing.meant else "call the method of the array"
    reason = (
        f"{name} may not be what is meant" if missing.meant else "the array may be a list, which has no such method"
    )
    message = f"no version of NumPy has `{text}`"
    return facts.finding(missing.node, message, "it raises AttributeError", better).unfixed(reason)


def _refused(facts: Facts) -> Iterator[Finding]:
    for refused in facts.refused.all:
        node = refused.node
        text = facts.text(node)
        name = f"`{text}`" if len(text) < 60 and "\n" not in text else "this"
        message = f"{name} can't store floats in an array of {refused.dtype}"
        finding = facts.finding(node, message, "NumPy raises UFuncTypeError at the first such batch")
        if _is_own(facts, refused):
            finding = finding.fixed_by("Make a new array", spelled_out(facts, node))
        else:
            part = (
                "it changes a part of an array"
                if isinstance(node.target, cst.Subscript)
                else "other code may hold the array"
            )
            finding = but(finding, help="make a new array, or convert it to float32 first", no_fix=part)
        if refused.by_file:
            finding = finding.provided("the image files hold integers", RULE.levels)
        yield if_for_model(refused.maker, finding, RULE.levels)


def _is_own(facts: Facts, refused: Refused) -> bool:
    """Whether a new array can stand in: the name is what the function goes on with, not a view that it writes through."""
    target = refused.node.target
    function = facts.tree.function(refused.node)
    if not isinstance(target, cst.Name) or not isinstance(function, cst.FunctionDef):
        return False
    bindings = facts.names.reaching(target)
    if not all(binding.kind in ("assign", "parameter") and _is_fresh(binding.value) for binding in bindings):
        return False
    if any(binding.kind == "parameter" for binding in bindings):
        returns = (node.value for node in facts.values.own(function, cst.Return) if node.value is not None)
        return any(_reads(facts, value, target) for value in returns)
    return _reads(facts, function.body, target)


def _is_fresh(value: cst.BaseExpression | None) -> bool:
    """Not so `row = batch[0]` and `row = other`, which are written through; a parameter has no value of its own here."""
    if isinstance(value, cst.Subscript):
        return isinstance(value.value, cst.Attribute)
    return value is None or isinstance(value, cst.Call)


def _reads(facts: Facts, part: cst.CSTNode, target: cst.Name) -> bool:
    """Whether the name is used after the place."""
    names = facts.tree.inside(part, cst.Name)
    return any(name.value == target.value and facts.tree.order.precedes(target, name) for name in names)
