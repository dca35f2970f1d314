"""A tuple in the place of a list: the same items, the same layout."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import as_tuple, drop_last, only_item
from tests.facts.reading import facts_of


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[a, b]", "(a, b)"),
        ("[a]", "(a,)"),
        ("[a,]", "(a,)"),
        ("[\n    a,  # left\n    b,\n]", "(\n    a,  # left\n    b,\n)"),
        ("[f(a) for a in many]", "tuple(f(a) for a in many)"),
        ("list(many)", "tuple(many)"),
        ("split(many)", "tuple(split(many))"),
        ("([a] + [b])", "tuple(([a] + [b]))"),
    ],
)
def test_a_list_becomes_a_tuple(before: str, after: str) -> None:
    facts = facts_of(f"x = {before}")
    edits = as_tuple(facts, facts.tree.all(cst.Assign)[0].value)
    assert apply(facts.source.utf8, edits) == f"x = {after}"


@pytest.mark.parametrize(("before", "after"), [("[a]", "a"), ("[a[0], ]", "a[0]"), ("[(a or b)]", "(a or b)")])
def test_the_only_item_stands_for_itself(before: str, after: str) -> None:
    facts = facts_of(f"x = {before}")
    node = facts.tree.all(cst.Assign)[0].value
    assert isinstance(node, cst.List)
    assert apply(facts.source.utf8, only_item(facts, node)) == f"x = {after}"


@pytest.mark.parametrize(
    ("before", "many", "after"),
    [
        ("a, b, None", 1, "a, b"),
        ("(a, b, None)", 1, "(a, b)"),
        ("(a, b, None,)", 1, "(a, b)"),
        ("[a, b, None]", 1, "[a, b]"),
        ("a, None", 1, "(a,)"),
        ("(a, None)", 1, "(a,)"),
        ("(a, None, None)", 2, "(a,)"),
        ("[a, None]", 1, "[a]"),
        ("f(a), None", 1, "(f(a),)"),
        ("(a, b), None", 1, "((a, b),)"),
        ("(\n    a,\n    b,\n    None,\n)", 1, "(\n    a,\n    b,\n)"),
        ("(\n    a,  # one\n    None\n)", 1, "(\n    a,  # one\n)"),
        ("[\n    a,\n    None, None,\n]", 2, "[\n    a,\n]"),
    ],
)
def test_the_last_items_go(before: str, many: int, after: str) -> None:
    facts = facts_of(f"x = {before}")
    node = facts.tree.all(cst.Assign)[0].value
    assert isinstance(node, (cst.Tuple, cst.List))
    assert apply(facts.source.utf8, drop_last(facts, node, many)) == f"x = {after}"
