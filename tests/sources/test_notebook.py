"""Notebooks as text, and back into the JSON of which only the cells that changed are other bytes."""

from __future__ import annotations

import ast
import codecs
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqlint.model import Edit, UnreadableSource
from seqlint.sources import Source
from seqlint.sources.edits import apply
from tests.notebooks import cell, notebook, sources, written

STYLES: dict[str, dict[str, Any]] = {
    "jupyter": {"indent": 1, "ensure_ascii": False},
    "colab": {"indent": 2, "ensure_ascii": True},
    "tabs": {"indent": "\t", "ensure_ascii": False},
    "compact": {"separators": (",", ":"), "ensure_ascii": True},
    "one line": {},
}


def read(data: bytes) -> Source:
    return Source.from_bytes(data, "nb.ipynb")


def replaced(source: Source, old: str, new: str) -> Source:
    """The source with one place of its text replaced."""
    start = source.utf8.index(old.encode())
    edits = (Edit(start, start + len(old.encode()), new),)
    assert source.takes(edits)
    return source.edited(apply(source.utf8, edits), edits)


def edit(source: Source, first: str, last: str = "", text: str = "") -> Edit:
    """An edit from one place of the text to another."""
    start = source.utf8.index(first.encode())
    return Edit(start, source.utf8.index(last.encode(), start) if last else start, text)


class TestText:
    def test_facts_flow_because_cells_are_one_text(self) -> None:
        text = read(written("import keras", "x = 1\n", "y = x")).text
        assert [ast.unparse(node) for node in ast.parse(text).body if not isinstance(node, ast.Pass)] == [
            "import keras",
            "x = 1",
            "y = x",
        ]

    @pytest.mark.parametrize(
        ("code", "python"),
        [
            ("%matplotlib inline\nx = 1", "pass              \nx = 1"),
            ("!ls\nx = 1", "0  \nx = 1"),
            ("if x:\n    !ls -l\n", "if x:\n    pass  \n"),
            ("files = !ls", "files = __ "),
            ("!pip install one \\\n  two é\nx = 1", "pass              \n        \nx = 1"),
            ("x?\n?x.y\nx = 1  # why?", "0 \npass\nx = 1  # why?"),
            ("%time x = f()", "pass; x = f()"),
            ("%%time\nx = f()", "pass  \nx = f()"),
            ("%%bash\nexit 1", "      \n      "),
            ("print 'é'", "          "),
            ("x = 7 % 3", "x = 7 % 3"),
            ("text = '''\n!x\n'''", "text = '''\n!x\n'''"),
            ("await f()", "await f()"),
            ("%matplotlib inline\r\nx = 1\r\n", "pass              \r\nx = 1\r\n"),
            ("", ""),
        ],
    )
    def test_what_is_no_python_is_blank_and_of_equal_length(self, code: str, python: str) -> None:
        text = read(written(code)).text
        newline = "" if code.endswith("\n") else "\n"
        assert text == python + newline
        assert len(text.encode()) == len((code + newline).encode())

    def test_a_place_is_one_in_a_cell(self) -> None:
        source = read(written("import keras\n", "%matplotlib inline\nx = 1\nkeras.é(x)"))
        place = source.position(source.utf8.index(b"(x)"))
        assert str(place) == "cell 3:3:8"
        assert place.shown.offset == len("%matplotlib inline\nx = 1\nkeras.é".encode())
        assert source.written_line(place.line - 2) == "%matplotlib inline"

    def test_cells_of_another_language_are_left_out(self) -> None:
        other = cell("x = 1", metadata={"vscode": {"languageId": "javascript"}})
        half = cell("x = '\ud800'")
        data = json.dumps(notebook(other, half, cell("y = 1"), cell("z = 1", kind="raw"))).encode()
        assert read(data).text == "y = 1\n"

    @pytest.mark.parametrize(
        ("metadata", "text"),
        [
            ({"kernelspec": {"language": "R"}}, ""),
            ({"language_info": {"name": "julia"}}, ""),
            ({"kernelspec": {"language": "Python"}, "language_info": {"name": "python"}}, "x = 1\n"),
            ({"kernelspec": 1}, "x = 1\n"),
            ({}, "x = 1\n"),
        ],
    )
    def test_only_a_kernel_of_another_language_hides_the_cells(self, metadata: dict[str, Any], text: str) -> None:
        assert read(json.dumps(notebook(cell("x = 1"), metadata=metadata)).encode()).text == text


class TestBroken:
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b'{"cells": [}', "the notebook is no JSON: Expecting value at line 1, column 12"),
            (b'{"cells": []', "the notebook is no JSON: Expecting ',' at line 1, column 13"),
            (b'{"cells": []} x', "the notebook is no JSON: Extra data at line 1, column 15"),
            (b'{"cells": [], }', "the notebook is no JSON: Expecting property name"),
            (b'{"cells', "the notebook is no JSON: Unterminated string starting at line 1, column 2"),
            (b"[1]", "the notebook is no JSON: Expecting '{'"),
            (b"", "the notebook is no JSON: Expecting '{'"),
            (b"\xff", "the notebook is not UTF-8: invalid start byte at byte 0"),
            (b"[" * 100_000, "the notebook is no JSON"),
            (b'{"a": ' + b"[" * 100_000, "the notebook is nested too deep"),
            (b"{}", "this is no notebook: it has no list of cells"),
            (b'{"cells": 1}', "this is no notebook: it has no list of cells"),
            (b'{"cells": [1]}', "cell 1 of the notebook is none"),
            (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "the source of cell 1 of the notebook is no text"),
            (b'{"worksheets": [{"cells": []}], "nbformat": 3}', "a format of before 2014"),
        ],
    )
    def test_what_is_no_notebook_is_said(self, data: bytes, message: str) -> None:
        with pytest.raises(UnreadableSource, match=message.replace("{", r"\{")):
            read(data)

    @pytest.mark.parametrize("data", [b'{"cells": []}', b'{"cells": [ {} , {"cell_type": "code"} ]}'])
    def test_a_notebook_without_code_is_none_to_check(self, data: bytes) -> None:
        source = read(data)
        assert (source.text, source.to_bytes()) == ("", data)
        assert source.position(0).cell is None


class TestWriting:
    @pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
    @pytest.mark.parametrize("lines", [True, False])
    def test_only_the_source_that_changed_is_written(self, style: dict[str, Any], lines: bool) -> None:
        def document(third: str) -> bytes:
            cells = (
                cell("# é", kind="markdown"),
                cell("%pip install 'é'\nimport keras", lines=lines),
                cell(third, lines=lines),
                cell("print('ü')\n", lines=lines),
            )
            return json.dumps(notebook(*cells), **style).encode()

        code = "# à\nx = 'é'\ny = f(x)\nz = 1"
        after = replaced(read(document(code)), "f(x)", "f(\n    x, 'ö')")
        assert after.to_bytes() == document(code.replace("f(x)", "f(\n    x, 'ö')"))

    def test_mark_and_newlines_of_the_file_stay(self) -> None:
        data = codecs.BOM_UTF8 + written("import keras", "x = 1\r\ny = 2").replace(b"\n", b"\r\n")
        after = replaced(read(data), "x = 1", "x = 3").to_bytes()
        assert after == data.replace(b"x = 1", b"x = 3")
        assert read(data).newline == "\r\n"

    def test_escapes_of_lines_that_stay_are_kept(self) -> None:
        data = written("x = '<'\ny = 1").replace(b"'<'", rb"'\u003c\/'")
        assert replaced(read(data), "y = 1", "y = '<'").to_bytes() == data.replace(b"y = 1", b"y = '<'")

    def test_an_escape_in_the_code_does_not_make_the_file_one_of_escapes(self) -> None:
        data = json.dumps(notebook(cell("x = '\\u00e9'\ny = 1", outputs=[])), ensure_ascii=False).encode()
        assert "y = 'é'".encode() in replaced(read(data), "y = 1", "y = 'é'").to_bytes()

    def test_a_cell_without_a_newline_at_its_end_gets_none(self) -> None:
        source = read(written("import keras", "x = 1", "y = 2"))
        after = replaced(source, "x = 1\n", "x = 1\nz = 3\n\n")
        assert sources(after.to_bytes())[2:] == ["x = 1\nz = 3", "y = 2"]

    def test_a_cell_can_lose_all_its_lines(self) -> None:
        after = replaced(read(written("import keras", "x = 1", "y = 2")), "x = 1\n", "")
        assert sources(after.to_bytes())[2:] == ["", "y = 2"]
        assert replaced(after, "y = 2", "y = 3").to_bytes() == after.to_bytes().replace(b"y = 2", b"y = 3")

    def test_magics_are_written_as_they_were(self) -> None:
        code = "%pip install é\nif x:\n    !ls\nfiles = !ls\n%time y = 1"
        after = replaced(read(written(code, "!ls")), "y = 1", "y = 2")
        assert sources(after.to_bytes())[1:] == [code.replace("y = 1", "y = 2"), "!ls"]


class TestEdits:
    def test_edits_lie_in_one_cell(self) -> None:
        source = read(written("x = 1\ny = 2", "z = 3"))
        inside = (edit(source, "x", "y", ""), edit(source, "y", text="a = 0\n"))
        assert source.takes(inside)
        assert not source.takes((edit(source, "x", text="a = 0\n"), edit(source, "z", text="b = 0\n")))
        assert not source.takes((edit(source, "y", "z"),))

    def test_an_end_and_a_start_of_cells_are_two_places(self) -> None:
        source = read(written("x = 1", "z = 3"))
        end = source.utf8.index(b"\n") + 1
        for edits, expected in (
            ((Edit(end, end, "y = 2\n"),), ["x = 1\ny = 2", "z = 3"]),
            ((edit(source, "z", text="y = 2\n"),), ["x = 1", "y = 2\nz = 3"]),
        ):
            assert sources(source.edited(apply(source.utf8, edits), edits).to_bytes())[1:] == expected

    @pytest.mark.parametrize(
        "code", ["if x:\n    !ls\n    y = 2\nz = 1", "%time x = f()\nz = 1", "%%time\nx = f()\nz = 1"]
    )
    def test_no_edit_touches_a_magic(self, code: str) -> None:
        source = read(written(code))
        assert not source.takes((Edit(0, source.utf8.index(b"z"), ""),))
        assert source.takes((edit(source, "z", text="y"),))

    def test_nothing_comes_above_the_magic_of_a_cell(self) -> None:
        source = read(written("\n%%time\nx = f()"))
        assert not source.takes((Edit(0, 0, "import keras\n"),))
        assert source.takes((edit(source, "x", text="y = 1\n"),))


CODE = st.lists(st.sampled_from(["x = 1", "!ls é", "", "y = '\\n'", "%time z = 2", "é = 3", "a?"]), max_size=4)
CELLS = st.lists(st.tuples(CODE, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans()), max_size=5)


def made(cells: list[tuple[list[str], str, bool, bool]]) -> dict[str, Any]:
    texts = ((newline.join(lines) + (newline if ends else ""), form) for lines, newline, ends, form in cells)
    return notebook(*(cell(text, lines=form) for text, form in texts))


@given(CELLS, st.sampled_from(sorted(STYLES)), st.booleans())
def test_a_notebook_in_which_nothing_changes_is_the_same_bytes(
    cells: list[tuple[list[str], str, bool, bool]], style: str, newline: bool
) -> None:
    data = (json.dumps(made(cells), **STYLES[style]) + "\n" * newline).encode()
    source = read(data)
    ast.parse(source.text)
    assert source.to_bytes() == data


@pytest.mark.parametrize(
    ("field", "value"),
    [("execution_count", "1" * 5_000), ("nbformat_minor", "-" + "1" * 5_000), ("outputs", f"[{'1' * 9_000}, 1e99999]")],
)
def test_a_number_that_is_too_long_for_python_is_read_over(field: str, value: str) -> None:
    text = json.dumps(notebook_of("x = 1", {field: "HERE"})).replace('"HERE"', value)
    assert "x = 1" in read(text.encode()).text


@pytest.mark.parametrize(
    ("output", "code", "written"),
    [
        ("\\u00e9", "é", "\\u00e9"),
        ("\\\\u00e9", "é", "é"),
        ("\\\\\\u00e9", "é", "\\u00e9"),
        ("\\u001b[0m", "é", "é"),
        ("\\" * 40_000 + "u00e9", "é", "é"),
        ("none", "é", "é"),
    ],
)
def test_characters_are_spelt_as_the_notebook_spells_them(output: str, code: str, written: str) -> None:
    text = json.dumps(notebook_of("x = 1", {"outputs": "HERE"})).replace('"HERE"', f'["{output}"]')
    source = read(text.encode())
    edits = (Edit(4, 5, f"'{code}'"),)
    after = source.edited(apply(source.utf8, edits), edits).to_bytes().decode()
    assert f"x = '{written}'" in after


def notebook_of(code: str, more: dict[str, object]) -> dict[str, object]:
    """A notebook of one cell, with more fields in it."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1, "source": [code]}
    return {"cells": [cell | more], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@given(CELLS, st.sampled_from(sorted(STYLES)), st.data())
def test_a_cell_that_changes_reads_back_and_the_others_stay(
    cells: list[tuple[list[str], str, bool, bool]], style: str, draw: st.DataObject
) -> None:
    source = read(json.dumps(made([*cells, (["w = 0"], "\n", True, True)]), **STYLES[style]).encode())
    places = [place for place in range(len(source.text)) if source.text.startswith("x = 1", place)]
    starts = [len(source.text[:place].encode()) for place in places] or [source.utf8.index(b"w")]
    start = draw.draw(st.sampled_from(starts))
    edits = (Edit(start, start + 1, draw.draw(st.sampled_from(["long_é", "one = 1\nx", "", "'\\\"\t'; x"]))),)
    assert source.takes(edits)
    after = source.edited(apply(source.utf8, edits), edits)
    number = source.position(start).shown.cell
    before, now = sources(source.to_bytes()), sources(after.to_bytes())
    assert number is not None
    changed = number.number - 1
    assert [text for place, text in enumerate(now) if place != changed] == [
        text for place, text in enumerate(before) if place != changed
    ]
    at = source.position(start).shown.offset
    whole = before[changed].encode()
    assert now[changed] == (whole[:at] + edits[0].text.encode() + whole[at + 1 :]).decode()
    again = read(after.to_bytes())
    assert again.to_bytes() == after.to_bytes()
    assert again.notebook is not None
    assert after.notebook is not None
    assert again.notebook.written == after.notebook.written
