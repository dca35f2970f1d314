"""Values: followed through names, attributes, parameters and simple functions, and no further."""

from __future__ import annotations

from tests.facts.reading import facts_of, last, texts


def test_a_value_is_followed_through_names_and_conditionals() -> None:
    facts = facts_of("a = make()\nb = a\nc = b if b else other()\nuse(c)")
    assert texts(facts, facts.values.of(last(facts, "c"))) == ["make()", "other()"]


def test_a_value_is_followed_through_attributes_of_self() -> None:
    facts = facts_of(
        """
        class Trainer:
            def __init__(self, data):
                self.feed = Feed(data)
                self.model, self.name = build(), "net"

            def run(self):
                self.model.fit(self.feed)
        """
    )
    assert texts(facts, facts.values.of(last(facts, "self.feed"))) == ["Feed(data)"]
    assert texts(facts, facts.values.of(last(facts, "self.model"))) == ["build()"]


def test_a_value_is_followed_through_parameters_and_returns() -> None:
    facts = facts_of(
        """
        def make(size):
            return Feed(size)

        def train(feed, epochs=3):
            model.fit(feed, epochs=epochs)

        train(make(4))
        """
    )
    fit = last(facts, "feed")
    assert texts(facts, facts.values.of(fit)) == ["Feed(size)"]
    assert facts.values.constant(last(facts, "epochs")) is not None
    assert facts.values.constant(last(facts, "epochs")).value == 3  # type: ignore[union-attr]


def test_what_is_stored_twice_can_be_either() -> None:
    facts = facts_of(
        """
        class Trainer:
            def one(self):
                self.feed = first()

            def two(self):
                self.feed = second()

            def run(self):
                use(self.feed)
        """
    )
    assert texts(facts, facts.values.of(last(facts, "self.feed"))) == ["first()", "second()"]


def test_an_unknown_caller_leaves_a_parameter_open() -> None:
    facts = facts_of("def train(feed):\n    model.fit(feed)")
    assert facts.values.of(last(facts, "feed")) == (None,)


def test_a_generator_is_not_its_yielded_values() -> None:
    facts = facts_of("def stream():\n    while True:\n        yield 1\n\nsource = stream()\nuse(source)")
    value = facts.values.only(last(facts, "source"))
    assert value is not None
    assert facts.text(value) == "stream()"


def test_a_name_that_refers_to_itself_ends() -> None:
    facts = facts_of("x = x\nuse(x)\ndef f(a):\n    return f(a)\ny = f(1)\nuse(y)")
    assert facts.values.of(last(facts, "y"))
    assert facts.values.of(last(facts, "x"))
