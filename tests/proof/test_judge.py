"""Two recordings under a contract; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.model import OBSERVABLES, Contract
from seqlint.proof import Difference, judge
from tests.proof.recordings import fit, killed, raised, ran, recording, step, weights

if TYPE_CHECKING:
    from seqlint.model import Observable
    from seqlint.proof import Outcome, Run, Verdict

NOTHING = Contract()


def verdicts(before: Run, after: Run, contract: Contract = NOTHING, again: Run | None = None) -> dict[str, Verdict]:
    return {verdict.observable: verdict for verdict in judge(contract, before, after, *([again] if again else []))}


def unlike(found: dict[str, Verdict], outcome: Outcome = "DIFFERENT") -> set[str]:
    return {name for name, verdict in found.items() if verdict.outcome == outcome}


def changes(*names: Observable) -> Contract:
    return Contract(changes=frozenset(names))


def repairs(*names: Observable) -> Contract:
    return Contract(repairs=frozenset(names))


def test_every_observable_gets_an_answer() -> None:
    assert tuple(verdicts(ran(recording()), ran(recording()))) == OBSERVABLES


def test_equal_runs_differ_nowhere() -> None:
    assert not unlike(verdicts(ran(recording()), ran(recording())))


def test_another_order_of_batches_is_a_matter_of_order_alone() -> None:
    swapped = recording(steps=(step("c d"), step("a b")))
    assert unlike(verdicts(ran(recording()), ran(swapped))) == {"order"}


def test_other_batches_of_the_same_order_are_a_matter_of_grouping_alone() -> None:
    regrouped = recording(steps=(step("a"), step("b c d")))
    assert unlike(verdicts(ran(recording()), ran(regrouped))) == {"grouping"}


def test_a_changed_sample_leaves_the_order_of_the_others_alone() -> None:
    found = verdicts(ran(recording()), ran(recording(steps=(step("a B"), step("c d")))))
    assert unlike(found) == {"samples"}
    assert found["samples"].difference == Difference("fit 1, epoch 1, step 1, row 2", "b", "B")


def test_another_order_brings_other_samples_into_an_epoch_that_is_cut() -> None:
    def run(*epochs: str) -> Run:
        training = fit(loss=(0.5,) * len(epochs))
        training["cut"] = "the smoke run ended it after 500 steps"
        return ran(recording(steps=[step(rows, epoch) for epoch, rows in enumerate(epochs)], fits=[training]))

    other, wrong = run("b a", "x y"), run("b z", "x y")
    contract = changes("order", "grouping")
    assert unlike(verdicts(run("a b", "c d"), other)) >= {"samples"}
    assert not unlike(verdicts(run("a b", "c d"), other, contract))
    assert unlike(verdicts(run("a b", "c d"), wrong, contract)) == {"samples"}
    assert verdicts(run("a b"), run("x y"), contract)["samples"].detail == "no epoch was whole"


def test_a_sample_that_comes_twice_is_another_multiset() -> None:
    assert "samples" in unlike(verdicts(ran(recording()), ran(recording(steps=(step("a b"), step("c d d"))))))


def test_runs_without_a_common_sample_say_nothing_of_order() -> None:
    found = verdicts(ran(recording()), ran(recording(steps=(step("w x"), step("y z")))))
    assert unlike(found, "NOT RUN") == {"order", "grouping", "weights"}


def test_the_slices_of_replicas_make_one_batch() -> None:
    split = recording(steps=(step("b", replica=1), step("a"), step("c"), step("d", replica=1)))
    assert not unlike(verdicts(ran(recording()), ran(split)))


def test_a_step_more_is_a_difference_of_steps() -> None:
    longer = recording(steps=(step("a b"), step("c"), step("d")))
    found = verdicts(ran(recording()), ran(longer))
    assert found["steps"].difference == Difference("fit 1, epoch 1", "2", "3")


def test_declared_changes_are_no_difference() -> None:
    other = ran(recording(fits=(fit(loss=(0.5, 0.75)),)))
    found = verdicts(ran(recording()), other, changes("history"))
    assert found["history"].outcome == "CHANGED AS DECLARED"
    assert found["history"].difference == Difference("fit 1, loss, epoch 2", "0.25", "0.75")
    assert not unlike(found)


def test_a_difference_within_the_noise_is_none() -> None:
    def run(loss: float) -> Run:
        return ran(recording(fits=(fit(loss=(0.5, loss)),)))

    assert not unlike(verdicts(run(0.25), run(0.2500002), again=run(0.2500001)))
    assert unlike(verdicts(run(0.25), run(0.2500009), again=run(0.2500001))) == {"history"}


def test_what_no_two_runs_agree_on_is_not_run() -> None:
    runs = [ran(recording(steps=(step(rows),))) for rows in ("a b", "c d", "e f")]
    found = verdicts(runs[0], runs[1], again=runs[2])
    assert found["samples"].outcome == "NOT RUN"
    assert "two runs of the unchanged program differ" in found["samples"].detail


def test_a_clock_does_not_hide_the_other_values() -> None:
    def run(clock: float, best: float) -> Run:
        return ran(recording(state={"took": clock, "best": best}))

    assert not unlike(verdicts(run(1.0, 5.0), run(2.0, 5.0), again=run(3.0, 5.0)))
    found = verdicts(run(1.0, 5.0), run(2.0, 6.0), again=run(3.0, 5.0))
    assert found["state"].difference == Difference("best", "5.0", "6.0")


def test_a_printed_clock_does_not_hide_the_other_lines() -> None:
    def run(clock: float, line: str) -> Run:
        return ran(recording(), output=f"took {clock} s\n{line}")

    assert not unlike(verdicts(run(1.5, "done"), run(2.5, "done"), again=run(3.5, "done")))
    assert unlike(verdicts(run(1.5, "done"), run(2.5, "gone"), again=run(3.5, "done"))) == {"output"}


def test_a_new_global_is_no_difference_and_a_lost_one_is() -> None:
    more, less = ran(recording(state={"a": 1, "b": 2})), ran(recording(state={"a": 1}))
    assert not unlike(verdicts(less, more))
    assert unlike(verdicts(more, less)) == {"state"}


def test_true_is_not_one() -> None:
    one, true = ran(recording(state={"a": 1})), ran(recording(state={"a": True}))
    assert unlike(verdicts(one, true)) == {"state"}


def test_a_global_that_holds_a_value_of_the_history_follows_it() -> None:
    def run(loss: float, best: float) -> Run:
        return ran(recording(fits=(fit(loss=(0.5, loss)),), state={"best": best}))

    before = run(0.25, 0.25)
    assert not unlike(verdicts(before, run(0.125, 0.125), changes("history")))
    assert unlike(verdicts(before, run(0.125, 0.75), changes("history"))) == {"state"}
    assert unlike(verdicts(before, run(0.125, 0.125))) == {"history", "state"}


def test_what_callbacks_do_by_made_up_values_follows_where_they_may_act_otherwise() -> None:
    def run(last: int, patience: int = 3) -> Run:
        made = recording()
        made["settings"] = {
            "Stop of fit 1": {"patience": patience},
            "Stop of fit 1 by made-up values": {"the last epoch": last},
        }
        return ran(made)

    assert unlike(verdicts(run(5), run(6))) == {"settings"}
    assert not unlike(verdicts(run(5), run(6), changes("stop")))
    assert unlike(verdicts(run(5), run(6, patience=4), changes("stop"))) == {"settings"}


def test_hooks_are_compared_with_their_thread() -> None:
    def run(thread: str) -> Run:
        return ran(recording(hooks=(("Feed.on_epoch_end", thread),)))

    assert unlike(verdicts(run("main"), run("other"))) == {"hooks"}


def test_the_order_of_hooks_counts_in_the_main_thread_only() -> None:
    def run(first: str, second: str, thread: str) -> Run:
        return ran(recording(hooks=((first, thread), (second, thread))))

    assert unlike(verdicts(run("a", "b", "main"), run("b", "a", "main"))) == {"hooks"}
    assert not unlike(verdicts(run("a", "b", "other"), run("b", "a", "other")))


def test_a_repaired_error_makes_the_rest_new() -> None:
    before = raised(recording(steps=(step("a b"),), fits=(fit(loss=(), why="ValueError was raised"),)), "no")
    found = verdicts(before, ran(recording()), repairs("errors"))
    assert found["errors"].outcome == "CHANGED AS DECLARED"
    assert not unlike(found)
    assert {"samples", "history", "stop"} <= unlike(found, "NEW")


def test_a_repaired_program_must_start_as_the_failing_one_did() -> None:
    before = raised(recording(steps=(step("x y"),)), "no")
    assert "samples" in unlike(verdicts(before, ran(recording()), repairs("errors")))


def test_an_error_that_only_turns_into_another_is_not_repaired() -> None:
    before, after = raised(recording(), "no"), raised(recording(), "still no")
    assert unlike(verdicts(before, after, repairs("errors"))) == {"errors"}
    assert not unlike(verdicts(before, after, changes("errors")))


def test_an_error_that_is_raised_on_purpose_ends_the_rest_early() -> None:
    after = raised(recording(steps=(step("a b"),)), "photo.png can't be read")
    found = verdicts(ran(recording()), after, changes("errors"))
    assert found["errors"].outcome == "CHANGED AS DECLARED"
    assert found["samples"].outcome == "NOT RUN"
    assert not unlike(found)


def test_an_error_that_nobody_declared_is_different() -> None:
    assert "errors" in unlike(verdicts(ran(recording()), raised(recording(), "no")))


def test_a_program_that_hangs_afterwards_is_different() -> None:
    found = verdicts(ran(recording()), killed(recording(steps=(step("a b"),))))
    assert unlike(found) == {"errors"}
    assert "it still ran after 9 s" in str(found["errors"].difference)


def test_repaired_warnings_must_go_and_no_other_may_come() -> None:
    loud, louder = (
        ran(recording(warnings=(("UserWarning", "a"),))),
        ran(recording(warnings=(("UserWarning", "b"),))),
    )
    quiet = ran(recording())
    assert verdicts(loud, quiet, repairs("warnings"))["warnings"].outcome == "CHANGED AS DECLARED"
    assert unlike(verdicts(quiet, loud, repairs("warnings"))) == {"warnings"}
    assert unlike(verdicts(loud, louder, repairs("warnings"))) == {"warnings"}


def test_what_neither_run_did_is_not_run() -> None:
    untrained = ran(recording(steps=(), fits=()))
    found = verdicts(untrained, untrained)
    assert {"samples", "order", "history", "epochs", "stop"} <= unlike(found, "NOT RUN")
    assert found["samples"].detail == "no train step of Keras ran"


def test_training_that_only_one_run_did_is_different() -> None:
    assert "samples" in unlike(verdicts(ran(recording(steps=(), fits=())), ran(recording())))


def shown(losses: tuple[float, float], text: str) -> Run:
    return ran(recording(fits=(fit(loss=losses),)), output=text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{'loss': [0.5, 0.125]}", "{'loss': [0.5, 0.75]}"),
        ("loss is 0.1250 now", "loss is 0.750 now"),
        ("loss 1.25e-01\nthe end", "loss 7.5e-01\nthe end"),
        ("[[0.5]\n [0.125 ]]", "[[0.5 ] [0.75]]"),
    ],
)
def test_what_is_printed_of_a_history_follows_it(before: str, after: str) -> None:
    one, other = shown((0.5, 0.125), before), shown((0.5, 0.75), after)
    found = verdicts(one, other, changes("history"))
    assert found["output"].outcome == "CHANGED AS DECLARED"
    assert unlike(verdicts(one, other)) == {"history", "output"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("0.125 seen", "0.333 seen", id="a number that the run has not made"),
        pytest.param("0.125 and 3 batches", "0.75 and 4 batches", id="a count beside it"),
        pytest.param("1 is best", "2 is best", id="a count"),
        pytest.param("loss 0.125", "loss 0.75\nsaved", id="a line more"),
        pytest.param("loss 0.125", "cost 0.75", id="other words"),
        pytest.param("loss 0.5", "loss 0.4", id="one place alone tells too little"),
        pytest.param("loss 0.125", "loss nan", id="not a number"),
    ],
)
def test_all_else_that_is_printed_does_not(before: str, after: str) -> None:
    found = verdicts(shown((0.5, 0.125), before), shown((0.5, 0.75), after), changes("history"))
    assert unlike(found) == {"output"}


def test_what_is_printed_of_weights_follows_them_alone() -> None:
    def run(weight: float) -> Run:
        made = recording()
        made["weights"] = [[weights((weight, 2.0))]]
        return ran(made, output=f"[{weight:.4f} 2.0]")

    assert not unlike(verdicts(run(0.25), run(0.75), changes("weights")))
    assert unlike(verdicts(run(0.25), run(0.75), changes("history"))) == {"weights", "output"}


def test_attributes_of_data_follow_from_what_a_hook_or_a_batch_does() -> None:
    def kept(epoch: int) -> Run:
        made = recording()
        made["state"] = {"the data Feed.epoch": epoch, "limit": 3}
        return ran(made)

    before, after = kept(2), kept(0)
    assert unlike(verdicts(before, after)) == {"state"}
    assert unlike(verdicts(before, after, changes("hooks"))) == set()
    assert unlike(verdicts(before, after, changes("history"))) == {"state"}
