"""`seqlint verify`, with rules of the test's own, whose fixes change what the test wants changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.proof import Settings, missing
from tests.proof.made_up_rules import ASKED, LOGGING, SEED, needs_tensorflow
from tests.proof.programs import FIT

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def verify(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Verify a script with these lines before its model: exit code, output, messages."""

    def call(*lines: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        train = FIT.replace("feed = Feed()", "\n".join((*lines, "feed = Feed()")))
        (project / "train.py").write_text(train)
        code = run(["verify", "train.py", *options])
        return code, *capsys.readouterr()

    return call


def line(text: str) -> int:
    return Path("train.py").read_text().splitlines().index(text) + 1


@needs_tensorflow
def test_without_findings_it_is_said_whether_the_program_trains(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify()
    assert code == 0
    first, second = out.splitlines()
    assert first == "train.py: no findings, so there is nothing to prove"
    assert second.startswith("train.py: it trains here: 1 call of fit, 2 epochs, ")
    assert "on keras 3." in second


@needs_tensorflow
def test_without_findings_what_stops_the_program_is_named(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify("import nowhere")
    assert code == 2
    stop = "ModuleNotFoundError: No module named 'nowhere'"
    assert f"train.py: it does not train here: {stop} (line {line('import nowhere')})" in out


def test_without_tensorflow_and_findings_there_is_nothing_to_say(
    verify: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqlint.proof.pairs.find_spec", lambda name: None)
    assert verify() == (0, "train.py: no findings, so there is nothing to prove\n", "")


@needs_tensorflow
def test_a_finding_without_a_fix_is_not_run(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify(ASKED)
    assert code == 0
    assert f"TST903 line {line(ASKED)}: NOT RUN: no fix is offered" in out
    assert "nothing to prove" in out


def test_a_folder_is_no_script(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "rules"]) == 2
    assert "verify takes one file, and rules is a folder" in capsys.readouterr().err


def test_without_tensorflow_it_says_what_to_install(
    verify: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqlint.proof.pairs.find_spec", lambda name: None)
    code, out, err = verify(LOGGING)
    assert code == 2
    assert out == ""
    assert 'pip install "seqlint[proof]"' in err
    assert "tensorflow" in err


@needs_tensorflow
def test_a_fix_that_keeps_its_contract(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = verify(LOGGING, ASKED)
    assert code == 0
    assert f"TST902 line {line(LOGGING)}: HOLDS: Take the other (safe" in out
    assert f"TST903 line {line(ASKED)}: NOT RUN: no fix is offered" in out
    assert "the contract holds" in out
    assert "running train.py before and after its fixes" in err


@needs_tensorflow
def test_a_fix_that_breaks_its_contract(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify(SEED, options=("--output-format", "json"))
    document = json.loads(out)
    (proof,) = document["proofs"]
    unlike = {item["observable"] for item in proof["observables"] if item["outcome"] == "DIFFERENT"}
    assert code == 1
    assert unlike == {"history", "weights"}
    assert [(item["code"], item["outcome"]) for item in document["items"]] == [("TST901", "DIFFERENT")]


@needs_tensorflow
def test_of_two_fixes_the_guilty_one_is_named(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify(LOGGING, SEED)
    assert code == 1
    assert f"TST902 line {line(LOGGING)}: HOLDS" in out
    assert f"TST901 line {line(SEED)}: DIFFERENT" in out
    assert f"train.py with TST901 of line {line(SEED)} alone: run before" in out


@needs_tensorflow
def test_a_fix_of_code_that_does_not_run_is_not_proved(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify("def unused():", f"    {LOGGING}", LOGGING)
    unused, used = (Path("train.py").read_text().splitlines().index(text) + 1 for text in (f"    {LOGGING}", LOGGING))
    assert code == 2
    assert f"TST902 line {unused}: NOT RUN" in out
    assert f"its code did not run: line {unused}" in out
    assert f"TST902 line {used}: HOLDS" in out


@needs_tensorflow
def test_a_script_gets_its_arguments(verify: Callable[..., tuple[int, str, str]]) -> None:
    wanted = "assert sys.argv[1:] == ['--rate', '0.1', 'a b'], sys.argv"
    assert verify(LOGGING, wanted, options=("--", "--rate", "0.1", "a b"))[0] == 0
    code, out, _ = verify(LOGGING, wanted)
    assert code == 2
    assert "AssertionError" in out


@needs_tensorflow
def test_on_both_lines_of_keras(verify: Callable[..., tuple[int, str, str]]) -> None:
    if missing(Settings(keras="legacy")):
        pytest.skip("tf-keras is not installed")
    code, out, _ = verify(LOGGING, options=("--keras", "both"))
    assert code == 0
    assert "keras 3." in out
    assert "tf-keras 2." in out
    assert out.count("the contract holds") == 2


def test_an_interpreter_that_is_none(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = verify(LOGGING, options=("--python", "nowhere/python"))
    assert code == 2
    assert "--python: nowhere/python is not a program that can be run" in err


def test_a_report_that_cannot_be_written_is_told_before_anything_runs(
    verify: Callable[..., tuple[int, str, str]],
) -> None:
    code, _, err = verify(LOGGING, options=("--report", "nowhere/proof.html"))
    assert code == 2
    assert err == "error: --report: nowhere/proof.html can't be written: No such file or directory\n"


@needs_tensorflow
def test_the_report_is_one_page(verify: Callable[..., tuple[int, str, str]], project: Path) -> None:
    code, _, err = verify(LOGGING, options=("--report", "proof.html"))
    page = (project / "proof.html").read_text("utf-8")
    assert code == 0
    assert "wrote proof.html" in err
    assert "TST902" in page
    assert "SAME" in page


@needs_tensorflow
def test_a_project_with_another_keras_is_told(verify: Callable[..., tuple[int, str, str]]) -> None:
    settings = Path("seqlint.toml").read_text()
    Path("seqlint.toml").write_text(f'keras = "3.3.3"\n{settings}')
    _, out, _ = verify(LOGGING)
    assert "note: the project uses Keras 3.3.3" in out
    assert "and this proof ran on keras 3." in out


@needs_tensorflow
def test_a_script_that_cannot_run(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify(LOGGING, "import nowhere")
    assert code == 2
    assert "NOT RUN: the program fails before a model is trained" in out
    assert out.count("No module named 'nowhere'") == 1
    assert "Traceback" not in out


@needs_tensorflow
def test_where_relative_paths_start_is_told_when_a_file_is_missing(verify: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = verify(LOGGING, "open('photos.bin')")
    assert "note: relative paths start in the folder of the project; --data PATH brings in what is elsewhere" in out


@needs_tensorflow
def test_the_keras_that_is_asked_for_is_the_one_that_a_script_imports(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if missing(Settings(keras="legacy")):
        pytest.skip("tf-keras is not installed")
    text = FIT.replace("from tensorflow import keras", "import keras").replace("feed =", f"{LOGGING}\nfeed =")
    (project / "train.py").write_text(text)
    for asked, line in (("2", "tf-keras 2."), ("tf-keras", "tf-keras 2."), (">=3", "keras 3.")):
        assert run(["verify", "train.py", "--keras", asked]) == 0
        assert f"before again, {line}" in capsys.readouterr().out
    both = text.replace("import keras", "import keras, tf_keras")
    (project / "train.py").write_text(both)
    assert run(["verify", "train.py", "--keras", "2"]) == 0
    note = "note: --keras 2 sets what `tf.keras` is, but the script imports keras 3."
    assert note in capsys.readouterr().out


@needs_tensorflow
def test_the_script_itself_stays_as_it_was(verify: Callable[..., tuple[int, str, str]], project: Path) -> None:
    verify(LOGGING, "open('train.py', 'w').write('gone')")
    assert LOGGING in (project / "train.py").read_text()
