"""The JSON schema says of a configuration what the reader says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from seqlint.config import read_config
from seqlint.config.schema import KEYS, document, values
from seqlint.model import ConfigError

FILE = Path(__file__).parents[2] / "docs/seqlint.schema.json"

GOOD: dict[str, Any] = {
    "docs": True,
    "exclude": ["a/"],
    "extend-select": ["SEQ301"],
    "fail-on": "error",
    "file-time-limit": 2.5,
    "ignore": ["SEQ2"],
    "keras": ">=3",
    "per-file-ignores": {"tests/**": ["SEQ614"]},
    "required-version": ">=0.0.1",
    "respect-gitignore": False,
    "rules": ["tools"],
    "select": ["SEQ1"],
    "unsafe": True,
}


def toml(key: str, value: object) -> str:
    if isinstance(value, dict):
        return f"[{key}]\n" + "".join(f"{json.dumps(name)} = {json.dumps(words)}\n" for name, words in value.items())
    return f"{key} = {json.dumps(value)}\n"


def read(tmp_path: Path, text: str) -> Any:
    (tmp_path / "tools").mkdir(exist_ok=True)
    file = tmp_path / "seqlint.toml"
    file.write_text(text, encoding="utf-8")
    return read_config(file)


def test_the_file_is_made_from_the_keys() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == document(), "run scripts/schema"


@pytest.mark.parametrize("key", list(GOOD))
def test_what_the_reader_takes_the_schema_takes(key: str, tmp_path: Path) -> None:
    jsonschema.validate({key: GOOD[key]}, document())
    found = values(read(tmp_path, toml(key, GOOD[key])))
    if KEYS[key].attribute and key != "rules":
        assert found[key] == GOOD[key]


@pytest.mark.parametrize("key", [*GOOD, "extend", "colour"])
def test_what_the_reader_refuses_the_schema_refuses(key: str, tmp_path: Path) -> None:
    wrong: object = [1, 2]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: wrong}, document())
    with pytest.raises(ConfigError, match=rf"seqlint\.toml:1: .*{key}"):
        read(tmp_path, toml(key, wrong))


@pytest.mark.parametrize("key", [key for key, stated in KEYS.items() if stated.attribute])
def test_the_defaults_are_those_that_hold(key: str, tmp_path: Path) -> None:
    assert values(read(tmp_path, ""))[key] == KEYS[key].default


class TestExtend:
    def test_own_keys_replace_those_of_the_other_file(self, tmp_path: Path) -> None:
        (tmp_path / "base.toml").write_text('ignore = ["SEQ1"]\nkeras = ">=3"\nrules = ["elsewhere"]\n')
        (tmp_path / "elsewhere").mkdir()
        config = read(tmp_path, 'extend = "base.toml"\nignore = ["SEQ2"]\n')
        assert (config.ignore, config.keras, config.rule_folders) == (("SEQ2",), ">=3", ())

    def test_a_chain_ends_and_a_circle_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "a.toml").write_text('extend = "b.toml"\n')
        (tmp_path / "b.toml").write_text('fail-on = "error"\n')
        assert read(tmp_path, 'extend = "a.toml"\n').fail_on == "error"
        (tmp_path / "b.toml").write_text('extend = "seqlint.toml"\n')
        with pytest.raises(ConfigError, match=r"b\.toml:1: 'seqlint\.toml' extends this file in turn"):
            read(tmp_path, 'extend = "a.toml"\n')

    @pytest.mark.parametrize("text", ["[tool.other]\nx = 1\n", None])
    def test_a_file_without_settings_is_an_error(self, tmp_path: Path, text: str | None) -> None:
        if text is not None:
            (tmp_path / "pyproject.toml").write_text(text)
        with pytest.raises(ConfigError, match=r"seqlint\.toml:1: .*pyproject\.toml"):
            read(tmp_path, 'extend = "pyproject.toml"\n')

    def test_what_is_wrong_in_the_other_file_is_said_there(self, tmp_path: Path) -> None:
        (tmp_path / "base.toml").write_text('\nunsafe = "yes"\n')
        with pytest.raises(ConfigError, match=r"base\.toml:2: 'unsafe' must be true or false"):
            read(tmp_path, 'extend = "base.toml"\n')


class TestRequiredVersion:
    def test_another_version_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"seqlint\.toml:1: this is seqlint .* requires >=99"):
            read(tmp_path, 'required-version = ">=99"\n')

    def test_a_word_that_is_no_range_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="is not a range of versions"):
            read(tmp_path, 'required-version = "new"\n')


def test_a_level_that_is_none_has_its_nearest_word(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"seqlint\.toml:1: 'warnings' is not a level; did you mean 'warning'\?"):
        read(tmp_path, 'fail-on = "warnings"\n')
