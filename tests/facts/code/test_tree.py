"""The tree answers as a walk over all nodes would."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest

from seqlint.facts.code.tree import Tree
from seqlint.sources import Source
from seqlint.trees import children, grow

ROOT = Path(__file__).parents[3]


def tree_of(text: str) -> Tree:
    source = Source("example.py", text)
    return Tree(source, grow(source))


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
        assert all(tree.holds(function, node) is (node in inside) for node in tree.places)


def test_nodes_that_were_made_by_hand_are_walked_too() -> None:
    tree = tree_of("a = 1\n")
    made = cst.parse_expression("f(g(x))")
    assert len(tree.inside(made, cst.Call)) == 2
    assert tree.holds(made, made)
    assert not tree.holds(made, tree.module.body[0])
