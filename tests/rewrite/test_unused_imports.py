"""Imports that a fix leaves without a use go; what anything else may ask for stays."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite.layout.arguments import remove_argument
from seqlint.rewrite.layout.unused_imports import without_imports
from tests.facts.reading import facts_of


def without_return(text: str, needed: str = "") -> str:
    facts = facts_of(text)
    gone = facts.tree.all(cst.Return)[0]
    return apply(facts.source.utf8, without_imports(facts, gone, (), needed))


BODY = "\n\ndef count(n):\n    return floor(n / 4)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from math import floor", ""),
        ("import os\nfrom math import floor", "import os"),
        ("from math import ceil, floor", "from math import ceil"),
        ("from math import floor, sqrt", "from math import sqrt"),
        ("from math import (\n    floor,\n    sqrt,\n)", "from math import (\n    sqrt,\n)"),
        ("from numpy import floor_divide as floor", ""),
    ],
)
def test_an_import_goes_with_its_only_use(before: str, after: str) -> None:
    assert without_return(before + BODY).lstrip("\n") == (after + BODY).lstrip("\n")


@pytest.mark.parametrize(
    "before",
    [
        "from math import floor  # rounds down",
        "from math import floor\nhalf = floor(2.5)",
        'from math import floor\n__all__ = ["floor"]',
        "try:\n    from math import floor\nexcept ImportError:\n    floor = int",
        "from math import *",
        "def floor(x):\n    return int(x)",
    ],
)
def test_it_stays_where_something_else_may_ask_for_it(before: str) -> None:
    text = before + BODY
    facts = facts_of(text)
    gone = facts.tree.all(cst.Return)[-1]
    assert apply(facts.source.utf8, without_imports(facts, gone, (), "")) == text


def test_what_the_fix_itself_writes_stays() -> None:
    text = "import math\n\n\ndef count(n):\n    return math.floor(n / 4)\n"
    assert without_return(text, needed="math") == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(x, a=1)", "f(x)"),
        ("f(\n    x,  # the data\n    a=1,\n)\n", "f(\n    x,  # the data\n)\n"),
        ("f(\n    x,\n    a=1,  # why\n)\n", None),
        ("f(\n    x,\n    # why\n    a=1,\n    y=2,\n)\n", None),
        ("f(\n    x,\n    a=1  # why\n)\n", None),
    ],
)
def test_an_argument_that_a_comment_speaks_of_stays(before: str, after: str | None) -> None:
    facts = facts_of(before)
    call = facts.tree.all(cst.Call)[0]
    argument = next(one for one in call.args if one.keyword is not None and one.keyword.value == "a")
    assert apply(facts.source.utf8, remove_argument(facts, call, argument)) == (before if after is None else after)
