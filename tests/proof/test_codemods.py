"""The proof of the proof: wrong codemods are found, where they first go wrong, and right ones hold."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, Worker, missing, prove_pair, render
from seqlint.proof.programs import SCRIPT
from tests.proof.codemods.asked import RIGHT_ASKED, UNSEEN_ASKED, WRONG_ASKED, WRONG_ASKED_ON_LEGACY
from tests.proof.codemods.asked_otherwise import RIGHT_OTHERWISE, UNSEEN_OTHERWISE, WRONG_OTHERWISE
from tests.proof.codemods.fresh import RIGHT_FRESH, RIGHT_FRESH_TOO, UNSEEN_FRESH, WRONG_FRESH, WRONG_FRESH_TOO
from tests.proof.codemods.long import RIGHT_LONG, WRONG_LONG
from tests.proof.codemods.places import RIGHT_PLACES, WRONG_PLACES
from tests.proof.codemods.reports import RIGHT_REPORTS, UNSEEN_REPORTS, WRONG_REPORTS
from tests.proof.codemods.right_data import RIGHT_DATA
from tests.proof.codemods.right_training import RIGHT_ON_LEGACY, RIGHT_ON_REPLICAS, RIGHT_TRAINING
from tests.proof.codemods.seen import RIGHT_SEEN, UNSEEN_SEEN, WRONG_SEEN
from tests.proof.codemods.steered import RIGHT_STEERED, WRONG_STEERED
from tests.proof.codemods.unseeded import RIGHT_UNSEEDED, UNSEEN_UNSEEDED, WRONG_UNSEEDED
from tests.proof.codemods.unseen import UNSEEN
from tests.proof.codemods.wrong_batches import WRONG_BATCHES
from tests.proof.codemods.wrong_datasets import WRONG_DATASETS, WRONG_ON_LEGACY, WRONG_ON_REPLICAS
from tests.proof.codemods.wrong_training import WRONG_TRAINING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from seqlint.proof import KerasChoice, Proof, Run
    from seqlint.proof.programs import Corrupt, Program
    from tests.proof.codemods.codemod import Right, Unseen, Wrong

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]
WRONG = (
    *WRONG_BATCHES,
    *WRONG_TRAINING,
    *WRONG_DATASETS,
    *WRONG_REPORTS,
    *WRONG_UNSEEDED,
    *WRONG_SEEN,
    *WRONG_ASKED,
    *WRONG_OTHERWISE,
    *WRONG_STEERED,
    *WRONG_PLACES,
    *WRONG_LONG,
    *WRONG_FRESH,
    *WRONG_FRESH_TOO,
)
ALL_UNSEEN = (*UNSEEN, *UNSEEN_REPORTS, *UNSEEN_UNSEEDED, *UNSEEN_ASKED, *UNSEEN_OTHERWISE, *UNSEEN_SEEN, *UNSEEN_FRESH)
RIGHT = (
    *RIGHT_DATA,
    *RIGHT_TRAINING,
    *RIGHT_REPORTS,
    *RIGHT_UNSEEDED,
    *RIGHT_ASKED,
    *RIGHT_OTHERWISE,
    *RIGHT_STEERED,
    *RIGHT_PLACES,
    *RIGHT_LONG,
    *RIGHT_SEEN,
    *RIGHT_FRESH,
    *RIGHT_FRESH_TOO,
)
ON_KERAS_3 = (*WRONG, *ALL_UNSEEN, *RIGHT)
UNCHANGED = frozenset(codemod.program for codemod in ON_KERAS_3)
BROTHERS = (
    *WRONG_OTHERWISE,
    *UNSEEN_OTHERWISE,
    *RIGHT_OTHERWISE,
    *WRONG_FRESH_TOO,
    *RIGHT_FRESH_TOO,
    *WRONG_FRESH[2:],
    *UNSEEN[1::2],
    *RIGHT_FRESH[1::2],
    *(
        codemod
        for many in (WRONG_TRAINING, WRONG_SEEN, WRONG_REPORTS, WRONG_DATASETS, WRONG_UNSEEDED, WRONG_PLACES)
        for codemod in many[1::2]
    ),
    *(
        codemod
        for many in (
            WRONG_BATCHES, WRONG_ASKED, WRONG_STEERED, RIGHT_ASKED, RIGHT_STEERED, RIGHT_DATA, RIGHT_TRAINING, RIGHT_REPORTS,
            RIGHT_SEEN, RIGHT_UNSEEDED,
        )
        for place, codemod in enumerate(many)
        if place % 3
    ),
)  # fmt: skip
"""What other programs show of the same kinds, what came out right at once, and most of the longer lists: two of three, or one of two."""
_ROW = re.compile(r"^(\w+) +DIFFERENT.*\n +(.*)\n +before: (.*)\n +after: +(.*)$", re.MULTILINE)


class Twice(Worker):
    """Runs each unchanged program twice, in turn for all codemods of it; the lines that change are watched in what they make."""

    def __init__(self, child: Worker) -> None:
        super().__init__(child.settings, child.child)
        self._worker = child
        self._runs: dict[tuple[str | bytes, Program], list[Run]] = {}
        self._turns: Counter[tuple[str | bytes, Program]] = Counter()

    def run(
        self,
        text: str | bytes,
        script: str,
        beside: Path | None,
        program: Program = SCRIPT,
        *,
        corrupt: Corrupt | None = None,
    ) -> Run:
        if text not in UNCHANGED:
            return self._worker.run(text, script, beside, program, corrupt=corrupt)
        if program.seed or not program.deterministic:
            return self._worker.run(text, script, beside, program)
        unwatched = replace(program, changed=())
        key = text, unwatched
        runs, turn = self._runs.setdefault(key, []), self._turns[key] % 2
        self._turns[key] += 1
        if turn == len(runs):
            runs.append(self._worker.run(text, script, beside, unwatched))
        return runs[turn]


@pytest.fixture(scope="module")
def twice(child: Worker) -> Worker:
    return Twice(child)


def cases(codemods: Sequence[Wrong | Right | Unseen]) -> pytest.MarkDecorator:
    """One test for each; those that the proof gets wrong are known, and must be taken from the list once it does not."""
    return pytest.mark.parametrize(
        "codemod",
        [
            pytest.param(
                codemod,
                id=codemod.name.replace(" ", "-").replace(",", ""),
                marks=[
                    *([pytest.mark.xfail(strict=True, reason=codemod.flaw)] if codemod.flaw else []),
                    *([pytest.mark.long] if any(codemod is other for other in BROTHERS) else []),
                ],
            )
            for codemod in codemods
        ],
    )


@cases(WRONG)
def test_a_wrong_codemod_is_found(codemod: Wrong, twice: Worker) -> None:
    _must_be_found(codemod, twice)


@cases((*WRONG_ON_LEGACY, *WRONG_ASKED_ON_LEGACY))
def test_a_wrong_codemod_is_found_on_the_legacy_line(codemod: Wrong, legacy: Worker) -> None:
    _must_be_found(codemod, legacy)


@cases(WRONG_ON_REPLICAS)
def test_a_wrong_codemod_is_found_on_replicas(codemod: Wrong, mirrored: dict[KerasChoice, Worker]) -> None:
    _must_be_found(codemod, mirrored["3"])


@cases(ALL_UNSEEN)
def test_what_is_not_seen_is_not_proved(codemod: Unseen, twice: Worker) -> None:
    proof = prove_pair(codemod.pair, twice)
    assert not proof.held, render(proof)


@cases(RIGHT)
def test_a_right_codemod_holds(codemod: Right, twice: Worker) -> None:
    _must_hold(codemod, twice)


@cases(RIGHT_ON_LEGACY)
def test_a_right_codemod_holds_on_the_legacy_line(codemod: Right, legacy: Worker) -> None:
    _must_hold(codemod, legacy)


@cases(RIGHT_ON_REPLICAS)
def test_a_right_codemod_holds_on_replicas(codemod: Right, mirrored: dict[KerasChoice, Worker]) -> None:
    _must_hold(codemod, mirrored["3"])


def _must_be_found(codemod: Wrong, child: Worker) -> None:
    proof = prove_pair(codemod.pair, child)
    report = render(proof)
    assert not proof.held, report
    read = _read(proof)
    for observable, expected in codemod.differs.items():
        assert observable in read, report
        for value, wanted in zip(read[observable], (expected.where, expected.before, expected.after), strict=True):
            assert _fits(value, wanted), report
    same = {verdict.observable for verdict in proof.verdicts if verdict.outcome == "SAME"}
    assert set(codemod.same.split()) <= same, report


def _must_hold(codemod: Right, child: Worker) -> None:
    proof = prove_pair(codemod.pair, child)
    assert proof.held, render(proof)
    assert proof.changed == (codemod.seen or codemod.contract.changes | codemod.contract.repairs), render(proof)


def _read(proof: Proof) -> dict[str, tuple[str, str, str]]:
    """The first difference of each observable as the report shows it."""
    return {row[0]: (row[1], row[2], row[3]) for row in _ROW.findall(render(proof))}


def _fits(value: str, wanted: str | float | None) -> bool:
    """Whether a value in the report is the wanted one; "…" stands for any text."""
    if wanted is None:
        return True
    if isinstance(wanted, str):
        pattern = wanted.replace("[", "[[]").replace("…", "*")
        return fnmatchcase(value, pattern)
    return float(value) == pytest.approx(wanted, rel=1e-5)
