"""The same on a GPU, with `pytest -m gpu`: nothing counts there unless the train step ran on the card."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing, never_seen, prove_all, render
from tests.fixtures.programs import programs
from tests.proof.subjects import LINES, RULES, everything, proved
from tests.proof.test_rules_hold import lacks

if TYPE_CHECKING:
    from seqlint.model import LoadedRule
    from seqlint.proof import Proof
    from tests.fixtures.programs import Program

AT_ONCE = 6
"""Programs that share the card: each takes the memory that it needs, and starting one costs seconds of CPU time."""
LIMIT_S = 180.0


def _cards() -> list[str]:
    tool = shutil.which("nvidia-smi")
    found = subprocess.run([tool, "-L"], capture_output=True, text=True, check=False) if tool else None
    return [line for line in found.stdout.splitlines() if line.startswith("GPU ")] if found else []


pytestmark = [
    pytest.mark.gpu,
    pytest.mark.tensorflow,
    pytest.mark.skipif(not _cards(), reason="there is no GPU here: nvidia-smi lists none"),
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]


@pytest.fixture(scope="module")
def proofs() -> dict[str, list[Proof]]:
    """All proofs by rule and by program, several programs at once."""
    found: dict[str, list[Proof]] = {}
    subjects = tuple(everything())
    for line in LINES:
        settings = Settings(keras=line, device="gpu", limit_s=LIMIT_S)
        chosen = [subject for subject in subjects if subject.line == line]
        if chosen and not missing(settings):
            made = prove_all([subject.pair for subject in chosen], settings, jobs=AT_ONCE, how=proved)
            for subject, proof in zip(chosen, made, strict=True):
                found.setdefault(subject.of, []).append(proof)
    return found


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(loaded: LoadedRule, proofs: dict[str, list[Proof]]) -> None:
    ran = [proof for proof in proofs.get(loaded.rule.code, []) if not lacks(proof)]
    if not ran:
        pytest.skip("no example can run here")
    assert [render(proof) for proof in ran if not proof.held] == []
    assert not never_seen(loaded.rule.contract, ran), "\n".join(map(render, ran))


@pytest.mark.parametrize("program", programs(), ids=lambda program: str(program.name))
def test_the_fixes_of_a_program_keep_their_contracts(program: Program, proofs: dict[str, list[Proof]]) -> None:
    if program.name not in proofs:
        pytest.skip("no rule has a fix for it")
    assert [render(proof) for proof in proofs[program.name] if not proof.held] == []
