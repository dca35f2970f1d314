"""Projects written to a folder, and what is seen of the Keras in use there."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from seqlint.facts.keras import KerasInUse, keras_in_use
from seqlint.facts.project import Project
from seqlint.knowledge.canonical_names import SEQUENCE, canonical

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


def write(root: Path, files: dict[str, str]) -> None:
    """Files by their paths below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")


def look(root: Path, text: str = "import keras\n", at: str = "train.py") -> KerasInUse:
    return keras_in_use(root / at, root, text=text)


def seen(found: KerasInUse, *names: str) -> tuple[object, ...]:
    """The lines, and some of the other attributes."""
    return (set(found.lines), *(getattr(found, name) for name in names))


def is_sequence(name: str) -> bool | None:
    """Keras's Sequence and PyDataset are; other things of Keras and Python are not; of all else nothing is known."""
    if canonical(name) in SEQUENCE:
        return True
    return False if name.startswith(("builtins.", "keras.", "tensorflow.", "collections.", "typing.", "abc.")) else None


def module(root: Path, text: str, others: dict[str, str] | None = None) -> Project:
    """The view of one module, `pkg/mod.py`."""
    write(root, {"pkg/__init__.py": "", "pkg/mod.py": text, **(others or {})})
    return Project(root).at(root / "pkg" / "mod.py")
