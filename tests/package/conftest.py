from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, so that a build leaves nothing in the project itself."""
    copy = tmp_path_factory.mktemp("checkout") / "seqlint"
    left_out = shutil.ignore_patterns(
        ".git", ".venv*", ".*_cache", ".gpu", "__pycache__", "*.egg-info", "build", "dist"
    )
    shutil.copytree(ROOT, copy, ignore=left_out)
    return copy
