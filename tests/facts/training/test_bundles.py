"""Sequences in lists that reach a trainer call."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

HEAD = """\
import keras


class Feed(keras.utils.PyDataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.x[index], self.y[index]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""


@pytest.mark.parametrize(
    ("statement", "role", "pure", "only"),
    [
        ("model.fit([Feed(), Feed()])", "train", True, False),
        ("model.fit((Feed(), other))", "train", False, False),
        ("model.predict([Feed()])", "predict", True, True),
        ("model.fit(x, validation_data=[Feed(), Feed()])", "validation", True, False),
    ],
)
def test_what_is_in_the_list(statement: str, role: str, pure: bool, only: bool) -> None:
    (bundle,) = facts_of(HEAD + statement + "\n").bundles.all
    assert (bundle.role, bundle.pure, bundle.only is not None) == (role, pure, only)
    assert [owner.name for owner in bundle.classes] == ["Feed"]


@pytest.mark.parametrize(
    "statement",
    [
        "model.fit(Feed())",
        "model.fit(x, validation_data=(Feed(), None))",
        "model.fit([x, y])",
        "model.train_on_batch([Feed()])",
    ],
)
def test_what_keras_takes_is_none(statement: str) -> None:
    assert not facts_of(HEAD + statement + "\n").bundles.all
