"""Between a program and its page: places there and back, and edits that change the code alone."""

from __future__ import annotations

import doctest
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqlint.model import Edit
from seqlint.sources import Source
from seqlint.sources.edits import apply
from seqlint.sources.pages import programs, with_programs
from tests.pages import MARKDOWN, REST, fence

CODE = "import keras\nif x:\n    y = 1  # é\n\n    z = [\n        2,\n    ]\nw = 'ü'\n"


def page_of(text: str, name: str = "guide.md") -> Source:
    return Source.from_bytes(text.encode(), name)


def edit(program: Source, old: str, new: str) -> Edit:
    start = program.utf8.index(old.encode())
    return Edit(start, start + len(old.encode()), new)


def edited(page: Source, *changes: tuple[str, str], number: int = 0) -> str:
    """The page after replacements in a program, by both ways: as edits of the program, and of the page."""
    program = programs(page)[number]
    edits = tuple(edit(program, *change) for change in changes)
    assert program.takes(edits)
    assert program.excerpt is not None
    text = with_programs(page, [program.edited(apply(program.utf8, edits), edits)]).text
    assert apply(page.utf8, program.excerpt.on_page(program.utf8, edits)) == text
    return text


class TestEdits:
    def test_new_lines_get_what_stands_before_the_code(self) -> None:
        page = page_of("> Said:\n>\n> - ```python\n>   x = 1\n>   ```\n")
        assert edited(page, ("x = 1\n", "x = 1\n\nif x:\n    y = 2\n")) == (
            "> Said:\n>\n> - ```python\n>   x = 1\n>\n>   if x:\n>       y = 2\n>   ```\n"
        )

    def test_lines_go_with_what_stands_before_them(self) -> None:
        page = page_of(fence("x = 1\ny = 2\nz = 3\n", lead="  "))
        assert edited(page, ("y = 2\n", "")) == fence("x = 1\nz = 3\n", lead="  ")
        assert edited(page, ("z = 3\n", ""), ("x = 1\n", "")) == fence("y = 2\n", lead="  ")

    def test_a_mark_of_a_list_stays_at_the_first_line(self) -> None:
        page = page_of("-     keras.x()\n      keras.y()\n")
        assert (
            edited(page, ("keras.x()", "import os\nkeras.x()")) == "-     import os\n      keras.x()\n      keras.y()\n"
        )
        assert not programs(page)[0].takes((edit(programs(page)[0], "keras.x()\n", ""),))

    def test_an_edit_lies_in_one_block(self) -> None:
        page = page_of(fence("x = 1\n") + "\n" + fence("y = x\n"))
        (program,) = programs(page)
        assert not program.takes((edit(program, "x = 1", "x = 2"), edit(program, "y", "z")))
        assert not program.takes((edit(program, "1\npass\ny", "2"),))
        assert edited(page, ("x = 1\n", "x = 1\nz = 2\n")) == fence("x = 1\nz = 2\n") + "\n" + fence("y = x\n")
        assert edited(page, ("y = x", "z = 2\ny = x")) == fence("x = 1\n") + "\n" + fence("z = 2\ny = x\n")

    def test_no_edit_changes_which_blocks_are_one_program(self) -> None:
        page = page_of(fence("x = 1\n") + "\n" + fence("y = 2\n") + "\n" + fence("z = x\n"))
        first, second = programs(page)
        assert not second.takes((edit(second, "y = 2\n", "y = 2\nx = 3\n"),))
        assert not first.takes((edit(first, "z = x", "z = x + y"),))
        assert not first.takes((edit(first, "z = x", "z = 1"),))
        assert second.takes((edit(second, "y = 2", "w = y = 2"),))

    def test_no_edit_touches_a_magic_or_ends_a_fence(self) -> None:
        (program,) = programs(page_of(fence("!ls\nx = 1\n")))
        assert not program.takes((Edit(0, 2, ""),))
        assert not program.takes((edit(program, "x = 1\n", '"""\n```\n"""\n'),))
        assert program.takes((edit(program, "x = 1\n", "y = 2\n"),))

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_a_page_may_end_in_its_code(self, newline: str) -> None:
        page = page_of(f"```python{newline}x = 1{newline}y = 2")
        assert edited(page, ("y = 2", f"y = 2{newline}z = 3")) == f"```python{newline}x = 1{newline}y = 2{newline}z = 3"


class TestSessions:
    def test_prompts_say_where_statements_start(self) -> None:
        page = page_of(">>> x = 1\n>>> f(x)\n2\n", "guide.rst")
        assert edited(page, ("x = 1\n", "x = 1\n\nclass A:\n    y = 1\n\n    z = 2\n")) == (
            ">>> x = 1\n>>> class A:\n...     y = 1\n...\n...     z = 2\n>>> f(x)\n2\n"
        )
        assert edited(page, ("f(x)", "with y:\n    f(x)")) == ">>> x = 1\n>>> with y:\n...     f(x)\n2\n"

    def test_an_old_line_gets_another_prompt_where_it_is_no_start_any_more(self) -> None:
        page = page_of(">>> x = 1\n>>> f(x)\n", "guide.rst")
        assert (
            edited(page, ("x = 1\n", "if y:\n    x = 1\n"), ("f", "    f"))
            == ">>> if y:\n...     x = 1\n...     f(x)\n"
        )

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("f(x)\n", ""),
            ("f(x)\n", "f(x)\nz = 3\n"),
            ("f(x)", "f(x)\nz = 3"),
            ("f(x)\ny = 2", "y = 2"),
            ("y = 2\n", "y = 2\nz = 3\n"),
        ],
    )
    def test_output_stays_with_its_statement(self, old: str, new: str) -> None:
        (program,) = programs(page_of(">>> x = 1\n>>> f(x)\n2\n>>> y = 2\n2\n", "guide.rst"))
        change = edit(program, old, new)
        assert not program.takes((change,))

    def test_what_is_between_output_and_code_comes_behind_the_output(self) -> None:
        page = page_of(">>> f(x)\n2\n>>> y = 2\n", "guide.rst")
        assert edited(page, ("y = 2", "z = 3\ny = 2")) == ">>> f(x)\n2\n>>> z = 3\n>>> y = 2\n"


NEW = ["", "a = 1\n", "\n\ndef f():\n\n    return 'é'\n\n\n", "if True:\n    b = 1\n"]
INSIDE = ["", "9", "(\n    é,\n    2,\n)"]
WAYS = [(write, "guide.md") for write in MARKDOWN.values()] + [(write, "guide.rst") for write in REST.values()]
BLOCKS = st.lists(
    st.tuples(st.integers(0, len(WAYS) - 1), st.sampled_from(["", "Text.\n", "É\n\n* one\n* two\n"])), max_size=4
)


@st.composite
def drawn_edits(draw: st.DrawFn, program: Source) -> tuple[Edit, ...]:
    """Lines that come, go or change, as a fix would have them."""
    starts = [start for start in program.line_starts if start < len(program.utf8)] + [len(program.utf8)]
    edits: list[Edit] = []
    for start, end in pairwise(starts):
        how = draw(st.integers(0, 5))
        if how == 0:
            edits.append(Edit(start, start, draw(st.sampled_from(NEW))))
        elif how == 1 and b"1" in program.utf8[start:end]:
            at = program.utf8.index(b"1", start)
            edits.append(Edit(at, at + 1, draw(st.sampled_from(INSIDE))))
        elif how == 2:
            edits.append(Edit(start, end, draw(st.sampled_from(NEW))))
    return tuple(edits)


@given(BLOCKS, st.sampled_from(["guide.md", "guide.rst"]), st.data())
def test_only_code_changes_and_reads_back_as_what_it_became(
    blocks: list[tuple[int, str]], name: str, data: st.DataObject
) -> None:
    parts = [f"{WAYS[number][0](CODE)}\nEnd of it: {text}\n" for number, text in blocks if WAYS[number][1] == name]
    page = page_of("Start\n\n" + "".join(parts), name)
    found = programs(page)
    after: list[Source] = []
    for program in found:
        assert program.excerpt is not None
        for offset in range(0, len(program.utf8), 7):
            place = program.position(offset).page
            assert place is not None
            assert page.position(place.offset) == place
        edits = data.draw(drawn_edits(program))
        takes = bool(edits) and program.takes(edits)
        after.append(program.edited(apply(program.utf8, edits), edits) if takes else program)
        if takes:
            alone = apply(page.utf8, program.excerpt.on_page(program.utf8, edits))
            assert alone == with_programs(page, [after[-1]]).text
    whole = with_programs(page, after)
    assert [line for line in whole.text.splitlines() if line.startswith("End of it")] == [
        line for line in page.text.splitlines() if line.startswith("End of it")
    ]
    again = [set(program.text.split("\n")) for program in programs(whole)]
    for program in after:
        if _parses(program.text):
            assert set(program.text.split("\n")) | {""} in [lines | {""} for lines in again]


def _parses(text: str) -> bool:
    try:
        compile(text, "", "exec", flags=0x400)  # a tree, and no code
    except SyntaxError:
        return False
    return bool(text.strip())


def test_doctest_reads_the_session_that_a_fix_has_made() -> None:
    page = page_of("Text\n\n>>> x = 1\n>>> y = 2\n\nText\n", "guide.rst")
    text = edited(page, ("x = 1\n", "x = 1\n\n\nclass A:\n    def f(self):\n        pass\n\n    z = 1\n\n\n"))
    examples = doctest.DocTestParser().get_examples(text)
    assert [example.source for example in examples] == [
        "x = 1\n",
        "class A:\n    def f(self):\n        pass\n\n    z = 1\n",
        "y = 2\n",
    ]
