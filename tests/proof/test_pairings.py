"""Which sample goes with which label, by recordings made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.pairings import compare
from tests.proof.recordings import ran, recording, step

if TYPE_CHECKING:
    from seqlint.proof import Run
    from seqlint.proof.pairings import Pairing

GOOD = ("a1 b2", "c3 d4")


def run(*epochs: tuple[str, ...]) -> Run:
    """Rows are written as a sample and its label, "a1"; "_" stands for a part that is not there."""
    steps = [step(rows, epoch) for epoch, batches in enumerate(epochs) for rows in batches]
    made = recording(steps)
    for name in {name for one in steps for name in one["rows"]}:
        made["parts"][name] = (name[0].strip("_"), name[1].strip("_"))
    return ran(made)


def compared(*spoiled: tuple[str, ...], good: tuple[tuple[str, ...], ...] = (GOOD, GOOD)) -> Pairing:
    found = compare(run(*good), run(*spoiled))
    assert found
    return found


def test_a_pair_that_is_dropped_leaves_each_other_sample_with_its_own_label() -> None:
    found = compared(("a1", "c3 d4"), ("a1", "c3 d4"))
    assert found.whole
    assert (found.known, found.missing) == (4, 1)


def test_the_order_and_the_batches_of_samples_say_nothing_about_their_labels() -> None:
    assert compared(("d4 a1 c3", "b2"), ("b2 a1", "d4 c3")).whole


def test_labels_that_are_shifted_are_wrong_from_the_lost_sample_on() -> None:
    found = compared(("a1 c2", "d3"))
    assert [row.digest for row in found.wrong] == ["c2", "d3"]
    assert found.wrong[0].place == "fit 1, epoch 1, step 1, row 2"
    assert found.missing == 1


def test_a_label_that_is_left_over_has_no_sample() -> None:
    found = compared(("a1 _2", "c3 d4"))
    assert [row.digest for row in found.alone] == ["_2"]
    assert [row.digest for row in found.faults()] == ["_2"]


def test_a_sample_without_its_label_is_no_pair() -> None:
    assert [row.digest for row in compared(("a1 b2", "c3 d_")).bare] == ["d_"]


def test_a_sample_that_stands_in_is_a_fault_where_good_input_comes_again() -> None:
    found = compared(("a1 z2", "c3 d4"))
    assert [row.digest for row in found.faults()] == ["z2"]
    assert found.repeats


def test_a_sample_that_is_drawn_anew_in_each_epoch_is_no_fault() -> None:
    drawn = ("e1 f2", "g3 h4")
    for good in ((GOOD, drawn), (GOOD,)):
        found = compared(("a1 z2", "c3 d4"), good=good)
        assert not found.repeats
        assert found.faults() == ()
        assert not found.whole


def test_equal_samples_may_have_any_of_their_labels() -> None:
    good = (("a1 a2", "c3"),) * 2
    assert compared(("a2 a1", "c3"), good=good).whole
    assert [row.digest for row in compared(("a3", "c3"), good=good).wrong] == ["a3"]


def test_nothing_is_said_of_a_run_whose_samples_were_not_recorded() -> None:
    assert compare(ran(recording([])), run(GOOD)) is None


def test_labels_that_are_drawn_anew_are_no_fault() -> None:
    found = compared(("a3 b2", "c1 d4"), good=(GOOD, ("a2 b2", "c3 d4")))
    assert [row.digest for row in found.wrong] == ["a3", "c1"]
    assert found.faults() == ()


def test_what_was_wrong_in_another_run_in_the_same_way_is_left_out() -> None:
    before, after = compared(("a1 c2", "z4")), compared(("a1 c2", "z2"))
    assert [row.digest for row in after.faults()] == ["c2", "z2"]
    assert after.faults(before) == ()
