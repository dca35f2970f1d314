"""What Python parses and does not run, or no Python parses: SEQ001, for files and for cells of notebooks."""

from __future__ import annotations

import pytest

import seqlint
from seqlint.config import Config
from seqlint.engine import check
from seqlint.sources import Source
from tests.notebooks import written

REFUSED = {
    "escape": ("x = 'C:\\ux'", "unicode error"),
    "return": ("return 3", "'return' outside function"),
    "return in a class": ("class Feed:\n    return 3", "'return' outside function"),
    "argument": ("def f(a, a):\n    pass", "duplicate argument 'a'"),
    "nonlocal": ("nonlocal x", "nonlocal declaration not allowed"),
    "await": ("def f():\n    await x", "'await' outside async function"),
    "f-string": ("print(f'{}')", "f-string"),
    "keyword": ("None = 3", "cannot assign to None"),
    "call": ("f(a=1, a=2)", "keyword argument repeated"),
    "bytes": ("x = b'\u00e9'", "bytes can only contain ASCII"),
    "loop": ("break", "'break' outside loop"),
    "star": ("def f():\n    from os import *", "import * only allowed at module level"),
}  # fmt: skip
TAKEN = {
    "a later f-string": "print(f'{x!r:{'a'}}')",
    "a type of Python 3.12": "type X = int",
    "a comparison that Python warns of": "x is 1",
    "a future": "from __future__ import annotations",
}


def said(text: str) -> list[tuple[str, str, int]]:
    found = seqlint.check_source("import keras\n" + text + "\n").diagnostics
    return [(each.level, each.message, each.start.line) for each in found if each.code == "SEQ001"]


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_python_refuses_is_told_once(text: str, reason: str) -> None:
    ((level, message, line),) = said(text)
    assert (level, reason in message) == ("error", True)
    assert line > 1


@pytest.mark.parametrize("text", [text for name, text in TAKEN.items() if name != "a future"])
def test_what_some_python_takes_is_read(text: str) -> None:
    assert said(text) == []


def test_a_future_stands_first_in_a_file() -> None:
    assert said("from __future__ import annotations")[0][0] == "error"
    assert seqlint.check_source("from __future__ import annotations\nimport keras\n").diagnostics == ()


def test_python_2_is_named() -> None:
    ((_, message, line),) = said("print 'x'\nprint 'y'")
    assert "Python 2" in message
    assert line == 2


@pytest.mark.parametrize("text", ["!pip install waves", "%matplotlib inline"])
def test_a_notebook_that_was_saved_as_a_script_is_named(text: str) -> None:
    ((_, message, line),) = said(text)
    assert "notebook" in message
    assert line == 2


def test_nothing_is_said_to_who_runs_it(recwarn: pytest.WarningsRecorder) -> None:
    said("x is 1\n'\\d'")
    assert not recwarn.list


def cells(*texts: str) -> list[tuple[int, str, str]]:
    source = Source.from_bytes(written("import keras", *texts), "nb.ipynb")
    found = check(source, (), Config.default())
    assert not found.broken
    return [(each.start.cell.number, each.level, each.message) for each in found.diagnostics if each.start.cell]


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_cell_that_python_refuses_is_named(text: str, reason: str) -> None:
    ((number, level, message),) = cells("x = 1", text, "y = 2")
    assert (number, level) == (4, "warning")
    assert reason in message


@pytest.mark.parametrize(
    "text",
    [
        TAKEN["a comparison that Python warns of"], TAKEN["a future"], "await fetch()", "async with a as b:\n    pass", "!ls\nx = 1", "x = !ls", "?keras", "keras.fit??", "%matplotlib inline",
        "%%bash\nfoo bar", "# Colab\n\n%%shell\npip x", "%%time\n%load_ext a\nf()", "pip install keras", "cd /data\nls -la\nx = 1",
    ],
)  # fmt: skip
def test_what_a_notebook_may_say_is_no_fault(text: str) -> None:
    assert cells("x = 1", text) == []


@pytest.mark.parametrize("text", ["run = 3; y = = 4", "ls = = 3", "time.sleep(3) x", "pip install keras = = 3\n)"])
def test_a_name_of_a_command_is_no_command_where_it_is_a_name(text: str) -> None:
    assert len(cells(text)) == 1


def test_the_place_in_the_cell_is_that_of_the_fault() -> None:
    source = Source.from_bytes(written("import keras", "\u00e9 = 1\n\u00e9\u00e9 = 1; y = = 2"), "nb.ipynb")
    (found,) = check(source, (), Config.default()).diagnostics
    assert (found.start.shown.line, found.start.shown.column) == (2, 13)
    assert source.notebook is not None
    assert source.notebook.written[found.start.offset :].startswith(b"= 2")
