"""Programs that failed before their fix: what they come to once the failure is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, missing, prove_pair, render
from seqlint.proof.pairs import MOVED
from seqlint.proof.reference import with_reference
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from seqlint.proof import Proof, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
REPAIRS = Contract(repairs=frozenset({"errors"}))
REFUSED = "model.fit(feed, epochs=2, workers=2, verbose=0)\n"
TAKEN = "model.fit(feed, epochs=2, verbose=0)\n"
PLOT = "import nowhere_to_plot\nnowhere_to_plot.show()\n"


def proved(before: str, after: str, child: Worker) -> Proof:
    return prove_pair(Pair("a program", FEED + before, FEED + after, REPAIRS), child)


@pytest.mark.parametrize(
    "end", [PLOT, "raise ValueError('the scores are too low')\n", "open('nowhere.csv')\n", "undefined\n"]
)
def test_the_next_failure_is_named(end: str, child: Worker) -> None:
    proof = proved(REFUSED + end, TAKEN + end, child)
    assert proof.held, render(proof)
    assert proof.next_failure.split(":")[0] in ("ModuleNotFoundError", "ValueError", "FileNotFoundError", "NameError")
    assert "the next one is named" in render(proof)


@pytest.mark.parametrize(
    "after",
    [
        "model.fit(feed, epochs=2, wrokers=2, verbose=0)\n",  # the same fault in other words
        "model.fit(feed, epoch=2, verbose=0)\n",
        "model.fit(undefined, epochs=2, verbose=0)\n",
        "import nowhere\nmodel.fit(feed, epochs=2, verbose=0)\n",
        "model.fit(feed, epochs=2, verbose=0)\nraise KeyError('of the fix')\n",
        "feed.rows = None\nprint(model.fit)\n",
    ],
)
def test_a_failure_of_the_fix_itself_is_none_of_the_program(after: str, child: Worker) -> None:
    proof = proved(REFUSED + PLOT, after + PLOT, child)
    assert not proof.held, render(proof)
    assert proof.next_failure == ""


LACKING = """
import importlib
Feed.__getitem__ = lambda self, index: importlib.import_module("nowhere_to_read")
"""


@pytest.mark.parametrize(
    ("before", "after", "next_one"),
    [
        # The failure of an import, and the next one is another import: what else changes did not run.
        ("from os import nowhere\nimport nothing_there\n" + REFUSED, "import nothing_there\n" + TAKEN, "nothing_there"),
        # A library lacks another one in the very line that has changed.
        (LACKING + REFUSED, LACKING + TAKEN, "nowhere_to_read"),
    ],
)
def test_what_is_missing_for_the_next_step_is_named(before: str, after: str, next_one: str, child: Worker) -> None:
    proof = proved(before, after, child)
    assert proof.outcome == "NOT RUN", render(proof)
    assert proof.obstacle.startswith(f"{MOVED}: ModuleNotFoundError: No module named '{next_one}' (line ")
    assert f"this Python has no {next_one}: install it, or name one that has it with --python PATH" in proof.notes


@pytest.mark.parametrize(("after", "outcome"), [('int("ab")', "NOT RUN"), ('int("abc")', "DIFFERENT")])
def test_a_failure_that_another_one_has_hidden_is_none_of_the_fix(after: str, outcome: str, child: Worker) -> None:
    """Two fixes: the line of the second one fails as it did before, had it been reached."""
    proof = proved(
        'from os import nowhere\nprint(2)\nnumber = int("a" + "b")\n' + TAKEN,
        f"print(2)\nnumber = {after}\n" + TAKEN,
        child,
    )
    assert proof.outcome == outcome, render(proof)
    assert proof.obstacle.startswith(MOVED) == (outcome == "NOT RUN")


def test_what_a_program_downloads_must_be_there(child: Worker) -> None:
    loads = "import urllib.request\nurllib.request.urlopen('http://nowhere.example/rows.csv')\n"
    proof = proved(loads + REFUSED, loads + TAKEN, child)
    assert "nowhere.example port 80 can't be reached" in proof.obstacle
    assert any("run the program once by itself" in note for note in proof.notes)


def test_the_program_as_it_was_is_run_on_the_other_line(child: Worker) -> None:
    if missing(Settings(keras="legacy")):
        pytest.skip("tf-keras is not installed")
    pair = Pair("a program", FEED + REFUSED, FEED + TAKEN, REPAIRS)
    notes = with_reference(pair, prove_pair(pair, child)).notes
    assert any(note.startswith("on tf-keras 2") and "epochs, steps of the repaired one" in note for note in notes), (
        notes
    )


def test_what_no_longer_fails_at_all_has_no_next_failure(child: Worker) -> None:
    proof = proved(REFUSED, TAKEN, child)
    assert proof.held, render(proof)
    assert proof.next_failure == ""
