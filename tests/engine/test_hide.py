"""The comment that hides a finding hides it, that finding alone, and the text stays the same program."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import check, hide
from seqlint.facts.keras import parse_range
from seqlint.sources import Source
from seqlint.sources.edits import apply
from tests.configs import undeclared

if TYPE_CHECKING:
    from seqlint.model import Example, LoadedRule

FOUND = [
    pytest.param(loaded, example, id=f"{loaded.rule.code}-{number}")
    for loaded in registry.load()
    for number, example in enumerate(loaded.rule.examples)
    if not example.silent
]


@pytest.mark.parametrize(("loaded", "example"), FOUND)
def test_every_finding_of_the_examples_can_be_hidden(loaded: LoadedRule, example: Example) -> None:
    settings = undeclared(parse_range(example.keras).range)
    source = Source("<text>", example.before)
    checked = check(source, [loaded], settings, registry.load())
    diagnostic = next(found for found in checked.diagnostics if found.code == loaded.rule.code)
    edit = hide(source, diagnostic)
    assert edit is not None
    after = Source("<text>", apply(source.utf8, (edit,)))
    assert ast.dump(ast.parse(after.text)) == ast.dump(ast.parse(source.text))
    left = check(after, [loaded], settings, registry.load()).diagnostics
    # Others of the same statement go with it; none comes, not even that the comment hides nothing.
    assert len(left) < len(checked.diagnostics)
    assert {found.code for found in left} <= {found.code for found in checked.diagnostics}
    assert diagnostic.message not in {found.message for found in left if found.start.line == diagnostic.start.line}


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("model.fit(x, \\\n    workers=4)\n", "model.fit(x, \\\n    workers=4)  # seqlint: ignore[SEQ701]\n"),
        ("model.fit(x, workers=4)  # slow", "model.fit(x, workers=4)  # slow  # seqlint: ignore[SEQ701]"),
        (
            "model.fit(x, workers=4)  # seqlint: ignore[SEQ101] so\n",
            "model.fit(x, workers=4)  # seqlint: ignore[SEQ101, SEQ701] so\n",
        ),
        (
            "model.fit(\n    x,\n    workers=4,\n)\n",
            "model.fit(\n    x,\n    workers=4,  # seqlint: ignore[SEQ701]\n)\n",
        ),
    ],
)
def test_where_the_comment_stands(text: str, hidden: str) -> None:
    head = "import keras\n\nx = 1\nmodel = keras.Sequential()\n"
    source = Source("<text>", head + text)
    (rule,) = (loaded for loaded in registry.load() if loaded.rule.code == "SEQ701")
    (found,) = (one for one in check(source, [rule], undeclared()).diagnostics if one.code == "SEQ701")
    edit = hide(source, found)
    assert edit is not None
    assert apply(source.utf8, (edit,)) == head + hidden
