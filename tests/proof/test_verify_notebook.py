"""`seqlint verify` and `seqlint fix --verify` on a notebook: its cells are run before and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.proof.report.diff import diff_table
from tests.notebooks import sources, written
from tests.proof.made_up_rules import ASKED, LOGGING, SEED, needs_tensorflow
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from collections.abc import Callable

    Seqlint = Callable[..., tuple[int, str, str]]

OTHER_LOGGING = "keras.utils.enable_interactive_logging()"
HEAD, REST = FEED.split("feed = Feed()")
CELLS = (
    f"%matplotlib inline\n{HEAD}",
    f"!ls\n{ASKED}\n{LOGGING}",
    f"{SEED}\nfeed = Feed(){REST}",
    "%time history = model.fit(feed, epochs=2, shuffle=False, verbose=0)\nhistory.epoch",
)


@pytest.fixture
def seqlint(project: Path, capsys: pytest.CaptureFixture[str]) -> Seqlint:
    """Run a command on a notebook: exit code, output, messages."""

    def call(*command: str, cells: tuple[str, ...] = CELLS) -> tuple[int, str, str]:
        Path("nb.ipynb").write_bytes(written(*cells))
        code = run([*command, "nb.ipynb"])
        return code, *capsys.readouterr()

    return call


@needs_tensorflow
def test_each_fix_gets_its_answer_and_the_place_of_its_cell(seqlint: Seqlint) -> None:
    code, out, err = seqlint("verify", "--report", "page.html")
    assert code == 1
    assert "TST902 cell 3 line 3: HOLDS" in out
    assert "TST901 cell 4 line 1: DIFFERENT" in out
    assert "TST903 cell 3 line 2: NOT RUN: no fix is offered" in out
    assert "cell 3 ran without `!ls`" in out
    assert "running nb.ipynb before and after its fixes" in err
    page = Path("page.html").read_text("utf-8")
    assert "<b>Cell 3 line 3</b>" in page


@needs_tensorflow
def test_a_contract_that_holds(seqlint: Seqlint) -> None:
    code, out, _ = seqlint("verify", "--output-format", "json", cells=(*CELLS[:2], f"feed = Feed(){REST}", CELLS[3]))
    (item,) = json.loads(out)["items"]
    assert (item["code"], item["cell"], item["line"], item["outcome"]) == ("TST902", 3, 3, "SAME")
    assert item["diff"].startswith("--- a/nb.ipynb:cell 3\t\n")
    assert code == 0


@needs_tensorflow
def test_only_what_held_is_written(seqlint: Seqlint) -> None:
    code, out, _ = seqlint("fix", "--verify")
    assert code == 1
    assert "fixed TST902 disable-interactive-logging-called at cell 3:3:1" in out
    assert "not fixed TST901 at cell 4:1:1" in out
    assert Path("nb.ipynb").read_bytes() == written(*CELLS).replace(LOGGING.encode(), OTHER_LOGGING.encode())
    assert sources(Path("nb.ipynb").read_bytes())[2].startswith("!ls\n")


@needs_tensorflow
@pytest.mark.parametrize(
    ("cells", "place"),
    [
        ((*CELLS[:2], f"feed = Feed(){REST}", CELLS[3], f"await keras.later()\n{LOGGING}"), 6),
        ((*CELLS[:2], f"feed = Feed(){REST}", CELLS[3], "1 / 0", f"def later():\n    pass\n\n\n{LOGGING}"), 7),
        ((*CELLS[:2], f"def unused():\n    {LOGGING}\nfeed = Feed(){REST}", CELLS[3]), 4),
    ],
)
def test_a_fix_whose_cell_did_not_run_is_not_proved(seqlint: Seqlint, cells: tuple[str, ...], place: int) -> None:
    code, out, _ = seqlint("verify", cells=cells)
    line = cells[place - 2].splitlines().index(next(x for x in cells[place - 2].splitlines() if LOGGING in x)) + 1
    assert "TST902 cell 3 line 3: HOLDS" in out
    assert f"TST902 cell {place} line {line}: NOT RUN: its code did not run: cell {place} line {line}: " in out
    assert code == 2


def test_a_diff_of_cells_numbers_the_lines_of_each() -> None:
    table = diff_table(
        "--- a/nb.ipynb:cell 3\t\n+++ b/nb.ipynb:cell 3\t\n@@ -1,2 +1 @@\n x\n--- y\n"
        "--- a/nb.ipynb:cell 7\t\n+++ b/nb.ipynb:cell 7\t\n@@ -5 +5 @@\n-z\n+w\n",
        "label",
    )
    rows = [row.split("</tr>")[0] for row in str(table).split("<tr")[1:]]
    texts = [row.split("<td>")[-1].removesuffix("</td>") for row in rows]
    assert texts == ["cell 3", "@@ -1,2 +1 @@", " x", "--- y", "cell 7", "@@ -5 +5 @@", "-z", "+w"]
    assert ['class="n">5<' in row for row in rows] == [False] * 6 + [True, True]
