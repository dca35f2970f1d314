"""How often programs run before an answer; runs are made by hand."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING

from seqlint.model import Contract
from seqlint.proof.repeats import judged, unrepeated
from tests.proof.recordings import fit, ran, recording, step, weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.proof import Run, Verdict

NOTHING = Contract()
AS_IT_WAS = ran(recording())
OTHERWISE = ran(recording(steps=(step("a c"), step("b d"))))


def answers(
    before: Iterable[Run], after: Iterable[Run], contract: Contract = NOTHING
) -> tuple[dict[str, Verdict], str]:
    """The verdicts, and why nothing is known; the last of each kind of runs comes for ever."""
    old, new = (chain(runs, repeat([*runs][-1])) for runs in (before, after))
    first = next(old)
    verdicts, again = judged(contract, first, next(new), lambda: next(old), lambda: next(new))
    return {verdict.observable: verdict for verdict in verdicts}, unrepeated(contract, first, again, verdicts)


def test_two_runs_that_agree_by_chance_make_no_difference() -> None:
    found, why = answers([AS_IT_WAS, AS_IT_WAS, OTHERWISE], [OTHERWISE])
    assert found["grouping"].outcome == "NOT RUN"
    assert not why


def test_a_changed_program_that_differs_once_is_not_known() -> None:
    found, why = answers([AS_IT_WAS], [OTHERWISE, AS_IT_WAS])
    assert "DIFFERENT" not in {verdict.outcome for verdict in found.values()}
    assert "in one of two runs: order, grouping" in why


def test_what_differs_in_each_run_is_different() -> None:
    found, _ = answers([AS_IT_WAS], [OTHERWISE])
    assert found["grouping"].outcome == "DIFFERENT"


def test_noise_that_the_first_two_runs_do_not_show_is_noise() -> None:
    def run(loss: float) -> Run:
        return ran(recording(fits=(fit(loss=(0.5, loss)),)))

    found, why = answers([run(0.25), run(0.25), run(0.2500001)], [run(0.2500001)])
    assert found["history"].outcome == "SAME"
    assert not why


def results(loss: float, took: float = 1.0, weight: float = 1.0) -> Run:
    """A run whose callback logs a time, too."""
    made = fit(loss=(0.5, loss))
    made["history"]["took"] = [took, took]
    found = recording(fits=(made,))
    found["weights"] = [[weights((weight, 2.0))]]
    return ran(found)


def test_results_that_no_two_runs_agree_on_prove_nothing() -> None:
    found, why = answers([results(0.25), results(0.75)], [results(0.25)])
    assert found["samples"].outcome == "SAME"
    assert why == "the results are not repeatable: two runs of the unchanged program differ in fit 1, loss"
    _, why = answers([results(0.25), results(0.25, weight=3.0)], [results(0.25)])
    assert "model 1, weight 1 [2]" in why


def test_a_time_in_the_history_does_not_hide_the_loss() -> None:
    runs = [results(0.25, took) for took in (1.0, 2.0, 3.0)]
    found, why = answers(runs, [results(0.25, 4.0)])
    assert found["history"].outcome == "SAME"
    assert "2 not repeatable, left out" in found["history"].detail
    assert not why
    found, _ = answers(runs, [results(0.125, 4.0)])
    assert found["history"].outcome == "DIFFERENT"


def test_results_that_may_change_need_not_be_repeatable() -> None:
    contract = Contract(changes=frozenset({"history"}))
    _, why = answers([results(0.25), results(0.75)], [results(0.5)], contract)
    assert not why
