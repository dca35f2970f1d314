"""Every rule's examples and every program of `fixtures/programs`, run before and after their fixes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import fix
from seqlint.facts.keras import parse_range
from seqlint.proof import Pair, Settings, missing, never_seen, prove_pair, render, union
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import Example, LoadedRule
    from seqlint.proof import KerasChoice, Proof, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]
RULES = registry.load()
PROGRAMS = sorted((Path(__file__).parents[2] / "fixtures/programs").glob("*/program.py"))
LINES: tuple[KerasChoice, ...] = ("3", "legacy")


@pytest.fixture
def children(child: Worker, legacy: Worker) -> dict[KerasChoice, Worker]:
    return {"3": child, "legacy": legacy}


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_the_examples_of_a_rule_keep_its_contract(loaded: LoadedRule, children: dict[KerasChoice, Worker]) -> None:
    proofs = list(_proofs(loaded, children))
    assert [render(proof) for proof in proofs if proof.outcome == "DIFFERENT"] == []
    ran = [proof for proof in proofs if not proof.obstacle]
    if proofs and not ran:
        pytest.skip(f"no example can run here: {proofs[0].obstacle}")
    # Where the fix declares a change, some example must show it: else the claim is stale.
    assert not ran or not never_seen(loaded.rule.contract, ran), "\n".join(map(render, proofs))


def _proofs(loaded: LoadedRule, children: dict[KerasChoice, Worker]) -> Iterator[Proof]:
    for number, example in enumerate(loaded.rule.examples):
        if example.after is None:
            continue
        contract = example.contract or loaded.rule.contract
        for line in _lines(example):
            name = f"{loaded.rule.code} example {number} on Keras {line}"
            before, after = (_spelled(text, line) for text in (example.before, example.after))
            yield prove_pair(Pair(name, before, after, contract), children[line])


def _spelled(text: str, line: KerasChoice) -> str:
    """Beside tf-keras, `import keras` is Keras 3; where it was Keras 2, `tf.keras` was the same."""
    if line == "3":
        return text
    text = re.sub(r"^import keras$", "from tensorflow import keras", text, flags=re.MULTILINE)
    return re.sub(r"^from keras\b", "from tensorflow.keras", text, flags=re.MULTILINE)


def _lines(example: Example) -> list[KerasChoice]:
    """An example whose range says nothing runs on Keras 3; one that admits Keras 2 on that too."""
    lines = parse_range(example.keras).lines
    wanted = {"3": bool(lines - {"2"}), "legacy": "2" in lines and example.keras != ""}
    return [line for line in LINES if wanted[line]]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.parent.name))
def test_the_fixes_of_a_program_keep_their_contracts(path: Path, children: dict[KerasChoice, Worker]) -> None:
    source = Source.from_bytes(path.read_bytes(), str(path))
    fixed = fix(source, RULES, replace(Config.default(), root=path.parent), unsafe=True)
    if not fixed.applied:
        pytest.skip("no rule has a fix for it")
    contract = union(applied.contract for applied in fixed.applied)
    proof = prove_pair(Pair(path.parent.name, source.text, fixed.source.text, contract, path.parent), children["3"])
    assert proof.held, render(proof)
