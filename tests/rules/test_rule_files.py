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


@pytest.mark.parametrize("loaded", [*RULES, *OWN], ids=[*IDS, *(own.rule.code for own in OWN)])
def test_the_docs_have_their_headings(loaded: LoadedRule) -> None:
    first, *rest = loaded.doc.split("\n")
    assert first.endswith(".")
    assert len(first) <= 80
    headings = [line for line in rest if line.startswith("## ")]
    needed = ["## Why", "## Measured", "## Instead"] if loaded in RULES else ["## Why", "## Instead"]
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
