"""Every rule's examples, run before and after their fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing, never_seen, render
from tests.proof.subjects import RULES, of_rule, proved

if TYPE_CHECKING:
    from seqlint.model import LoadedRule
    from seqlint.proof import KerasChoice, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]
LACKS = "ModuleNotFoundError: No module named 'horovod'"


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(
    loaded: LoadedRule, child: Worker, legacy: Worker, mirrored: dict[KerasChoice, Worker]
) -> None:
    children: dict[int, dict[KerasChoice, Worker]] = {1: {"3": child, "legacy": legacy}, 2: mirrored}
    # Once each: examples are the same in every run, and the minutes are for others. benchmarks/proofs.py runs them twice.
    proofs = [
        proved(subject.pair, children[subject.replicas][subject.line], twice=False) for subject in of_rule(loaded)
    ]
    ran = [proof for proof in proofs if LACKS not in proof.obstacle]
    assert [render(proof) for proof in ran if not proof.held] == []
    if not ran:
        pytest.skip(f"no example can run here: {next((proof.obstacle for proof in proofs), 'none has a fix')}")
    # Where the fix declares a change, some example must show it: else the claim is stale.
    assert not never_seen(loaded.rule.contract, ran), "\n".join(map(render, ran))
