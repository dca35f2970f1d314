"""The names under which fits log: what `compile` asks for on each line of Keras, and where that can't be told.

What is said of single metrics and outputs is compared with real fits in `tests/facts/test_measured.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.models.logged import Logged
from tests.facts import fits
from tests.run.programs import ran

if TYPE_CHECKING:
    from seqlint.model import KerasLine

KERAS2: KerasLine = "2"
KERAS3: KerasLine = "3.10+"


def logs(program: str, line: KerasLine = KERAS3) -> Logged:
    """What the last fit of a program logs."""
    found = ran(fits.START + program).domain(FitLogs)
    return found.of(found.fits[-1], line)


@pytest.mark.parametrize(
    ("name", "keras2", "keras3"),
    [
        ("no metrics", {"loss"}, {"loss"}),
        ("acc", {"loss", "acc"}, {"loss", "acc"}),
        ("short and long", {"loss", "mse", "mean_absolute_error"}, {"loss", "mse", "mean_absolute_error"}),
        ("camel case", {"loss", "myF1"}, {"loss", "my_f1"}),
        ("lambda", {"loss", "<lambda>"}, {"loss", "lambda"}),
        ("an object with a name", {"loss", "roc"}, {"loss", "roc"}),
        ("both", {"loss", "acc", "weighted_acc"}, {"loss", "acc", "weighted_acc"}),
        (
            "a list for two",
            {"loss", "a_loss", "b_loss", "a_acc", "a_mse", "b_acc", "b_mse"},
            {"loss", "a_loss", "b_loss", "a_acc", "b_mse"},
        ),
        ("dicts", {"loss", "a_loss", "b_loss", "a_acc", "b_mse"}, {"loss", "a_loss", "b_loss", "a_acc", "b_mse"}),
        ("one loss of two", {"loss", "a_loss"}, {"loss"}),
        ("a rate that falls", {"loss", "lr"}, {"loss", "learning_rate"}),
        ("a subclassed model", {"loss", "acc", "extra"}, {"loss", "acc", "extra"}),
        ("compiled again", {"loss", "mae"}, {"loss", "mae"}),
        ("another model under the same name", {"loss", "mse"}, {"loss", "mse"}),
        ("a class that trains", {"loss", "acc"}, {"loss", "acc"}),
        ("validation", {"loss", "acc", "val_loss", "val_acc"}, {"loss", "acc", "val_loss", "val_acc"}),
    ],
)
def test_the_names_on_each_line(name: str, keras2: set[str], keras3: set[str]) -> None:
    program = fits.PROGRAMS[name]
    assert logs(program, KERAS2) == Logged(frozenset(keras2))
    assert logs(program, KERAS3) == Logged(frozenset(keras3))


def test_the_name_of_a_class_as_a_string() -> None:
    program = fits.PROGRAMS["the name of a class"]
    assert logs(program, KERAS3).has("AUC") == "yes"
    assert logs(program, KERAS3).has("auc") == "no"
    assert logs(program, KERAS2).has("AUC") == "no"
    assert logs(program, KERAS2).has("auc") == "unknown"


def test_the_third_argument_is_another_one_on_each_line() -> None:
    program = "model = one()\nmodel.compile('sgd', BCE, ['acc'])\nmodel.fit(x, y)"
    assert logs(program, KERAS2).names == {"loss", "acc"}
    assert logs(program, KERAS3).names == {"loss"}


@pytest.mark.parametrize(
    ("key", "answer"),
    [("auc", "yes"), ("auc_1", "unknown"), ("auc_12", "unknown"), ("auc_x", "no"), ("acc", "no"), ("val_auc", "no")],
)
def test_objects_that_are_numbered(key: str, answer: str) -> None:
    assert logs(fits.PROGRAMS["an object"]).has(key) == answer


@pytest.mark.parametrize(
    "program",
    [
        "for turn in range(2):\n    model = one()\n    model.compile('sgd', BCE, metrics=[keras.metrics.AUC()])\n    model.fit(x, y)",
        (
            "def build():\n    model = one()\n    model.compile('sgd', BCE, metrics=[keras.metrics.AUC()])\n    return model\n"
            "first = build()\nmodel = build()\nmodel.fit(x, y)"
        ),
        "other = keras.metrics.AUC()\nmodel = one()\nmodel.compile('sgd', BCE, metrics=[keras.metrics.AUC()])\nmodel.fit(x, y)",
    ],
)
def test_a_numbered_object_that_is_made_more_than_once(program: str) -> None:
    assert logs(program).has("auc") == "unknown"
    assert logs(program).has("acc") == "no"


START = "model = one()\nmodel.compile('sgd', BCE, metrics={})\nmodel.fit(x, y)"


@pytest.mark.parametrize(
    "metrics",
    [
        "['acc', unseen]",
        "[unseen()]",
        "['acc', *more]",
        "unseen",
        "make_metrics()",
        "[keras.metrics.AUC(name=unseen)]",
        "[keras.metrics.AUC(**options)]",
    ],
)
def test_a_metric_out_of_sight_leaves_names_open(metrics: str) -> None:
    found = logs(START.format(metrics))
    assert found.has("loss") == "yes"
    assert found.has("f1") == "unknown"
    assert not found.complete


def test_a_condition_makes_a_metric_possible() -> None:
    found = logs(
        "measures = ['acc']\nif flag:\n    measures.append('mse')\n"
        "model = one()\nmodel.compile('sgd', BCE, metrics=measures)\nmodel.fit(x, y)"
    )
    assert (found.has("acc"), found.has("mse"), found.has("mae")) == ("yes", "unknown", "no")


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        ("Count(name='seen')", "seen"),
        ("tfa.metrics.F1Score(3, name='f1')", "f1"),
        ("keras.metrics.MeanMetricWrapper(f1_m, 'wrapped')", "wrapped"),
        ("keras.metrics.TopKCategoricalAccuracy(3, 'top3')", "top3"),
        ("keras.metrics.F1Score('macro', 0.5, 'macro_f1')", "macro_f1"),
    ],
)
def test_names_that_are_given(metric: str, name: str) -> None:
    found = logs("import tensorflow_addons as tfa\n" + START.format(f"[{metric}]"))
    assert found == Logged(frozenset({"loss", name}))


def test_a_function_with_another_name() -> None:
    renamed = "def dice(t, p):\n    return t\n\ndice.__name__ = 'dice_coef'\n"
    decorated = "@wrapped\ndef dice(t, p):\n    return t\n\n"
    for head in (renamed, decorated):
        found = logs(head + START.format("[dice]"))
        assert found.has("dice") == "unknown"


@pytest.mark.parametrize(
    "program",
    [
        "model = one()\nmodel.compile('sgd', BCE, **options)\nmodel.fit(x, y)",
        "model = one()\nmodel.compile('sgd', BCE)\nmodel.fit(x, y, **options)",
        "model = one()\nmodel.compile('sgd', BCE)\nmodel.fit(x, y, callbacks=unseen)",
        "model = one()\nmodel.compile('sgd', BCE)\nmodel.fit(x, y, callbacks=[Unseen()])",
        fits.PROGRAMS["its own step"],
    ],
)
def test_names_that_can_not_be_bounded(program: str) -> None:
    assert logs(program).has("f1") == "unknown"


def test_outputs_out_of_sight_leave_their_names_open_and_no_others() -> None:
    found = logs(
        "inputs = keras.Input((3,))\nmodel = keras.Model(inputs, heads(inputs))\n"
        "model.compile('sgd', BCE, metrics=['accuracy'])\nmodel.fit(x, y, validation_data=(x, y))"
    )
    assert found.has("val_loss") == "yes"
    assert found.has("val_accuracy") == "unknown"
    assert found.has("val_head_accuracy") == "unknown"
    assert found.has("val_acc") == "no"


def test_callbacks_that_do_not_add() -> None:
    found = logs(
        "model = one()\nmodel.compile('sgd', BCE)\n"
        "model.fit(x, y, callbacks=[keras.callbacks.EarlyStopping(), keras.callbacks.CSVLogger('log.csv')])"
    )
    assert found == Logged(frozenset({"loss"}))


def test_a_callback_that_is_there_at_times() -> None:
    program = (
        "stops = []\nif flag:\n    stops.append(keras.callbacks.ReduceLROnPlateau())\n"
        "model = one()\nmodel.compile('sgd', BCE)\nmodel.fit(x, y, callbacks=stops)"
    )
    assert (logs(program).has("learning_rate"), logs(program, KERAS2).has("lr")) == ("unknown", "unknown")
    assert (logs(program).has("lr"), logs(program, KERAS2).has("learning_rate")) == ("no", "no")


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ("", "no"),
        (", validation_data=(x, y)", "yes"),
        (", validation_data=None", "no"),
        (", validation_split=0.2", "yes"),
        (", validation_split=0", "no"),
        (", validation_split=share", "unknown"),
        (", validation_data=unseen", "unknown"),
        (", validation_data=(x, y) if flag else None", "unknown"),
        (", validation_data=keras.utils.image_dataset_from_directory('d')", "yes"),
        (", **options", "unknown"),
    ],
)
def test_whether_there_are_validation_data(given: str, answer: str) -> None:
    found = logs(f"model = one()\nmodel.compile('sgd', BCE)\nmodel.fit(x, y{given})")
    assert found.has("val_loss") == answer


def test_a_layer_with_a_metric_of_its_own() -> None:
    layer = """
class Measured(layers.Layer):
    def __init__(self):
        super().__init__()
        self.seen = keras.metrics.Mean(name="seen")


"""
    program = "model = keras.Sequential([layers.Dense(1), Measured()])\nmodel.compile('sgd', BCE)\nmodel.fit(x, y)"
    assert (logs(layer + program).has("seen"), logs(layer + program).has("other")) == ("unknown", "no")
    assert logs(layer + program.replace(", Measured()", "")).has("seen") == "no"


@pytest.mark.parametrize(
    "made", ["[metrics]", "[[metrics]]", "{'a': metrics}", "{'a': ['acc', metrics]}", "[metrics, 'acc']"]
)
@pytest.mark.parametrize("line", [KERAS2, KERAS3])
def test_metrics_that_hold_themselves_may_log_anything(made: str, line: KerasLine) -> None:
    found = logs(f"m = one()\nmetrics = {made}\nm.compile('sgd', 'mse', metrics=metrics)\nm.fit(x, y)\n", line)
    assert "loss" in found.names
    assert found.has("f1") == "unknown"


@pytest.mark.parametrize(
    ("program", "plain"),
    [
        ("model = unseen()\nmodel.compile('sgd', BCE, metrics=['acc'])\nmodel.fit(x, y)", False),
        ("def train(model):\n    model.compile('sgd', BCE, metrics=['acc'])\n    model.fit(x, y)", False),
        (fits.PROGRAMS["its own step"], False),
        (fits.PROGRAMS["a subclassed model"], True),
        (fits.PROGRAMS["acc"], True),
    ],
)
def test_models_that_may_log_in_their_own_way(program: str, plain: bool) -> None:
    found = ran(fits.START + program).domain(FitLogs)
    assert found.is_plain(found.fits[-1]) is plain
