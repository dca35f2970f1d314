"""Fixes: applied until nothing changes, guarded, and never where they were not asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.config import Config
from seqlint.engine import Fixed, check, fix
from seqlint.model import KERAS_3_LINES, KERAS_LINES
from seqlint.sources import Source
from tests.configs import undeclared
from tests.engine.rules import crashes, renames, replaces

if TYPE_CHECKING:
    from seqlint.model import KerasLine, LoadedRule


def fixed(text: str, *rules: LoadedRule, unsafe: bool = True) -> Fixed:
    return fix(Source("example.py", text), rules, Config.default(), unsafe=unsafe)


def test_fixes_of_several_rules_are_applied_pass_after_pass() -> None:
    result = fixed("use(a, b)\n", renames("SEQ901", "a", "b"), renames("SEQ902", "b", "c"))
    assert result.source.text == "use(c, c)\n"
    assert [applied.code for applied in result.applied] == ["SEQ901", "SEQ902", "SEQ902"]


def test_only_safe_fixes_are_applied_unless_asked_for_more() -> None:
    rules = (renames("SEQ901", "a", "b"), renames("SEQ902", "c", "d", frozenset({"order"})))
    assert fixed("use(a, c)\n", *rules, unsafe=False).source.text == "use(b, c)\n"
    assert fixed("use(a, c)\n", *rules, unsafe=True).source.text == "use(b, d)\n"


@pytest.mark.parametrize(
    ("keras", "lines", "offered"),
    [
        ("", KERAS_LINES, True),
        ("", KERAS_3_LINES, False),
        (">=2.15", KERAS_3_LINES, False),
        (">=3", KERAS_3_LINES, True),
        (">=3", ("3.10+",), False),
        (">=3.10", ("3.10+",), True),
        ("tf-keras", ("2",), True),
        (">=2.15", ("2",), False),
    ],
)
def test_a_fix_is_offered_where_it_works_on_every_keras_of_the_range(
    keras: str, lines: tuple[KerasLine, ...], offered: bool
) -> None:
    source, rules = Source("example.py", "use(a)\n"), (renames("SEQ901", "a", "b", lines=lines),)
    (found,) = check(source, rules, undeclared(keras)).diagnostics
    assert bool(found.fixes) is offered
    assert fix(source, rules, undeclared(keras), unsafe=True).source.text == ("use(b)\n" if offered else "use(a)\n")


def test_a_finding_says_under_which_keras_its_fix_comes() -> None:
    source = Source("example.py", "use(a)\n")
    (found,) = check(source, (renames("SEQ901", "a", "b", lines=KERAS_3_LINES),), undeclared()).diagnostics
    assert found.no_fix == 'it does not work on Keras 2: set `keras = ">=3"` if the project does not run there'


def test_a_fix_that_breaks_the_syntax_is_dropped_alone() -> None:
    result = fixed("use(a, b)\n", replaces("SEQ901", "(a", "((a"), renames("SEQ902", "b", "c"))
    assert result.source.text == "use(a, c)\n"
    assert [(refused.code, refused.reason) for refused in result.refused] == [("SEQ901", "the text no longer parses")]


def test_a_fix_that_leaves_its_finding_is_refused() -> None:
    result = fixed("use(a)\n", replaces("SEQ901", "a", "a + a"))
    assert result.source.text == "use(a)\n"
    assert "would still be reported" in result.refused[0].reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one()  # why\n", ""),
        ("one()  # why\ntwo()\n", "two()  # why\none()\n"),
        ("# about three\nthree()\nfour()\n", "# about three\nfour()\nthree()\n"),
    ],
)
def test_a_comment_stays_with_its_code(old: str, new: str) -> None:
    text = "one()  # why\ntwo()\n# about three\nthree()\nfour()\n"
    result = fixed(text, replaces("SEQ901", old, new))
    assert result.source.text == text
    assert "comment" in result.refused[0].reason


def test_a_part_of_the_first_word_before_a_comment_may_change() -> None:
    result = fixed('use(\n    "val_acc",  # why\n)\n', replaces("SEQ901", "acc", "loss"))
    assert result.source.text == 'use(\n    "val_loss",  # why\n)\n'


def test_a_comment_may_follow_its_code() -> None:
    text = "# about a\na()\nb()\n"
    result = fixed(text, replaces("SEQ901", text, "b()\n# about a\na()\n"))
    assert result.source.text == "b()\n# about a\na()\n"


@pytest.mark.parametrize("head", ["# by somebody\n\n", "#!/bin/python\n", "#!/bin/python\n# coding: utf-8\n"])
def test_a_comment_on_the_file_has_no_code(head: str) -> None:
    result = fixed(f"{head}a()\n", replaces("SEQ901", "a()\n", "b()\nc()\n"))
    assert result.source.text == f"{head}b()\nc()\n"


def test_fixes_that_undo_each_other_end_and_are_named() -> None:
    result = fixed("use(a)\n", renames("SEQ901", "a", "b"), renames("SEQ902", "b", "a"))
    (unsettled,) = [found for found in result.checked.diagnostics if found.code == "SEQ005"]
    assert "SEQ90" in unsettled.message
    assert result.checked.broken


def test_a_fix_that_would_go_on_for_ever_ends() -> None:
    result = fixed("use(a)\n", replaces("SEQ901", "a)", "a, a1)"), replaces("SEQ902", "a1)", "a)"))
    assert result.checked.broken or result.refused


def test_a_crashing_rule_is_reported_and_the_others_go_on() -> None:
    checked = check(
        Source("example.py", "use(a)\n"), (crashes("SEQ900"), renames("SEQ901", "a", "b")), Config.default()
    )
    assert checked.broken
    assert [found.code for found in checked.diagnostics] == ["SEQ002", "SEQ901"]
    assert "SEQ900" in checked.diagnostics[0].message
    assert "an accident" in checked.diagnostics[0].message


def test_bytes_of_wide_characters_are_counted_right() -> None:
    result = fixed("use('é', '😀', a)  # ü\n", renames("SEQ901", "a", "b"))
    assert result.source.text == "use('é', '😀', b)  # ü\n"
    (found,) = check(result.before, (renames("SEQ901", "a", "b"),), Config.default()).diagnostics
    assert (found.start.line, found.start.column) == (1, 15)
    assert found.start.offset == len("use('é', '😀', ".encode())
