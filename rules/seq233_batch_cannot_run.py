"""Code on the way to a batch that fails whenever it runs.

## Why
An error that no test met ends `fit` at the first batch, or in the middle of an epoch where the line stands in a branch. Three kinds can be
told by reading: an augmented assignment that NumPy refuses, a name that no NumPy has, and a variable that is read before it has a value.

`pixels /= 255.0` writes the result into the array that is there. One of whole numbers can't hold fractions, and NumPy
refuses to cut them off silently. `pixels = pixels / 255.0` makes a new array, and works.

## Measured
- Keras 3 and Keras 2: `fit` ends with UFuncTypeError at the first batch, "Cannot cast ufunc 'divide' output from
  dtype('float64') to dtype('uint8')". `-=`, `+=` and `*=` with a float fail in the same way.

- Keras 3 and Keras 2: `np.flatten(x)` raises AttributeError "module 'numpy' has no attribute 'flatten'", with NumPy 1.26 and 2.4 alike.
- Keras 3 and Keras 2: `x = np.stack(x)` without an `x` before it in the method raises UnboundLocalError, whatever the module calls `x`.

## Do this
Write `pixels = pixels / 255.0`, or make the array float32 before: `pixels = pixels.astype("float32")`. Write the name that NumPy has, or
call the method of the array, `x.flatten()`. Give the variable its first value, such as an empty list, before it is read.

## Silent when
The type of the array is not certain, the code asks for it first, or a `try` stands round it. A name has been in some NumPy (SEQ707 knows
those that went), or may be in one to come. A variable has a value on one of the ways that lead to the line.
"""

from collections.abc import Iterator

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
            yield if_for_model(missing.maker, facts.finding(missing.node, _unknown(facts, missing)), RULE.levels)
    for unbound in facts.unbound.all:
        name, function = unbound.node.value, unbound.function.name.value
        message = (
            f"`{name}` has no value yet where `{function}` reads it, on any way that leads there: UnboundLocalError"
        )
        yield if_for_model(unbound.maker, facts.finding(unbound.node, message), RULE.levels)


def _unknown(facts: Facts, missing: MissingName) -> str:
    text, module = facts.text(missing.node), facts.text(missing.node.value)
    better = f"`{module}.{missing.meant}` is the nearest name" if missing.meant else "it is a method of the array"
    return f"no NumPy has `{text}`: AttributeError where it is read; {better}"


def _refused(facts: Facts) -> Iterator[Finding]:
    for refused in facts.refused.all:
        node = refused.node
        text = facts.text(node)
        finding = facts.finding(
            node,
            f"`{text}` can't put floats into an array of {refused.dtype}: NumPy raises UFuncTypeError at the first such batch",
        )
        if _is_own(facts, refused):
            finding = finding.fixed_by("Make a new array", spelled_out(facts, node))
        if refused.by_file:
            finding = finding.provided("the image files hold whole numbers", RULE.levels)
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
    """Whether the name is used behind the place."""
    last = facts.tree.order[target]
    names = facts.tree.inside(part, cst.Name)
    return any(name.value == target.value and facts.tree.order[name] > last for name in names)
