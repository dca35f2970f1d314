"""A file that is healthy is checked, whatever lies near it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from tests.engine.deep import PROGRAMS

if TYPE_CHECKING:
    from pathlib import Path

HEALTHY = """\
import keras
import near
from near import Base, make, watch


class Feed(keras.utils.Sequence):
    def __init__(self, data):
        self.data = data

    def __getitem__(self, index):
        return self.data[index]


class Own(Base):
    def __getitem__(self, index):
        return make()[index], near.value


model = keras.Sequential()
model.fit(make(), callbacks=[watch], validation_data=Own())
model.fit(near.value)
"""
NEAR = """
import keras
import feed
from feed import Feed


class Base(keras.utils.Sequence):
    def __len__(self):
        return value


def make():
    return Base()


watch = keras.callbacks.EarlyStopping()
model.fit(feed.Feed(1), workers=4, use_multiprocessing=True)
model.fit(Feed(1), workers=2)
"""
DIGITS = "1" * 5_000
HOSTILE = {
    **{name: PROGRAMS[name] for name in ("chain_5000", "parentheses", "never_closed", "a_sum", "not_not", "lambdas")},
    "6500_minus_signs": f"value = {'-' * 6_500}1\n",
    "3000_minus_signs": f"value = {'-' * 3_000}1\n",
    "990_attributes": f"value = a{'.b' * 990}\n",
    "400_attributes": f"value = a{'.b' * 400}\n",
    "900_calls": f"value = a{'.b()' * 900}\n",
    "900_elifs": "if a: pass\n" + "elif a: pass\n" * 900,
    "5000_digits": f"value = {DIGITS}\n",
    "punycode": "# coding: punycode\n",
    "null": "value = '\0'\n",
}


def codes(folder: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """What is said of the healthy file."""
    run(["check", "--no-cache", "--output-format", "json", str(folder / "feed.py")])
    return {finding["code"] for finding in json.loads(capsys.readouterr().out)["findings"]}


def is_checked(found: set[str]) -> bool:
    return "SEQ221" in found and not {"SEQ001", "SEQ002"} & found


class TestModules:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_what_is_imported(self, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "feed.py").write_text(HEALTHY)
        (tmp_path / "near.py").write_text(HOSTILE[name] + NEAR)
        assert is_checked(codes(tmp_path, capsys))

    @pytest.mark.parametrize("file", ["conftest.py", "setup.py", "__init__.py"])
    @pytest.mark.parametrize("name", ["6500_minus_signs", "990_attributes", "5000_digits"])
    def test_what_lies_in_the_folder(
        self, name: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "feed.py").write_text(HEALTHY)
        (tmp_path / file).write_text(f"{HOSTILE[name]}{NEAR}\nimport os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\n")
        assert is_checked(codes(tmp_path, capsys))


REQUIREMENTS = {
    "digits.txt": ("requirements.txt", f"keras=={DIGITS}\n"),
    "brackets.txt": ("requirements.txt", f"keras; {'(' * 5_000}python_version > '3'{')' * 5_000}\n"),
    "digits.pipfile": ("Pipfile.lock", json.dumps({"default": {"keras": {"version": f"=={DIGITS}"}}})),
    "number.pipfile": ("Pipfile.lock", f'{{"default": {{"keras": {{"version": {DIGITS}}}}}}}'),
    "deep.pipfile": ("Pipfile.lock", '{"default": ' * 20_000),
    "digits.lock": ("poetry.lock", f'name = "keras"\nversion = "{DIGITS}"\n'),
    "word.lock": ("uv.lock", 'name = "keras"\nversion = "newest"\n'),
    "digits.conda": ("environment.yml", f"dependencies:\n  - keras={DIGITS}\n"),
    "digits.poetry": ("pyproject.toml", f'[tool.poetry.dependencies]\nkeras = "^{DIGITS}"\n'),
    "deep.toml": ("pyproject.toml", f"x = {'[' * 20_000}"),
    "digits.cfg": ("setup.cfg", f"[options]\ninstall_requires =\n    keras=={DIGITS}\n"),
}


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_what_says_which_keras_is_needed(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, text = REQUIREMENTS[name]
    (tmp_path / "feed.py").write_text(HEALTHY)
    (tmp_path / file).write_text(text)
    assert is_checked(codes(tmp_path, capsys))


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("seqlint.toml", f"x = {'[' * 20_000}"),
        ("seqlint.toml", f"x = {'{a=' * 5_000}"),
        ("pyproject.toml", f"[tool.seqlint]\nselect = {'[' * 3_000}{']' * 3_000}\n"),
        ("seqlint.toml", f"x = {DIGITS}"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_an_error_that_names_it(
    file: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "feed.py").write_text(HEALTHY)
    (tmp_path / file).write_text(text)
    assert run(["check", "--no-cache", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert file in said
    assert "Traceback" not in said
    assert "report" not in said


def test_a_row_of_methods_that_call_each_other_is_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "".join(
        f"    def step_{n}(self, x):\n        self.seen_{n} = x\n        return self.step_{n + 1}(x)\n\n"
        for n in range(900)
    )
    chain = "dataset = tf.data.Dataset.range(9)\n" + "dataset = dataset.map(step)\n" * 900 + "model.fit(dataset)\n"
    text = HEALTHY.replace("class Own", f"{row}    def step_900(self, x):\n        return self.data\n\n\nclass Own")
    (tmp_path / "feed.py").write_text(
        f"import tensorflow as tf\n{text.replace('self.data[index]', 'self.step_0(index)')}{chain}"
    )
    assert is_checked(codes(tmp_path, capsys))
