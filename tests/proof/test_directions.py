"""What must hold of declared changes; runs are made by hand. A row is called by its input and its label: "a1"."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from seqlint import registry
from seqlint.model import Contract, Direction
from seqlint.proof import judge, union
from seqlint.proof.directions import names, steered
from seqlint.proof.rows import Sides
from tests.proof.recordings import fit, ran, recording, step, weights

if TYPE_CHECKING:
    from seqlint.model import Observable
    from seqlint.proof import Run


def run(*epochs: str, cut: str = "", tables: tuple[str, ...] = (), tested: str = "") -> Run:
    """A run with one step for each epoch."""
    training = fit(loss=(0.5,) * len(epochs))
    training["cut"] = cut
    made = recording(steps=[step(rows, epoch) for epoch, rows in enumerate(epochs)], fits=[training])
    made["parts"] = {row: (row[0], row[1:]) for rows in epochs for row in rows.split()}
    made["tables"] = [table.split() for table in tables]
    made["validated"] = tested.split()
    return ran(made)


def broken(direction: Direction, before: Run, after: Run, calm: Run | None = None) -> bool:
    changes: tuple[Observable, ...] = ("samples", "order", "grouping", "spec", "steps", "settings", "history")
    contract = Contract(frozenset(changes), holds=frozenset({direction}))
    verdicts = steered(contract, judge(contract, before, after), lambda: Sides(before, after, calm))
    return any(verdict.outcome == "DIFFERENT" for verdict in verdicts)


@pytest.mark.parametrize("direction", get_args(Direction))
def test_each_direction_has_a_sentence(direction: Direction) -> None:
    assert [*names(Contract(holds=frozenset({direction})))]


def test_each_rule_that_changes_something_names_a_direction_or_why_it_has_none() -> None:
    lines = (Path(__file__).parents[2] / "docs/proof/directions.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| SEQ")]
    listed = {code: ("" if holds == "-" else holds, bool(holds != "-" or why)) for code, holds, why in rows}
    held: dict[str, set[str]] = {}
    for loaded in registry.load():
        fixed = [example for example in loaded.rule.examples if example.after is not None]
        contracts = [loaded.rule.contract, *(example.contract for example in fixed if example.contract)]
        names = {name for one in contracts for name in one.holds}
        if fixed and (names or any(one.changes for one in contracts)):
            held[loaded.rule.code] = {*names}
    fixes_alone = {"SEQ204", "SEQ410"}  # these are in contracts of single fixes, which no example has
    assert listed.keys() == held.keys() | fixes_alone
    assert {code: ", ".join(sorted(held[code])) for code in held.keys() - fixes_alone} == {
        code: holds for code, (holds, _) in listed.items() if code not in fixes_alone
    }
    assert [code for code, (_, told) in listed.items() if not told] == []


def test_labels_are_those_of_the_run_without_shuffles() -> None:
    calm, before = run("a1 b2 c3"), run("a2 b1 c3")
    assert not broken("pairs match", before, run("c3 a1 b2"), calm)
    assert broken("pairs match", before, run("c3 a1 b3"), calm)


def test_a_row_that_no_batch_held_has_the_label_beside_it_in_the_arrays() -> None:
    calm = run("a1 b2", tables=("a b c", "1 2 3", "9 9 9"))
    assert not broken("pairs match", run("a1 b2"), run("a1 b2 c3"), calm)
    assert broken("pairs match", run("a1 b2"), run("a1 b2 c9"), calm)


def test_arrays_that_disagree_with_the_batches_tell_nothing() -> None:
    calm = run("a1 b2", tables=("a b c", "2 1 3"))
    assert not broken("pairs match", run("a1 b2"), run("a1 b2 c9"), calm)


def test_each_epoch_keeps_its_inputs() -> None:
    assert not broken("inputs stay", run("a1 b2 c3", "a1 b2 c3"), run("b2 a1 c3", "c3 a1 b2"))
    assert broken("inputs stay", run("a1 b2 c3", "a1 b2 c3"), run("b2 a1 a1", "c3 c3 b2"))


def test_an_order_that_is_only_turned_is_no_new_one() -> None:
    before = run("a1 b2 c3 d4", "a1 b2 c3 d4")
    assert not broken("orders differ", before, run("b2 d4 a1 c3", "a1 d4 c3 b2"))
    assert broken("orders differ", before, run("d4 c3 b2 a1", "d4 c3 b2 a1"))
    assert broken("orders differ", before, run("d4 c3 b2 a1", "a1 b2 c3 d4"))
    assert broken("orders differ", before, run("b2 c3 d4 a1", "c3 d4 a1 b2"))


def test_epochs_have_the_same_samples_but_for_one_that_was_cut() -> None:
    before = run("a1 a1", "a1 b2")
    assert not broken("epochs equal", before, run("a1 b2", "b2 a1"))
    assert broken("epochs equal", before, run("a1 b2", "b2 b2"))
    assert not broken("epochs equal", before, run("a1 b2", "b2", cut="the smoke run ended it after 3 steps"))


def test_random_inputs_keep_their_labels_and_are_drawn_anew() -> None:
    before = run("a1 b2 c3 d4", "a1 b2 c3 d4")
    anew = run("e1 f2 g3 h4", "i1 j2 k3 l4")
    assert not broken("labels stay", before, anew)
    assert not broken("epochs differ", before, anew)
    assert broken("labels stay", before, run("e1 f2 g3 h3", "i1 j2 k3 l4"))
    assert broken("epochs differ", before, run("e1 f2 g3 h4", "e1 f2 g3 h4"))


def test_nothing_is_lost_where_something_is_added() -> None:
    assert not broken("none lost", run("a1 b2"), run("a1 b2 c3"))
    assert broken("none lost", run("a1 b2"), run("a1 c3"))


def test_what_is_tested_is_not_trained() -> None:
    assert not broken("parts share no sample", run("a1 b2 c3"), run("a1 b2", tested="c"))
    assert broken("parts share no sample", run("a1 b2 c3"), run("a1 c3", tested="c"))


def spelled(spec: str, *numbers: float) -> Run:
    row = repr(numbers)
    made = recording(steps=[step("x", spec=spec)])
    made["steps"][0]["rows"] = [row]
    made["sketches"] = {row: list(numbers)}
    return ran(made)


def test_only_the_precision_is_another() -> None:
    before = spelled("float64[n,2]", 0.1, 0.7)
    assert not broken("only rounded", before, spelled("float32[n,2]", 0.1 + 2e-9, 0.7))
    assert broken("only rounded", before, spelled("float16[n,2]", 0.1, 0.7))
    assert broken("only rounded", before, spelled("float32[n,2]", 0.09998, 0.7))
    assert broken("only rounded", before, spelled("float32[n,1]", 0.1, 0.7))


def asked(**values: str | float) -> Run:
    made = recording()
    made["settings"] = {"EarlyStopping of fit 1": dict(values)}
    return ran(made)


def test_what_is_watched_is_better_as_its_name_says() -> None:
    before = asked(monitor="val_accuracy", better="lower", patience=3)
    assert not broken("better by name", before, asked(monitor="val_accuracy", better="higher", patience=3))
    assert broken("better by name", before, asked(monitor="val_loss", better="higher", patience=3))
    assert broken("better by name", before, asked(monitor="val_accuracy", better="lower", patience=4))


def test_of_what_was_asked_only_what_a_direction_names_may_change() -> None:
    before = asked(monitor="val_acc", better="higher", patience=3)
    after = asked(monitor="val_accuracy", better="higher", patience=3)
    assert not broken("only moments asked", before, after)
    assert broken("only rates asked", before, after)
    assert broken("only moments asked", before, asked(monitor="val_accuracy", better="higher", patience=2))


def test_several_fixes_hold_together_what_each_of_them_holds_that_changes_the_same() -> None:
    def contract(*changes: Observable, holds: Direction) -> Contract:
        return Contract(frozenset(changes), holds=frozenset({holds}))

    one, other = contract("samples", holds="labels stay"), contract("order", holds="orders differ")
    assert union([one, other]).holds == {"labels stay", "orders differ"}
    assert union([one, contract("samples", holds="none lost")]).holds == frozenset()


def logged(predicted: tuple[float, ...] = (), tested: str = "", **series: float) -> Run:
    """A run whose fit logs each series once, and that predicts."""
    training = fit()
    training["history"] = {name: [value] for name, value in series.items()}
    made = recording(fits=[training])
    made["results"] = [{**weights(predicted), "name": "predict 1, 0"}] if predicted else []
    made["validated"] = tested.split()
    return ran(made)


def test_a_metric_may_change_and_its_loss_may_not() -> None:
    before = logged(loss=0.5, accuracy=0.25)
    assert not broken("losses stay", before, logged(loss=0.5, accuracy=0.75))
    assert broken("losses stay", before, logged(loss=0.25, accuracy=0.75))


def test_predictions_come_in_another_order_and_none_is_another() -> None:
    before = logged((0.1, 0.2, 0.3))
    assert not broken("answers stay", before, logged((0.3, 0.1, 0.2)))
    assert broken("answers stay", before, logged((0.3, 0.1, 0.1)))
    assert broken("answers stay", before, logged((0.3, 0.1)))


def test_what_was_tested_still_is() -> None:
    before = logged(tested="a b", loss=0.5)
    assert not broken("tests stay", before, logged(tested="a b c", loss=0.25))
    assert broken("tests stay", before, logged(tested="a c", loss=0.25))


def test_replicas_log_what_one_logs() -> None:
    before, single = logged(loss=1.0), logged(loss=0.5)

    def differs(after: Run) -> bool:
        contract = Contract(frozenset({"history"}), holds=frozenset({"as on one replica"}))
        verdicts = steered(contract, judge(contract, before, after), lambda: Sides(before, after, single=single))
        return any(verdict.outcome == "DIFFERENT" for verdict in verdicts)

    assert not differs(logged(loss=0.51))
    assert differs(logged(loss=0.25))
