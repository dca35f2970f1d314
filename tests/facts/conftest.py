from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The root of an empty repository."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root
