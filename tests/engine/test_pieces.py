"""A text that is parsed in pieces gives the tree of the whole, whatever was parsed before it."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqlint.engine import Pieces
from seqlint.engine.parse import parse
from seqlint.facts.code.tree import Tree
from seqlint.sources import Source

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "fixtures").glob("programs/*/program.py"))
HEAD = '# made by hand\n\n"""Tides."""\n\nimport keras\n\n\n'
METHODS = (
    "    def __len__(self):\n        return 4\n",
    "    def __getitem__(self, index):\n        # one row\n        if index:\n            return 1\n            # below\n        return 0\n",
    "    size = 3; name = 'tides'\n",
    "    @property\n    def rows(self):\n        return [\n            1,\n        ]\n",
    "    # between two\n\n    def on_epoch_end(self): pass\n",
    "    class Inner:\n        a = 1\n\n        def b(self):\n            return '''\n  text\n'''\n",
    "    \n\n    x = 1  # trailing\n        # deeper than its line\n",
)
STATEMENTS = (
    "import numpy as np\n",
    "x = 1; y = 2\n",
    "def build():\n    model = keras.Sequential()\n    return model\n    # after\n",
    "if x:\n  y = 3\nelse:\n  y = 4\n  \n\n",
    "try:\n\timport a\nexcept ImportError:\n\ta = None\n",
    "# a comment\n\n@decorated(\n    1\n)\nasync def f(): pass\n",
    "for _ in range(3):\n    pass\n# at the margin\n    # indented below\n",
)


@st.composite
def classes(draw: st.DrawFn) -> str:
    """A class, long enough to be parsed by its members or not."""
    members = draw(st.lists(st.sampled_from(METHODS), min_size=1, max_size=14))
    head = draw(
        st.sampled_from(["class Tides(keras.utils.PyDataset):\n", "@final\nclass Other:  # one\n    '''Rows.'''\n"])
    )
    return "\n\n" + head + draw(st.sampled_from(["", "    # first\n", "\n"])) + "\n".join(members)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A module of classes and statements; newlines of either kind, an end with or without one."""
    parts = draw(st.lists(st.one_of(classes(), st.sampled_from(STATEMENTS)), min_size=0, max_size=7))
    text = draw(st.sampled_from(["", HEAD])) + "".join(parts)
    text = text if draw(st.booleans()) else text.rstrip("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def check(pieces: Pieces, text: str) -> None:
    source = Source.from_text(text, "<text>")
    found = pieces.parse(source)
    assert found.deep_equals(parse(source))
    assert found.code == source.text
    nodes = list(walk(found))
    assert len(set(map(id, nodes))) == len(nodes)


def walk(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node, *(below for child in node.children for below in walk(child))]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(texts(), min_size=1, max_size=4))
def test_the_tree_is_that_of_the_whole(versions: list[str]) -> None:
    pieces = Pieces()
    for text in versions:
        try:
            parse(Source.from_text(text, "<text>"))
        except ValueError:
            continue
        check(pieces, text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_programs_line_by_line_twice(path: Path) -> None:
    """Each line is doubled and taken away again, as somebody edits who can't decide."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    pieces = Pieces()
    for number in range(0, len(lines), 12):
        text = "".join([*lines[:number], *lines[number:][:1], *lines[number:]])
        try:
            whole = parse(Source(str(path), text))
        except Exception:  # a doubled line need not parse
            continue
        assert pieces.parse(Source(str(path), text)).deep_equals(whole)


def test_spans_of_known_statements_move_with_them() -> None:
    pieces = Pieces()
    for text in ("import a\n\n\ndef f():\n    return a\n", "import a\nimport b\n\n\ndef f():\n    return a\n"):
        source = Source("<text>", text)
        tree = Tree(source, pieces.parse(source), pieces.spans)
        (found,) = (node for node in tree.all(cst.Return))
        assert tree.text(found) == "return a"
        assert tree.span(found) == (text.index("return"), text.index("return") + len("return a"))


def test_what_is_kept_has_an_end() -> None:
    pieces = Pieces()
    for number in range(60):
        pieces.parse(Source("<text>", "\n".join(f"x_{number}_{line} = '{'.' * 1000}'" for line in range(10))))
    assert pieces._kept <= 400_000
    assert len(pieces._trees) < 400
