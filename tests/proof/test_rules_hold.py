"""Every rule's examples and every program of `fixtures/programs`, run before and after their fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing, never_seen, prove_pair, render
from tests.proof.subjects import PROGRAMS, RULES, of_program, of_rule

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.model import LoadedRule
    from seqlint.proof import KerasChoice, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]


@pytest.fixture
def children(child: Worker, legacy: Worker) -> dict[KerasChoice, Worker]:
    return {"3": child, "legacy": legacy}


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(loaded: LoadedRule, children: dict[KerasChoice, Worker]) -> None:
    proofs = [prove_pair(subject.pair, children[subject.line]) for subject in of_rule(loaded)]
    assert [render(proof) for proof in proofs if proof.outcome == "DIFFERENT"] == []
    ran = [proof for proof in proofs if not proof.obstacle]
    if proofs and not ran:
        pytest.skip(f"no example can run here: {proofs[0].obstacle}")
    # Where the fix declares a change, some example must show it: else the claim is stale.
    assert not ran or not never_seen(loaded.rule.contract, ran), "\n".join(map(render, proofs))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.parent.name))
def test_the_fixes_of_a_program_keep_their_contracts(path: Path, children: dict[KerasChoice, Worker]) -> None:
    subject = of_program(path)
    if subject is None:
        pytest.skip("no rule has a fix for it")
    proof = prove_pair(subject.pair, children[subject.line])
    assert proof.held, render(proof)
