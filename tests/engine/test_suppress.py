"""Suppressions: what they hide, what they leave alone, and what is said of those that are dead or unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import OWN, check, fix
from seqlint.sources import Source
from tests.engine.rules import renames, replaces

if TYPE_CHECKING:
    from seqlint.model import LoadedRule

RULES = (renames("SEQ901", "a", "b"), renames("SEQ902", "c", "d"))


def codes(text: str) -> list[tuple[str, int]]:
    checked = check(Source("example.py", text), RULES, Config.default())
    return [(found.code, found.start.line) for found in checked.diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        "use(a)  # seqlint: ignore[SEQ901]\n",
        "use(a)  # seqlint: ignore[SEQ901] it is meant\n",
        "use(a)  # seqlint: ignore[no-a]\n",
        "use(a)  # seqlint: ignore\n",
        "use(a)  # noqa: SEQ901\n",
        "use(a)  # noqa: E501, SEQ901\n",
        "use(a)  # noqa\n",
        "use(a)  # NOQA:SEQ901\n",
        "# seqlint: ignore[SEQ901]\nuse(a)\n",
        "# seqlint: ignore[SEQ901] because\n# of this\nuse(a)\n",
        "use(\n    1,\n    a,\n)  # seqlint: ignore[SEQ901]\n",
        "use(  # seqlint: ignore[SEQ901]\n    1,\n    a,\n)\n",
        "use(\n    # seqlint: ignore[SEQ901]\n    a,\n)\n",
        "# seqlint: file-ignore[SEQ901]\nx = 1\nuse(a)\n",
        "# seqlint: disable[SEQ901]\nuse(a)\n# seqlint: enable[SEQ901]\n",
        "# seqlint: disable\nuse(a)\nuse(c)\n# seqlint: enable\n",
        "use([\n    a  # seqlint: ignore[SEQ901]\n    for _ in x\n])\n",
        "use(a, c)  # seqlint: ignore[SEQ901, SEQ902]\n",
        "use(a)  # seqlint: ignore [SEQ901] it is meant\n",
        "use(a)  # seqlint: Ignore[seq901]\n",
        "# seqlint: disable[SEQ901, SEQ902]\nuse(a)\n# seqlint: enable[SEQ901]\nuse(c)\n",
        "# seqlint: disable\nuse(a)\n# seqlint: enable[SEQ901]\nuse(c)\n# seqlint: a remark\n",
    ],
)
def test_a_comment_hides_its_finding(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("use(a, c)  # seqlint: ignore[SEQ901]\n", [("SEQ902", 1)]),
        ("use(a)  # seqlint: ignore[SEQ901]\nuse(a)\n", [("SEQ901", 2)]),
        ("# seqlint: disable[SEQ901]\nuse(a)\n# seqlint: enable[SEQ901]\nuse(a)\n", [("SEQ901", 4)]),
        ("# seqlint: disable[SEQ901]\nuse(a)\n# seqlint: enable[no-a]\nuse(a)\n", [("SEQ901", 4)]),
        ("# seqlint: disable[SEQ901]\nuse(a)\n# seqlint: enable[seq901]\nuse(a)\n", [("SEQ901", 4)]),
        ("# seqlint: disable\nuse(a, c)\n# seqlint: enable[SEQ901]\nuse(a, c)\n", [("SEQ901", 4)]),
        ("use(a, c)  # seqlint: ignore [SEQ901]\n", [("SEQ902", 1)]),
        ("use(a)  # noqa: E501\n", [("SEQ901", 1)]),
        ("text = '# seqlint: ignore[SEQ901]'; use(a)\n", [("SEQ901", 1)]),
        ("# noqa: SEQ901\nuse(a)\n", [("SEQ003", 1), ("SEQ901", 2)]),
    ],
)
def test_a_comment_hides_nothing_else(text: str, left: list[tuple[str, int]]) -> None:
    assert codes(text) == left


@pytest.mark.parametrize(
    ("text", "left", "after"),
    [
        ("use(b)  # seqlint: ignore[SEQ901]\n", [("SEQ003", 1)], "use(b)\n"),
        ("# seqlint: ignore[SEQ901]\nuse(b)\n", [("SEQ003", 1)], "use(b)\n"),
        ("use(a)  # seqlint: ignore[SEQ901, SEQ902]\n", [("SEQ003", 1)], "use(a)  # seqlint: ignore[SEQ901]\n"),
        ("use(a)  # seqlint: ignore[SEQ902, SEQ901]\n", [("SEQ003", 1)], "use(a)  # seqlint: ignore[SEQ901]\n"),
        ("use(b)  # seqlint: ignore\n", [("SEQ003", 1)], "use(b)\n"),
        ("use(b)  # noqa: SEQ901\n", [("SEQ003", 1)], "use(b)\n"),
        ("use(b)  # noqa\n", [], "use(b)  # noqa\n"),
    ],
)
def test_a_dead_suppression_is_reported_and_removed(text: str, left: list[tuple[str, int]], after: str) -> None:
    assert codes(text) == left
    assert fix(Source("example.py", text), RULES, Config.default()).source.text == after


def test_an_unknown_code_is_reported_with_the_nearest_right_one() -> None:
    checked = check(Source("example.py", "use(b)  # seqlint: ignore[SEQ903]\n"), RULES, Config.default())
    (found,) = checked.diagnostics
    assert found.code == "SEQ004"
    assert "SEQ90" in found.message.split("did you mean")[1]


@pytest.mark.parametrize(
    ("text", "left", "message"),
    [
        ("use(a)  # seqlint: ingore[SEQ901]\n", ["SEQ901"], "unknown suppression ingore; did you mean ignore?"),
        ("use(b)  # seqlint: disabled here\n", [], "unknown suppression disabled; did you mean disable?"),
        ("use(b)  # seqlint: see[SEQ901]\n", [], "unknown suppression see"),
        ("use(a)  # seqlint: ignore[]\n", ["SEQ901"], "this suppression names no rule between its brackets"),
        (
            "# seqlint: disable\nuse(a)\n# seqlint: enable[SEQ9O1]\n",
            [],
            "unknown rule SEQ9O1; did you mean SEQ901?",
        ),
    ],
)
def test_what_is_not_quite_a_suppression_is_reported(text: str, left: list[str], message: str) -> None:
    checked = check(Source("example.py", text), RULES, Config.default())
    assert [found.message for found in checked.diagnostics if found.code == "SEQ004"] == [message]
    assert [found.code for found in checked.diagnostics if found.code != "SEQ004"] == left


def test_a_remark_about_seqlint_is_no_suppression() -> None:
    assert codes("# seqlint: what it says of this was right\nuse(b)  # see seqlint: https://example.org\n") == []


def test_a_suppressed_finding_is_never_fixed() -> None:
    text = "use(a)  # seqlint: ignore[SEQ901]\nuse(a)\n"
    result = fix(Source("example.py", text), RULES, Config.default(), unsafe=True)
    assert result.source.text == "use(a)  # seqlint: ignore[SEQ901]\nuse(b)\n"


def test_a_fix_that_would_change_a_suppressed_finding_is_not_offered() -> None:
    text = "# seqlint: disable[SEQ901]\nuse(a)\nuse(x)\n"
    both = (RULES[0], replaces("SEQ903", "use(a)\nuse(x)", "use(y)"))
    result = fix(Source("example.py", text), both, Config.default(), unsafe=True)
    assert result.source.text == text
    assert [(found.code, found.fixes) for found in result.checked.diagnostics] == [("SEQ903", ())]
    alone = fix(Source("example.py", text), both[1:], Config.default(), unsafe=True, known=both)
    assert alone.source.text == "# seqlint: disable[SEQ901]\nuse(y)\n"


def test_a_suppression_of_a_rule_that_is_not_selected_is_left_alone() -> None:
    checked = check(
        Source("example.py", "use(1)  # seqlint: ignore[SEQ902]\n"), RULES[:1], Config.default(), known=RULES
    )
    assert checked.diagnostics == ()


@pytest.mark.parametrize("own", [own for own in OWN if own.rule.examples], ids=lambda own: own.rule.code)
def test_what_seqlint_says_of_suppressions_is_as_its_page_shows(own: LoadedRule) -> None:
    for example in own.rule.examples:
        result = fix(Source("example.py", example.before), registry.load(), Config.default())
        found = check(Source("example.py", example.before), registry.load(), Config.default()).diagnostics
        assert [diagnostic.code for diagnostic in found] == [own.rule.code]
        assert result.source.text == (example.after or example.before)
