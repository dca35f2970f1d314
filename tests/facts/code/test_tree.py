"""The tree answers as a walk over all nodes would, and spans are those of the whole file however few of them are asked for."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from seqlint.facts.code.tree import Tree, children
from seqlint.model import UnreadableSource
from seqlint.sources import Source

ROOT = Path(__file__).parents[3]
FILES = [*sorted((ROOT / "fixtures").rglob("*.py")), *sorted((ROOT / "rules").glob("*.py"))]
TRICKY = {
    "nothing": "",
    "a comment": "# only this",
    "two in a line": "a = 1; b = 2\nc = 3\n",
    "decorators": "# head\n\n# above\n@one\n# between\n@two(1,\n     2)\n# below\ndef f(): pass\nx = 1\n",
    "comments at the end of a block": "if a:\n    b\n    # inside\n# outside\nc = (d)\n",
    "no newline at the end": "class A:\n    x = 'ä'  # ö\nprint(A)",
    "carriage returns": "a = 1\r\n\r\nif a:\r\n\tb = '''x\r\ny'''\r\nc\r\n",
    "a form feed": "a = 1\n\x0c\nb = 2\n",
    "a line that goes on": "a = 1 + \\\n    2\nb = a\n",
    "a string over lines": 'a = """\n# no comment\n"""\nb = a\n',
    "async": "@d\nasync def f():\n    await g()\n\nasync def h(): pass\n",
    "a newer Python": "type A = int\nb = A\n",
}


def tree_of(text: str) -> Tree:
    source = Source("example.py", text)
    return Tree(source, cst.parse_module(text))


def spans_agree(tree: Tree) -> None:
    found = MetadataWrapper(tree.module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    for node in tree.order:
        assert tree.span(node) == (found[node].start, found[node].start + found[node].length)


@pytest.mark.parametrize("text", TRICKY.values(), ids=TRICKY)
def test_spans_of_a_statement_are_those_of_the_file(text: str) -> None:
    try:
        spans_agree(tree_of(text))
    except cst.ParserSyntaxError:
        pytest.skip("this libcst does not read it")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_spans_of_whole_programs(path: Path) -> None:
    try:
        source = Source.from_bytes(path.read_bytes(), path.name)
        module = cst.parse_module(source.text)
    except (UnreadableSource, cst.ParserSyntaxError):
        return  # there is nothing to place
    spans_agree(Tree(source, module))


PROGRAM = (ROOT / "fixtures/programs/fit_on_two_sequences/program.py").read_text(encoding="utf-8")


def below(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node, *(inner for child in children(node) for inner in below(child))]


@pytest.mark.parametrize(
    "kind", [cst.Call, cst.Name, cst.FunctionDef, cst.BaseExpression, cst.BaseCompoundStatement, cst.Global]
)
def test_what_is_inside_a_node_is_what_a_walk_finds(kind: type[cst.CSTNode]) -> None:
    tree = tree_of(PROGRAM)
    for node in tree.all(cst.FunctionDef):
        assert tree.inside(node.body, kind) == tuple(found for found in below(node.body) if isinstance(found, kind))
        assert list(tree.walk(node)) == below(node)


def test_a_node_holds_what_is_below_it() -> None:
    tree = tree_of(PROGRAM)
    functions = tree.all(cst.FunctionDef)
    for function in functions:
        inside = set(below(function))
        assert all(tree.holds(function, node) is (node in inside) for node in tree.order)


def test_nodes_that_were_made_by_hand_are_walked_too() -> None:
    tree = tree_of("a = 1\n")
    made = cst.parse_expression("f(g(x))")
    assert len(tree.inside(made, cst.Call)) == 2
    assert tree.holds(made, made)
    assert not tree.holds(made, tree.module.body[0])
