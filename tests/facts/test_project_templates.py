"""What the methods of a base in another file call of an heir, and what becomes of the results."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from seqlint.facts.project import Project
from seqlint.facts.project.templates import Asked, chain_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
import abc
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
"""


def asks(folder: Path, methods: str, *, head: str = HEAD, hook: str = "__getitem__") -> dict[str, Asked]:
    """What a base asks of an heir that has `load`, `mend` and `kind`, by their names."""
    (folder / "base.py").write_text(head + indent(methods, "    "), encoding="utf-8")
    chain = chain_of(Project(folder), "base.Rows")
    return {asked.name: asked for asked in chain.asks(hook, ("load", "mend", "kind"))} if chain is not None else {}


def getitem(*lines: str) -> str:
    return "def __getitem__(self, index):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("lines", "fate"),
    [
        (["return self.load(index)"], "batch"),
        (["rows = self.load(index)", "return rows"], "batch"),
        (["x, y = self.load(index)", "return x, y"], "items"),
        (["x, y = self.load(index)", "return x / 255, y"], "sample"),
        (["x, y = self.load(index)", "x = x / 255", "return x, y"], "sample"),
        (["x, y = self.load(index)", "return y, x"], "sample"),
        (["x = [self.load(row) for row in self.rows]", "return np.stack(x), self.y"], "sample"),
        (["x = []", "for row in self.rows:", "    x.append(self.load(row))", "return np.array(x), self.y"], "sample"),
        (["x = np.zeros(4)", "for at in range(4):", "    x[at] = self.load(at)", "return x"], "sample"),
        (["return np.stack(list(map(self.load, self.rows))), self.y"], "sample"),
        (["x = self.load(index)", "return x / 255, self.y"], "sample"),
        (["return self.load(index), self.y"], "sample"),
        (["return self._joined([self.load(row) for row in self.rows])"], "sample"),
        # What may ask for None, or leave it out.
        (["x = self.load(index)", "if x is None:", "    x = self.spare", "return x"], "open"),
        (["x = []", "for row in self.rows:", "    one = self.load(row)", "    if one is not None:", "        x.append(one)", "return np.array(x)"], "open"),
        (["x = [self.load(row) for row in self.rows]", "return np.stack([one for one in x if one is not None])"], "open"),
        (["return np.stack(list(filter(None, map(self.load, self.rows))))"], "open"),
        (["return clean([self.load(row) for row in self.rows])"], "open"),
        (["return self._cleaned([self.load(row) for row in self.rows])"], "open"),
        (["x = np.array([self.load(row) for row in self.rows])", "return x[x != None]"], "open"),
        (["return self.load(index) or self.spare"], "open"),
        (["return self.y, self.load(index)"], "open"),
        (["def inner():", "    return self.load(index)", "return inner"], "open"),
    ],
)  # fmt: skip
def test_what_becomes_of_the_result(tmp_path: Path, lines: list[str], fate: str) -> None:
    helpers = """
def _joined(self, many):
    return np.stack(many), self.y

def _cleaned(self, many):
    return np.stack([one for one in many if one is not None])
"""
    assert asks(tmp_path, getitem(*lines) + helpers)["load"].result_use == fate


def test_the_way_goes_through_helpers_of_the_bases(tmp_path: Path) -> None:
    found = asks(
        tmp_path,
        getitem("return self._batch(self.order[index])") + "def _batch(self, rows):\n    return self.load(rows)\n",
    )
    assert found["load"].result_use == "batch"
    assert found["load"].by == "Rows.__getitem__"
    assert found["load"].file == "base.py"
    assert found["load"].varying == {0}


def test_what_is_not_called_is_not_asked(tmp_path: Path) -> None:
    methods = getitem("return self.x[index]") + "def preview(self):\n    return self.load(0)\n"
    assert asks(tmp_path, methods) == {}
    assert asks(tmp_path, getitem("return self.__load(index)") + "def __load(self, index):\n    return index\n") == {}
    assert asks(tmp_path, getitem("return other.load(index)")) == {}


def test_a_property_is_read(tmp_path: Path) -> None:
    assert asks(tmp_path, getitem("return self.x[index] * self.kind"))["kind"].read
    assert not asks(tmp_path, getitem("return self.load(index)"))["load"].read


@pytest.mark.parametrize(
    ("lines", "caught"),
    [
        (["return self.load(index)"], False),
        (["try:", "    return self.load(index)", "except OSError:", "    return self.spare"], True),
        (["try:", "    return self.load(index)", "finally:", "    self.close()"], False),
        (["with suppress(OSError):", "    return self.load(index)"], True),
        (["return np.stack(list(self.pool.map(self.load, self.rows)))"], True),
        (["try:", "    return self._one(index)", "except OSError:", "    return self.spare"], True),
    ],
)
def test_whether_an_error_is_caught(tmp_path: Path, lines: list[str], caught: bool) -> None:
    one = "def _one(self, index):\n    return self.load(index)\n"
    assert asks(tmp_path, getitem(*lines) + one)["load"].caught is caught


def test_a_decorator_may_do_anything(tmp_path: Path) -> None:
    found = asks(tmp_path, "@retry\n" + getitem("return self.load(index)"))["load"]
    assert found.caught
    assert found.result_use == "open"


def test_whether_it_is_called_elsewhere(tmp_path: Path) -> None:
    plain = getitem("return self.load(index)")
    assert asks(tmp_path, plain)["load"].alone
    assert not asks(tmp_path, plain + "def preview(self):\n    return self.load(0)\n")["load"].alone


@pytest.mark.parametrize(
    ("lines", "in_turn"),
    [
        (["return np.stack([self.load(row) for row in self.rows])"], True),
        (["return np.stack(list(map(self.load, self.rows)))"], True),
        (["return self.load(index)"], False),
        (["return np.stack(list(self.pool.map(self.load, self.rows)))"], False),
    ],
)
def test_whether_it_is_called_for_each_sample(tmp_path: Path, lines: list[str], in_turn: bool) -> None:
    assert asks(tmp_path, getitem(*lines))["load"].in_turn is in_turn


def test_which_arguments_hang_on_the_index(tmp_path: Path) -> None:
    found = asks(
        tmp_path, getitem("rows = self.order[index:]", "for row in rows:", "    self.load(self.mode, row, rows)")
    )
    assert found["load"].varying == {1, 2}


def test_the_nearest_method_counts(tmp_path: Path) -> None:
    between = "\n\nclass Mid(Rows):\n    def __getitem__(self, index):\n        return self.x[index]\n"
    (tmp_path / "base.py").write_text(HEAD + indent(getitem("return self.load(index)"), "    ") + between)
    chain = chain_of(Project(tmp_path), "base.Mid")
    assert chain is not None
    assert chain.asks("__getitem__", ("load",)) == ()
    goes_on = between.replace("return self.x[index]", "return super().__getitem__(index)")
    (tmp_path / "base.py").write_text(HEAD + indent(getitem("return self.load(index)"), "    ") + goes_on)
    chain = chain_of(Project(tmp_path), "base.Mid")
    assert chain is not None
    assert [(asked.name, asked.by) for asked in chain.asks("__getitem__", ("load",))] == [("load", "Mid.__getitem__")]


@pytest.mark.parametrize(
    ("base", "known"),
    [
        ("(keras.utils.PyDataset, abc.ABC)", True),
        ("(keras.utils.PyDataset, metaclass=abc.ABCMeta)", True),
        ("(keras.utils.PyDataset, Other)", False),
        ("(keras.utils.PyDataset, metaclass=Other)", False),
        ("(object)", False),
    ],
)
def test_which_bases_are_known(tmp_path: Path, base: str, known: bool) -> None:
    head = HEAD.replace("(keras.utils.PyDataset)", base)
    assert bool(asks(tmp_path, getitem("return self.load(index)"), head=head)) is known


@pytest.mark.parametrize(
    "line", ["__getitem__ = other", "if new:\n    def __getitem__(self, index):\n        return 1"]
)
def test_a_method_that_is_bound_in_another_way(tmp_path: Path, line: str) -> None:
    assert asks(tmp_path, getitem("return self.load(index)") + line + "\n") == {}


def test_what_is_set_on_the_instance_is_not_the_method(tmp_path: Path) -> None:
    init = "def __init__(self, load):\n    self.load = load\n"
    assert asks(tmp_path, init + getitem("return self.load(index)")) == {}
