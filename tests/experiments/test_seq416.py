"""Which files of a directory are in both parts of a split."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
CLASSES = "abcd"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for name in CLASSES:
        (tmp_path / name).mkdir()
        for number in range(10):
            image.new("RGB", (4, 4)).save(tmp_path / name / f"{number}.png")
    return tmp_path


def files(line: Line, folder: Path, subset: str, **options: Any) -> list[Path]:
    options = {"validation_split": 0.25, "image_size": (4, 4), **options}
    made = line.keras.utils.image_dataset_from_directory(str(folder), subset=subset, **options)
    return [Path(path) for path in made.file_paths]


def shared(line: Line, folder: Path, train: dict[str, Any], held: dict[str, Any]) -> tuple[int, int]:
    """How many files of the validation part are trained on, and how many it has."""
    validated = files(line, folder, "validation", **held)
    return len({*files(line, folder, "training", **train)} & {*validated}), len(validated)


def test_calls_that_are_not_alike(line: Line, folder: Path) -> None:
    both, of = shared(line, folder, {"seed": 1}, {"seed": 2})
    line.says("SEQ416", f"with `seed=1` and `seed=2` {both} of {of} validation files")
    both, of = shared(line, folder, {"seed": 1}, {"seed": 1, "shuffle": False})
    line.says("SEQ416", f"but `shuffle=False` in one of the calls, it is {both} of {of}")
    both, of = shared(line, folder, {"seed": 1, "validation_split": 0.2}, {"seed": 1, "validation_split": 0.3})
    line.says("SEQ416", f"0.3 for validation, it is {both} of {of}")


def test_calls_that_are_alike(line: Line, folder: Path) -> None:
    other = {"image_size": (2, 2), "batch_size": 3, "label_mode": "categorical"}
    assert shared(line, folder, {"seed": 1}, {"seed": 1, **other})[0] == 0
    line.says("SEQ416", "or another `label_mode`, change nothing")


def test_no_shuffle(line: Line, folder: Path) -> None:
    kept = {"shuffle": False}
    assert shared(line, folder, kept, kept)[0] == 0
    classes = Counter(path.parent.name for path in files(line, folder, "validation", **kept))
    assert list(classes) == [CLASSES[-1]]
    line.says("SEQ416", f"all {classes.total()} validation files are of the last of {len(CLASSES)} classes")
