"""An argument of Keras 1 is given, such as `nb_epoch` or `samples_per_epoch`.

## Why
Keras 2 renamed the arguments of the trainer methods, and accepted the old names for a while. They are gone. The arguments that counted
samples have no successor: `steps_per_epoch` counts batches.

## Measured
- Keras 3: TypeError from `fit` and `predict` ("got an unexpected keyword argument 'nb_epoch'"), ValueError from `evaluate`.
- Keras 2: TypeError from `fit`, `evaluate`, `predict` and `fit_generator` in 2.15 and tf-keras 2.21.

## Do this
Write `epochs` for `nb_epoch`. For `show_accuracy` give `metrics=["accuracy"]` to `compile`. For `samples_per_epoch` give
`steps_per_epoch`, for `nb_val_samples` `validation_steps`, for `val_samples` of `evaluate` and `predict` `steps`, all divided by the batch
size. `max_q_size`, `nb_worker` and `pickle_safe` are `max_queue_size`, `workers` and `use_multiprocessing`: arguments of `fit` on Keras 2,
of the Sequence or PyDataset on Keras 3.

## Silent when
The project is on a Keras before 2.4, which may still take them. On Keras 3 SEQ702 reports the whole call of `fit_generator`, so only the
arguments that count samples are reported here: its fix can't divide.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from seqlint.api import (
    Constant,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    TrainerCall,
    a_call_of_model,
    any_of,
    cst,
    dotted,
    give_workers,
    if_on_model,
    name_argument,
    no_place_for_workers,
    remove_argument,
    remove_arguments,
)

_MODEL = """
import keras
import numpy as np

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_STREAM = """

def stream():
    while True:
        yield rows[:4], rows[:4, :1]


"""

_RENAMED = {"nb_epoch": "epochs"}
_WORKERS = {"max_q_size": "max_queue_size", "nb_worker": "workers", "pickle_safe": "use_multiprocessing"}
_COUNTS = {
    "samples_per_epoch": "steps_per_epoch",
    "nb_val_samples": "validation_steps",
    "val_samples": "steps",
}
_ERRORS = {"evaluate": "ValueError"}
_SUCCESSORS = {**_RENAMED, **_WORKERS, **_COUNTS}
_SHOWN = "show_accuracy"
Names = tuple[str, ...]
Arguments = tuple[cst.CSTNode, ...]
_OLD = {*_SUCCESSORS, _SHOWN}
_BY_HAND = {name: f"give `{count}`, which counts batches" for name, count in _COUNTS.items()}
_BY_HAND[_SHOWN] = 'give `metrics=["accuracy"]` to `compile`'
_METHODS = ("fit", "evaluate", "predict", "fit_generator", "evaluate_generator", "predict_generator")

RULE = Rule(
    code="SEQ703",
    name="legacy-fit-arguments",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(a_call_of_model, any_of(*_OLD)),
    edits_elsewhere=True,
    examples=(
        Example(
            _MODEL + "model.fit(rows, rows[:, :1], nb_epoch=2, verbose=0)\n",
            _MODEL + "model.fit(rows, rows[:, :1], epochs=2, verbose=0)\n",
        ),
        Example(
            _MODEL + _STREAM + "model.fit(stream(), steps_per_epoch=2, nb_epoch=2, verbose=0, max_q_size=4)\n",
            _MODEL + _STREAM + "model.fit(stream(), steps_per_epoch=2, epochs=2, verbose=0)\n",
            keras=">=3",
        ),
        Example(
            _MODEL + _STREAM + "model.fit_generator(stream(), steps_per_epoch=2, nb_epoch=2, verbose=0, nb_worker=1)\n",
            _MODEL + _STREAM + "model.fit_generator(stream(), steps_per_epoch=2, epochs=2, verbose=0, workers=1)\n",
            keras="tf-keras",
        ),
        Example(_MODEL + _STREAM + "model.fit(stream(), samples_per_epoch=8, epochs=2, verbose=0)\n"),
        Example(_MODEL + _STREAM + "model.fit_generator(stream(), steps_per_epoch=2, nb_epoch=2, verbose=0)\n"),
        Example.where_unknown(
            "import keras\n\n\ndef train(learning: keras.Model, x, y):\n    learning.fit(x, y, nb_epoch=2)\n"
        ),
        Example.ok(_MODEL + "model.fit(rows, rows[:, :1], epochs=2, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows, rows[:, :1], nb_epoch=2, verbose=0)\n", keras="==2.2.4"),
    ),
    sources=("keras-team/keras#14330",),
)


def check(facts: Facts) -> Iterator[Finding]:
    if facts.keras.known and not _is_late(facts):
        return
    for call in facts.training.calls:
        if call.method not in _METHODS or facts.evidence.guarded(call.node) or not facts.evidence.may_be_model(call):
            continue
        for names, arguments in _old(facts, call):
            levels = _levels(call, names)
            finding = facts.finding(arguments[0], *_texts(facts, call, names))
            finding = _fixed(facts, call, names, arguments, replace(finding, levels=levels))
            yield if_on_model(facts, call, finding, levels)


def _levels(call: TrainerCall, names: Names) -> Levels:
    """On Keras 3 a call of `fit_generator` is in question as a whole, but what has no successor stays to be mended."""
    if not call.method.endswith("_generator") or names[0] in _COUNTS:
        return RULE.levels
    return Levels(keras2="error", early=None, keras3=None, mixed="error")


def _title(name: str) -> str:
    if name == _SHOWN:
        return f"Leave out `{name}`"
    return f"Write `{_SUCCESSORS[name]}`" if name in _RENAMED else "Use the new names of the worker settings"


def _is_late(facts: Facts) -> bool:
    """Whether the Keras of the project can be 2.4 or later."""
    return facts.keras.may_be("2.4") and (facts.keras.tensorflow_may_be("2.4") or not facts.keras.tensorflow)


def _old(facts: Facts, call: TrainerCall) -> Iterator[tuple[Names, Arguments]]:
    """The old arguments of a call with their names, also those of a known dict that is given as `**options`.

    Those for workers are one, as they go to one place.
    """
    found: dict[cst.CSTNode, str] = {}
    for argument in call.node.args:
        if argument.keyword is not None and argument.keyword.value in _OLD:
            found[argument] = argument.keyword.value
        if argument.star == "**":
            options = facts.input_kinds.options(argument.value) or {}
            found |= {node: name for name, node in options.items() if name in _OLD}
    workers = {node: name for node, name in found.items() if name in _WORKERS}
    if workers:
        yield tuple(workers.values()), tuple(workers)
    yield from (((name,), (node,)) for node, name in found.items() if node not in workers)


def _texts(facts: Facts, call: TrainerCall, names: Names) -> tuple[str, Note]:
    """The message and the note."""
    method = call.method if "2" in facts.keras.lines else call.method.removesuffix("_generator")
    shown = ".".join(part for part in (dotted(call.receiver), method) if part)
    note = Note.on_keras_3(_ERRORS.get(method, "TypeError"), "TypeError")
    if names[0] in (_SHOWN, *_COUNTS):
        return f"`{shown}` takes no `{names[0]}`", note
    if len(names) == 1:
        return f"`{shown}` takes no `{names[0]}`: it is {_new(names)} now", note
    return f"`{shown}` takes no {_listed(names, 'or')}", note.after(f"they are {_new(names)} now")


def _listed(names: Iterable[str], link: str) -> str:
    *others, last = (f"`{name}`" for name in names)
    return f"{', '.join(others)} {link} {last}" if others else last


def _new(names: Names) -> str:
    return _listed((_SUCCESSORS[name] for name in names), "and")


def _fixed(facts: Facts, call: TrainerCall, names: Names, arguments: Arguments, finding: Finding) -> Finding:
    given = tuple(argument for argument in arguments if isinstance(argument, cst.Arg))
    title, by_hand = _title(names[0]), replace(finding, help=_BY_HAND.get(names[0]) or f"use {_new(names)}")
    if reason := _obstacle(facts, call, names, arguments):
        return by_hand.unfixed(reason)
    if names[0] == _SHOWN:
        edits = remove_argument(facts, call.node, given[0])
        return finding.fixed_by(title, *edits) if edits else by_hand.unfixed("a comment speaks of the argument")
    if names[0] in _RENAMED or facts.keras.lines == {"2"}:
        renamed = (name_argument(facts, one, _SUCCESSORS[name]) for name, one in zip(names, given, strict=True))
        return finding.fixed_by(title, *renamed)
    moved = give_workers(facts, call)
    if moved is None:
        return by_hand.unfixed(no_place_for_workers(facts, call))
    return finding.fixed_by(title, *remove_arguments(facts, call.node, given), *moved.edits, lines=moved.lines)


def _obstacle(facts: Facts, call: TrainerCall, names: Names, arguments: Arguments) -> str:
    """Why the arguments can't be changed; empty where they can."""
    given = [argument for argument in arguments if isinstance(argument, cst.Arg)]
    if len(given) != len(arguments):
        return "it is given in a dict, with `**`"
    if names[0] == _SHOWN:
        off = facts.values.constant(given[0].value) == Constant(False)
        return "" if off else "the call of `compile` would have to change too"
    if names[0] in _COUNTS:
        return "how many samples a batch holds is not known here"
    if both := [_SUCCESSORS[name] for name in names if _SUCCESSORS[name] in call.arguments]:
        return f"`{both[0]}` is given too"
    whole = call.method.endswith("_generator") and facts.keras.lines != {"2"}
    return "the fix of SEQ702 is for the whole call" if whole else ""
