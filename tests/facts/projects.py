"""Projects written to a folder, and what is seen of the Keras in use there."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from seqlint.facts.keras import KerasInUse, keras_in_use

if TYPE_CHECKING:
    from pathlib import Path

ALL = {"2", "3.0-3.9", "3.10+"}
KERAS3 = {"3.0-3.9", "3.10+"}
OLD_OR_NEW = {"2", "3.10+"}

UV = """\
version = 1

[[package]]
name = "keras-hub"
version = "0.17.0"

[[package]]
name = "keras"
version = "3.3.3"
source = { registry = "https://example.org" }
dependencies = [{ name = "numpy" }]

[[package]]
name = "numpy"
version = "1.26.4"

[[package]]
name = "tensorflow"
version = "2.17.1"
"""


def write(root: Path, **files: str) -> None:
    """Files by their names, with "__" for "/" and "_dot_" for "."."""
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")


def look(root: Path, text: str = "import keras\n", at: str = "train.py") -> KerasInUse:
    return keras_in_use(root / at, root, text=text)


def seen(found: KerasInUse, *names: str) -> tuple[object, ...]:
    """The lines, and some of the other attributes."""
    return (set(found.lines), *(getattr(found, name) for name in names))
