from __future__ import annotations

import pytest

from seqlint.model import Contract, Example, Levels, Sometimes
from seqlint.output import markdown, table
from seqlint.output.paint import Paint
from tests.output.samples import rule

PAGE = """\
# SEQ999 made-up

What it finds, with a | in it.

## Do this

Write 2.

## Before and after

```diff
 import keras
-x = 1
+x = 2
```

## Why

Because.

## Measured

- Keras 3: much.

## Level

| Keras in use | Level |
| --- | --- |
| Keras 2 (tf-keras) | silent |
| Keras 3.0 to 3.9 | error |
| Keras 3.10 and later | warning |
| more than one of them, or unknown | warning |

## Fix

Fix safety: unsafe. It changes hooks. In a program that failed or warned it repairs errors. \
It keeps samples, order, grouping, spec, epochs, steps, history, weights, stop, settings, state, warnings and output.

## Sources

- [someone/something#12](https://github.com/someone/something/issues/12)
- A talk
"""


def test_the_page_of_a_rule_is_made_from_its_file() -> None:
    assert markdown.page(rule()) == PAGE


def test_a_rule_without_a_fix_shows_what_it_reports() -> None:
    page = markdown.page(rule(examples=(Example("import keras\n"), Example.ok("x = 1\n"))))
    assert "## Example\n\n```python\nimport keras\n```" in page
    assert "No fix is offered." in page


def test_a_fix_that_is_sometimes_offered_says_so() -> None:
    both = (Example("import keras\n"), Example("x = 1\n", "x = 2\n"))
    page = markdown.page(rule(examples=both, contract=Contract()))
    assert "Fix safety: safe. It keeps" in page
    assert "It is offered where the code is simple enough." in page
    assert "-x = 1\n+x = 2\n" in page


def test_what_only_some_fixes_change_is_named_and_not_called_kept() -> None:
    wide = Example("x = 1\n", "x = 2\n", contract=Contract(frozenset({"hooks", "output", "state"})))
    page = markdown.page(rule(examples=(wide,), contract=Contract(frozenset({"hooks"}))))
    assert "It changes hooks. In some programs it also changes state and output, and says so. It keeps samples" in page
    assert "warnings and output." not in page


def test_a_rule_that_is_silent_when_unsure_says_so() -> None:
    page = markdown.page(rule(levels=Levels("error", "error", None, mixed=None)))
    assert "| more than one of them, or unknown | silent |" in page


def test_a_rule_that_may_be_unsure_says_so() -> None:
    unsure = (Example("import keras\n"), Example.where_unknown("import keras\n"))
    assert "it is advice, names the condition, and has no fix." in markdown.page(rule(examples=unsure))
    assert "it is advice" not in markdown.page(rule())


def test_a_painted_page_says_the_same() -> None:
    painted = markdown.painted(PAGE, Paint(True))
    assert "\x1b[32m+x = 2\x1b[0m\n" in painted
    assert markdown.painted(PAGE, Paint()) == PAGE


def test_the_table_has_a_row_for_each_rule() -> None:
    assert table.markdown([rule()]) == (
        "### Saving and loading\n\n"
        "| Code | Name | What it finds | Keras 2 | 3.0-3.9 | 3.10+ | Fix |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        "| SEQ999 | made-up | What it finds, with a \\| in it. | - | error | warning | unsafe |\n"
    )


def test_each_family_has_a_table_of_its_own() -> None:
    written = table.markdown([rule(code="SEQ101"), rule(code="SEQ102"), rule(code="SEQ201")])
    headings = [line for line in written.splitlines() if line.startswith("#")]
    assert headings == [
        "### Epoch hooks of a Sequence or PyDataset",
        "### Batches: `__init__`, `__len__`, `__getitem__`",
    ]
    assert written.count("| Code |") == 2


def test_the_columns_line_up() -> None:
    head, row, longer = table.columns([rule(), rule(name="a-much-longer-name")]).splitlines()
    assert head.index("Keras 2") == row.index("-  ") == longer.index("-  ")
    assert (head.index("Fix"), row.index("unsafe")) == (longer.index("unsafe"), longer.index("unsafe"))


def test_the_table_goes_between_its_markers() -> None:
    text = f"# Title\n\n{table.START}\nold\n{table.END}\n\nend\n"
    updated = table.updated(text, [rule()])
    assert updated.startswith(f"# Title\n\n{table.START}\n### Saving and loading\n\n| Code |")
    assert updated.endswith(f"| unsafe |\n{table.END}\n\nend\n")
    assert table.updated(updated, [rule()]) == updated


def test_a_text_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        table.updated("# Title\n", [rule()])


def test_what_some_findings_are_reported_at_is_shown() -> None:
    levels = Levels(None, "warning", "advice", mixed=None)
    shown = rule(levels=levels, sometimes=Sometimes(keras2=("error",), early=("error", "advice"), keras3=("warning",)))
    page = markdown.page(shown)
    assert "| Keras 2 (tf-keras) | error, sometimes |" in page
    assert "| Keras 3.0 to 3.9 | warning, sometimes error or advice |" in page
    assert "| Keras 3.10 and later | advice, sometimes warning |" in page
    assert "| more than one of them, or unknown | warning, sometimes |" in page
    assert "| error, sometimes | warning, sometimes error or advice | advice, sometimes warning |" in table.markdown(
        [shown]
    )
