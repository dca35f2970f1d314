"""Another interpreter is asked for its packages, not the one that runs seqlint."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from seqlint.proof import Settings, missing

if TYPE_CHECKING:
    from pathlib import Path


def test_an_interpreter_without_packages_lacks_them_all(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n', "utf-8")
    bare.chmod(0o755)
    assert missing(Settings("legacy", python=str(bare))) == ("numpy", "tensorflow", "tf-keras")


def test_no_interpreter_at_all_is_named(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "python")
    assert missing(Settings(python=nowhere)) == (nowhere,)


def test_a_second_name_of_this_interpreter_has_what_this_one_has(tmp_path: Path) -> None:
    same = tmp_path / "python"
    same.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    same.chmod(0o755)
    assert missing(Settings(python=str(same))) == missing(Settings())
