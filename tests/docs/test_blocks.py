"""What the README and docs/ show is what happens: their commands run, and their settings are valid.

A console block runs in a fresh copy of a small project, unless `<!-- not run: WHY -->` comes before it. The output that it shows is compared;
`...` in it is anything. Blocks that run TensorFlow have the mark `tensorflow`.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.config import load_config
from seqlint.config.schema import KEYS
from tests.docs.blocks import PAGES, ROOT, blocks, project

if TYPE_CHECKING:
    from tests.docs.blocks import Block, Command

_MARK = "\x1e"
_CONSOLE = [block for page in PAGES for block in blocks(page) if block.language == "console"]


def by_page(*, tensorflow: bool) -> list[object]:
    """The console blocks that run, a parameter for each page."""
    marks = [pytest.mark.tensorflow] if tensorflow else []
    chosen = [block for block in _CONSOLE if block.run and block.tensorflow == tensorflow]
    pages = dict.fromkeys(block.page for block in chosen)
    return [
        pytest.param([block for block in chosen if block.page == page], id=str(page.relative_to(ROOT)), marks=marks)
        for page in pages
    ]


@pytest.mark.parametrize("of_page", [*by_page(tensorflow=False), *by_page(tensorflow=True)])
def test_the_commands_run_and_print_what_is_shown(of_page: list[Block], tmp_path: Path) -> None:
    for block in of_page:
        folder = tmp_path / str(block.line) / "apples"
        project(folder)
        for command, (code, printed) in zip(block.commands, ran(block.commands, folder), strict=True):
            place = f"{block.page.relative_to(ROOT)}:{block.line}: $ {command.line}\n{printed}"
            assert matches(command.shown, printed), f"{place}\nis not\n{command.shown}"
            assert code in (0, 1) or says_something(command), f"{place}\nexit code {code}"


def ran(commands: list[Command], folder: Path) -> list[tuple[int, str]]:
    """The exit code and the output of each command, in one shell."""
    script = "".join(f"{command.line}\nprintf '{_MARK}%s{_MARK}' $?\n" for command in commands)
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {
        **os.environ,
        "PATH": path,
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "NO_COLOR": "1",
        "COLUMNS": "120",
        "CDPATH": "..",
    }
    done = subprocess.run(
        ("bash", "-c", script), cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    parts = done.stdout.split(_MARK)
    return [(int(code), printed) for printed, code in zip(parts[::2], parts[1::2], strict=False)]


def matches(shown: str, printed: str) -> bool:
    """Whether output is what a page shows; what shows nothing allows anything."""
    lines = shown.strip("\n").splitlines()
    pattern = "".join(r"(.*\n)*" if line.strip() == "..." else _pattern(line) for line in lines)
    return not lines or re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


def _pattern(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.split("...")) + r"\n"


def says_something(command: Command) -> bool:
    """Whether the page shows more of the output than that there is one."""
    return bool(command.shown.replace("...", "").strip())


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("", "anything\n", True),
        ("...\n", "a\nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a: ...\n", "a: b\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nd\n", "a\nb\n", False),
        ("a\n", "", False),
        ("a: ...\n", "a: b\nc\n", False),
    ],
)
def test_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) == same


def test_what_is_not_run_is_what_a_machine_without_a_network_can_not_run() -> None:
    for block in _CONSOLE:
        needs_more = re.search(r"^\$ (pip|bash|code|reviewdog) ", block.text, re.MULTILINE) is not None
        assert block.run != needs_more, f"{block.page}:{block.line}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")], ids=lambda p: p.name
)
def test_sessions_of_python_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path / "apples")
    monkeypatch.chdir(tmp_path / "apples")
    text = "\n".join(block.text for block in blocks(page) if block.language == "pycon")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert test.examples
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append).failed
    assert not failed, "".join(said)


def test_the_settings_are_valid(tmp_path: Path) -> None:
    shown = [block for page in PAGES for block in blocks(page) if "[tool.seqlint" in block.text]
    assert shown
    (tmp_path / "project/tools/rules").mkdir(parents=True)
    (tmp_path / "seqlint.toml").write_text("")  # which one of them extends
    for block in shown:
        file = tmp_path / "project/pyproject.toml"
        file.write_text(block.text)
        assert load_config(tmp_path / "project/a.py").file == file, f"{block.page}:{block.line}"


def test_the_page_on_configuration_shows_every_key() -> None:
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert [key for key in KEYS if not re.search(rf"^(\[tool\.seqlint\.)?{key}\b", page, re.MULTILINE)] == []
