"""How often the source is read where a part of a cached dataset is used."""

from __future__ import annotations

from operator import methodcaller
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.noted import noted, numbers, pairs
from tests.experiments.small import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def rows_read(line: Line, trained: Callable[[Any], Any], held: Callable[[Any], Any] | None = None) -> int:
    """How many rows of 40 are read from the source in four epochs, by what is trained on and what is validated on."""
    read: list[tuple[int, ...]] = []
    source = noted(numbers(40), read).cache()
    validation = pairs(held(source).batch(5)) if held is not None else None
    compiled(line).fit(pairs(trained(source).batch(5)), validation_data=validation, epochs=4, verbose=0)
    return len(read)


def test_a_part_of_a_cache(line: Line) -> None:
    assert rows_read(line, lambda cached: cached.take(30)) == 120
    line.says("SEQ421", "`cache().take(30)` of 40 rows: four epochs read 120 rows from the source, and not 30")
    assert rows_read(line, lambda cached: cached.repeat().take(30)) == 120


def test_a_cache_after_the_part(line: Line) -> None:
    read: list[tuple[int, ...]] = []
    compiled(line).fit(pairs(noted(numbers(40), read).take(30).cache().batch(5)), epochs=4, verbose=0)
    assert len(read) == 30
    line.says("SEQ421", "`take(30).cache()`: 30")


def test_all_of_a_cache(line: Line) -> None:
    for taken in (40, 41, -1):
        assert rows_read(line, methodcaller("take", taken)) == 40
    line.says("SEQ421", "a `take` of all rows fills the cache")


def test_another_reader(line: Line) -> None:
    assert rows_read(line, lambda cached: cached.take(30), lambda cached: cached.skip(30)) == 70
    line.says("SEQ421", "another part that is read to the end, as by `skip(30)`, fills the cache, too: 70 rows")
    assert rows_read(line, lambda cached: cached.take(20), lambda cached: cached.skip(20).take(10)) == 200


def test_a_shuffle_that_holds_all_rows(line: Line) -> None:
    assert rows_read(line, lambda cached: cached.shuffle(40).take(30)) == 40
    line.says("SEQ421", "a shuffle between them that holds all rows reads to the end")
