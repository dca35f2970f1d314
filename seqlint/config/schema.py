"""The keys of the configuration, each once: the reader, the error messages, the JSON schema and `--show-settings` all read this."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.config.settings import Config

ADDRESS = "https://json.schemastore.org/seqlint.json"
_WORDS = {"type": "array", "items": {"type": "string"}}
_FLAG, _WORD = {"type": "boolean"}, {"type": "string"}
_SECONDS = {"type": "number", "minimum": 0}


@dataclass(frozen=True)
class Key:
    """One key.

    Attributes:
        text: what it sets, in one sentence.
        form: what it takes, as JSON schema.
        default: what holds without it; None: nothing.
        attribute: where `Config` has it; empty where it is used up while the configuration is read.
    """

    text: str
    form: Mapping[str, Any]
    default: object = None
    attribute: str = ""


KEYS: Mapping[str, Key] = {
    "docs": Key("Whether a walk reads Markdown and reStructuredText, too.", _FLAG, False, "docs"),
    "exclude": Key("Paths to leave out, as .gitignore patterns.", _WORDS, [], "exclude"),
    "extend": Key("Another configuration file, under whose settings these lie.", _WORD),
    "extend-select": Key("Rules to use in addition.", _WORDS, [], "extend_select"),
    "fail-on": Key(
        "The lowest level of findings that gives exit code 1.",
        {"type": "string", "enum": ["error", "warning", "advice"]},
        "warning",
        "fail_on",
    ),
    "file-time-limit": Key("Seconds of processor time for each file; 0 means no limit.", _SECONDS, 30, "time_limit"),
    "ignore": Key("Rules to turn off.", _WORDS, [], "ignore"),
    "keras": Key("The Keras in use, such as '>=3.10', '3.3.3', 'tf-keras' or 'installed'.", _WORD, "", "keras"),
    "per-file-ignores": Key(
        "For each .gitignore pattern of paths, the rules to turn off there.",
        {"type": "object", "additionalProperties": _WORDS},
        {},
        "per_file_ignores",
    ),
    "required-version": Key("The versions of seqlint that may read this file, such as '>=0.2'.", _WORD),
    "respect-gitignore": Key("Whether a walk leaves out what git ignores.", _FLAG, True, "respect_gitignore"),
    "rules": Key("Folders with rules of the project, relative to this file.", _WORDS, [], "rule_folders"),
    "select": Key("Rules to use: codes, beginnings of codes, names, or ALL.", _WORDS, [], "select"),
    "unsafe": Key("Whether `fix` applies all fixes.", _FLAG, False, "unsafe"),
}


def document() -> dict[str, Any]:
    """The JSON schema of seqlint.toml and of `[tool.seqlint]`."""
    properties = {
        name: {**key.form, "description": key.text, **({} if key.default is None else {"default": key.default})}
        for name, key in KEYS.items()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": ADDRESS,
        "title": "seqlint",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def values(config: Config) -> dict[str, object]:
    """What each key of a configuration is, with what the command line has added."""
    return {name: _plain(getattr(config, key.attribute), key) for name, key in KEYS.items() if key.attribute}


def _plain(value: object, key: Key) -> object:
    if not isinstance(value, tuple):
        return value
    if key.form["type"] == "object":
        return {name: list(words) for name, words in value}
    return [str(word) for word in value]
