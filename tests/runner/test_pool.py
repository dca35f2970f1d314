"""How jobs are dealt to processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqlint.config import Config
from seqlint.runner import pieces
from seqlint.runner.plan import Job

CONFIG = Config(Path("/project"))


def jobs(sizes: list[int]) -> list[Job]:
    return [Job(f"f{number}.py", b"#" * size, CONFIG) for number, size in enumerate(sizes)]


@pytest.mark.parametrize("enough", [1, 300, 10_000, 1_000_000])
@pytest.mark.parametrize("sizes", [[], [0], [0, 0, 9_000], [700, 20_000, 1, 0, 300] * 9, [50_000] * 7])
def test_each_job_is_in_one_piece_beside_its_neighbours(sizes: list[int], enough: int) -> None:
    dealt = pieces.pieces(jobs(sizes), enough)
    in_order = sorted(dealt, key=lambda piece: piece.start)
    assert [job for piece in in_order for job in piece.jobs] == jobs(sizes)
    assert [piece.start for piece in in_order] == [int(piece.jobs[0].path[1:-3]) for piece in in_order]
    assert [piece.size for piece in dealt] == sorted((piece.size for piece in dealt), reverse=True)


def test_a_big_file_is_begun_first_and_small_ones_go_together() -> None:
    first, *others = pieces.pieces(jobs([1_000] * 110 + [500_000]), 20_000)
    assert (len(first.jobs), first.jobs[-1].path) == (11, "f110.py")
    assert [len(piece.jobs) for piece in others] == [20] * 5


def test_a_pool_is_for_many_files_or_much_text() -> None:
    assert not pieces.worth_it(jobs([1_000_000]))
    assert not pieces.worth_it(jobs([1_000] * 29))
    assert pieces.worth_it(jobs([1_000] * 30))
    assert pieces.worth_it(jobs([150_000] * 2))
