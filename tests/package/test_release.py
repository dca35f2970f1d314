"""What a release is made of: links of the README, the form of the changelog, the metadata, and what the container files install."""

from __future__ import annotations

import re
import runpy
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version
from trove_classifiers import classifiers

from seqlint.version import __version__

_loads = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = _loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELEASE = runpy.run_path(str(ROOT / "scripts/release"))
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CONTAINERS = ("Containerfile", "Containerfile.proof")


def test_links_of_the_readme_lead_to_files_of_the_repository_from_anywhere() -> None:
    text = RELEASE["absolute"]((ROOT / "README.md").read_text(encoding="utf-8"), "v1.2.3")
    links = re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text)
    head = f"{PROJECT['urls']['Source']}/blob/v1.2.3/"
    own = [link.removeprefix(head) for link in links if link.startswith(head)]
    assert "docs/rules.md" in own
    assert [path for path in own if not (ROOT / path).exists()] == []
    assert [link for link in links if not link.startswith("https://")] == []


def test_links_that_lead_elsewhere_or_within_the_page_stay() -> None:
    page = "[a](https://example.org/a) [b](#use) [c](docs/ci.md#gitlab)"
    there = f"{PROJECT['urls']['Source']}/blob/v1/docs/ci.md#gitlab"
    assert RELEASE["absolute"](page, "v1") == f"[a](https://example.org/a) [b](#use) [c]({there})"


def test_every_classifier_is_one_and_each_python_has_its_own() -> None:
    assert set(PROJECT["classifiers"]) <= classifiers
    named = {one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.fullmatch(r".*Python :: 3\.\d+", one)}
    assert named == set(RELEASE["PYTHONS"])
    assert PROJECT["requires-python"] == f">={RELEASE['PYTHONS'][0]}"


def test_the_changelog_is_in_order() -> None:
    heads = re.findall(r"^## (.*)$", CHANGES, re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    assert [head for head in heads[1:] if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", head)] == []
    versions = [Version(head[1 : head.index("]")]) for head in heads[1:]]
    assert versions == sorted(versions, reverse=True)
    kinds = set(re.findall(r"^### (.*)$", CHANGES, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^## \[(.*?)\]", CHANGES, re.MULTILINE)) == set(
        re.findall(r"^\[(.*?)\]: https://", CHANGES, re.M)
    )


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_file_installs_the_wheel_of_this_version_with_extras_that_there_are(name: str) -> None:
    steps = instructions(name)
    (version,) = [words.partition("=")[2] for step, words in steps if step == "ARG"]
    assert version == __version__
    (copied,) = [words.replace("${VERSION}", version) for step, words in steps if step == "COPY"]
    wheel, folder = copied.split()
    assert wheel == f"dist/seqlint-{__version__}-py3-none-any.whl"
    (installs,) = [words.replace("${VERSION}", version) for step, words in steps if step == "RUN"]
    found = re.fullmatch(r'pip install --no-cache-dir "(\S+?\.whl)(?:\[([\w,]+)\])?"', installs)
    assert found is not None
    assert found[1] == folder + Path(wheel).name
    extras = set(found[2].split(",")) if found[2] else set()
    assert extras <= set(PROJECT["optional-dependencies"])
    assert extras == ({"proof"} if name.endswith(".proof") else set())


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_has_a_python_that_the_wheel_is_tried_with(name: str) -> None:
    step, words = instructions(name)[0]
    found = re.search(r"/python:(3\.\d+)-slim$", words)
    assert step == "FROM"
    assert found is not None
    assert found[1] in RELEASE["PYTHONS"]


def instructions(name: str) -> list[tuple[str, str]]:
    """The instructions of a container file, each with its words."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(step, words) for step, _, words in parts]
