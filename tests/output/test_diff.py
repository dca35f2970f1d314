from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from seqlint.output.diff import diff
from seqlint.output.fixes import file_diff
from seqlint.sources import Source

if TYPE_CHECKING:
    from pathlib import Path


def test_equal_texts_have_no_diff() -> None:
    assert diff("a\n", "a\n", "a.py") == ""


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        (b"a\nb", b"a\nB"),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nb"),
        (b"a\x0cb\ny\xc2\x85\xe2\x80\xa8\n", b"a\x0cB\ny\xc2\x85\xe2\x80\xa8\n"),
        (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nB\n"),
        (b"# coding: latin-1\nx = '\xe9'\ny\n", b"# coding: latin-1\nx = '\xe9\xe8'\ny\n"),
        (b"a\n", b""),
    ],
)
def test_git_can_apply_the_diff_of_a_file(tmp_path: Path, before: bytes, after: bytes) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(before)
    patch = file_diff(Source.from_bytes(before, "a.py"), Source.from_bytes(after, "a.py"))
    given = patch.encode("utf-8", "surrogateescape")
    subprocess.run(["git", "apply", "--unidiff-zero", "-"], cwd=tmp_path, input=given, check=True, capture_output=True)
    assert file.read_bytes() == after


def test_names_the_file_with_a_slash_once() -> None:
    assert diff("a\n", "b\n", "src/a.py").startswith("--- a/src/a.py\n+++ b/src/a.py\n@@ ")
    assert diff("a\n", "b\n", "/src/a.py").startswith("--- a/src/a.py\n+++ b/src/a.py\n@@ ")


@pytest.mark.parametrize("tool", [("git", "apply", "-"), ("patch", "-p1")], ids=["git", "patch"])
def test_a_name_with_blanks_is_found_by_the_tools(tmp_path: Path, tool: tuple[str, ...]) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"needs {tool[0]}")
    file = tmp_path / "my föld er/a b.py"
    file.parent.mkdir()
    file.write_text("a\n")
    given = diff("a\n", "b\n", "my föld er/a b.py")
    subprocess.run(tool, cwd=tmp_path, input=given, text=True, check=True, capture_output=True)
    assert file.read_text() == "b\n"
