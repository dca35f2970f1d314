"""What a reader of a proof sees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from seqlint.model import Contract
from seqlint.proof import Proof, Settings, as_dict, judge, never_seen, render, union
from tests.proof.recordings import fit, ran, recording, step

if TYPE_CHECKING:
    from seqlint.proof import Run


def proof(before: Run, after: Run, contract: Contract | None = None, obstacle: str = "") -> Proof:
    contract = contract or Contract()
    return Proof("train.py", contract, Settings(), before, after, None, judge(contract, before, after), obstacle)


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
    assert len(document["observables"]) == 14


def test_a_declared_change_that_no_proof_has_shown_is_named() -> None:
    contract = Contract(changes=frozenset({"history", "order"}), repairs=frozenset({"warnings"}))
    other = ran(recording(fits=(fit(loss=(0.5, 0.75)),)))
    proofs = [proof(ran(recording()), other, contract), proof(ran(recording()), ran(recording()), contract)]
    assert never_seen(contract, proofs) == {"order", "warnings"}


def test_the_contract_of_several_fixes_allows_what_each_allows() -> None:
    both = union([Contract(changes=frozenset({"hooks"})), Contract(repairs=frozenset({"warnings"}))])
    assert both == Contract(frozenset({"hooks"}), frozenset({"warnings"}))
