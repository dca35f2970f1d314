"""How many pairs of files fit that are paired by their place in two lists."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
FILES = 40
Lists = dict[str, "Callable[[Path], Iterable[Any]]"]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for seed, name in enumerate(("views", "masks")):
        (tmp_path / name).mkdir()
        for number in np.random.default_rng(seed).permutation(FILES):
            (tmp_path / name / f"{number:02}.png").touch()
    listed = (
        [path.name for path in (tmp_path / "views").iterdir()],
        [path.name for path in (tmp_path / "masks").iterdir()],
    )
    if sum(left == right for left, right in zip(*listed, strict=True)) > FILES / 4:
        pytest.skip("this file system lists files in an order of its own")
    return tmp_path / "views", tmp_path / "masks"


def fitting(lists: Lists, folders: tuple[Path, Path]) -> set[int]:
    """How many of the pairs of each way to list the files fit."""

    def names(made: Iterable[Any]) -> list[str]:
        return [os.path.basename(os.fsdecode(each)) for each in made]

    each = [[names(made(folder)) for folder in folders] for made in lists.values()]
    return {sum(left == right for left, right in zip(*pair, strict=True)) for pair in each}


def test_the_order_of_the_file_system(line: Line, folders: tuple[Path, Path]) -> None:
    import tensorflow as tf

    lists: Lists = {
        "os.listdir": os.listdir,
        "glob.glob": lambda folder: glob.glob(f"{folder}/*"),
        "Path.iterdir": Path.iterdir,
        "tf.io.gfile.glob": lambda folder: tf.io.gfile.glob(f"{folder}/*"),
    }
    (fit,) = fitting(lists, folders)
    *first, last = (f"`{name}`" for name in lists)
    line.says("SEQ417", f"of {FILES} pairs of {', '.join(first)} or {last} {fit} fit")
    views, masks = folders
    one = sum(left == right.name for left, right in zip(sorted(os.listdir(views)), masks.iterdir(), strict=True))
    assert one == fit
    line.says("SEQ417", "the same where only one of the two lists is sorted")


def test_a_sorted_order(line: Line, folders: tuple[Path, Path]) -> None:
    import tensorflow as tf

    lists: Lists = {
        "sorted": lambda folder: sorted(os.listdir(folder)),
        "list_files": lambda folder: tf.data.Dataset.list_files(f"{folder}/*", shuffle=False).as_numpy_iterator(),
    }
    (fit,) = fitting(lists, folders)
    assert fit == FILES
    line.says(
        "SEQ417", f"all {fit} fit where both are sorted, and with `tf.data.Dataset.list_files(..., shuffle=False)`"
    )
