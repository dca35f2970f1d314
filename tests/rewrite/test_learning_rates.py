"""`lr` written out as `learning_rate`."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite.layout.augmented import spelled_out
from seqlint.rewrite.learning_rates import by_its_name
from tests.facts.reading import facts_of

HEAD = """\
import keras
from keras import backend as K

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model.optimizer.lr = 0.1", "model.optimizer.learning_rate = 0.1"),
        ("model.optimizer.lr *= a + b", "model.optimizer.learning_rate = model.optimizer.learning_rate * (a + b)"),
        ("print(float(model.optimizer.lr))", "print(float(model.optimizer.learning_rate.numpy()))"),
        ("print(K.get_value(model.optimizer.lr))", "print(model.optimizer.learning_rate.numpy())"),
        ("K.set_value(model.optimizer.lr, a or b)", "model.optimizer.learning_rate = a or b"),
        ("K.set_value(model.optimizer.lr,\n    a +\n    b)", "model.optimizer.learning_rate = (a +\n    b)"),
    ],
)
def test_it_is_read_and_set_by_its_name(before: str, after: str) -> None:
    assert _changed(before) == after


@pytest.mark.parametrize(
    "before",
    [
        "model.optimizer.lr.assign_sub(0.1)",
        "model.optimizer.lr(3)",
        "print(isinstance(model.optimizer.lr, float))",
        "done = K.set_value(model.optimizer.lr, 0.1)",
        "K.set_value(model.optimizer.lr, *rates)",
    ],
)
def test_nothing_is_done_where_more_hangs_on_what_it_was(before: str) -> None:
    assert _changed(before) == before


def test_an_augmented_assignment_is_written_out() -> None:
    facts = facts_of("x[0]  //=  -b\n")
    edit = spelled_out(facts, facts.tree.all(cst.AugAssign)[0])
    assert edit.text == "x[0] = x[0] // (-b)"
    assert (edit.start, edit.end) == (0, len("x[0]  //=  -b"))


def _changed(statement: str) -> str:
    facts = facts_of(HEAD + statement + "\n")
    (rate,) = facts.optimizers.rates
    return apply(facts.source.utf8, by_its_name(facts, rate))[len(HEAD) :].rstrip("\n")
