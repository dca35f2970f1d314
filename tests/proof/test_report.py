"""What a reader of a proof sees."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.model import Contract
from seqlint.proof import Proof, Settings, as_dict, files_as_dict, judge, never_seen, render, summary, union
from seqlint.proof.answers import FileProof, Left
from seqlint.proof.report.words import answer
from tests.proof.files import CORRUPT, DECLARED, DIFF, DIFFERENT, NOT_RUN, SAME, file, item, trained
from tests.proof.recordings import fit, ran, recording, step

if TYPE_CHECKING:
    from seqlint.proof import Run


def proof(before: Run, after: Run, contract: Contract | None = None, obstacle: str = "") -> Proof:
    contract = contract or Contract()
    return Proof("train.py", contract, Settings(), before, after, (), judge(contract, before, after), obstacle)


def test_the_first_difference_shows_the_samples_themselves() -> None:
    digests = "0123456789abcdef", "fedcba9876543210"
    before, after = (ran(recording(steps=(step(digest),))) for digest in digests)
    for run, text in ((before, "x [1, 2] y [3]"), (after, "x [1, 2] y [4]")):
        assert run.recording
        run.recording["previews"] = {run.recording["steps"][0]["rows"][0]: text}
    text = render(proof(before, after))
    assert "fit 1, epoch 1, step 1, row 1" in text
    assert "before: x [1, 2] y [3]" in text
    assert "after:  x [1, 2] y [4]" in text
    assert "the contract is broken: samples differ" in text


def test_colours_come_only_when_asked_for() -> None:
    same = proof(ran(recording()), ran(recording()))
    assert "\x1b" not in render(same)
    assert "\x1b[" in render(same, colour=True)


def test_an_obstacle_is_said_and_proves_nothing() -> None:
    stopped = proof(ran(recording()), ran(recording()), obstacle="the program runs no model")
    assert not stopped.held
    assert "NOT RUN: the program runs no model" in render(stopped)
    assert "nothing was proved" in render(stopped)


def test_json_has_every_observable_and_no_number_that_json_lacks() -> None:
    nan = ran(recording(fits=(fit(loss=(float("nan"),)),)))
    document = json.loads(json.dumps(as_dict(proof(ran(recording()), nan)), allow_nan=False))
    history = next(item for item in document["observables"] if item["observable"] == "history")
    assert history["outcome"] == "DIFFERENT"
    assert history["difference"] == {"where": "fit 1, loss, epoch 1", "before": "0.5", "after": "nan"}
    assert len(document["observables"]) == 15


def test_a_declared_change_that_no_proof_has_shown_is_named() -> None:
    contract = Contract(changes=frozenset({"history", "order"}), repairs=frozenset({"warnings"}))
    other = ran(recording(fits=(fit(loss=(0.5, 0.75)),)))
    proofs = [proof(ran(recording()), other, contract), proof(ran(recording()), ran(recording()), contract)]
    assert never_seen(contract, proofs) == {"order", "warnings"}


def test_the_contract_of_several_fixes_allows_what_each_allows() -> None:
    both = union([Contract(changes=frozenset({"hooks"})), Contract(repairs=frozenset({"warnings"}))])
    assert both == Contract(frozenset({"hooks"}), frozenset({"warnings"}))


def test_the_summary_has_an_answer_for_each_finding_and_each_table_once() -> None:
    left = (Left("SEQ204", 30, "the message", "no fix is offered"),)
    text = summary(file(DECLARED, items=2, left=left, corrupt=(CORRUPT,)))
    declared = "unsafe, changes samples, order, grouping, history and output"
    assert f"SEQ201 line 7: CHANGED AS DECLARED: Raise it ({declared})" in text
    assert f"SEQ201 line 8: CHANGED AS DECLARED: Raise it ({declared})" in text
    assert "SEQ204 line 30: NOT RUN: no fix is offered" in text
    assert text.count("train.py: run before and after") == 1
    assert text.count("train.py, with bad input: run before and after") == 1


def repaired() -> Proof:
    """Of a fix that takes a warning away and changes nothing else."""
    loud, quiet = recording(warnings=(("UserWarning", "call super().__init__"),)), recording()
    return proof(ran(loud), ran(quiet), Contract(repairs=frozenset({"warnings"})))


def test_a_safe_fix_that_repairs_holds_and_raises_no_alarm() -> None:
    text = summary(file(repaired()))
    assert "SEQ201 line 7: HOLDS: Raise it (safe, repairs warnings)" in text
    assert "warnings    REPAIRED" in text
    assert "CHANGED" not in text
    assert "the contract holds: nothing has changed but the warnings that the fixes repair\n" in text
    assert answer(item(repaired())) == "the fix holds: nothing has changed but the warnings that it repairs"


def test_a_safe_fix_that_changes_nothing_holds() -> None:
    assert "SEQ201 line 7: HOLDS: Raise it (safe, changes nothing)" in summary(file(SAME))
    assert answer(item(SAME)) == "the fix holds: nothing that was observed has changed"


def test_an_unsafe_fix_that_holds_says_that_it_changes_what_it_declares() -> None:
    assert answer(item(DECLARED)) == "the fix holds: nothing has changed but what it declares"


def test_a_repair_that_ran_together_with_a_change_does_not_claim_that_nothing_else_changed() -> None:
    together = replace(item(DECLARED), contract=Contract(repairs=frozenset({"warnings"})))
    assert answer(together) == "the fix holds: nothing has changed but what the fixes declare"


def test_a_fix_that_does_not_hold_and_one_that_was_not_run_say_so() -> None:
    assert answer(item(DIFFERENT)) == "the fix does not hold: samples differ, and it does not declare that"
    assert answer(item(NOT_RUN)) == "nothing was proved: the program can't be run: exit 1"
    assert answer(replace(item(SAME), unproved="its code did not run")) == "nothing was proved: its code did not run"


def test_the_summary_says_why_a_fix_is_not_proved() -> None:
    one = replace(item(SAME), unproved="its code did not run: line 7")
    text = summary(FileProof("train.py", (one,), (), DIFF, (SAME,)))
    assert "SEQ201 line 7: NOT RUN: its code did not run: line 7: Raise it" in text


def test_the_summary_of_a_file_without_findings_says_so() -> None:
    assert summary(FileProof("train.py", (), (), "", ())) == "train.py: no findings, so there is nothing to prove\n"


def test_a_hang_and_a_factory_are_in_the_text() -> None:
    hanging = replace(SAME, after=replace(SAME.after, hung="waits in queue.Queue.get"))
    assert "HANGS after: it waits in queue.Queue.get" in render(hanging)
    assert "def feed():\n    return Feed(...)\n" in render(NOT_RUN)
    assert "would drive the rest" in render(replace(SAME, factory=NOT_RUN.factory))


def test_json_has_the_curves_of_both_runs() -> None:
    other = trained(loss=(0.5, float("inf"), 2.0))
    document = json.loads(json.dumps(as_dict(proof(trained(), other)), allow_nan=False))
    assert document["history"] == [
        {"fit": 1, "series": "loss", "epochs": [1, 2, 3], "before": [0.5, 0.25, None], "after": [0.5, "inf", 2.0]}
    ]


def test_json_has_the_rows_of_the_first_differing_batch() -> None:
    document = as_dict(DIFFERENT)
    assert document["batch"] == {
        "where": "fit 1, epoch 1, step 1",
        "reordered": False,
        "rows": [
            {"before": "x [0]", "after": "x [0]", "equal": True},
            {"before": "x [1]", "after": "", "equal": False},
            {"before": "x [2]", "after": "x [2]", "equal": True},
            {"before": "x [3]", "after": "x [3]", "equal": True},
        ],
    }
    assert document["samples"] == {"1123456789abcdef": "x [1]"}
    assert as_dict(SAME)["batch"] is None


def test_json_tells_how_each_run_ended() -> None:
    runs = json.loads(json.dumps(as_dict(replace(CORRUPT, before=replace(CORRUPT.before, hung="Queue.get")))))["runs"]
    assert runs["before"] == {"status": "done", "detail": "", "hung": "Queue.get", "error": "", "samples": 3}
    assert runs["after"]["error"] == "ValueError: could not load wave.npy"


def test_json_of_a_file_has_each_proof_once() -> None:
    whole = FileProof("train.py", (item(DECLARED), item(DECLARED), item(CORRUPT)), (), DIFF, (DECLARED,), (CORRUPT,))
    document = json.loads(json.dumps(files_as_dict(whole), allow_nan=False))
    assert [proof["name"] for proof in document["proofs"]] == ["train.py", "train.py, with bad input"]
    assert [fix["proofs"] for fix in document["items"]] == [[0], [0], [1]]
    assert (document["together"], document["corrupt"]) == ([0], [1])
    assert (document["format"], document["held"], document["path"]) == (1, True, "train.py")
