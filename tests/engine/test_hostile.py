"""Files that are hard to read are read right, or reported with a place; either way all other files go on."""

from __future__ import annotations

import difflib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import seqlint
from seqlint.cli import run
from tests.engine.deep import PROGRAMS, READABLE

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "fixtures/hostile"

# Where `__init__` stands in the files that Python can read; None: there is none.
INIT: dict[str, tuple[int, int] | None] = {
    "bom.py": (5, 5),
    "bom_alone.py": None,
    "bom_crlf.py": (5, 5),
    "carriage_returns.py": (5, 5),
    "continuation_lines.py": (5, 5),
    "crlf.py": (5, 5),
    "empty.py": None,
    "form_feed.py": (5, 5),
    "latin_1.py": (7, 5),
    "mixed_newlines.py": (5, 5),
    "no_newline_at_end.py": (5, 5),
    "shift_jis.py": (6, 5),
    "tabs.py": (5, 2),
    "wide_characters.py": (7, 5),
}
# The line that the report of the others names, and a word of it.
UNREADABLE: dict[str, tuple[int, str]] = {
    "broken.py": (9, "expected ':'"),
    "mixed_indent.py": (7, "tabs and spaces"),
    "no_encoding.py": (1, "byte 134"),
    "not_ascii.py": (1, "not ascii"),
    "not_its_encoding.py": (1, "not utf-8"),
    "null_bytes.py": (1, "null bytes"),
    "python_2.py": (16, "print"),
    "unclosed_string.py": (15, "triple-quoted string"),
    "unknown_encoding.py": (1, "klingon"),
}
FIXABLE = [name for name, place in INIT.items() if place is not None]


class Report(NamedTuple):
    """What `seqlint check` says of a whole folder: its exit code, and the findings of each file."""

    code: int
    findings: dict[str, list[dict[str, Any]]]

    def of(self, name: str, code: str) -> list[dict[str, Any]]:
        return [finding for finding in self.findings.get(name, []) if finding["code"] == code]


def report(code: int, out: str) -> Report:
    found: dict[str, list[dict[str, Any]]] = {}
    for finding in json.loads(out)["findings"]:
        found.setdefault(Path(finding["path"]).name, []).append(finding)
    return Report(code, found)


@pytest.fixture
def hostile(capsys: pytest.CaptureFixture[str]) -> Report:
    code = run(["check", "--output-format", "json", str(HOSTILE)])
    return report(code, capsys.readouterr().out)


def test_every_file_of_the_folder_is_accounted_for() -> None:
    assert {path.name for path in HOSTILE.glob("*.py")} == {*INIT, *UNREADABLE}


def test_one_run_reads_what_it_can_and_ends_with_2(hostile: Report) -> None:
    places = {
        name: (finding["start"]["line"], finding["start"]["column"])
        for name in INIT
        for finding in hostile.of(name, "SEQ221")
    }
    assert places == {name: place for name, place in INIT.items() if place is not None}
    assert hostile.code == 2


def test_what_cannot_be_read_is_reported_with_its_place_and_the_reason(hostile: Report) -> None:
    for name, (line, word) in UNREADABLE.items():
        (finding,) = hostile.findings[name]
        assert finding["code"] == "SEQ001"
        assert finding["start"]["line"] == line, name
        assert word in finding["message"], name
        assert finding["message"][0].islower(), name


@pytest.mark.parametrize("codec", ["punycode", "undefined", "idna", "utf-16", "rot13", "unicode_escape", "utf-7"])
def test_a_file_in_a_codec_that_is_no_encoding_of_files_is_read_as_python_reads_it_or_refused(
    codec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "feed.py"
    file.write_text(f"# coding: {codec}\n" + (HOSTILE / "crlf.py").read_text())
    before = file.read_bytes()
    assert run(["fix", "--no-cache", "--select", "SEQ221", str(file)]) in (0, 2)
    assert "please report" not in capsys.readouterr().err
    kept = b"super().__init__(**kwargs)"
    assert file.read_bytes() == before or kept in file.read_bytes()


def test_a_file_whose_codec_would_write_it_in_another_way_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "feed.py"
    file.write_text("# coding: unicode_escape\nx = '\\x41'\n" + (HOSTILE / "form_feed.py").read_text())
    before = file.read_bytes()
    assert run(["fix", "--no-cache", "--select", "SEQ221", str(file)]) == 2
    assert file.read_bytes() == before
    assert "unicode_escape" in capsys.readouterr().err


def test_the_offset_of_a_syntax_error_is_that_of_its_line_and_column() -> None:
    text = "import keras\nx = '日本' + )\n"
    (found,) = seqlint.check_source(text).diagnostics
    assert (found.start.line, found.start.column) == (2, 12)
    assert found.start.offset == text.encode().index(b")")


def test_a_syntax_error_at_the_end_of_the_file_has_a_place_in_it() -> None:
    text = "import keras\ndef f():\n"
    (found,) = seqlint.check_source(text).diagnostics
    assert 13 <= found.start.offset <= len(text)


def test_columns_count_characters_and_offsets_count_bytes(hostile: Report) -> None:
    (finding,) = hostile.of("wide_characters.py", "SEQ004")
    text = (HOSTILE / "wide_characters.py").read_text(encoding="utf-8")
    assert finding["start"]["column"] == text.split("\n")[finding["start"]["line"] - 1].index("SEQ999") + 1
    assert finding["start"]["offset"] == text.encode().index(b"SEQ999")


class TestFix:
    @pytest.fixture
    def folder(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
        """A copy of the folder after `seqlint fix`."""
        copy = tmp_path / "hostile"
        shutil.copytree(HOSTILE, copy)
        assert run(["fix", "--select", "SEQ221", str(copy)]) == 2
        capsys.readouterr()
        return copy

    def test_only_the_lines_of_the_fix_change(self, folder: Path) -> None:
        for name in FIXABLE:
            before, after = (HOSTILE / name).read_bytes(), (folder / name).read_bytes()
            removed, added = changed(before, after)
            assert b"super().__init__(**kwargs)" in b"".join(added), name
            assert len(removed) == 1, name
            assert len(added) == 2, name
            assert {ending(line) for line in added} <= {ending(line) for line in lines(before)}, name

    def test_python_reads_the_result(self, folder: Path) -> None:
        for name in FIXABLE:
            compile((folder / name).read_bytes(), name, "exec")

    def test_the_inserted_line_is_indented_like_its_neighbours(self, folder: Path) -> None:
        assert b"\n\t\tsuper().__init__(**kwargs)\n\t\tself.weights" in (folder / "tabs.py").read_bytes()

    def test_what_cannot_be_read_is_not_written(self, folder: Path) -> None:
        for name in UNREADABLE:
            assert (folder / name).read_bytes() == (HOSTILE / name).read_bytes(), name


def lines(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", data)


def ending(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]


def changed(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines that are gone, and the lines that have come."""
    one, other = ([line.decode("latin-1") for line in lines(data)] for data in (before, after))
    difference = [line.encode("latin-1") for line in difflib.ndiff(one, other)]
    return [line[2:] for line in difference if line[:1] == b"-"], [line[2:] for line in difference if line[:1] == b"+"]


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The deep files, checked in a process of their own: what they must not do is end it."""
    folder = tmp_path_factory.mktemp("deep")
    for name, text in (PROGRAMS | READABLE).items():
        (folder / f"{name}.py").write_text(text)
    command = [sys.executable, "-m", "seqlint", "check", "--output-format", "json", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2, done.stderr
    return report(done.returncode, done.stdout)


class TestDeep:
    @pytest.mark.parametrize("name", PROGRAMS)
    def test_a_deep_file_is_read_or_refused(self, deep: Report, name: str) -> None:
        refused, found = (deep.of(f"{name}.py", code) for code in ("SEQ001", "SEQ221"))
        assert bool(refused) is not bool(found)

    @pytest.mark.parametrize("name", READABLE)
    def test_what_a_person_writes_is_read(self, deep: Report, name: str) -> None:
        assert deep.of(f"{name}.py", "SEQ221")
        assert not deep.of(f"{name}.py", "SEQ001")

    def test_the_python_interface_refuses_it_too(self) -> None:
        checked = seqlint.check_source(PROGRAMS["chain_5000"])
        assert [found.code for found in checked.diagnostics] == ["SEQ001"]
        assert checked.broken
        assert seqlint.fix_source(PROGRAMS["chain_5000"]).source.text == PROGRAMS["chain_5000"]


TWO_INDENTS = "import keras\n\n\nclass A(keras.utils.PyDataset):\n\tdef __len__(self):\n\t\tmatch x:\n\t\t    case {0}:\n        \t\treturn 1\n"


@pytest.mark.parametrize("pattern", ["[*_] | None", "{'a': 1}", "1 if x"])
def test_a_text_that_only_the_second_parser_refuses_is_no_fault_of_a_rule(pattern: str) -> None:
    text = TWO_INDENTS.replace("{0}", pattern)
    compile(text, "a.py", "exec")  # Python takes these indents
    assert [found.code for found in seqlint.check_source(text, select=["ALL"]).diagnostics] == ["SEQ001"]
    assert not seqlint.fix_source(f"# A page.\n\n```python\n{text}```\n", path="a.md").checked.broken
