"""Tests of permissions run as a plain user: root may read and write everything."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOBODY = 65534


@contextmanager
def plain_user() -> Iterator[Path]:
    """A folder of our own, in a process that is not root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(_NOBODY)
    folder = Path(tempfile.mkdtemp(prefix="seqlint-"))
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(folder)
