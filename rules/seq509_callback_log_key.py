"""A callback reads a value from `logs` that no `fit` logs.

## Why
The names in `logs` are those that `compile` gives: `metrics=["accuracy"]` is logged as `accuracy`, `metrics=["acc"]` as `acc`. Code for Keras before
2.3 and TensorFlow 1 reads `acc` in both cases. `val_` values are only there where `fit` gets validation data.

## Measured
- Keras 3 and Keras 2: `logs["acc"]` raises KeyError, and `logs.get("acc") > 0.9` TypeError, at the end of the first epoch, where `metrics=["accuracy"]`
  is compiled.

## Do this
Read the name that is logged; `print(logs.keys())` in the hook shows all of them.

## Silent when
Some `fit` that gets the callback logs the name, or nobody knows what it logs. The hook asks first whether the name is there, or reads another
name of the same value, too. The name is a setting of the callback.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    CallbackFits,
    Contract,
    Example,
    Facts,
    Finding,
    FitLogs,
    Levels,
    LogRead,
    Miss,
    Misses,
    Note,
    Rule,
    any_of,
    are_the_same,
    callee,
    cst,
    matching,
    replace,
)

_START = """
import keras
import numpy as np


class Enough(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs["acc"] > 2.0:
            self.model.stop_training = True


x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = (x[:, :1] > 0.5).astype("float32")
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=2, verbose=0, callbacks=[Enough()])
"""
_GET = _START.replace('logs["acc"]', 'logs.get("acc")')

RULE = Rule(
    code="SEQ509",
    name="callback-log-key",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(matching(r"\bon_(?:epoch|batch|train_batch)_end\b"), any_of("fit", "fit_generator"), any_of("logs")),
    examples=(
        Example(_START, _START.replace('"acc"', '"accuracy"')),
        Example(_GET, _GET.replace('"acc"', '"accuracy"')),
        Example(_START.replace('"acc"', '"val_loss"')),
        Example.ok(_START.replace('"acc"', '"accuracy"')),
        Example.ok(_START.replace("if logs", 'if "acc" in logs and logs')),
    ),
    sources=("keras-team/keras#14023", "lmoroney/dlaicourse#96"),
)

_ORDERS = (cst.GreaterThan, cst.GreaterThanEqual, cst.LessThan, cst.LessThanEqual)
_HOOKS = ("on_epoch_end", "on_train_batch_end", "on_batch_end")


def check(facts: Facts) -> Iterator[Finding]:
    if facts.keras.logs_short_names:
        return
    run = facts.run
    fits_of = run.domain(CallbackFits)
    for read in facts.logs.reads:
        key = _key(facts, read)
        if key is None or read.owner is None or _is_guarded(facts, read, key):
            continue
        fits = fits_of.of(read.owner.name)
        miss = run.domain(Misses).of_all(str(key.evaluated_value), fits)
        if miss is None:
            continue
        finding = facts.finding(key, _message(miss), _note(read), _help(facts, miss))
        finding = but(finding, levels=Levels.on("error", miss.lines))
        unsure = next((fit for fit in fits if not run.domain(FitLogs).is_plain(fit)), None)
        if unsure is not None:
            condition = f"`{callee(run, unsure)}` is that of a Keras model that logs no names of its own"
            yield finding.provided(condition, RULE.levels)
        else:
            yield _fixed(facts, finding, key, miss)


def _key(facts: Facts, read: LogRead) -> cst.SimpleString | None:
    """The key, where it is written out at the read, in a hook at the end of an epoch or batch."""
    hook = facts.tree.enclosing(read.node, cst.FunctionDef)
    if not isinstance(hook, cst.FunctionDef) or hook.name.value not in _HOOKS:
        return None
    node = read.node
    if isinstance(node, cst.Subscript):
        index = node.slice[0].slice
        return index.value if isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString) else None
    if not isinstance(node, cst.Call) or len(node.args) != 1 or not _fails_on_none(facts, node):
        return None
    return node.args[0].value if isinstance(node.args[0].value, cst.SimpleString) else None


def _fails_on_none(facts: Facts, call: cst.Call) -> bool:
    """Whether what is done with the value raises where it is None: it is compared, computed with, or formatted as a number."""
    above = facts.tree.parents[call]
    if isinstance(above, cst.ComparisonTarget):
        return isinstance(above.operator, _ORDERS)
    if isinstance(above, cst.Comparison):
        return isinstance(above.comparisons[0].operator, _ORDERS)
    if isinstance(above, cst.FormattedStringExpression):
        return above.format_spec is not None
    return isinstance(above, cst.BinaryOperation)


def _is_guarded(facts: Facts, read: LogRead, key: cst.SimpleString) -> bool:
    """Whether the class asks for the name, catches its lack, or names the same value in another way."""
    assert read.owner is not None
    node, word = read.owner.node, str(key.evaluated_value)
    if any(isinstance(handler, cst.Try) for handler in facts.tree.ancestors(key)):
        return True
    texts = [each.evaluated_value for each in facts.tree.inside(node.body, cst.SimpleString)]
    if any(isinstance(text, str) and text != word and are_the_same(text, word) for text in texts):
        return True
    tests = facts.tree.inside(node.body, cst.ComparisonTarget)
    asked = any(isinstance(each.operator, (cst.In, cst.NotIn)) for each in tests)
    return asked or any(_is_asked(facts, each, word) for each in facts.tree.inside(node.body, cst.Call))


def _is_asked(facts: Facts, call: cst.Call, word: str) -> bool:
    """`logs.get("acc")` as a test of its own: `if logs.get("acc") and ...`, `logs.get("acc") is not None`."""
    read = facts.logs.read(call)
    if read is None or word not in read.keys or _fails_on_none(facts, call):
        return False
    return isinstance(
        facts.tree.parents[call], (cst.If, cst.BooleanOperation, cst.Comparison, cst.IfExp, cst.UnaryOperation)
    )


def _fixed(facts: Facts, finding: Finding, key: cst.SimpleString, miss: Miss) -> Finding:
    if not miss.name_instead:
        return finding.unfixed("no value that is logged comes near this name")
    edit = replace(facts, key, facts.text(key).replace(miss.name, miss.name_instead))
    return but(finding.fixed_by(f"Read `{miss.name_instead}`", edit, lines=miss.lines_of_instead), help="")


def _message(miss: Miss) -> str:
    if miss.name_instead:
        return f"`logs` has no `{miss.name}`: the value is called `{miss.name_instead}`"
    return f"`logs` has no `{miss.name}`"


def _note(read: LogRead) -> Note:
    error = "KeyError" if isinstance(read.node, cst.Subscript) else "TypeError, since the value is None"
    return Note(f"this raises {error}")


def _help(facts: Facts, miss: Miss) -> str:
    names = miss.shown
    return f"read what is logged: {names}" if names else "read a name that is logged"
