"""Our fixtures, checked in this process, in two others and on a cluster: the reports are equal to the byte."""

from __future__ import annotations

import io
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.runner import pieces
from tests.notebooks import written

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parents[2] / "fixtures"


def report(*arguments: str) -> tuple[int, str]:
    return said("check", "--output-format", "json", *arguments)


def said(command: str, *arguments: str) -> tuple[int, str]:
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape")) as out:
        code = run([command, "--no-cache", *arguments])
    out.seek(0)
    return code, out.read()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """What this process reports; the working directory is that of the fixtures."""
    folder = tmp_path_factory.mktemp("fixtures")
    for name in ("hostile", "pages", "programs/photos_one_by_one", "programs/six_in_one_class"):
        shutil.copytree(FIXTURES / name, folder / name)
    (folder / "book.ipynb").write_bytes(written("import keras", "model = keras.Model()", "model.fit_generator(1)"))
    (folder / "seqlint.toml").write_text("docs = true\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(pieces, "MANY", 2)
        yield report("--jobs", "1")


def test_two_processes(alone: tuple[int, str]) -> None:
    assert alone[1].count('"message"') > 20
    assert report("--jobs", "2") == alone


def test_a_dask_cluster(alone: tuple[int, str]) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    assert report("--executor", "tests.cli.test_cli_executor:cluster") == alone


def test_fixes_of_a_dask_cluster(alone: tuple[int, str]) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    here = said("fix", "--diff", "--unsafe", "--jobs", "1")
    assert here[1].count("\n+") > 20
    assert said("fix", "--diff", "--unsafe", "--executor", "tests.cli.test_cli_executor:cluster") == here
