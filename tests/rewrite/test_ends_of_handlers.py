"""How an `except` is ended in another way, and how a `try` is taken away."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import end_with, unwrap
from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts


def handler_of(facts: Facts) -> cst.ExceptHandler:
    return facts.tree.all(cst.ExceptHandler)[0]


def ended(text: str) -> str:
    facts = facts_of(text)
    node = handler_of(facts)
    last = node.body.body[-1]
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    idle = small if isinstance(small, (cst.Pass, cst.Continue)) else None
    return apply(facts.source.utf8, [end_with(facts, node, idle, "raise")])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("except E:\n    print(1)\n", "except E:\n    print(1)\n    raise\n"),
        ("except E:\n    print(1)  # said\n", "except E:\n    print(1)  # said\n    raise\n"),
        ("except E:\n    pass\n", "except E:\n    raise\n"),
        ("except E:\n    print(1)\n    pass\nprint(2)\n", "except E:\n    print(1)\n    raise\nprint(2)\n"),
        ("except E:\n    if a:\n        print(1)\n", "except E:\n    if a:\n        print(1)\n    raise\n"),
        ("except E: print(1)\n", "except E:\n    print(1)\n    raise\n"),
        (
            "except E as error: print(1); print({1: 2})\n",
            "except E as error:\n    print(1)\n    print({1: 2})\n    raise\n",
        ),
        ("except: pass\n", "except:\n    raise\n"),
        ("except E: print(1); pass\n", "except E:\n    print(1)\n    raise\n"),
        ("except E: print(1)  # said\n", "except E: print(1); raise  # said\n"),
        ("except E:\n    print(1)", "except E:\n    print(1)\n    raise"),
    ],
)
def test_a_handler_gets_another_end(before: str, after: str) -> None:
    assert ended("try:\n    work()\n" + before) == "try:\n    work()\n" + after


def taken(text: str) -> str | None:
    facts = facts_of(text)
    edit = unwrap(facts, handler_of(facts))
    return apply(facts.source.utf8, [edit]) if edit is not None else None


def test_a_try_is_taken_away_with_its_comments_kept() -> None:
    before = """
    def train():
        # before
        try:
            # the first
            work()  # behind

            if more:
                work(
                    2,
                )
        except Exception:
            pass
        return 1
    """
    after = """
    def train():
        # before
        # the first
        work()  # behind

        if more:
            work(
                2,
            )
        return 1
    """
    assert taken(before) == dedent(after).lstrip("\n")


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    work()\nexcept A:\n    pass\nexcept B:\n    pass\n",
        "try:\n    work()\nexcept A:\n    pass\nelse:\n    rest()\n",
        "try:\n    work()\nexcept A:\n    pass\nfinally:\n    rest()\n",
        "try:\n    work()\nexcept A:\n    pass  # why\n",
        "try:  # why\n    work()\nexcept A:\n    pass\n",
        "try:\n    work('''\n    a\n''')\nexcept A:\n    pass\n",
        "try: work()\nexcept A: pass\n",
    ],
)
def test_a_try_that_holds_more_stays(text: str) -> None:
    assert taken(text) is None
