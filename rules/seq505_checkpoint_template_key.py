"""The file name of a checkpoint names a value that `fit` does not log.

## Why
ModelCheckpoint fills in `{epoch}` and the values that are logged. A name that is not among them, such as `{val_acc}` where
`metrics=["accuracy"]` is compiled, or `{val_loss}` without validation data, ends the training when the first file is written.

## Measured
- Keras 3 and Keras 2: KeyError "Failed to format this callback filepath" at the end of the first epoch, also with `save_best_only=True`.

## Do this
Name a value that is logged; `print(history.history.keys())` shows all of them.

## Silent when
Nobody knows what is logged: unknown metrics, a model that is compiled elsewhere or has a `train_step` of its own, a callback that may add the value.
Files are written within epochs (`save_freq` is a number).
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    FitLogs,
    Levels,
    Miss,
    Misses,
    Monitors,
    Rule,
    TemplateKey,
    Templates,
    any_of,
    callee,
    filepath_node,
    is_expected_to_fail,
    matching,
    renamed,
    template_node,
)

_START = """
import os
import tempfile

import keras
import numpy as np

x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = (x[:, :1] > 0.5).astype("float32")
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
name = "weights-{epoch:02d}-{val_acc:.2f}.keras"
save = keras.callbacks.ModelCheckpoint(os.path.join(tempfile.mkdtemp(), name))
model.fit(x, y, epochs=2, verbose=0, validation_split=0.25, callbacks=[save])
"""

RULE = Rule(
    code="SEQ505",
    name="checkpoint-template-key",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("ModelCheckpoint", "callbacks"), any_of("fit", "fit_generator"), matching(r"\{\w*[a-z]\w*[:}]")),
    examples=(
        Example(_START, _START.replace("{val_acc", "{val_accuracy")),
        Example(_START.replace("{val_acc", "{val_f1")),
        Example.ok(_START.replace("{val_acc", "{val_accuracy")),
        Example.ok(_START.replace("-{val_acc:.2f}", "")),
    ),
    sources=("audier/DeepSpeechRecognition#48", "keras-team/keras#6104"),
)


def check(facts: Facts) -> Iterator[Finding]:
    if facts.keras.logs_short_names:
        return
    run, misses = facts.run, facts.run.domain(Misses)
    keys = run.domain(Templates).keys
    seen = set()
    for key in keys:
        miss = misses.of(key.key, key.fit, key.way)
        place = run.place(key.made)
        here = any(run.is_here(call.context) for call in (key.made, key.fit))
        if miss is None or place is None or not here or is_expected_to_fail(key.fit) or _is_seq501(facts, key):
            continue
        where = filepath_node(key.made) if place is key.made.node else place
        if (where, key.key) in seen:
            continue
        seen.add((where, key.key))
        finding = facts.finding_at(
            run.span(where), _message(miss), "this raises KeyError at the end of the first epoch", _help(miss)
        )
        finding = but(finding, levels=Levels.on("error", miss.lines))
        for reason in _doubts(facts, key):
            finding = finding.provided(reason, RULE.levels)
        others = [each for each in keys if each.made.node is key.made.node and each.key == key.key]
        yield finding if finding.condition else _fixed(facts, finding, key, miss, others)


def _is_seq501(facts: Facts, key: TemplateKey) -> bool:
    """Whether a callback of the same fit waits for a validation value, too: that fit is reported."""
    if not key.key.startswith("val_") or facts.run.domain(FitLogs).validates(key.fit, key.way) != "no":
        return False
    monitors = facts.run.domain(Monitors).all
    return any(each.fit is key.fit and each.decides and each.name.startswith("val_") for each in monitors)


def _doubts(facts: Facts, key: TemplateKey) -> Iterator[str]:
    if not facts.run.domain(FitLogs).is_plain(key.fit):
        yield f"`{callee(facts.run, key.fit)}` is that of a Keras model that logs no names of its own"
    if key.by_default:
        yield "the options keep their defaults"


def _fixed(facts: Facts, finding: Finding, key: TemplateKey, miss: Miss, others: list[TemplateKey]) -> Finding:
    misses = facts.run.domain(Misses)
    new = {each.name_instead if each is not None else "" for each in (misses.of(o.key, o.fit, o.way) for o in others)}
    edit = renamed(facts, template_node(facts.run, key.made, miss.name), "{" + miss.name, "{" + miss.name_instead)
    if not miss.name_instead:
        return finding.unfixed("no value that is logged comes near this name")
    if new != {miss.name_instead}:
        return finding.unfixed(f"another `fit` logs `{miss.name}`")
    if edit is None:
        return finding.unfixed("the file name is put together elsewhere")
    return but(finding.fixed_by(f"Name `{miss.name_instead}`", edit, lines=miss.lines_of_instead), help="")


def _message(miss: Miss) -> str:
    if miss.name_instead:
        return f"the file name has `{{{miss.name}}}`, but the value is called `{miss.name_instead}`"
    return f"the file name has `{{{miss.name}}}`, which is not logged"


def _help(miss: Miss) -> str:
    names = miss.shown
    return f"name a value that is logged: {names}" if miss.logged else "name a value that is logged"
