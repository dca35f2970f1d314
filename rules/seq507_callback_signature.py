"""A hook of a callback can't take what Keras passes to it.

## Why
Keras calls the hooks of a callback itself, and says what it passes: `on_epoch_end(epoch, logs)`, `on_train_begin(logs)`,
`on_train_batch_end(batch, logs=logs)`. A hook that takes less fails only when it is called first, at the end of an epoch of hours.

## Measured
- On every Keras `on_epoch_end(self, epoch)`, `on_train_begin(self)` and `on_train_batch_end(self, batch)` raise TypeError when Keras calls them.
- Keras 3: `logs` goes to the hooks of batches by its name, so `on_train_batch_end(self, batch, values)` raises TypeError "unexpected keyword
  argument 'logs'"; `on_epoch_end(self, epoch, values)` works.
- Keras 2: `on_train_batch_end(self, batch, values)` works, and `on_batch_end(self, batch, values)` raises TypeError "unexpected keyword argument
  'logs'".
- On every Keras a function of LambdaCallback that takes less or requires more raises TypeError, too: `on_epoch_end=lambda epoch: ...`.
- On every Keras `on_epoch_end(self, logs, epoch)` gets the number of the epoch as `logs`, without a word.

## Do this
Take `logs=None` as the last parameter, by this name. The fix adds what is missing at the end. It is not offered where a hook takes too much, or in
another order, or calls `logs` otherwise: other code may pass these.

A hook that takes the two in another order and reads neither works; it is a warning.

## Silent when
`*args` or `**kwargs` take the rest, or a decorator is on the hook.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    CALLBACK_HOOKS,
    ClassFacts,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    HookFunctions,
    Levels,
    Note,
    Rule,
    Sometimes,
    WrongFunction,
    cst,
    matching,
    positional,
    take_missing,
)

_START = """
import keras
import numpy as np


class Watch(keras.callbacks.Callback):
    def HOOK:
        print("here")


rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[Watch()])
"""
_LAMBDA = _START.partition("class Watch")[0] + _START[_START.index("rows =") :].replace(
    "Watch()", "keras.callbacks.LambdaCallback(on_epoch_end=lambda WHAT: print(epoch))"
)

RULE = Rule(
    code="SEQ507",
    name="callback-signature",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(matching(r"def\s+on_\w+|LambdaCallback"),),
    examples=(
        Example(
            _START.replace("HOOK", "on_epoch_end(self, epoch)"),
            _START.replace("HOOK", "on_epoch_end(self, epoch, logs=None)"),
        ),
        Example(
            _START.replace("HOOK", "on_train_begin(self)"), _START.replace("HOOK", "on_train_begin(self, logs=None)")
        ),
        Example(_START.replace("HOOK", "on_train_batch_end(self, batch, values)"), keras=">=3"),
        Example(_LAMBDA.replace("WHAT", "epoch")),
        Example.ok(_START.replace("HOOK", "on_epoch_end(self, epoch, logs)")),
        Example.ok(_LAMBDA.replace("WHAT", "epoch, logs")),
        Example.ok(_START.replace("HOOK", "on_epoch_end(self, *args)")),
    ),
)

_RAISES = "TypeError when Keras calls it first"
_ON_BATCH = ("on_batch_begin", "on_batch_end")


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.callbacks:
        for hook, passed in CALLBACK_HOOKS.items():
            method = owner.methods.get(hook)
            if method is not None and not method.decorators and method.params.star_arg is cst.MaybeSentinel.DEFAULT:
                yield from _of(facts, owner, method, passed)
    for wrong in facts.run.domain(HookFunctions).wrong:
        yield _of_function(facts, wrong)


def _of(facts: Facts, owner: ClassFacts, method: cst.FunctionDef, passed: tuple[str, ...]) -> Iterator[Finding]:
    names = [param.name.value for param in positional(method.params)][1:]
    needed = [param.name.value for param in positional(method.params)[1:] if param.default is None]
    hook = f"`{owner.name}.{method.name.value}`"
    by_name = len(passed) == 2 and passed[0] == "batch"
    if method.params.star_kwarg is not None and by_name:
        return
    if len(needed) > len(passed):
        message = f"{hook} requires {_listed(needed[len(passed) :])}, which Keras does not pass"
        finding = facts.finding(method, message, _RAISES, f"take {_listed(passed)} only")
        yield finding.unfixed("what it requires may be needed")
    elif len(names) < len(passed):
        yield _short(facts, method, hook, names, passed)
    elif len(passed) == 2 and _is_of_logs(names[0]) and names[1] in ("epoch", "batch"):
        message = f"{hook} gets the {names[1]} as `{names[0]}`"
        finding = facts.finding(method, message, "no error says so", f"take `{names[1]}` first")
        finding = finding.unfixed("other code may pass them in this order")
        yield finding if _reads(facts, method, names[:2]) else but(finding, levels=Levels.everywhere("warning"))
    elif by_name and names[1] != "logs":
        message = f"{hook} has no `logs`, which Keras passes by name"
        finding = facts.finding(method, message, _RAISES, f"call it `logs` instead of `{names[1]}`")
        finding = finding.unfixed("other code may pass it by its name")
        yield finding if method.name.value in _ON_BATCH else but(finding, levels=Levels(None, "error", "error"))


def _reads(facts: Facts, method: cst.FunctionDef, names: list[str]) -> bool:
    """Whether the body of a hook mentions one of its parameters."""
    return any(isinstance(node, cst.Name) and node.value in names for node in facts.tree.walk(method.body))


def _short(facts: Facts, method: cst.FunctionDef, hook: str, names: list[str], passed: tuple[str, ...]) -> Finding:
    missing = passed[len(names) :]
    finding = facts.finding(method, f"{hook} does not take {_listed(missing)}, which Keras passes", Note(_RAISES))
    edit = take_missing(facts, method, missing)
    if isinstance(edit, Edit):
        return finding.fixed_by(f"Take {_listed(missing)}", edit)
    return but(finding, help=f"take {_listed(passed)}").unfixed(edit)


def _of_function(facts: Facts, wrong: WrongFunction) -> Finding:
    less = "only " if wrong.takes < len(wrong.passed) else ""
    number = f"{less}{wrong.takes} argument" + ("" if wrong.takes == 1 else "s")
    message = f"`{wrong.hook}` of `LambdaCallback` gets {_listed(wrong.passed)}, and the function takes {number}"
    place = facts.finding_at(facts.run.step_span(wrong.node), message, _RAISES, f"take {_listed(wrong.passed)}")
    return place.unfixed("other code may call the function, too")


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _is_of_logs(name: str) -> bool:
    return name in ("log", "logs")
