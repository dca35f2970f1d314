"""A change that draws numbers holds under several seeds, and one of sets and hashes in several processes; nothing is run."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, Worker, chances, judge, prove_pair
from tests.proof.recordings import fit, raised, ran, recording

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.proof import Program, Run

Result = float


class Made(Worker):
    """Runs nothing: a function of the text and the seed says what a program would give."""

    def __init__(self, loss: Callable[[str, int], Result], hashes: int = 0) -> None:
        self.settings = Settings(hashes=hashes)
        self.seeds: list[int] = []
        self._loss = loss

    def run(self, text: str | bytes, *args: object, **kwargs: object) -> Run:
        program: Program = args[2]  # type: ignore[assignment]
        self.seeds.append(program.seed)
        return ran(recording(fits=(fit((self._loss(str(text), program.seed),)),)))


def seeded(text: str, seed: int) -> Result:
    """A program with a seed of its own gives one loss; without, that of the proof counts, which is the same by chance."""
    return 0.5 if "seed(7)" in text else 0.5 + seed


def test_a_seed_that_is_that_of_the_proof_by_chance_is_missed_under_another() -> None:
    proof = prove_pair(Pair("p", "np.random.seed(7)\nfit()\n", "fit()\n"), Made(seeded))
    assert proof.outcome == "DIFFERENT"
    assert "the programs differ with the seed 8: under the first one they do not" in proof.notes


def test_a_change_that_draws_the_same_under_each_seed_holds() -> None:
    proof = prove_pair(Pair("p", "numpy.random.seed(7)\nfit()\n", "np.random.seed(7)\nfit()\n"), Made(seeded))
    assert proof.outcome == "SAME"


def test_a_change_that_draws_nothing_runs_no_more_often() -> None:
    made = Made(seeded)
    assert prove_pair(Pair("p", "x = 1\nfit()\n", "x = 1.0\nfit()\n"), made).held
    assert made.seeds == [0, 0, 0]


def test_a_result_that_varies_under_another_seed_is_no_difference() -> None:
    losses = iter([0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2])
    proof = prove_pair(Pair("p", "draw(rng)\n", "drawn(rng)\n"), Made(lambda text, seed: next(losses)))
    assert proof.outcome != "DIFFERENT"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for name in sorted(names): pass\n", "for name in set(names): pass\n"),
        ("part = zlib.crc32(name) % 2\n", "part = hash(name) % 2\n"),
        ("both = ['a', 'b']\n", "both = {'a', 'b'}\n"),
    ],
)
def test_what_depends_on_hashes_is_run_in_another_process(
    before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Made(lambda text, seed: 0.5 if text == before else 0.75, hashes=1)
    monkeypatch.setattr(chances, "worker", lambda settings: nullcontext(other))
    proof = prove_pair(Pair("p", before, after), Made(lambda text, seed: 0.5))
    assert proof.outcome == "DIFFERENT"
    assert any("PYTHONHASHSEED" in note for note in proof.notes)


def test_what_hashes_nothing_needs_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "worker", lambda settings: pytest.fail("another process was started"))
    pair = Pair("p", "print(f'{a} of {b}', {'k': 1})\n", "print(f'{a}/{b}', {'k': 2})\n")
    assert prove_pair(pair, Made(lambda text, seed: 0.5)).held


class NoKernel(Worker):
    """A card on which an operation of the program has no deterministic form, and the loss some noise."""

    def __init__(self, *noise: float) -> None:
        self.settings = Settings(device="gpu")
        self._noise = iter(noise)

    def run(self, text: str | bytes, *args: object, **kwargs: object) -> Run:
        program: Program = args[2]  # type: ignore[assignment]
        made = recording(fits=(fit((0.5,) if program.deterministic else (0.5 + next(self._noise),)),))
        made["cards"] = ["NVIDIA H200"]
        there = "/device:GPU:0"
        made["devices"] = [{"variables": [there], "steps": [there]}]
        if not program.deterministic:
            return ran(made)
        run = raised(made, "A deterministic GPU implementation of DepthwiseConvBackpropFilter is not available")
        made["error"] = {"type": "UnimplementedError", "text": made["error"]["text"] if made["error"] else ""}
        return run


def test_without_a_deterministic_kernel_the_noise_is_that_of_three_runs() -> None:
    pair = Pair("p", "x = 1\n", "x = 2\n", Contract())
    near, far = ((0.0, noise, 1e-7, -1e-7, 0.0, noise, noise) for noise in (2e-7, 1e-2))
    held, broken = prove_pair(pair, NoKernel(*near)), prove_pair(pair, NoKernel(*far))
    assert held.outcome == "SAME"
    assert len(held.again) == 2
    assert chances.LOOSE in held.notes
    assert broken.outcome == "DIFFERENT"


def test_an_order_that_is_left_to_chance_is_another_order() -> None:
    def run(*parts: str) -> Run:
        made = recording()
        made["chances"] = list(parts)
        return ran(made)

    def answer(before: Run, after: Run, contract: Contract = Contract()) -> str:  # noqa: B008
        return {verdict.observable: verdict.outcome for verdict in judge(contract, before, after)}["order"]

    assert answer(run(), run("ParallelMap")) == "DIFFERENT"
    assert answer(run("ParallelMap"), run("ParallelMap")) == "SAME"
    assert answer(run("ParallelMap"), run()) == "SAME"
    assert answer(run(), run("ParallelMap"), Contract(changes=frozenset({"order"}))) == "SAME"
