"""What is found in a project does not hang on where seqlint was started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_same_everywhere import report

FEED = """\
import keras


class Feed(keras.utils.PyDataset):
    def __len__(self):
        return 4
"""
TRAIN = """\
from {module} import Feed


class Photos(Feed):
    def on_epoch_end(self):
        global epoch
        epoch = 1
"""

LAYOUTS = {
    "a project that says so": (
        {"pyproject.toml": "[project]\nname = 'deep'\n"},
        "lib/feeds.py",
        "apps/deep/train.py",
        "lib.feeds",
    ),
    "one folder": ({}, "feeds.py", "train.py", "feeds"),
    "two folders side by side": ({}, "lib/feeds.py", "app/train.py", "lib.feeds"),
    "a package without __init__": ({}, "app/data/feeds.py", "app/jobs/nightly/train.py", "app.data.feeds"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start", ["above", "root", "beside the script", "elsewhere"])
def test_a_base_in_another_file_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str, start: str
) -> None:
    others, feeds, train, module = LAYOUTS[layout]
    root, elsewhere = tmp_path / "above" / "project", tmp_path / "elsewhere"
    for name, text in {**others, feeds: FEED, train: TRAIN.format(module=module)}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    elsewhere.mkdir()
    places = {"above": root.parent, "root": root, "beside the script": (root / train).parent, "elsewhere": elsewhere}
    monkeypatch.chdir(places[start])
    _, said = report(str(root))
    assert [(found["code"], Path(found["path"]).name) for found in json.loads(said)["findings"]] == [
        ("SEQ101", "train.py")
    ]
