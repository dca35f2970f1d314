"""What two equal runs print differently is left out, and all else that they print is compared; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import judge
from tests.proof.recordings import ran, recording
from tests.proof.test_judge import NOTHING

if TYPE_CHECKING:
    from seqlint.proof import Run


def told(before: Run, after: Run, *again: Run) -> str:
    return {verdict.observable: verdict.outcome for verdict in judge(NOTHING, before, after, *again)}["output"]


def answer(*outputs: str) -> str:
    return told(*(ran(recording(), output=text) for text in outputs))


HEX = "run 7fa3c1d2 began\nloss 0.5\nrun 7fa3c1d2 ended"
SLOW = "waiting\nwaiting\nloss 0.5\nsaved model.keras"
UNORDERED = "worker a read 3 files\nworker b read 4 files\nall done"


@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        pytest.param(HEX, HEX.replace("7fa3c1d2", "9be01244"), HEX.replace("7fa3c1d2", "c0ffee11"), id="an identity"),
        pytest.param("Tue morning\nloss 0.5", "Wed morning\nloss 0.5", "Thu morning\nloss 0.5", id="the name of a day"),
        pytest.param(SLOW, SLOW.replace("waiting\n", "", 1), "waiting\n" + SLOW, id="a line that comes more often"),
        pytest.param(
            UNORDERED,
            "worker b read 4 files\nworker a read 3 files\nall done",
            "worker b read 4 files\nall done\nworker a read 3 files",
            id="an order that is chance",
        ),
        pytest.param("a 3 b\nloss 0.5", "a 4 b\nloss 0.5", "a 5 b\nloss 0.5", id="a number"),
    ],
)
def test_what_differs_between_equal_runs_differs_in_the_changed_one(before: str, again: str, after: str) -> None:
    assert answer(before, after, again) == "SAME"


@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        pytest.param(HEX, HEX.replace("7fa3c1d2", "9be01244"), HEX.replace("0.5", "0.6"), id="a number near an identity"),
        pytest.param(HEX, HEX.replace("7fa3c1d2", "9be01244"), HEX.replace("ended", "went"), id="a word near an identity"),
        pytest.param("Tue morning\nloss 0.5", "Wed morning\nloss 0.5", "Tue evening\nloss 0.5", id="a word near a day"),
        pytest.param(SLOW, SLOW.replace("waiting\n", "", 1), SLOW.replace("model", "net"), id="a line after others that vary"),
        pytest.param(SLOW, SLOW.replace("waiting\n", "", 1), SLOW.replace("\nsaved model.keras", ""), id="a lost line after others that vary"),
        pytest.param(UNORDERED, "\n".join(reversed(UNORDERED.splitlines())), UNORDERED.replace("4", "5"), id="a number in lines without order"),
        pytest.param(UNORDERED, "\n".join(reversed(UNORDERED.splitlines())), UNORDERED + "\nall done", id="a line more without order"),
    ],
)  # fmt: skip
def test_what_stands_near_it_still_counts(before: str, again: str, after: str) -> None:
    assert answer(before, after, again) == "DIFFERENT"


def test_output_that_is_chance_through_and_through_says_nothing() -> None:
    one, two, three = ("\n".join(f"{word} {word}" for word in words) for words in ("abcd", "efghij", "klm"))
    assert answer(one, three, two) == "NOT RUN"


def test_a_file_with_times_in_it_is_compared_without_them() -> None:
    def run(loss: float, stamp: str) -> Run:
        made = recording()
        text = f"epoch,loss,stamp\n0,{loss},{stamp}\n1,0.25,{stamp}\n"
        made["written"] = [{"name": "log.csv", "content": text, "removed": False}]
        return ran(made)

    before, again = run(0.5, "at x1f"), run(0.5, "at y2e")
    assert told(before, run(0.5, "at z3d"), again) == "SAME"
    assert told(before, run(0.75, "at z3d"), again) == "DIFFERENT"
