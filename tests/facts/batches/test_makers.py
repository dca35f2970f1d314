"""Which functions make batches, and whether these go to a Keras model."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

HEAD = """
import keras

def stream():
    yield 1

def run(thing, model):
    pass
"""


@pytest.mark.parametrize(
    ("calls", "answers"),
    [
        ("thing.fit(stream())", ["unknown"]),
        ("thing.fit(stream(), steps_per_epoch=2)", ["yes"]),
        ("thing.fit(stream())\n    model.fit(stream(), epochs=2)", ["yes"]),
        ("keras.Sequential().fit(stream())", ["yes"]),
        ("class Own:\n        def fit(self, x): ...\n    Own().fit(stream())", []),
    ],
)
def test_a_generator_makes_batches_for_a_model_where_one_call_is_sure(calls: str, answers: list[str]) -> None:
    facts = facts_of(f"{HEAD}    {calls}\n")
    assert [maker.for_model for maker in facts.batches.makers] == answers


def test_a_sequence_makes_batches_for_a_model() -> None:
    facts = facts_of("import keras\nclass Feed(keras.utils.PyDataset):\n    def __getitem__(self, index): ...\n")
    assert [maker.for_model for maker in facts.batches.makers] == ["yes"]
