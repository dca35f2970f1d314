from __future__ import annotations

import pytest

from seqlint.engine.notes import note_on
from seqlint.model import KERAS_LINES, KerasLine, Note

ROTATED = Note.on_keras_3("batches are rotated by 2", "batches are rotated by 1")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("2",), "batches are rotated by 1"),
        (("3.10+",), "batches are rotated by 2"),
        (("3.0-3.9", "3.10+"), "batches are rotated by 2"),
        (KERAS_LINES, "Keras 3: batches are rotated by 2; Keras 2: batches are rotated by 1"),
        (("2", "3.10+"), "Keras 3.10 and later: batches are rotated by 2; Keras 2: batches are rotated by 1"),
    ],
)
def test_a_project_is_told_of_its_own_lines_alone(lines: tuple[KerasLine, ...], told: str) -> None:
    assert note_on(ROTATED, lines) == told


def test_what_all_lines_do_comes_first_and_names_none() -> None:
    note = Note("the order is lost", keras2="and a thread hangs")
    assert note_on(note, KERAS_LINES) == "the order is lost; Keras 2: and a thread hangs"
    newest: tuple[KerasLine, ...] = ("3.10+",)
    assert note_on(note, newest) == "the order is lost"


def test_a_line_that_differs_from_its_neighbours_is_named() -> None:
    note = Note(keras2="right", early="replica 0 alone", keras3="right")
    assert note_on(note, KERAS_LINES) == "Keras 3.0 to 3.9: replica 0 alone; Keras 2 and Keras 3.10 and later: right"


def test_a_sentence_in_front_keeps_the_rest() -> None:
    oldest: tuple[KerasLine, ...] = ("2",)
    told = note_on(ROTATED.after("`Base.fill` of base.py calls it"), oldest)
    assert told == "`Base.fill` of base.py calls it; batches are rotated by 1"
