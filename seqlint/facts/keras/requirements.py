"""What a project asks for: one demand, and the texts of requirement files as pip, conda and setuptools write them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.facts.keras.ranges import is_known
from seqlint.facts.keras.translate import conda
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST = 2_000
"""The characters of a demand that is read: Python makes no number of more than 4,300 digits."""
_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)[\s=]*(\S+)")
_OPTIONS = re.compile(r"\s(?:#|--?[a-z])")
_CONDA = re.compile(r"\s*-\s+[\"']?(?:[\w./-]+::)?([A-Za-z0-9][\w.-]*)\s*([^#\"']*)")

_AT_WORK = frozenset(
    {
        "bench", "benchmark", "benchmarks", "build", "ci", "dev", "develop", "development", "doc", "docs", "documentation",
        "format", "lint", "linting", "mypy", "nox", "qa", "rtd", "style", "test", "testing", "tests", "tox", "types", "typing",
    }
)  # fmt: skip
"""Words in the names of extras, groups and files that those who work on a project install, and none of its users."""


@dataclass(frozen=True)
class Requirement:
    """One demand of a project.

    Attributes:
        name: the distribution, normalised: "keras", "tensorflow-cpu", "numpy".
        specifier: PEP 440; "" for any version.
        line: where it stands, from 1.
        variant: "" if it always holds; else the marker, extra or group it holds under. Variants are alternatives.
        file: the file it stands in, as seen from the folder that was looked at, with "/" between folders.
    """

    name: str
    specifier: str
    line: int
    variant: str = ""
    file: str = ""


def normalised(name: str) -> str:
    """The name of a distribution in its one spelling (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_for_work(name: str) -> bool:
    """Whether an extra, a group or a file is for tests, documentation or development, so that it binds no user.

    Args:
        name: such as "extra test", "group dev", "requirements-dev.txt", "test_requirements".
    """
    return not _AT_WORK.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def wanted(name: str) -> bool:
    """Whether a distribution matters here."""
    return is_known(name) or name in ("numpy", "pandas")


def requirement(text: str, line: int, variant: str = "") -> Iterator[Requirement]:
    """A PEP 508 requirement such as `keras>=3; python_version > "3.9"`, if it matters. Nothing for a malformed one."""
    found = _NAME.match(text)
    if found is None or not wanted(normalised(found[1])):
        return
    from packaging.requirements import InvalidRequirement
    from packaging.requirements import Requirement as Parsed

    if len(text) > LONGEST:
        return
    try:
        parsed = Parsed(text)
    except (InvalidRequirement, RecursionError):
        return
    if parsed.url is not None:  # the version is not written down
        return
    marker = str(parsed.marker) if parsed.marker is not None else ""
    name, specifier = normalised(parsed.name), str(parsed.specifier)
    # On PyPI the last release of tensorflow-gpu that installs anything is 2.11, so whatever the demand, it is Keras 2.
    if name == "tensorflow-gpu" and not specifier.startswith("=="):
        specifier = ",".join(filter(None, (specifier, "<2.13")))
    yield Requirement(name, specifier, line, "; ".join(filter(None, (variant, marker))))


def translated(name: str, specifiers: tuple[str, ...], line: int, variant: str = "") -> Iterator[Requirement]:
    """A demand of Poetry or conda, one requirement for each of its alternatives. Malformed ones are passed over."""
    if not wanted(normalised(name)):
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    if sum(map(len, specifiers)) > LONGEST:
        return
    try:
        specifiers = tuple(str(SpecifierSet(specifier)) for specifier in specifiers)
    except InvalidSpecifier:
        return
    for number, specifier in enumerate(specifiers):
        alternative = f"{variant} alternative {number}" if len(specifiers) > 1 else variant
        yield Requirement(normalised(name), specifier, line, alternative)


def from_pip(text: str, include: Callable[[str], Iterator[Requirement]]) -> Iterator[Requirement]:
    """requirements.txt, with line continuations, options, hashes, and `-r` and `-c`, which `include` reads."""
    pending, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        first = first or number
        pending += line.removesuffix("\\")
        if line.endswith("\\"):
            continue
        stripped = pending.strip()
        if (option := _INCLUDE.match(stripped)) is not None:
            yield from include(option[1])
        elif stripped and stripped[0] not in "#-":
            yield from requirement(_OPTIONS.split(stripped, maxsplit=1)[0], first)
        pending, first = "", 0


def from_conda(text: str) -> Iterator[Requirement]:
    """environment.yml: its `dependencies`, those of `pip` among them. Only the plain form of a list is read."""
    section, pip_depth = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        depth = len(line) - len(line.lstrip())
        stripped = line.strip()
        if depth == 0 and stripped.endswith(":") and not stripped.startswith("-"):
            section, pip_depth = stripped[:-1], 0
        if section != "dependencies" or not stripped.startswith("-"):
            continue
        if pip_depth and depth >= pip_depth:
            yield from requirement(stripped.lstrip("- ").strip("\"'").split(" #")[0], number)
            continue
        pip_depth = depth + 1 if re.match(r"-\s+pip:", stripped) else 0
        if (found := _CONDA.match(line)) is not None and not pip_depth and len(line) <= LONGEST:
            yield from translated(found[1], conda(found[2]), number)


def sets_legacy(text: str) -> bool:
    """Whether an environment.yml sets TF_USE_LEGACY_KERAS, as TensorFlow reads it."""
    return re.search(r"^\s+TF_USE_LEGACY_KERAS:\s*[\"']?(?:1|true|True)\b", text, re.MULTILINE) is not None


def from_setup_cfg(text: str) -> Iterator[Requirement]:
    """setup.cfg: `install_requires` and the extras."""
    import configparser

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    yield from _listed(text, parser.get("options", "install_requires", fallback=""), "")
    if parser.has_section("options.extras_require"):
        for extra, value in parser.items("options.extras_require"):
            yield from _listed(text, value, f"extra {extra}")


def _listed(text: str, value: str, variant: str) -> Iterator[Requirement]:
    for item in value.splitlines():
        for found in requirement(item.strip(), 1, variant):
            yield replace(found, line=line_of(text, item.strip()))


def from_setup_py(text: str) -> Iterator[Requirement]:
    """setup.py: every text in a list or tuple that is a requirement, wherever it stands. Nothing is run."""
    tree = neighbour(text)
    if tree is None:
        return
    extras = {item: f"extra {name}" for name, value in _named_lists(tree) for item in ast.walk(value)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for item in node.elts:
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield from requirement(item.value, item.lineno, extras.get(item, ""))


def _named_lists(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The lists of extras; and those under another name that says that they are for work: `tests_require=[...]`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = zip(node.keys, node.values, strict=True)
            yield from ((str(key.value), value) for key, value in keys if isinstance(key, ast.Constant))
        elif isinstance(node, ast.keyword) and is_for_work(node.arg or ""):
            yield node.arg or "", node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if is_for_work(name):
                yield name, node.value


def line_of(text: str, needle: str) -> int:
    """The line, from 1, on which a text is found first; 1 if it is not."""
    return text.count("\n", 0, max(text.find(needle), 0)) + 1
