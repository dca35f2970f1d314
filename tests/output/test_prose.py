from __future__ import annotations

from seqlint.output.prose import wrapped

PAGE = """\
# A heading that is longer than the width of this small terminal

Words that flow on and
on until the line is full.

- an item that has more than one line of words
  and goes on
- another

```python
a_line_of_code = "that is longer than the width of the terminal"
```

| a table | stays as it was written, however wide |
"""


def test_paragraphs_and_items_fit_the_width_and_code_stays() -> None:
    assert wrapped(PAGE, 30).splitlines() == [
        "# A heading that is longer than the width of this small terminal",
        "",
        "Words that flow on and on",
        "until the line is full.",
        "",
        "- an item that has more than",
        "  one line of words and goes",
        "  on",
        "- another",
        "",
        "```python",
        'a_line_of_code = "that is longer than the width of the terminal"',
        "```",
        "",
        "| a table | stays as it was written, however wide |",
    ]


def test_a_wide_terminal_joins_what_was_broken() -> None:
    assert "Words that flow on and on until the line is full." in wrapped(PAGE, 200).splitlines()
