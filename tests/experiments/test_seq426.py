"""What is left of `class_names` and `file_paths` after a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
NAMES = ("class_names", "file_paths")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        for number in range(4):
            image.new("RGB", (4, 4)).save(tmp_path / name / f"{number}.png")
            (tmp_path / name / f"{number}.txt").write_text("words")
    return tmp_path


def pictures(line: Line, folder: Path, **options: Any) -> Any:
    return line.keras.utils.image_dataset_from_directory(str(folder), image_size=(4, 4), **options)


def had(made: Any) -> list[str]:
    return [name for name in NAMES if hasattr(made, name)]


def test_after_a_step(line: Line, folder: Path) -> None:
    import tensorflow as tf

    made = pictures(line, folder)
    assert had(made) == [*NAMES]
    steps = {
        "map": lambda: made.map(lambda picture, kind: (picture, kind)),
        "prefetch": lambda: made.prefetch(2),
        "cache": made.cache,
        "take": lambda: made.take(1),
        "shuffle": lambda: made.shuffle(2),
        "unbatch": made.unbatch,
        "with_options": lambda: made.with_options(tf.data.Options()),
    }
    assert [name for name, step in steps.items() if had(step())] == []
    *first, last = (f"`{name}`" for name in steps)
    line.says("SEQ426", f"after {', '.join(first)} and {last} both raise AttributeError")
    with pytest.raises(AttributeError):
        _ = made.prefetch(2).class_names


def test_what_has_them(line: Line, folder: Path) -> None:
    both = pictures(line, folder, validation_split=0.5, subset="both", seed=1)
    assert [had(part) for part in both] == [[*NAMES], [*NAMES]]
    line.says("SEQ426", 'so have both parts that `subset="both"` gives')
    assert had(line.keras.utils.text_dataset_from_directory(str(folder))) == ["class_names"]
    line.says("SEQ426", "has `class_names`, but no `file_paths`")
