"""Where the first difference is said to be, and what is not called the same; nothing is run."""

from __future__ import annotations

from seqlint.model import Contract
from seqlint.proof import Difference, judge
from tests.proof.recordings import fit, ran, recording, step

NOTHING = Contract()


def test_a_row_is_counted_in_its_batch() -> None:
    before, after = (ran(recording(steps=(step("a b"), step(rows)))) for rows in ("c d", "c D"))
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, after)}
    assert found["samples"].difference == Difference("fit 1, epoch 1, step 2, row 2", "d", "D")


def test_a_sample_that_is_lost_in_the_second_epoch_is_placed_there() -> None:
    first = step("a b")
    before, after = (ran(recording(steps=(first, step(rows, epoch=1)))) for rows in ("a b", "a"))
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, after)}
    assert found["samples"].difference == Difference("fit 1, epoch 2, step 1, row 2", "b", "nothing")


def test_what_comes_in_elsewhere_does_not_stand_beside_what_is_lost() -> None:
    before, after = ran(recording(steps=(step("a b"),))), ran(recording(steps=(step("b c"),)))
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, after)}
    assert found["samples"].difference == Difference("fit 1, epoch 1, step 1, row 1", "a", "nothing")


def test_an_epoch_that_comes_in_before_the_others_is_named() -> None:
    late = [step("a b", epoch=epoch) for epoch in (1, 2)]
    before, after = ran(recording(steps=late)), ran(recording(steps=(step("a b"), *late)))
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, after)}
    assert found["steps"].difference == Difference("fit 1, epoch 1", "nothing", "1")


def test_a_value_of_the_history_has_the_epoch_that_keras_prints() -> None:
    before, after = (ran(recording(fits=({**fit(loss), "epochs": [1, 2]},))) for loss in ((0.5, 0.25), (0.5, 0.75)))
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, after)}
    assert found["history"].difference == Difference("fit 1, loss, epoch 3", "0.25", "0.75")


def test_what_is_equal_by_chance_is_not_the_same() -> None:
    before, again = ran(recording()), ran(recording(steps=(step("e f"), step("c d"))))
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, before, again)}
    assert found["samples"].outcome == "NOT RUN"
    assert found["spec"].outcome == "SAME"


def test_a_class_that_moves_into_a_function_keeps_its_hooks() -> None:
    before, after = (
        ran(recording(hooks=((name, "main"),))) for name in ("Feed.on_epoch_end", "made.<locals>.Feed.on_epoch_end")
    )
    found = {verdict.observable: verdict for verdict in judge(NOTHING, before, after)}
    assert found["hooks"].outcome == "SAME"
