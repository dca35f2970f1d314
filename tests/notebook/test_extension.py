"""`%load_ext seqlint` in a kernel of Jupyter: what the user sees below each cell. Keras is a stand-in: the cells run, and train nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.notebook.kernel import Kernel, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KERAS = """\
class utils:
    class Sequence:
        pass
class Model:
    def fit(self, *args, **kwargs):
        pass
"""
HEAD = "import keras\nimport numpy as np\n"
MISNAMED = """\
class Apples(keras.utils.Sequence):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.rows[index], self.rows[index]

    def on_epoch_end(self, epoch):
        np.random.shuffle(self.rows)
"""
UNCALLED = """\
class Pears(keras.utils.Sequence):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.rows[index], self.rows[index]
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("notebooks")
    (folder / "keras.py").write_text(KERAS)
    (folder / "seqlint.toml").write_text('keras = ">=3.10"\n')
    with kernel(folder, _environment(folder)) as running:
        yield running


def _environment(folder: Path) -> dict[str, str]:
    own = {"IPYTHONDIR": str(folder / "ipython"), "JPY_SESSION_NAME": str(folder / "apples <b>.ipynb")}
    return {**os.environ, **own}


@pytest.fixture
def notebook(started: Kernel) -> Kernel:
    """The kernel without a cell, and seqlint loaded in it."""
    started.run("%reset -f\n%reset -f in")
    started.run("%unload_ext seqlint")
    assert started.run("%load_ext seqlint").status == "ok"
    started.run(HEAD)
    return started


def test_a_finding_stands_below_its_cell_with_its_note_as_text_and_as_html(notebook: Kernel) -> None:
    below = notebook.run(MISNAMED)
    assert below.status == "ok"
    assert "SEQ103" in below.plain
    assert "def on_epoch_end(self, epoch):" in below.plain
    assert "note: " in below.plain
    assert "<b>" not in below.plain.replace("apples <b>.ipynb", "")
    assert "/rules/SEQ103/" in below.html
    assert "note: " in below.html


def test_a_cell_without_findings_shows_nothing(notebook: Kernel) -> None:
    notebook.run(MISNAMED)
    below = notebook.run("colours = np.zeros((3, 2))")
    assert (below.printed, below.displayed) == ("", [])


def test_a_cell_knows_what_earlier_ones_define(notebook: Kernel) -> None:
    notebook.run("from keras import utils as u")
    below = notebook.run(MISNAMED.replace("keras.utils", "u"))
    assert "SEQ103" in below.plain


def test_cells_before_the_extension_was_loaded_count(notebook: Kernel) -> None:
    notebook.run("%unload_ext seqlint")
    assert notebook.run("import keras as early").displayed == []
    assert notebook.run(MISNAMED).displayed == []
    notebook.run("%load_ext seqlint")
    assert "SEQ103" in notebook.run("%seqlint").plain
    assert "SEQ103" in notebook.run(MISNAMED.replace("keras.utils", "early.utils")).plain


def test_a_cell_that_runs_again_takes_the_place_of_what_it_was(notebook: Kernel) -> None:
    assert "SEQ103" in notebook.run(MISNAMED, cell="a").plain
    assert notebook.run(MISNAMED.replace("self, epoch", "self"), cell="a").displayed == []
    below = notebook.run("%seqlint")
    assert below.displayed == []
    assert "no findings in 2 cells" in below.printed


def test_a_cell_that_fails_is_checked_and_one_that_never_ran_is_not(notebook: Kernel) -> None:
    failed = notebook.run(f"{MISNAMED}\nraise ValueError('sour')")
    assert failed.errors == ["ValueError: sour"]
    assert "SEQ103" in failed.plain
    assert notebook.run(f"{MISNAMED}\ndef (").displayed == []


def test_off_and_on(notebook: Kernel) -> None:
    assert "off" in notebook.run("%seqlint off").printed
    assert notebook.run(MISNAMED).displayed == []
    assert "SEQ103" in notebook.run("%seqlint").plain
    notebook.run("%seqlint on")
    assert "SEQ103" in notebook.run(MISNAMED).plain


def test_all_cells_are_listed_with_their_numbers(notebook: Kernel) -> None:
    notebook.run(MISNAMED)
    notebook.run(UNCALLED)
    below = notebook.run("%seqlint")
    assert "SEQ103" in below.plain
    assert "Pears" in below.plain
    assert "in 3 cells" in below.printed
    numbers = json.loads(notebook.run("print([n for n, text in enumerate(In) if text.startswith('class ')])").printed)
    assert len(numbers) == 2
    assert all(f"cell {number}:" in below.plain for number in numbers)


def test_a_fix_shows_its_diff_and_replaces_the_cell_which_does_not_run(notebook: Kernel) -> None:
    below = notebook.run(f"%%seqlint fix --unsafe\n{UNCALLED}")
    (put,) = below.next_inputs
    assert put["replace"] is True
    assert put["text"] == UNCALLED.replace("rows):", "rows, **kwargs):").replace(
        "        self.rows = rows", "        super().__init__(**kwargs)\n        self.rows = rows"
    ).rstrip("\n")
    assert "+        super().__init__(**kwargs)" in below.plain
    assert "super().__init__(**kwargs)" in below.html
    assert "did not run" in below.printed
    assert notebook.run("print('Pears' in globals())").printed == "False\n"
    assert notebook.run("%seqlint").displayed == []
    assert notebook.run(put["text"]).displayed == []


def test_a_fix_changes_no_other_cell_and_leaves_a_cell_without_one_as_it_is(notebook: Kernel) -> None:
    notebook.run(UNCALLED)
    below = notebook.run("%%seqlint fix --unsafe\nprint(keras)\n")
    assert below.next_inputs == []
    assert below.displayed == []
    assert "no fix" in below.printed


@pytest.mark.parametrize("line", ["%seqlint of", "%seqlint fix", "%%seqlint\nx = 1", "%%seqlint fix --all\nx = 1"])
def test_bad_arguments_are_a_line_and_change_nothing(notebook: Kernel, line: str) -> None:
    below = notebook.run(line)
    assert below.status == "error"
    assert below.next_inputs == []
    (said,) = [one for one in below.printed.splitlines() if one]
    assert said.startswith("UsageError: seqlint: ")
    assert "%%seqlint fix" in said
    assert "SEQ103" in notebook.run(MISNAMED).plain


def test_a_configuration_that_is_wrong_is_said_and_the_cell_runs(notebook: Kernel) -> None:
    notebook.run("from pathlib import Path\nconfigured = Path('seqlint.toml').read_text()")
    notebook.run("Path('seqlint.toml').write_text('keras = 3\\n');")
    try:
        below = notebook.run(f"{MISNAMED}\nprint('ran')")
        assert "ran\n" in below.printed
        assert "seqlint: " in below.printed
        assert "seqlint.toml" in below.printed
    finally:
        notebook.run("Path('seqlint.toml').write_text(configured);")


def test_the_hook_of_ipython_costs_nothing_until_it_is_used() -> None:
    asked = "import sys, seqlint; assert seqlint.load_ipython_extension; print(*sys.modules)"
    done = subprocess.run((sys.executable, "-c", asked), capture_output=True, text=True, check=True, timeout=120)
    assert {"seqlint.notebook", "libcst", "IPython"}.isdisjoint(done.stdout.split())
