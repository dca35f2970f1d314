"""`seqlint fix --verify`: only what held is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from tests.proof.made_up_rules import LOGGING, SEED, needs_tensorflow
from tests.proof.programs import FIT

if TYPE_CHECKING:
    from collections.abc import Callable

    Fix = Callable[..., tuple[int, str, str]]

OTHER_LOGGING = "keras.utils.enable_interactive_logging()"


@pytest.fixture
def fix(project: Path, capsys: pytest.CaptureFixture[str]) -> Fix:
    """Fix a script with these lines before its model: exit code, output, messages."""

    def call(*lines: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        Path("train.py").write_text(FIT.replace("feed = Feed()", "\n".join((*lines, "feed = Feed()"))))
        code = run(["fix", "--verify", "train.py", *options])
        return code, *capsys.readouterr()

    return call


@needs_tensorflow
def test_what_held_is_written_and_what_did_not_is_left(fix: Fix) -> None:
    code, out, err = fix(LOGGING, SEED)
    text = Path("train.py").read_text()
    assert OTHER_LOGGING in text
    assert SEED in text
    assert code == 1
    assert "fixed TST902" in out
    assert "not fixed TST901" in out
    assert "its proof is DIFFERENT in history, weights" in out
    assert "TST901" in err  # the proof itself


@needs_tensorflow
def test_all_that_held_is_written_at_once(fix: Fix) -> None:
    code, out, _ = fix(LOGGING, "print('on')", LOGGING)
    assert Path("train.py").read_text().count(OTHER_LOGGING) == 2
    assert "applied 2 fixes in 1 file" in out
    assert code == 0


@needs_tensorflow
def test_what_did_not_run_is_not_fixed(fix: Fix) -> None:
    code, out, _ = fix("def unused():", f"    {LOGGING}", LOGGING)
    text = Path("train.py").read_text()
    assert f"    {LOGGING}" in text
    assert f"\n{OTHER_LOGGING}" in text
    assert "NOT RUN: its code did not run" in out
    assert code == 2


@needs_tensorflow
def test_a_script_that_cannot_run_is_left_as_it_was(fix: Fix) -> None:
    code, out, _ = fix(LOGGING, "import nowhere")
    assert LOGGING in Path("train.py").read_text()
    assert "applied 0 fixes in 0 files" in out
    assert "NOT RUN: the program fails before a model is trained" in out
    assert code == 2


@needs_tensorflow
def test_a_diff_writes_nothing(fix: Fix) -> None:
    code, out, _ = fix(LOGGING, SEED, options=("--diff",))
    assert code == 1
    assert f"+{OTHER_LOGGING}" in out
    assert "np.random.seed" not in out
    assert LOGGING in Path("train.py").read_text()


@needs_tensorflow
def test_the_proofs_are_data_too(fix: Fix) -> None:
    code, out, _ = fix(LOGGING, options=("--output-format", "json"))
    document = json.loads(out)
    (proof,) = document["proofs"]
    assert code == 0
    assert [item["outcome"] for item in proof["items"]] == ["SAME"]
    assert [done["code"] for done in document["fixed"]] == ["TST902"]


@needs_tensorflow
def test_it_takes_the_options_of_verify(fix: Fix, tmp_path_factory: pytest.TempPathFactory) -> None:
    rows = tmp_path_factory.mktemp("far") / "rows.txt"
    rows.write_text("far away")
    lines = (LOGGING, "assert sys.argv[1:] == ['--rate', '1']", "assert open('rows.txt').read() == 'far away'")
    options = ("--epochs", "1", "--steps", "2", "--jobs", "2", "--script", "--data", str(rows), "--", "--rate", "1")
    code, out, err = fix(*lines, options=options)
    assert code == 0, err
    assert "applied 1 fix in 1 file" in out
    assert "cut to a smoke run" in err


def test_standard_input_cannot_be_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fix", "--verify", "-"]) == 2
    assert "--verify runs files, not standard input" in capsys.readouterr().err


@needs_tensorflow
def test_files_without_findings_start_nothing(fix: Fix) -> None:
    code, out, err = fix()
    assert code == 0
    assert "running" not in err
    assert "applied 0 fixes in 0 files" in out
