from __future__ import annotations

import re

import pytest

from seqlint.output.frame import frame
from seqlint.output.paint import Paint
from tests.output.samples import marked


def framed(text: str, *, colours: bool = False) -> list[str]:
    source, start, end = marked(text)
    return frame(source, source.position(start), source.position(end), Paint(colours)).splitlines()


def test_underlines_the_span_with_its_line_number() -> None:
    assert framed("import keras\nmodel.«fit»(x)\n") == [
        "  |",
        "2 | model.fit(x)",
        "  |       ^^^",
    ]  # fmt: skip


def test_an_empty_span_gets_one_mark() -> None:
    assert framed("ab«»c\n")[1:] == ["1 | abc", "  |   ^"]
    assert framed("«»") == ["  |", "1 |", "  | ^"]
    assert framed("a\n«»")[1:] == ["2 |", "  | ^"]


def test_marks_each_line_of_a_span_without_its_indentation() -> None:
    assert framed("«if x:\n    f(\n        1,\n    )»\ny\n")[1:] == [
        "1 | if x:",
        "  | ^^^^^",
        "2 |     f(",
        "  |     ^^",
        "3 |         1,",
        "  |         ^^",
        "4 |     )",
        "  |     ^",
    ]


def test_a_span_that_ends_at_a_line_start_does_not_mark_that_line() -> None:
    assert framed("«a = 1\n»b = 2\n")[1:] == ["1 | a = 1", "  | ^^^^^"]


def test_an_empty_line_in_a_span_has_no_marks() -> None:
    assert framed("«a\n\nb»")[1:] == ["1 | a", "  | ^", "2 |", "3 | b", "  | ^"]


def test_leaves_out_the_middle_of_a_long_span() -> None:
    lines = framed("«" + "".join(f"a{number}\n" for number in range(100)) + "b»\n")
    assert [line for line in lines if re.match(r"\s*\d+ \|", line)] == [
        "  1 | a0", "  2 | a1", "  3 | a2", "  4 | a3", "101 | b",
    ]  # fmt: skip
    assert "..." in lines


def test_tabs_are_shown_as_spaces_and_counted_as_such() -> None:
    assert framed("\tx\t= «y»\n")[1:] == ["1 |     x   = y", "  |           ^"]


def test_wide_and_combining_characters_keep_the_marks_in_place() -> None:
    assert framed("'日本', «a»\n")[1:] == ["1 | '日本', a", "  |         ^"]
    assert framed("'e\u0301', «a»\n")[1:] == ["1 | 'e\u0301', a", "  |      ^"]
    assert framed("«'日本'»\n")[2] == "  | ^^^^^^"


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_newlines_are_no_part_of_the_code(newline: str) -> None:
    assert framed(f"a{newline}b = «c»{newline}")[1:] == ["2 | b = c", "  |     ^"]


def test_nothing_in_the_code_can_drive_the_terminal() -> None:
    shown = "\n".join(framed("'\x1b[2J\u202e\x07' + «x»\n"))
    assert not re.search("[\x1b\x07\u202e]", shown)
    assert shown.endswith("            ^")


def test_a_long_line_is_cut_around_the_span() -> None:
    lines = framed("f(" + "a, " * 2000 + "«here»" + ", b" * 2000 + ")\n")
    code, marks = lines[1], lines[2]
    assert len(code) < 140
    assert code[marks.index("^") : marks.rindex("^") + 1] == "here"
    assert code.startswith("1 | ...")
    assert code.endswith("...")


def test_a_span_that_is_longer_than_the_cut_is_marked_as_far_as_it_is_shown() -> None:
    code, marks = framed("«" + "f()." * 2000 + "g()»\n")[1:]
    assert len(marks) < 140
    assert code.endswith("...")


def test_colours_only_when_asked_for() -> None:
    text = "model.«fit»(x)\n"
    painted = "\n".join(framed(text, colours=True))
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted).splitlines() == framed(text)
