"""What a change costs is told with numbers, and is no difference; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.burdens import burdens
from tests.proof.recordings import fit, raised, ran, recording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof import Run


def run(opened: Sequence[str] = (), threads: int = 0, memory: float = 400.0, seconds: float = 0.5) -> Run:
    made = recording(fits=({**fit(), "seconds": seconds},))
    made["open"], made["threads"], made["memory"] = list(opened), threads, memory
    return ran(made)


def test_files_that_are_left_open_are_counted_and_named() -> None:
    (note,) = burdens(run(["rows.h5"]), run(["rows.h5", "rows.h5", "labels.h5"]))
    assert note == "2 files more are open when the changed program ends (1 before, 3 after): labels.h5, rows.h5"


def test_threads_memory_and_time_have_their_numbers() -> None:
    notes = list(burdens(run(), run(threads=2, memory=900.4, seconds=12.0)))
    assert notes == [
        "2 threads still run when the changed program ends, 0 before",
        "the changed program takes 900 MiB of memory at its peak, 400 MiB before",
        "training takes 12.0 s in the changed program, and 0.5 s before, for as many steps",
    ]


def test_what_is_usual_or_less_is_not_worth_a_note() -> None:
    heavy = run(["rows.h5"], 3, 900.0, 30.0)
    assert not [*burdens(heavy, run()), *burdens(heavy, heavy), *burdens(run(), run(memory=450.0, seconds=1.4))]


def test_a_program_that_fails_holds_what_it_holds() -> None:
    assert not list(burdens(run(), raised(recording(), "no")))
