"""Which rows are read by both parts of a dataset that is shuffled and then cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.noted import noted, numbers, pairs
from tests.experiments.small import compiled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS, TRAINED = 1000, 800


def shared(line: Line, train: Any, held: Any, epochs: int = 1) -> float:
    """The share of the held rows of a training that were trained on, too."""
    learned: list[tuple[int, ...]] = []
    scored: list[tuple[int, ...]] = []
    batches = [noted(part, into).batch(100).apply(pairs) for part, into in ((train, learned), (held, scored))]
    compiled(line).fit(batches[0], validation_data=batches[1], epochs=epochs, verbose=0)
    return len(set(learned) & set(scored)) / len(set(scored))


@pytest.mark.parametrize("options", [{}, {"seed": 7}])
def test_take_and_skip_after_a_shuffle(line: Line, options: dict[str, int]) -> None:
    mixed = numbers(ROWS).shuffle(ROWS, **options)
    assert 0.7 < shared(line, mixed.take(TRAINED), mixed.skip(TRAINED)) < 0.9
    line.says(
        "SEQ401",
        "`take(800)` and `skip(800)` of 1000 shuffled rows: some 80 % of the test rows are trained on in the first epoch",
    )
    if options:
        line.says("SEQ401", "A `seed` doesn't help")


def test_more_epochs(line: Line) -> None:
    mixed = numbers(ROWS).shuffle(ROWS)
    read: list[tuple[int, ...]] = []
    train = noted(mixed.take(TRAINED), read).batch(100).apply(pairs)
    compiled(line).fit(train, epochs=6, verbose=0)
    assert len(set(read)) > ROWS - 9
    line.says("SEQ401", "After some epochs all rows were trained on")


def test_shards_and_filters_of_numbers(line: Line) -> None:
    mixed = numbers(ROWS).shuffle(ROWS)
    train = mixed.enumerate().filter(lambda number, row: number % 5 > 0)
    held = mixed.enumerate().filter(lambda number, row: number % 5 == 0)
    assert 0.7 < shared(line, train.map(second), held.map(second)) < 0.9
    assert 0 < shared(line, mixed.shard(2, 0), mixed.shard(2, 1)) < 0.8
    line.says("SEQ401", "`shard`, and `enumerate` with `filter`, cut the same way")


def second(number: Any, row: Any) -> Any:
    return row


def test_a_cache_that_the_training_fills(line: Line) -> None:
    cached = numbers(ROWS).shuffle(ROWS).cache()
    assert shared(line, cached.take(TRAINED), cached.skip(TRAINED)) > 0.5
    line.says("SEQ401", "`cache()` after the shuffle doesn't help")
    assert not shared(line, cached.take(TRAINED), cached.skip(TRAINED))
    line.says("SEQ401", "unless it was read to its end before")


def test_the_right_twins(line: Line) -> None:
    once = numbers(ROWS).shuffle(ROWS, reshuffle_each_iteration=False)
    assert not shared(line, once.take(TRAINED).shuffle(TRAINED), once.skip(TRAINED), epochs=2)
    line.says("SEQ401", "With `reshuffle_each_iteration=False` they share none")
    plain = numbers(ROWS)
    assert not shared(line, plain.take(TRAINED).shuffle(TRAINED), plain.skip(TRAINED).shuffle(40), epochs=2)


@pytest.mark.parametrize("options", [{}, {"seed": 3}, {"shuffle": False}])
def test_listed_files(line: Line, tmp_path: Path, options: dict[str, int]) -> None:
    import tensorflow as tf

    for number in range(50):
        (tmp_path / f"{number:03}.txt").write_text("", encoding="utf-8")
    paths = tf.data.Dataset.list_files(str(tmp_path / "*.txt"), **options)
    files = paths.map(lambda path: tf.strings.to_number(tf.strings.substr(path, -7, 3), tf.int64))
    share = shared(line, files.take(40), files.skip(40))
    assert share == 0 if "shuffle" in options else share > 0.4
    line.says("SEQ401", "`list_files` shuffles at each reading, unless `shuffle=False`")


@pytest.mark.parametrize("options", [{}, {"seed": 3}, {"shuffle": False}])
def test_a_loader_of_images(line: Line, tmp_path: Path, options: dict[str, int]) -> None:
    import tensorflow as tf

    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for number in range(40):
        (tmp_path / str(number % 2)).mkdir(exist_ok=True)
        image.new("RGB", (1, 1), (number,) * 3).save(tmp_path / str(number % 2) / f"{number}.png")
    made = line.keras.utils.image_dataset_from_directory(str(tmp_path), image_size=(1, 1), batch_size=8, **options)
    pictures = [
        part.unbatch().map(lambda picture, _: tf.cast(picture[0, 0, 0], tf.int64))
        for part in (made.take(4), made.skip(4))
    ]
    share = shared(line, *pictures)
    assert share == 0 if "shuffle" in options else share > 0.4
    line.says("SEQ401", "`image_dataset_from_directory` does so, too")
