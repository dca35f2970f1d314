"""The words that options take, separate from the options: a plain command line is read without typer."""

from __future__ import annotations

from enum import Enum


class Format(str, Enum):
    """How findings are written."""

    text = "text"
    concise = "concise"
    grouped = "grouped"
    json = "json"
    sarif = "sarif"
    github = "github"
    gitlab = "gitlab"
    azure = "azure"
    junit = "junit"
    rdjson = "rdjson"
    pylint = "pylint"


class Threshold(str, Enum):
    """The level from which findings fail the run."""

    error = "error"
    warning = "warning"
    advice = "advice"


class Colour(str, Enum):
    """When to use colours."""

    auto = "auto"
    always = "always"
    never = "never"


class On(str, Enum):
    """The device that a program runs on."""

    auto = "auto"
    cpu = "cpu"
    gpu = "gpu"
