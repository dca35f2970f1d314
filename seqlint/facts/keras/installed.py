"""The Keras that is installed next to seqlint. Asked only where the configuration says so: seqlint often has an environment of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.facts.keras.ranges import Range

INSTALLED = "installed"
"""What is written in the place of a range: `[tool.seqlint] keras = "installed"`."""


def installed(names: tuple[str, ...]) -> tuple[Range, str]:
    """The versions of the distributions of these names that are installed, as a range, and in words; empty where none is."""
    found = [(name, version) for name in names if (version := _version(name))]
    demands = tuple((name, f"=={version}") for name, version in found)
    return ((demands,) if demands else ()), " and ".join(f"{name} {version}" for name, version in found)


def _version(name: str) -> str | None:
    from importlib import metadata  # slow to import, and hardly ever asked

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
