"""Trainer calls: arguments by their names, models by what made them, and the data that reach them in which role."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

FEED = """
import keras

class Feed(keras.utils.Sequence):
    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows

model = keras.Sequential([])
"""


@pytest.mark.parametrize(
    "program",
    [
        "model.fit(Feed(1))",
        "feed = Feed(1)\nmodel.fit(feed)",
        "feed = Feed(1)\nmodel.fit(x=feed, epochs=3)",
        "def main():\n    feed = Feed(1)\n    model.fit(feed)\nmain()",
        "def train(feed):\n    model.fit(feed)\ntrain(Feed(1))",
        "def make():\n    return Feed(1)\nmodel.fit(make())",
        "class Trainer:\n    def __init__(self):\n        self.feed = Feed(1)\n    def run(self, net):\n        net.fit(self.feed)",
        "class Mine(Feed):\n    pass\nmodel.fit(Mine(1))",
        "model.fit_generator(generator=Feed(1), steps_per_epoch=2)",
    ],
)
def test_an_instance_reaches_fit(program: str) -> None:
    facts = facts_of(FEED + program)
    assert [role for _, role in facts.training.fed(facts.classes[0])] == ["train"]


@pytest.mark.parametrize(
    ("program", "roles"),
    [
        ("model.fit(Feed(1), validation_data=Feed(2))", ["train", "validation"]),
        ("model.evaluate(Feed(1))", ["evaluate"]),
        ("model.predict_generator(Feed(1), 3)", ["predict"]),
        ("model.fit(other)", []),
        ("class Feed2:\n    pass\nmodel.fit(Feed2())", []),
    ],
)
def test_the_role_of_the_data(program: str, roles: list[str]) -> None:
    facts = facts_of(FEED + program)
    assert [role for _, role in facts.training.fed(facts.classes[0])] == roles


def test_positional_arguments_are_bound_by_the_signature() -> None:
    facts = facts_of("import keras\nmodel = keras.Sequential([])\nmodel.fit_generator(feed, 10, 5, 1, [stop])")
    (call,) = facts.training.calls
    bound = {name: facts.text(argument.value) for name, argument in call.arguments.items()}
    assert bound == {"generator": "feed", "steps_per_epoch": "10", "epochs": "5", "verbose": "1", "callbacks": "[stop]"}


@pytest.mark.parametrize(
    ("receiver", "answer"),
    [
        ("model = keras.Sequential([])", "yes"),
        ("model = keras.models.load_model('m.keras')", "yes"),
        ("def build():\n    net = keras.Model(a, b)\n    return net\nmodel = build()", "yes"),
        ("class Net(keras.Model): ...\nmodel = Net()", "yes"),
        ("model = something()", "unknown"),
        ("def train(model):\n    pass\nmodel = train", "unknown"),
    ],
)
def test_what_is_a_model(receiver: str, answer: str) -> None:
    facts = facts_of(f"import keras\n{receiver}\nmodel.fit(data)")
    (call,) = facts.training.calls
    assert call.model == answer


@pytest.mark.parametrize(
    "program",
    [
        "from sklearn.svm import SVC\nmodel = SVC()\nmodel.fit(x, y)",
        "class Mine:\n    def fit(self, x, workers=1): ...\n    def run(self):\n        self.fit(1)",
        "class Net:\n    def fit(self, x): ...\nmodel = Net()\nmodel.fit(1)",
    ],
)
def test_a_fit_of_something_else_is_no_trainer_call(program: str) -> None:
    assert facts_of(program).training.calls == ()
