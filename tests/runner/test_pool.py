"""How jobs are dealt to processes."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from seqlint.config import Config
from seqlint.runner import pool
from seqlint.runner.plan import Job

CONFIG = Config(Path("/project"))


def jobs(sizes: list[int]) -> list[Job]:
    return [Job(f"f{number}.py", b"#" * size, CONFIG) for number, size in enumerate(sizes)]


@given(st.lists(st.integers(0, 200_000), max_size=40), st.integers(1, 8))
def test_each_job_is_in_one_piece_beside_its_neighbours(sizes: list[int], workers: int) -> None:
    dealt = pool.pieces(jobs(sizes), workers)
    in_order = sorted(dealt, key=lambda piece: piece.start)
    assert [job for piece in in_order for job in piece.jobs] == jobs(sizes)
    assert [piece.start for piece in in_order] == [int(piece.jobs[0].path[1:-3]) for piece in in_order]
    assert [piece.size for piece in dealt] == sorted((piece.size for piece in dealt), reverse=True)


def test_a_big_file_is_begun_first_and_small_ones_go_together() -> None:
    first, *others = pool.pieces(jobs([1_000] * 110 + [500_000]), 2)
    assert (len(first.jobs), first.jobs[-1].path) == (11, "f110.py")
    assert [len(piece.jobs) for piece in others] == [20] * 5


def test_a_pool_is_for_many_files_or_much_text() -> None:
    assert not pool.worth_it(jobs([1_000_000]))
    assert not pool.worth_it(jobs([1_000] * 29))
    assert pool.worth_it(jobs([1_000] * 30))
    assert pool.worth_it(jobs([100_000] * 2))
