"""`fix --interactive` and `check --add-ignore`: what the user answers is what happens to the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_cli_check import CLEAR, SEED, SPREAD, write
from tests.notebooks import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

BOTH = SEED + "keras.backend.clear()\n" + "keras.utils.seed(1)\n"


@pytest.mark.parametrize(
    ("answers", "after"),
    [
        ("y\nn\nn\n", BOTH.replace("utils.seed(0)", "seed(0)")),
        ("n\nyes\nn\n", BOTH.replace("backend.clear", "clear")),
        ("n\nn\nn\n", BOTH),
        ("a\nn\n", BOTH.replace("utils.seed", "seed")),
        ("y\nq\n", BOTH.replace("utils.seed(0)", "seed(0)")),
        ("y\n", BOTH.replace("utils.seed(0)", "seed(0)")),
        ("what\ni\nn\nn\n", BOTH.replace("seed(0)\n", "seed(0)  # seqlint: ignore[TST101]\n")),
    ],
    ids=["one", "an unsafe one", "none", "all of a rule", "quit", "end of input", "ignore"],
)
def test_each_fix_is_asked_for(project: Path, cli: Cli, answers: str, after: str) -> None:
    write(a=BOTH)
    done = cli("fix", "--interactive", "a.py", stdin=answers.encode())
    assert Path("a.py").read_text() == after
    assert done.err == ""


def test_a_file_that_changes_meanwhile_is_left_alone(project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    write(a=SEED)

    def ask(question: str) -> str:
        write(a=SEED + "# mine\n")
        return "y"

    monkeypatch.setattr("seqlint.cli.console.ask", ask)
    done = cli("fix", "-i", "a.py")
    assert done.code == 2
    assert Path("a.py").read_text() == SEED + "# mine\n"


@pytest.mark.parametrize("other", [("--diff",), ("--verify",), ("--executor", "a:b")])
def test_what_can_not_ask_is_refused(project: Path, cli: Cli, other: tuple[str, ...]) -> None:
    write(a=SEED)
    done = cli("fix", "-i", *other, "a.py")
    assert (done.code, Path("a.py").read_text()) == (2, SEED)


class TestAddIgnore:
    def test_each_finding_gets_a_comment_with_the_reason(self, project: Path, cli: Cli) -> None:
        write(a=SEED + "keras.utils.seed(\n    1,\n)\n", b=CLEAR)
        done = cli("check", "--add-ignore=until spring")
        assert (done.code, done.out) == (0, "ignored 3 findings in 2 files\n")
        assert Path("a.py").read_text().count("# seqlint: ignore[TST101] until spring") == 2
        assert cli("check").code == 0
        compile(Path("a.py").read_text(), "a.py", "exec")

    def test_two_findings_of_a_line_share_a_comment(self, project: Path, cli: Cli) -> None:
        write(a="import keras\nkeras.utils.seed(0); keras.backend.clear(); keras.utils.seed(1)\n")
        cli("check", "--add-ignore")
        assert Path("a.py").read_text().count("#") == 1
        assert cli("check").code == 0

    def test_cells_of_a_notebook_get_theirs(self, project: Path, cli: Cli) -> None:
        Path("book.ipynb").write_bytes(written("import keras", "keras.utils.seed(0)"))
        assert cli("check", "--add-ignore").out == "ignored 1 finding in 1 file\n"
        assert cli("check").code == 0

    def test_what_can_have_no_comment_is_told(self, project: Path, cli: Cli) -> None:
        write(a="import keras\ndef f(:\n")
        done = cli("check", "--add-ignore")
        assert (done.code, Path("a.py").read_text()) == (1, "import keras\ndef f(:\n")
        assert "1 finding can't be ignored" in done.out

    @pytest.mark.parametrize(
        "arguments", [("--add-ignore=a\nb",), ("--add-ignore", "--fix"), ("--add-ignore", "--watch")]
    )
    def test_bad_input_writes_nothing(self, project: Path, cli: Cli, arguments: tuple[str, ...]) -> None:
        write(a=SEED)
        assert (cli("check", *arguments).code, Path("a.py").read_text()) == (2, SEED)


def test_check_with_fix_is_fix(project: Path, cli: Cli) -> None:
    write(a=SEED + SPREAD)
    done = cli("check", "--fix", "--output-format", "concise")
    after = Path("a.py").read_text()
    write(a=SEED + SPREAD)
    assert done == cli("fix", "--output-format", "concise")
    assert after == Path("a.py").read_text()
    assert cli("check", "--fix", "--statistics").code == 2
