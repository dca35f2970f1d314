"""`seqlint verify`, with rules of the test's own, whose fixes change what the test wants changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.proof import Settings, missing
from tests.proof.programs import FIT

if TYPE_CHECKING:
    from collections.abc import Callable


def needs_tensorflow(test: Callable[..., None]) -> Callable[..., None]:
    for mark in (
        pytest.mark.tensorflow,
        pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
    ):
        test = mark(test)
    return test


RULE = '''\
"""The call of `{name}` is made up.

## Why
It is made up.

## Instead
Don't.
"""

from collections.abc import Iterator

from seqlint.api import Edit, Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="{code}",
    name="{kebab}-called",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    examples=(Example("import keras\\n\\nkeras.{name}()\\n"),),
)


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.calls("keras.utils.{name}"):
        yield facts.finding(call, "it is called"){fix}
'''
FIX = '.fixed_by("Take the other", Edit(*facts.span({node}), "{text}"))'
SEED = "keras.utils.set_random_seed(1)"
LOGGING = "keras.utils.disable_interactive_logging()"
ASKED = "keras.utils.is_interactive_logging_enabled()"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with three rules: the fix of the first changes the weights, that of the second nothing."""
    seed = FIX.format(node="call.func", text="np.random.seed")
    logging = FIX.format(node="call.func", text="keras.utils.enable_interactive_logging")
    rules = (
        ("TST901", "set_random_seed", seed),
        ("TST902", "disable_interactive_logging", logging),
        ("TST903", "is_interactive_logging_enabled", ""),
    )
    (tmp_path / "rules").mkdir()
    for code, name, fix in rules:
        text = RULE.format(code=code, name=name, kebab=name.replace("_", "-"), fix=fix)
        (tmp_path / f"rules/{code.lower()}_{name}.py").write_text(text)
    (tmp_path / "seqlint.toml").write_text('rules = ["rules"]\nselect = ["TST"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


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


def test_without_findings_there_is_nothing_to_prove(verify: Callable[..., tuple[int, str, str]]) -> None:
    assert verify() == (0, "train.py: no findings, so there is nothing to prove\n", "")


def test_a_finding_without_a_fix_is_not_run(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify(ASKED)
    assert code == 0
    assert f"TST903 line {line(ASKED)}: NOT RUN: no fix is offered" in out
    assert "nothing to prove" in out


def test_a_folder_is_no_script(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "rules"]) == 2
    assert "verify takes one script, and rules is a folder" in capsys.readouterr().err


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
    assert f"TST902 line {line(LOGGING)}: Take the other (safe)" in out
    assert f"TST903 line {line(ASKED)}: NOT RUN: no fix is offered" in out
    assert "the contract holds" in out
    assert "running train.py before and after its fixes" in err


@needs_tensorflow
def test_a_fix_that_breaks_its_contract(verify: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = verify(SEED, options=("--output-format", "json"))
    document = json.loads(out)
    unlike = {item["observable"] for item in document["proof"]["observables"] if item["outcome"] == "DIFFERENT"}
    assert code == 1
    assert unlike == {"history", "weights"}
    assert [fix["code"] for fix in document["fixes"]] == ["TST901"]


@needs_tensorflow
def test_a_project_with_another_keras_is_told(verify: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = verify(LOGGING, options=("--keras", "3.3.3", "--run-on", "keras3"))
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
def test_a_file_that_was_too_big_to_copy_is_named(verify: Callable[..., tuple[int, str, str]], project: Path) -> None:
    (project / "photos.bin").write_bytes(bytes(1_000_001))
    _, out, _ = verify(LOGGING, "open('photos.bin')")
    assert "note: not copied for the run were files above 1 MB and all after the first 500: photos.bin" in out


@needs_tensorflow
def test_a_script_that_names_its_keras_runs_on_that_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if missing(Settings(keras="legacy")):
        pytest.skip("tf-keras is not installed")
    text = FIT.replace("from tensorflow import keras", "import keras").replace("feed =", f"{LOGGING}\nfeed =")
    (project / "train.py").write_text(text)
    assert run(["verify", "train.py", "--run-on", "tf-keras"]) == 0
    note = "note: --run-on tf-keras says what `tf.keras` is, and the script imports keras 3."
    assert note in capsys.readouterr().out


@needs_tensorflow
def test_the_script_itself_stays_as_it_was(verify: Callable[..., tuple[int, str, str]], project: Path) -> None:
    verify(LOGGING, "open('train.py', 'w').write('gone')")
    assert LOGGING in (project / "train.py").read_text()
