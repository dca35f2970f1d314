"""The same on a GPU, with `pytest -m gpu`: nothing counts there unless the train step ran on the card."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing, never_seen, prove_all, render
from tests.proof.subjects import LINES, RULES, everything, proved
from tests.proof.test_rules_hold import LACKS

if TYPE_CHECKING:
    from seqlint.model import LoadedRule
    from seqlint.proof import Proof

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
SUBJECTS = tuple(everything())
NAMES = [subject.name for subject in SUBJECTS if not subject.of.startswith("SEQ")]


@pytest.fixture(scope="module")
def proofs() -> dict[str, Proof]:
    """All proofs by their names, several programs at once."""
    found: dict[str, Proof] = {}
    for line in LINES:
        settings = Settings(keras=line, device="gpu", limit_s=LIMIT_S)
        subjects = [subject for subject in SUBJECTS if subject.line == line]
        if subjects and not missing(settings):
            made = prove_all([subject.pair for subject in subjects], settings, jobs=AT_ONCE, how=proved)
            found.update(zip((subject.name for subject in subjects), made, strict=True))
    return found


def _of(code: str, proofs: dict[str, Proof]) -> list[Proof]:
    return [proofs[subject.name] for subject in SUBJECTS if subject.of == code and subject.name in proofs]


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(loaded: LoadedRule, proofs: dict[str, Proof]) -> None:
    found = _of(loaded.rule.code, proofs)
    ran = [proof for proof in found if LACKS not in proof.obstacle]
    assert [render(proof) for proof in ran if not proof.held] == []
    assert not never_seen(loaded.rule.contract, ran), "\n".join(map(render, ran))


@pytest.mark.parametrize("name", NAMES)
def test_the_fixes_of_a_program_keep_their_contracts(name: str, proofs: dict[str, Proof]) -> None:
    proof = proofs[name]
    assert proof.held, render(proof)
