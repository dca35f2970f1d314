"""Which lines of a page are code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.sources import Source
from seqlint.sources.pages import programs
from tests.counting import MOST, steps
from tests.pages import MARKDOWN, REST, fence

if TYPE_CHECKING:
    from collections.abc import Callable

FEED = "import keras\n\nclass Feed(keras.utils.PyDataset):\n    def __len__(self):\n\n        return 3\nfeed = Feed()\n"


def read(text: str | bytes, name: str = "guide.md") -> list[str]:
    """The code of each program."""
    data = text.encode() if isinstance(text, str) else text
    page = Source.from_bytes(data, name)
    assert page.to_bytes() == data
    return [program.text for program in programs(page)]


def without_empty_lines(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.strip())


class TestMarkdown:
    @pytest.mark.parametrize("write", MARKDOWN.values(), ids=MARKDOWN)
    def test_blocks_are_found_wherever_they_stand(self, write: Callable[[str], str]) -> None:
        (code,) = read(f"# A page\n\nText.\n\n{write(FEED)}\nMore.\n")
        assert without_empty_lines(code).endswith(without_empty_lines(FEED))

    @pytest.mark.parametrize(
        "info",
        ["python", "Python", "py", "python3", "python {hl_lines=2}", "python,ignore", "{.python .numberLines}", "{python}",
         "{code-cell}", "{code-block} python", "{doctest}", "ipython3"],
    )  # fmt: skip
    def test_python_has_many_names(self, info: str) -> None:
        assert read(fence("x = 1\n", info)) == ["x = 1\n"]

    @pytest.mark.parametrize("info", ["bash", "text", "js", "pythonic", "{code-block} c", "{code} ruby", "console"])
    def test_other_languages_are_left(self, info: str) -> None:
        assert read(fence("keras = 1\n", info)) == []

    def test_a_fence_without_a_name_must_mention_keras_and_be_python(self) -> None:
        page = "\n".join(fence(code, "") for code in ("import keras\n", "x = 1\n", "pip install keras\n"))
        assert read(page) == ["import keras\n"]

    def test_indented_code_is_read_the_same(self) -> None:
        assert read("Text\n\n    import keras\n\n    keras.x()\n\nText\n\n    x = 1\n") == [
            "import keras\n\nkeras.x()\n"
        ]

    def test_what_does_not_parse_is_skipped(self) -> None:
        page = fence("model = ...\nmodel.fit(\n") + "\n" + fence("class :\n") + "\n" + fence("x = 1\n")
        assert read(page) == ["x = 1\n"]

    def test_output_of_a_session_is_no_code(self) -> None:
        page = fence(">>> import keras\n>>> for x in y:\n...     f(x)\n...\n1\n... no more\n\n>>> x\n3\n", "python")
        assert read(page) == ["import keras\nfor x in y:\n    f(x)\n\nx\n"]

    def test_front_matter_and_comments_are_no_code(self) -> None:
        assert read("---\ntitle: |\n  ```python\n---\n<!--\n```python\nx = 1\n```\n-->\n" + fence("y = 1\n")) == [
            "y = 1\n"
        ]

    def test_an_example_of_markdown_is_read_too(self) -> None:
        assert read("````markdown\n" + fence("x = 1\n") + "````\n") == ["x = 1\n"]

    def test_a_fence_may_stay_open(self) -> None:
        assert read("```python\nx = 1\ny = 2") == ["x = 1\ny = 2"]

    def test_a_tab_that_is_cut_in_two_hides_the_block(self) -> None:
        assert read(">\t\tkeras = 1\n\n" + fence("x = 1\n")) == ["x = 1\n"]


class TestRest:
    @pytest.mark.parametrize("write", REST.values(), ids=REST)
    def test_blocks_are_found_wherever_they_stand(self, write: Callable[[str], str]) -> None:
        (code,) = read(f"A page\n======\n\nText.\n\n{write(FEED)}\nMore.\n", "guide.rst")
        assert without_empty_lines(code) == without_empty_lines(FEED)

    @pytest.mark.parametrize(
        "page",
        [
            ".. code-block:: bash\n\n   x = 1\n",
            ".. raw:: html\n\n   .. code:: python\n\n      x = 1\n",
            ".. A comment\n\n   .. code:: python\n\n      x = 1\n",
            "..\n   .. code:: python\n\n      x = 1\n",
            ".. highlight:: c\n\nSo::\n\n   x = 1\n",
            ".. code:: python\n\nx = 1\n",
            "So:\n\n   x = 1\n",
        ],
    )
    def test_other_things_are_left(self, page: str) -> None:
        assert read(page, "guide.rst") == []

    def test_blocks_end_where_the_indentation_does(self) -> None:
        page = "So::\n\n    x = 1\n\n    y = 2\n\nThen\n\n.. code-block:: python\n\n    z = 3\n.. code:: python\n\n    a = 4\n"
        assert read(page, "guide.rst") == ["x = 1\n\ny = 2\n", "z = 3\n", "a = 4\n"]

    def test_a_session_ends_with_its_paragraph(self) -> None:
        assert read(">>> x = 1\n>>> x\n1\n\n>>> y = x\n\nText\n\n>>> z = 2\n", "guide.rst") == [
            "x = 1\nx\ny = x\n",
            "z = 2\n",
        ]


class TestPlainText:
    def test_fences_and_sessions_are_read_and_nothing_else(self) -> None:
        page = "Text\n\n    keras = 1\n\n" + fence("x = 1\n") + "\n>>> y = 2\n>>> y\n2\n\n" + fence(">>> z\n", "text")
        assert read(page, "notes.txt") == ["x = 1\n", "y = 2\ny\n"]


class TestSharing:
    def test_a_block_goes_on_with_what_it_uses(self) -> None:
        blocks = ["import keras\nmodel = 1\n", "x = 1\n", "print(model)\n", "import keras\nprint(keras)\n"]
        assert read("\n".join(map(fence, blocks))) == [
            "import keras\nmodel = 1\npass\nprint(model)\n",
            "x = 1\n",
            "import keras\nprint(keras)\n",
        ]

    def test_a_block_joins_all_that_it_uses(self) -> None:
        assert read("\n".join(map(fence, ["x = 1\n", "y = 1\n", "print(x, y)\n"]))) == [
            "x = 1\npass\ny = 1\npass\nprint(x, y)\n"
        ]

    @pytest.mark.parametrize(
        "later",
        [
            "x = 2\nprint(x)\n",
            "def f(x):\n    return x\n",
            "print([x for x in y])\n",
            "print(len)\n",
            "a.x\n",
            "f(x=1)\n",
        ],
    )
    def test_a_name_of_its_own_is_none_of_an_earlier_block(self, later: str) -> None:
        assert len(read(fence("x = 1\nlen = 2\n") + "\n" + fence(later))) == 2

    @pytest.mark.parametrize(
        "later",
        ["x = x.batch(2)\n", "x += 1\n", "def f():\n    return x\n", "class A(x): pass\n", "print([y for y in x])\n"],
    )
    def test_a_name_that_is_read_first_is_that_of_an_earlier_block(self, later: str) -> None:
        assert len(read(fence("x = 1\n") + "\n" + fence(later))) == 1


class TestBytes:
    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
    def test_newlines_and_marks_are_kept(self, newline: str, bom: bytes) -> None:
        data = bom + ("é\n\n" + fence("x = 'é'\ny = 1\n") + "\nend").replace("\n", newline).encode()
        (code,) = read(data)
        assert code.splitlines() == ["x = 'é'", "y = 1"]

    def test_what_is_not_utf8_comes_back_as_it_was(self) -> None:
        assert read(b"caf\xe9\n\n" + fence("x = 1\n").encode()) == ["x = 1\n"]

    def test_a_first_line_about_coding_is_no_declaration(self) -> None:
        assert read("# coding: style\n\n" + fence("x = 1\n")) == ["x = 1\n"]


HOSTILE: dict[str, Callable[[int], str]] = {
    "quotes": lambda n: ">" * 50 * n + " x",
    "lists": lambda n: "- " * 50 * n,
    "open fences": lambda n: "```python\n~~~\n" * 10 * n,
    "tabs": lambda n: "\t" * 50 * n + "x\n" + "\t```python\n\tx = 1\n" * 10 * n,
    "long lines": lambda n: fence("x = [" + "1, " * 40 * n + "]\n"),
    "brackets": lambda n: fence("(" * 25 * n + "\n") + fence("x = " + "[" * 10 * n + "]" * 10 * n + "\n"),
    "blocks": lambda n: (fence("x = 1\n") + "\n") * 4 * n,
    "names": lambda n: (fence("x = y\ny = x\n") + "\n") * 4 * n,
    "sessions": lambda n: ">>> x = 1\n1\n" * 10 * n,
    "colons": lambda n: "a::\n\n  " * 25 * n,
    "directives": lambda n: "".join(" " * min(at, 40) + ".. note::\n" for at in range(5 * n)),
    "plain": lambda n: "text\n" * 25 * n,
}


@pytest.mark.parametrize("name", ["guide.md", "guide.rst", "notes.txt"])
@pytest.mark.parametrize("made", HOSTILE.values(), ids=HOSTILE)
def test_a_page_of_twice_the_length_takes_about_twice_the_steps(made: Callable[[int], str], name: str) -> None:
    read(made(100), name)  # whatever it is made of, it can be read
    small, large = (steps(lambda size=size: read(made(size), name)) for size in (12, 24))  # type: ignore[misc]
    assert large < MOST * small
