"""When a guard round a script is a safe fix (SEQ227)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint import fix_source, registry

if TYPE_CHECKING:
    from pathlib import Path

RULE = next(loaded.rule for loaded in registry.load() if loaded.rule.code == "SEQ227")
SCRIPT = RULE.examples[0].before


def fixed(folder: Path, text: str, *, unsafe: bool = False) -> str:
    (folder / "pyproject.toml").write_text("")
    (folder / "train.py").write_text(text)
    return fix_source(text, path=str(folder / "train.py"), keras=">=3.10", select=["SEQ227"], unsafe=unsafe).text


def test_a_few_lines_that_nobody_imports_are_guarded(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("import keras  # not train\nprint('from train import model')\n")
    assert fixed(tmp_path, SCRIPT) == RULE.examples[0].after


@pytest.mark.parametrize(
    "line",
    ["from train import model", "import os, train", "    from . import train", "from .train import (\n    songs,\n)"],
)
def test_a_script_that_others_import_is_left_to_its_author(tmp_path: Path, line: str) -> None:
    (tmp_path / "other.py").write_text(
        f"def use():\n    pass\n\n\nif use:\n    pass\n{line}\n" if line[0] != " " else f"if 1:\n{line}\n"
    )
    assert fixed(tmp_path, SCRIPT) == SCRIPT
    assert fixed(tmp_path, SCRIPT, unsafe=True) == RULE.examples[0].after


def test_a_long_script_is_left_to_its_author(tmp_path: Path) -> None:
    text = SCRIPT + "print(model)\n" * 20
    assert fixed(tmp_path, text) == text
    assert "    print(model)\n" in fixed(tmp_path, text, unsafe=True)


@pytest.mark.parametrize("odd", ["\x0c", "\x1c", "\u2028", "\x85"])
def test_what_python_takes_for_no_newline_is_none(tmp_path: Path, odd: str) -> None:
    line = f"print('a{odd}b')\n"
    assert fixed(tmp_path, SCRIPT + line, unsafe=True) == f"{RULE.examples[0].after}    {line}"
