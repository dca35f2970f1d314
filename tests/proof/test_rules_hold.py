"""Every rule's examples, run before and after their fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import KERAS_CHOICES, Settings, missing, never_seen, render
from tests.proof.subjects import INSTALLED, RULES, anywhere, harder_of, of_rule, proved

if TYPE_CHECKING:
    from seqlint.model import LoadedRule
    from seqlint.proof import KerasChoice, Proof, Worker, Workers
    from tests.proof.subjects import Subject

Children = dict[int, dict["KerasChoice", "Worker"]]

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
LACKS = ("No module named 'horovod'", "No module named 'tf_keras'", "name 'scipy' is not defined")
"""Packages of some examples that are not installed here."""
FOR_ANOTHER = "the program fails before a model is trained"
"""Code that one Keras alone runs, such as a Sequence that hands arguments on to its base; a fix is none the worse for it."""


def lacks(proof: Proof) -> bool:
    """Whether a program could not run for want of a package."""
    said = proof.obstacle and f"{proof.obstacle}\n{proof.before.errors}"
    return any(lack in said for lack in LACKS)


@pytest.fixture(scope="session")
def children(lent: Workers, mirrored: dict[KerasChoice, Worker]) -> dict[int, dict[KerasChoice, Worker]]:
    """For each number of replicas a worker of each Keras."""
    return {1: {keras: lent.under(Settings(keras=keras, limit_s=60)) for keras in KERAS_CHOICES}, 2: mirrored}


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(
    loaded: LoadedRule, children: dict[int, dict[KerasChoice, Worker]]
) -> None:
    first, others = _split([*of_rule(loaded)])
    ran = [proof for subject in first if not lacks(proof := _proved(subject, children))]
    assert [render(proof) for proof in ran if not proof.held] == []
    if not ran:
        pytest.skip("no example can run here: none has a fix, or it needs a package")
    if not {"2", "3.10+"} <= {*INSTALLED.values()}:
        return
    # Where the fix declares a change, some example must show it on some Keras: else the claim is stale.
    for subject in (*others, *anywhere(loaded)):
        if not never_seen(loaded.rule.contract, ran):
            break
        ran.append(_proved(subject, children))
    assert not never_seen(loaded.rule.contract, ran), "\n".join(map(render, ran))


FIXABLE = [loaded for loaded in RULES if any(example.after is not None for example in loaded.rule.examples)]


@pytest.mark.long
@pytest.mark.parametrize("loaded", FIXABLE, ids=lambda loaded: str(loaded.rule.code))
def test_all_other_examples_of_a_rule_keep_its_contract(loaded: LoadedRule, children: Children) -> None:
    proofs = [_proved(subject, children) for subject in _split([*of_rule(loaded)])[1]]
    assert [render(proof) for proof in proofs if not proof.held and not lacks(proof)] == []


@pytest.mark.long
@pytest.mark.parametrize("loaded", FIXABLE, ids=lambda loaded: str(loaded.rule.code))
def test_a_fix_keeps_its_contract_where_nothing_says_which_keras_runs_it(
    loaded: LoadedRule, children: Children
) -> None:
    proofs = [_proved(subject, children) for subject in anywhere(loaded)]
    wide = [proof for proof in proofs if not proof.obstacle.startswith(FOR_ANOTHER)]
    assert [render(proof) for proof in wide if not proof.held] == []


@pytest.mark.long
@pytest.mark.parametrize("loaded", FIXABLE, ids=lambda loaded: str(loaded.rule.code))
def test_a_fix_keeps_its_contract_where_a_program_prints_and_its_optimizer_has_a_state(
    loaded: LoadedRule, children: Children
) -> None:
    subjects = list(harder_of(loaded))
    assert subjects, "no example is fixed once it prints"
    proofs = [_proved(subject, children) for subject in subjects]
    assert [render(proof) for proof in proofs if not proof.held and not lacks(proof)] == []


def _split(subjects: list[Subject]) -> tuple[list[Subject], list[Subject]]:
    """The first of each line of Keras, and the others."""
    first = [one for line in KERAS_CHOICES for one in [each for each in subjects if each.line == line][:1]]
    return first, [each for each in subjects if each not in first]


def _proved(subject: Subject, children: Children) -> Proof:
    """Once each: examples are the same in every run, and the minutes are for others. benchmarks/proofs.py runs them twice."""
    return proved(subject.pair, children[subject.replicas][subject.line], twice=False)
