"""Summaries of modules, kept between runs."""

from __future__ import annotations

import email
import json
import sqlite3
import unittest
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqlint.facts.project import Project
from seqlint.facts.project.kept import Kept, from_text, to_text
from seqlint.facts.project.modules import Modules
from seqlint.facts.project.reading import summarise
from seqlint.facts.project.summary import ClassSummary, ModuleSummary, Parameter
from seqlint.sources.cache import Cache
from tests.facts.projects import write

if TYPE_CHECKING:
    from types import ModuleType

WORDS = st.text(max_size=5)
NAMES = st.lists(WORDS, max_size=3).map(tuple)
KINDS = st.sampled_from(("positional-only", "positional", "*", "keyword-only", "**"))
CLASSES = st.builds(
    ClassSummary,
    name=WORDS,
    bases=st.lists(NAMES, max_size=2).map(tuple),
    methods=NAMES,
    init=st.none() | st.lists(st.builds(Parameter, WORDS, KINDS, st.none() | WORDS), max_size=3).map(tuple),
    line=st.integers(1),
)
SUMMARIES = st.builds(
    ModuleSummary,
    name=WORDS,
    package=st.booleans(),
    bindings=st.dictionaries(WORDS, NAMES, max_size=3),
    stars=NAMES,
    exports=st.none() | NAMES,
    classes=st.dictionaries(WORDS, st.lists(CLASSES, max_size=2).map(tuple), max_size=2),
    returns=st.dictionaries(WORDS, NAMES, max_size=2),
)


@given(SUMMARIES)
def test_a_summary_comes_back_as_it_was(summary: ModuleSummary) -> None:
    assert from_text(to_text(summary)) == summary


@pytest.mark.parametrize("package", [email, json, unittest])
def test_the_summaries_of_real_modules_come_back(package: ModuleType) -> None:
    paths = sorted(Path(str(package.__file__)).parent.rglob("*.py"))
    summaries = [summarise(path.read_bytes(), path.stem, path.stem == "__init__") for path in paths]
    assert any(summary is not None and summary.classes for summary in summaries)
    for summary in summaries:
        assert summary is None or from_text(to_text(summary)) == summary


@pytest.mark.parametrize(
    "text", ["", "{", "null", "[]", "[1,2,3,4,5,6,7]", '["a",true,[],[],null,{},[]]', '["a",true,{},[],null,{},["B"]]']
)
def test_a_text_of_another_shape_is_no_summary(text: str) -> None:
    assert from_text(text) is None


def ancestors(root: Path) -> tuple[tuple[str, ...], list[str]]:
    """The ancestors of a class in a new run that keeps what it reads, and the modules that it reads itself."""
    names: list[str] = []

    def read(data: bytes, name: str, package: bool) -> ModuleSummary | None:
        names.append(name)
        return summarise(data, name, package)

    kept = Kept(Cache(root / "cache"), read)
    found = Project(root, Modules(root, kept.summarise)).ancestors("pkg.gen.Feed")
    kept.cache.flush()
    return found, sorted(names)


FILES = {
    "pkg/__init__.py": "",
    "pkg/base.py": "import keras\nclass Base(keras.utils.Sequence): pass\n",
    "pkg/gen.py": "from pkg.base import Base\nclass Feed(Base): pass\n",
}


def test_the_second_run_reads_no_module(project: Path) -> None:
    write(project, FILES)
    first, second = ancestors(project), ancestors(project)
    assert first == (("pkg.base.Base", "keras.utils.Sequence"), ["pkg.base", "pkg.gen"])
    assert second == (first[0], [])


def test_what_changed_is_read_again(project: Path) -> None:
    write(project, FILES)
    ancestors(project)
    write(project, {"pkg/base.py": "import keras\nclass Base(keras.callbacks.Callback): pass\n"})
    assert ancestors(project) == (("pkg.base.Base", "keras.callbacks.Callback"), ["pkg.base"])


def test_modules_of_one_text_keep_their_names(project: Path) -> None:
    text = "class Feed: pass\n"
    kept = Kept(Cache(project / "cache"))
    kept.summarise(text.encode(), "one", False)
    kept.cache.flush()
    later = Kept(Cache(project / "cache"))
    assert later.summarise(text.encode(), "two", False) == summarise(text, "two", False)
    assert later.summarise(text.encode(), "one", True) == summarise(text, "one", True)


def test_another_seqlint_or_python_reads_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, FILES)
    ancestors(project)
    monkeypatch.setattr("seqlint.facts.project.kept.__version__", "9.9.9")
    assert ancestors(project)[1] == ["pkg.base", "pkg.gen"]


def test_a_kept_text_that_is_no_summary_is_read_and_replaced(project: Path) -> None:
    write(project, FILES)
    ancestors(project)
    connection = sqlite3.connect(project / "cache/texts.db", isolation_level=None)
    connection.execute("UPDATE texts SET text = 'null'")
    connection.close()
    assert ancestors(project)[1] == ["pkg.base", "pkg.gen"]
    assert ancestors(project)[1] == []


def test_what_is_no_python_is_not_kept(project: Path) -> None:
    write(project, {**FILES, "pkg/base.py": "class Base(:\n"})
    assert ancestors(project)[1] == ["pkg.base", "pkg.gen"]
    assert ancestors(project)[1] == ["pkg.base"]
