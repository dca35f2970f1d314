"""Numbers by which programs decide, where runs were cut short."""

from __future__ import annotations

import pytest

from seqlint.proof.limits import unseen
from tests.proof.recordings import fit, ran, recording


def why(before: str, after: str, cut: str = "3 of 50 epochs") -> str:
    training = fit()
    training["cut"] = cut
    return unseen(before, after, (ran(recording(fits=[training])),))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("while n < 50: pass", "while n < 40: pass"),
        ("for n in range(400): pass", "for n in range(300): pass"),
        ("if n % 100 == 0: pass", "if n % 120 == 0: pass"),
        ("if n in (30, 60): pass", "if n in (30, 61): pass"),
        ("rows = data.take(len(x) - 1)", "rows = data.take(len(x) - 2)"),
    ],
)
def test_other_numbers_may_do_something_later(before: str, after: str) -> None:
    assert why(before, after).startswith("a smoke run may be too short for the numbers that change: ")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if n < 50: a()\nelse: b()", "if n >= 50: b()\nelse: a()"),
        ("n = 50", "n = 5 * 10"),
        ("if n < 50: x = y / 2", "if n < 50: x = y * 0.5"),
        ("if n: pass", "if n is True: pass"),
    ],
)
def test_the_same_numbers_decide_the_same(before: str, after: str) -> None:
    assert not why(before, after)


def test_a_run_that_was_not_cut_has_shown_what_numbers_do() -> None:
    assert not why("while n < 50: pass", "while n < 40: pass", cut="")


def test_a_loop_of_the_program_that_was_ended_is_cut() -> None:
    made = recording()
    made["notes"] = ["the program was ended after 500 steps of its own training loop"]
    assert unseen("while n < 50: pass", "while n < 40: pass", (ran(made),))
