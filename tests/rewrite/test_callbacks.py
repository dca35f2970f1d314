"""One more callback for a fit, wherever its list is written."""

from __future__ import annotations

import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import add_callbacks
from tests.facts.reading import facts_of

CLASS = "class Late:\n    pass\n\n\n"


def given(text: str, *texts: str) -> str | None:
    facts = facts_of(CLASS + text)
    edit = add_callbacks(facts, facts.training.calls[-1], texts or ("Late()",), after=facts.classes[0].node)
    return None if edit is None else apply(facts.source.utf8, [edit]).removeprefix(CLASS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model.fit(x)\n", "model.fit(x, callbacks=[Late()])\n"),
        ("model.fit(x, callbacks=None)\n", "model.fit(x, callbacks=[Late()])\n"),
        ("model.fit(x, callbacks=[])\n", "model.fit(x, callbacks=[Late()])\n"),
        ("model.fit(x, callbacks=[a, b()])\n", "model.fit(x, callbacks=[a, b(), Late()])\n"),
        ("model.fit(x, callbacks=[a, (b),])\n", "model.fit(x, callbacks=[a, (b), Late(),])\n"),
        ("model.fit(x, callbacks=[*more])\n", "model.fit(x, callbacks=[*more, Late()])\n"),
        (
            "model.fit(\n    x,\n    callbacks=[\n        a,  # first\n    ],\n)\n",
            "model.fit(\n    x,\n    callbacks=[\n        a,  # first\n        Late(),\n    ],\n)\n",
        ),
        (
            "model.fit(x, callbacks=[\n    a  # first\n])\n",
            "model.fit(x, callbacks=[\n    a,  # first\n    Late()\n])\n",
        ),
        ("model.fit(x, callbacks=[\n    a,\n    b])\n", "model.fit(x, callbacks=[\n    a,\n    b,\n    Late()])\n"),
        ("watch = [a]\nmodel.fit(x, callbacks=watch)\n", "watch = [a, Late()]\nmodel.fit(x, callbacks=watch)\n"),
        (
            "watch = [a]\nwatch.append(b)\nmodel.fit(x, callbacks=watch)\n",
            "watch = [a, Late()]\nwatch.append(b)\nmodel.fit(x, callbacks=watch)\n",
        ),
        (
            "watch = [a]\nmodel.fit(x, callbacks=watch)\nother.evaluate(y, callbacks=watch)\nmodel.fit(x, callbacks=watch)\n",
            "watch = [a]\nmodel.fit(x, callbacks=watch)\nother.evaluate(y, callbacks=watch)\nmodel.fit(x, callbacks=[*watch, Late()])\n",
        ),
        (
            "watch = [a]\nfor x in xs:\n    model.fit(x, callbacks=watch)\n",
            "watch = [a]\nfor x in xs:\n    model.fit(x, callbacks=[*watch, Late()])\n",
        ),
        (
            "for x in xs:\n    watch = [a]\n    model.fit(x, callbacks=watch)\n",
            "for x in xs:\n    watch = [a, Late()]\n    model.fit(x, callbacks=watch)\n",
        ),
        (
            "def watch():\n    return [a]\n\n\nmodel.fit(x, callbacks=watch())\n",
            "def watch():\n    return [a]\n\n\nmodel.fit(x, callbacks=[*watch(), Late()])\n",
        ),
        (
            "class Lab:\n    def __init__(self):\n        self.watch = [a]\n\n    def run(self):\n        model.fit(x, callbacks=self.watch)\n",
            "class Lab:\n    def __init__(self):\n        self.watch = [a]\n\n    def run(self):\n        model.fit(x, callbacks=[*self.watch, Late()])\n",
        ),
        ("model.fit_generator(x, 1, 1, 0, [a])\n", "model.fit_generator(x, 1, 1, 0, [a, Late()])\n"),
    ],
)
def test_the_list_gets_it(before: str, after: str) -> None:
    assert given(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "model.fit(x, callbacks=make())\n",
        "model.fit(x, callbacks=stop)\n",
        "stop = EarlyStopping()\nmodel.fit(x, callbacks=stop)\n",
        "model.fit(x, **options)\n",
        "model.fit(*args)\n",
        "if fast:\n    watch = None\nelse:\n    watch = [a]\nmodel.fit(x, callbacks=watch)\n",
        "def train(x, watch):\n    model.fit(x, callbacks=watch)\n",
    ],
)
def test_a_list_out_of_sight_is_left_alone(text: str) -> None:
    assert given(text) is None


def test_what_needs_a_value_is_written_where_the_value_is() -> None:
    before = "watch = [a]\nfeed = Feed()\nmodel.fit(feed, callbacks=watch)\n"
    assert given(before, "Late(feed.x)") == before.replace("=watch)", "=[*watch, Late(feed.x)])")


def test_a_list_above_the_class_is_not_given_what_is_defined_below() -> None:
    text = "watch = []\n\n\n" + CLASS + "model.fit(x, callbacks=watch)\n"
    facts = facts_of(text)
    edit = add_callbacks(facts, facts.training.calls[0], ("Late()",), after=facts.classes[0].node)
    assert edit is not None
    assert apply(facts.source.utf8, [edit]) == text.replace("=watch)", "=[*watch, Late()])")


def test_a_long_list_gets_a_line_for_each() -> None:
    names = ("Late(first_of_the_sequences.held_out_data)", "Late(second_of_the_sequences.held_out_data)")
    assert given("if x:\n    model.fit(x, epochs=20, verbose=0)\n", *names) == (
        "if x:\n    model.fit(x, epochs=20, verbose=0, callbacks=[\n"
        "        Late(first_of_the_sequences.held_out_data),\n"
        "        Late(second_of_the_sequences.held_out_data),\n"
        "    ])\n"
    )
