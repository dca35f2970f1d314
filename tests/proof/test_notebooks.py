"""Notebooks: their code cells run in order, as Jupyter would run them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Pair, Settings, missing, prove_pair
from seqlint.proof.programs import Program
from seqlint.proof.recorder.notebooks import plain
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from seqlint.proof import Proof, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]


def notebook(*cells: str, text: str = "# A heading") -> str:
    code = [{"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": [text]}, *code], "nbformat": 4})


def proved(child: Worker, before: str, after: str) -> Proof:
    return prove_pair(Pair("notebook", before, after, script="train.ipynb", program=Program("notebook")), child)


FIT = "model.fit(feed, epochs=2, shuffle=False, verbose=0)"


def test_cells_run_in_order_in_one_namespace(child: Worker) -> None:
    cells = (FEED, f"history = {FIT}\nlen(history.epoch)", "'quiet';", "display(get_ipython() is None)\n__name__")
    proof = proved(child, notebook(*cells), notebook(*cells, text="# Another heading"))
    assert proof.outcome == "SAME", proof.obstacle
    assert proof.before.output.splitlines() == ["2", "False", "'__main__'"]
    assert proof.verdict("steps").detail == "6 in all"


def test_a_change_in_a_cell_is_seen(child: Worker) -> None:
    proof = proved(child, notebook(FEED, FIT), notebook(FEED, FIT.replace("epochs=2", "epochs=1")))
    assert proof.verdict("epochs").outcome == "DIFFERENT"


def test_lines_for_the_shell_and_the_kernel_are_left_out(child: Worker) -> None:
    cells = (
        "%matplotlib inline\n!pip install nothing\n" + FEED,
        "%%bash\nexit 1",
        "%%time\n" + FIT,
        "await model.later()",
    )
    proof = proved(child, notebook(*cells), notebook(*cells, text="# Another heading"))
    assert proof.outcome == "SAME", proof.obstacle
    assert proof.before.trained
    assert {
        "cell 2 ran without `%matplotlib inline`, `!pip install nothing`",
        "cell 3 ran without %%bash and all below it",
        "cell 4 ran without `%%time`",
        "cell 5 was not run: it awaits outside a function",
    } <= set(proof.notes)


def test_an_error_names_its_cell(child: Worker) -> None:
    cells = (FEED, FIT, "1 / 0")
    proof = proved(child, notebook(*cells), notebook(*cells, text="# Another heading"))
    assert proof.before.recording is not None
    assert proof.before.recording["error"] == {"type": "ZeroDivisionError", "text": "cell 4: division by zero"}


@pytest.mark.parametrize(
    ("cell", "source"),
    [
        ("text = '''\n%d of\n!x\n'''\n", "text = '''\n%d of\n!x\n'''\n"),
        ("if True:\n    !ls\n", "if True:\n    pass\n"),
        ("files = !ls\nx = 1\n", "pass\nx = 1\n"),
        ("%time x = 1\n", "x = 1\n"),
        ("x?\n", "pass\n"),
        ("x?\ny = 1  # why?\n", "pass\ny = 1  # why?\n"),
        ("!pip install one \\\n    two\nx = 1\n", "pass\n\nx = 1\n"),
        ("x = 7 % 3\n", "x = 7 % 3\n"),
    ],
)
def test_a_cell_as_python_keeps_its_lines(cell: str, source: str) -> None:
    assert plain(cell)[0] == source
