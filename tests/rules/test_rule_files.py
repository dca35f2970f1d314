"""What must hold for every rule file, whatever the rule is about."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import OWN

if TYPE_CHECKING:
    from seqlint.model import LoadedRule

MOST_LINES = 120
RULES = registry.load()
IDS = [loaded.rule.code for loaded in RULES]


@pytest.mark.parametrize("loaded", RULES, ids=IDS)
def test_code_and_file_name_agree(loaded: LoadedRule) -> None:
    rule = loaded.rule
    assert re.fullmatch(r"SEQ\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert loaded.path.stem == f"{rule.code}_{rule.name}".lower().replace("-", "_")


@pytest.mark.parametrize("loaded", RULES, ids=IDS)
def test_a_rule_imports_the_api_alone(loaded: LoadedRule) -> None:
    tree = ast.parse(loaded.path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules <= {"seqlint.api", "collections.abc", "dataclasses", "re", "itertools", "typing"}


@pytest.mark.parametrize("loaded", RULES, ids=IDS)
def test_a_rule_is_short(loaded: LoadedRule) -> None:
    """What is more is a fact, or a builder of edits. Docstring, imports and examples don't count, blank lines do."""
    assert _lines_of_logic(ast.parse(loaded.path.read_text(encoding="utf-8"))) <= MOST_LINES


def _lines_of_logic(tree: ast.Module) -> int:
    """From the first line of each statement to the first of the next, all but what only the examples are made of."""
    shown, statements = _for_examples(tree), tree.body[1:]
    starts = [min([one.lineno, *_decorators(one)]) for one in statements]
    ends = [*starts[1:], (statements[-1].end_lineno or 0) + 1]
    spans = zip(statements, starts, ends, strict=True)
    return sum(end - start for one, start, end in spans if one not in shown)


def _for_examples(tree: ast.Module) -> set[ast.stmt]:
    """The imports, `RULE`, and the texts and functions that nothing but it and one another reads."""
    left = {one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom)) or "RULE" in _bound(one)}
    while True:
        read = {name for one in tree.body if one not in left for name in _read(one)}
        unread = {one for one in tree.body if one not in left and not _bound(one) & {*read, "check"}}
        more = {one for one in unread if _bound(one)}
        if not more:
            return left
        left |= more


def _bound(one: ast.stmt) -> set[str]:
    if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
        return {one.name}
    names = (node for node in ast.walk(one) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _read(one: ast.stmt) -> set[str]:
    own = _bound(one) if isinstance(one, (ast.FunctionDef, ast.ClassDef)) else set()
    names = (node for node in ast.walk(one) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Load)} - own


def _decorators(one: ast.stmt) -> list[int]:
    return [each.lineno for each in getattr(one, "decorator_list", ())]


@pytest.mark.parametrize("loaded", [*RULES, *OWN], ids=[*IDS, *(own.rule.code for own in OWN)])
def test_the_docs_have_their_headings(loaded: LoadedRule) -> None:
    first, *rest = loaded.doc.split("\n")
    assert first.endswith(".")
    assert len(first) <= 80
    headings = [line for line in rest if line.startswith("## ")]
    needed = ["## Why", "## Measured", "## Do this"] if loaded in RULES else ["## Why", "## Do this"]
    assert [heading for heading in headings if heading in needed] == needed


@pytest.mark.parametrize("loaded", RULES, ids=IDS)
def test_measured_facts_name_the_keras_lines(loaded: LoadedRule) -> None:
    measured = loaded.doc.split("## Measured")[1].split("## ")[0]
    assert "Keras 3" in measured or "any Keras" in measured or "every Keras" in measured
    assert re.search(r"^- ", measured, re.MULTILINE)


@pytest.mark.parametrize("loaded", RULES, ids=IDS)
def test_a_rule_shows_what_it_finds_and_what_it_must_not(loaded: LoadedRule) -> None:
    examples = loaded.rule.examples
    assert any(not example.silent for example in examples)
    assert sum(example.silent for example in examples) >= 2


@pytest.mark.parametrize("loaded", RULES, ids=IDS)
def test_a_contract_belongs_to_a_fix(loaded: LoadedRule) -> None:
    fixes = any(example.after is not None for example in loaded.rule.examples)
    contract = loaded.rule.contract
    assert fixes is bool(contract.changes or contract.repairs) or (fixes and contract.safe)
