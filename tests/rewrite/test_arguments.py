"""Arguments of a call: taken out and added in the layout that the call has."""

from __future__ import annotations

from textwrap import dedent

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import add_argument, realign, remove_arguments
from tests.facts.reading import facts_of


def without(text: str, *names: str) -> str:
    facts = facts_of(text)
    call = facts.tree.all(cst.Call)[0]
    taken = tuple(
        argument for argument in call.args if argument.keyword is not None and argument.keyword.value in names
    )
    return apply(facts.source.utf8, remove_arguments(facts, call, taken))


def with_more(text: str, *texts: str) -> str:
    facts = facts_of(text)
    return apply(facts.source.utf8, [add_argument(facts, facts.tree.all(cst.Call)[0], *texts)])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(x, a=1, y=2)", "f(x, y=2)"),
        ("f(x, y=2, a=1, b=2)", "f(x, y=2)"),
        ("f(a=1)", "f()"),
        ("f(a=(1), **more)", "f(**more)"),
        ("f(x,\n  y=2,\n  a=1,\n  b=2)", "f(x,\n  y=2)"),
        ("f(x, y=2,\n  a=1, b=2,\n  z=3)", "f(x, y=2,\n  z=3)"),
        ("f(x,\n  a=1, y=2,\n  b=2)", "f(x,\n  y=2)"),
    ],
)
def test_arguments_go_with_their_commas(before: str, after: str) -> None:
    assert without(before, "a", "b") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(\n    x,\n    a=1,\n    b=2,\n)\n", "f(\n    x,\n)\n"),
        ("f(\n    x,\n    a=1\n)\n", "f(\n    x\n)\n"),
        ("f(\n    a=1,\n    b=[\n        2,\n    ],\n    x=3,\n)\n", "f(\n    x=3,\n)\n"),
    ],
)
def test_an_argument_that_stands_alone_goes_with_its_line(before: str, after: str) -> None:
    assert without(before, "a", "b") == after


def test_comments_round_an_argument_stay() -> None:
    before = dedent(
        """\
        f(
            x=3,  # three
            # why
            a=1,  # one
            b=2,  # two
            y=4,  # four
        )
        """
    )
    after = dedent(
        """\
        f(
            x=3,  # three
            # why
            # one
            # two
            y=4,  # four
        )
        """
    )
    assert without(before, "a", "b") == after
    assert without("f(\n    x=3,  # three\n    a=1\n)\n", "a") == "f(\n    x=3,  # three\n)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()", "f(a=1, b=2)"),
        ("f(x)", "f(x, a=1, b=2)"),
        ("f(x, **more)", "f(x, a=1, b=2, **more)"),
        ("f(\n    x,\n)\n", "f(\n    x,\n    a=1,\n    b=2,\n)\n"),
        ("f(\n    x\n)\n", "f(\n    x,\n    a=1,\n    b=2\n)\n"),
        ("f(\n    x,  # the data\n)\n", "f(\n    x,  # the data\n    a=1,\n    b=2,\n)\n"),
    ],
)
def test_several_arguments_are_added_at_once(before: str, after: str) -> None:
    assert with_more(before, "a=1", "b=2") == after


def realigned(text: str, shift: int) -> str:
    facts = facts_of(text)
    return apply(facts.source.utf8, realign(facts, facts.tree.all(cst.Call)[0], shift, ()))


def test_arguments_below_the_first_one_follow_the_bracket() -> None:
    assert realigned("fit_all(x,\n        # why\n        y=[1,\n           2])\n", 4) == (
        "fit_all(x,\n    # why\n    y=[1,\n       2])\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "fit_all(\n    x,\n    y,\n)\n",
        "fit_all(x,\n    y)\n",
        'fit_all(x,\n        """a\n        b""")\n',
        "fit_all(x, y)\n",
    ],
)
def test_arguments_in_another_layout_stay(text: str) -> None:
    assert realigned(text, 4) == text
