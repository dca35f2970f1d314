"""Every rule's examples, run before and after their fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing, never_seen, render
from tests.proof.subjects import RULES, Subject, harder_of, of_rule, proved

if TYPE_CHECKING:
    from seqlint.model import LoadedRule
    from seqlint.proof import KerasChoice, Proof, Worker

Children = dict[int, dict["KerasChoice", "Worker"]]

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]
LACKS = "ModuleNotFoundError: No module named 'horovod'"


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(
    loaded: LoadedRule, child: Worker, legacy: Worker, mirrored: dict[KerasChoice, Worker]
) -> None:
    children: Children = {1: {"3": child, "legacy": legacy}, 2: mirrored}
    proofs = [_proved(subject, children) for subject in of_rule(loaded)]
    ran = [proof for proof in proofs if LACKS not in proof.obstacle]
    assert [render(proof) for proof in ran if not proof.held] == []
    if not ran:
        pytest.skip(f"no example can run here: {next((proof.obstacle for proof in proofs), 'none has a fix')}")
    # Where the fix declares a change, some example must show it: else the claim is stale.
    assert not never_seen(loaded.rule.contract, ran), "\n".join(map(render, ran))


FIXABLE = [loaded for loaded in RULES if any(example.after is not None for example in loaded.rule.examples)]


@pytest.mark.parametrize("loaded", FIXABLE, ids=lambda loaded: str(loaded.rule.code))
def test_a_fix_keeps_its_contract_where_a_program_prints_and_its_optimizer_has_a_state(
    loaded: LoadedRule, child: Worker, legacy: Worker, mirrored: dict[KerasChoice, Worker]
) -> None:
    children: Children = {1: {"3": child, "legacy": legacy}, 2: mirrored}
    subjects = list(harder_of(loaded))
    assert subjects, "no example is fixed once it prints"
    proofs = [_proved(subject, children) for subject in subjects]
    assert [render(proof) for proof in proofs if not proof.held and LACKS not in proof.obstacle] == []


def _proved(subject: Subject, children: Children) -> Proof:
    """Once each: examples are the same in every run, and the minutes are for others. benchmarks/proofs.py runs them twice."""
    return proved(subject.pair, children[subject.replicas][subject.line], twice=False)
