"""libcst's classes answer as they did before they were made plain."""

from __future__ import annotations

import libcst as cst

import seqlint.trees  # noqa: F401
from seqlint.trees.plain import _made_from


def test_isinstance_says_what_the_bases_say() -> None:
    kinds = {*_made_from(cst.CSTNode)}
    assert {cst.Name, cst.Module, cst.BaseExpression, cst.BaseCompoundStatement} < kinds
    name, line = cst.Name("x"), cst.SimpleStatementLine([cst.Pass()])
    for kind in kinds:
        assert isinstance(name, kind) == (kind in cst.Name.__mro__)
        assert isinstance(line, kind) == (kind in cst.SimpleStatementLine.__mro__)
        assert issubclass(cst.Name, kind) == (kind in cst.Name.__mro__)
    assert not isinstance("x", cst.CSTNode)


def test_nodes_are_told_apart_by_identity() -> None:
    one, other = cst.Name("x"), cst.Name("x")
    assert one != other
    assert {one: 1, other: 2}[one] == 1
    assert {one, one} == {one}


def test_classes_that_are_made_later_are_nodes_too() -> None:
    class Mine(cst.Name):
        pass

    mine = Mine("x")
    assert isinstance(mine, (cst.Name, cst.BaseExpression))
    assert not isinstance(mine, cst.Attribute)
    assert {mine: 1}[mine] == 1
