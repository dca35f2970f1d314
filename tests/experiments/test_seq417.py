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
            (tmp_path / name / f"{number:02}_{name}.png").touch()
    if matched(*(os.listdir(tmp_path / name) for name in ("views", "masks"))) > FILES / 4:
        pytest.skip("this file system lists files in an order of its own")
    return tmp_path / "views", tmp_path / "masks"


def matched(views: Iterable[Any], masks: Iterable[Any]) -> int:
    """How many files stand at the place of the other one with their number."""
    numbers = ([os.path.basename(os.fsdecode(each))[:2] for each in names] for names in (views, masks))
    return sum(left == right for left, right in zip(*numbers, strict=True))


def fitting(lists: Lists, folders: tuple[Path, Path]) -> set[int]:
    """How many of the pairs of each way to list the files fit."""
    return {matched(*(made(folder) for folder in folders)) for made in lists.values()}


def test_the_order_of_the_file_system(line: Line, folders: tuple[Path, Path]) -> None:
    import tensorflow as tf

    lists: Lists = {
        "os.listdir": os.listdir,
        "glob.glob": lambda folder: glob.glob(f"{folder}/*"),
        "Path.iterdir": Path.iterdir,
        "tf.io.gfile.glob": lambda folder: tf.io.gfile.glob(f"{folder}/*"),
    }
    assert max(fitting(lists, folders)) <= FILES / 4
    *first, last = (f"`{name}`" for name in lists)
    line.says("SEQ417", f"of {FILES} pairs of {', '.join(first)} or {last} hardly any fits")
    views, masks = folders
    assert matched(sorted(os.listdir(views)), os.listdir(masks)) <= FILES / 4
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
