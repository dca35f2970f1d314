"""Where a class is trained on, with which instances, and on which model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of, last

if TYPE_CHECKING:
    from seqlint.facts import Facts

HEAD = """
import keras

class Feed(keras.utils.PyDataset):
    def __init__(self, x, held=None, model=None):
        self.x = x
        self.held = held
        self.model = model

    def take(self, model):
        self.model = model

    def on_epoch_end(self):
        self.model.evaluate(self.held)
        model.predict(self.held)

class Chain(keras.utils.PyDataset):
    def __init__(self, parts):
        self.parts = parts

    def on_epoch_end(self):
        for part in self.parts:
            part.on_epoch_end()

class Deaf(keras.utils.PyDataset):
    def __init__(self, part):
        self.part = part

model = keras.Sequential()
teacher = keras.Sequential()
"""


def parts(facts: Facts) -> list[list[str]] | None:
    hook = next(hook for hook in facts.hooks.all if hook.owner.name == "Feed")
    fits = facts.fit_bindings.on(hook)
    return None if fits is None else [[facts.text(part) for part in fit.parts] for fit in fits]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("model.fit(Feed(1))", [["Feed(1)"]]),
        ("one = Feed(1)\ntwo = Feed(2)\nmodel.fit([one, two])", [["one", "two"]]),
        ("one = Feed(1)\nboth = [one, Feed(2)]\nmodel.fit(x=Chain(both))", [["one", "Feed(2)"]]),
        ("model.fit(Deaf(Feed(1)))", []),
        ("def train(data):\n    model.fit(data)\ntrain(Feed(1))\ntrain(Feed(2))", [["data"]]),
        ("def train(data):\n    model.fit(data)\ntrain(Feed(1))\ntrain(Chain([]))", None),
        ("train_elsewhere(Feed(1))", None),
        ("feed = Feed(1)\nmodel.fit(feed)\ntrain_elsewhere(model, feed)", None),
        ("feed = Feed(1)\nmodel.fit(feed)\nprint(len(feed), next(iter(feed)))", [["feed"]]),
        ("for kind in (Feed, Deaf):\n    model.fit(kind(1))\nmodel.fit(Feed(1))", None),
        ("def size(data: Feed):\n    return isinstance(data, Feed)\nmodel.fit(Feed(1))", [["Feed(1)"]]),
        ("model.fit(x, validation_data=Feed(1))", []),
        ("class More(Feed):\n    pass\nmodel.fit(More(1))", [["More(1)"]]),
        ("class Other(Feed):\n    def on_epoch_end(self):\n        pass\nmodel.fit(Other(1))", []),
        ("model.evaluate(Feed(1))", []),
    ],
)
def test_fits_and_instances(program: str, expected: list[list[str]] | None) -> None:
    assert parts(facts_of(HEAD + program + "\n")) == expected


@pytest.mark.parametrize(
    ("program", "of_self", "of_module"),
    [
        ("feed = Feed(1, model=model)\nmodel.fit(feed)", "yes", "yes"),
        ("feed = Feed(1, model=teacher)\nmodel.fit(feed)", "no", "yes"),
        ("def run(net, data):\n    net.fit(data)\nrun(model, Feed(1, None, model))", "yes", "yes"),
        ("def run(net, data):\n    net.fit(data)\nrun(teacher, Feed(1, None, model))", "no", "no"),
        ("feed = Feed(1)", "unknown", "unknown"),
        ("feed = Feed(1)\nfeed.model = model\nmodel.fit(feed)", "yes", "yes"),
        ("feed = Feed(1)\nfeed.take(model)\nmodel.fit(feed)", "yes", "yes"),
        ("feed = Feed(1)\nfeed.take(teacher)\nmodel.fit(feed)", "no", "yes"),
        ("same = model\nsame.fit(Feed(1, model=same))", "yes", "yes"),
    ],
)
def test_which_model_is_trained(program: str, of_self: str, of_module: str) -> None:
    facts = facts_of(HEAD + program + "\n")
    hook = facts.hooks.all[0]
    ran = [deed.done.receiver for deed in facts.hooks.ran(hook)]
    assert [facts.fit_bindings.trains(hook, receiver) for receiver in ran] == [of_self, of_module]


def test_what_became_of_an_argument() -> None:
    facts = facts_of(HEAD + "late = 3\nfeed = Feed(1, held=late)\nuse(feed)\n")
    feed = last(facts, "feed")
    given = facts.fit_bindings.given(feed, "held")
    assert given is not None
    assert facts.text(given) == "late"
    assert facts.fit_bindings.given(feed, "unknown") is None


BATCHES = """
import keras

class Feed(keras.utils.PyDataset):
    def __getitem__(self, index):
        return [1], [2]

class Special(Feed):
    pass

model = keras.Sequential()
feed = Feed()
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("model.train_on_batch(*feed[0])", True),
        ("def train(data):\n    model.train_on_batch(*feed[0])\n    model.fit(data)", False),
        ("for x, y in feed:\n    model.train_on_batch(x, y)\nmodel.predict([1.0])", True),
        ("print(feed[0])", False),
        ("model.train_on_batch(*feed[0])\nmodel.fit(feed)", False),
        ("model.train_on_batch(*feed[0])\nmodel.fit(Special())", False),
        ("model.train_on_batch(*feed[0])\nmodel.evaluate(x=feed)", False),
        ("model.train_on_batch(*feed[0])\nother.train(feed)", False),
        ("model.train_on_batch(*feed[0])\nloaders = {'feed': Feed}", False),
    ],
)
def test_batches_that_are_only_taken_by_hand(program: str, expected: bool) -> None:
    facts = facts_of(BATCHES + program)
    assert facts.fit_bindings.by_hand(facts.classes[0]) is expected
