"""`nb_epoch`, `samples_per_epoch` and other arguments of Keras 1.

## Why
Keras 2 renamed the arguments of the trainer methods and took the old names along for a while. They are gone. Those that counted
samples have no successor: `steps_per_epoch` counts batches.

## Measured
- Keras 3: TypeError from `fit` and `predict` ("got an unexpected keyword argument 'nb_epoch'"), ValueError from `evaluate`.
- Keras 2: TypeError from `fit`, `evaluate`, `predict` and `fit_generator` in 2.15 and tf-keras 2.21.

## Instead
`epochs` for `nb_epoch`; for `show_accuracy` give `metrics=["accuracy"]` to `compile`. For `samples_per_epoch` give `steps_per_epoch`, for `nb_val_samples`
`validation_steps`, for `val_samples` of `evaluate` and `predict` give `steps`, all divided by the size of a batch. `max_q_size`, `nb_worker` and `pickle_safe` are `max_queue_size`, `workers`
and `use_multiprocessing`: arguments of `fit` on Keras 2, of the Sequence or PyDataset on Keras 3.

## Silent when
The project is on a Keras before 2.4, which may still take them; on Keras 3 a call of `fit_generator` is SEQ702 as a whole.
"""

from collections.abc import Iterator

from seqlint.api import (
    Constant,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    TrainerCall,
    a_call_of_model,
    any_of,
    cst,
    dotted,
    give_workers,
    if_on_model,
    name_argument,
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
_OLD = {*_SUCCESSORS, _SHOWN}

RULE = Rule(
    code="SEQ703",
    name="legacy-fit-arguments",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model, any_of(*_OLD)),
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
        for argument, name in _old(facts, call).items():
            finding = facts.finding(argument, _message(facts, call, name))
            if call.method.endswith("_generator"):  # on Keras 3 the whole call is in question
                levels = Levels(keras2="error", early=None, keras3=None)
                finding = Finding(finding.start, finding.end, finding.message, levels=levels)
            edits = _edits(facts, call, argument, name)
            finding = finding.fixed_by(_title(name), *edits) if edits else finding
            yield if_on_model(facts, call, finding, RULE.levels)


_METHODS = ("fit", "evaluate", "predict", "fit_generator", "evaluate_generator", "predict_generator")


def _title(name: str) -> str:
    if name == _SHOWN:
        return f"Leave out `{name}`"
    return f"Write `{_SUCCESSORS[name]}`" if name in _RENAMED else "Give the worker settings under their new names"


def _is_late(facts: Facts) -> bool:
    """Whether the Keras of the project can be 2.4 or later."""
    return facts.keras.may_be("2.4") and (facts.keras.tensorflow_may_be("2.4") or not facts.keras.tensorflow)


def _old(facts: Facts, call: TrainerCall) -> dict[cst.CSTNode, str]:
    """The old arguments of a call with their names, also those of a dict in sight that is given as `**options`."""
    found: dict[cst.CSTNode, str] = {}
    for argument in call.node.args:
        if argument.keyword is not None and argument.keyword.value in _OLD:
            found[argument] = argument.keyword.value
        if argument.star == "**":
            options = facts.feeds.options(argument.value) or {}
            found |= {node: name for name, node in options.items() if name in _OLD}
    return found


def _message(facts: Facts, call: TrainerCall, name: str) -> str:
    receiver = dotted(call.receiver)
    method = f"{receiver}.{call.method}" if receiver else call.method
    error = "TypeError" if facts.keras.lines == {"2"} else _ERRORS.get(call.method, "TypeError")
    if name == _SHOWN:
        return f'`{method}` takes no `{name}`: {error}; accuracy is logged by `metrics=["accuracy"]` of `compile`'
    after = f"give `{_COUNTS[name]}`, which counts batches" if name in _COUNTS else f"it is `{_SUCCESSORS[name]}` now"
    return f"`{method}` takes no `{name}`: {error}; {after}"


def _edits(facts: Facts, call: TrainerCall, argument: cst.CSTNode, name: str) -> tuple[Edit, ...]:
    if name == _SHOWN:
        off = isinstance(argument, cst.Arg) and facts.values.constant(argument.value) == Constant(False)
        return remove_argument(facts, call.node, argument) if off and isinstance(argument, cst.Arg) else ()
    if not isinstance(argument, cst.Arg) or name in _COUNTS or _SUCCESSORS[name] in call.arguments:
        return ()
    if name in _RENAMED:
        return (name_argument(facts, argument, _RENAMED[name]),)
    if facts.keras.known and facts.keras.lines == {"2"}:
        return (name_argument(facts, argument, _WORKERS[name]),)
    workers = tuple(one for one in call.node.args if one.keyword is not None and one.keyword.value in _WORKERS)
    moved = give_workers(facts, call)
    if moved is None or len(workers) != 1:  # the settings go to the dataset together
        return ()
    return (*remove_arguments(facts, call.node, workers), *moved)
