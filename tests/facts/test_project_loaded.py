"""What other files of a project say about how a class is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.project import Project
from seqlint.facts.project.loaded import loaded_with

if TYPE_CHECKING:
    from pathlib import Path

BOTH = {"workers", "use_multiprocessing"}


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("from loaders import Feed\nmodel.fit(Feed(), workers=4, use_multiprocessing=True)", BOTH),
        ("import loaders as l\nfeed = l.Feed()\nmodel.fit_generator(generator=feed, use_multiprocessing=True, workers=2)", BOTH),
        ("from .loaders import Feed as F\nF(workers=3)", {"workers"}),
        ("from loaders import *\nclass A:\n    def go(self):\n        self.feed = Feed()\n        fit(self.feed, workers=9)\n        self.m.fit(self.feed, workers=2)", {"workers"}),
        ("from loaders import Feed\nmodel.fit(Feed(), workers=1, use_multiprocessing=False)", set()),
        ("from others import Feed\nmodel.fit(Feed(), workers=4, use_multiprocessing=True)", set()),
        ("from loaders import Feed\nmodel.fit(rows, workers=4)\nmodel.predict(Feed())", set()),
        ("from loaders import Feed\nthis is no Python, workers", set()),
    ],
)  # fmt: skip
def test_settings_of_another_file(tmp_path: Path, script: str, found: set[str]) -> None:
    (tmp_path / "loaders.py").write_text("class Feed: ...\n", encoding="utf-8")
    (tmp_path / "train.py").write_text(script, encoding="utf-8")
    path = tmp_path / "loaders.py"
    assert loaded_with(Project(tmp_path).at(path), path, "Feed") == found
