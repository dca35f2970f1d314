"""The programs that the fuzzer starts from: all that this repository holds of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import registry
from tests.fixtures.programs import programs
from tests.rules.casebook import pages

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIXTURES = Path(__file__).parents[2] / "fixtures"


@dataclass(frozen=True)
class Subject:
    """One file that seqlint is to read, and the project around it.

    Attributes:
        name: its name; the suffix says what it is.
        data: its bytes.
        keras: the range of Keras that it runs on; empty for an unknown one.
        others: names and texts of the files around it.
    """

    name: str
    data: bytes
    keras: str = ""
    others: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """Its bytes as text, as far as they are UTF-8."""
        return self.data.decode("utf-8", "replace")


@cache
def seeds() -> tuple[Subject, ...]:
    """Examples of rules, case pages, programs and their fixed twins, hostile files: each text once."""
    found = {(seed.name, seed.data): seed for seed in (*_examples(), *_cases(), *_programs(), *_files())}
    return tuple(found.values())


@cache
def python_seeds() -> tuple[Subject, ...]:
    """Those of the seeds that are Python files."""
    return tuple(seed for seed in seeds() if seed.name.endswith(".py"))


def _examples() -> Iterator[Subject]:
    for loaded in registry.load():
        for example in loaded.rule.examples:
            for text in (example.before, example.after):
                if text is not None:
                    yield Subject("main.py", text.encode(), example.keras)


def _cases() -> Iterator[Subject]:
    for page in pages():
        for case in page:
            yield Subject("main.py", case.plain.encode(), case.keras, case.others)


def _programs() -> Iterator[Subject]:
    for program in programs():
        yield Subject("main.py", program.text.encode())
        yield Subject("main.py", program.fixed.encode())


def _files() -> Iterator[Subject]:
    for path in sorted((_FIXTURES / "hostile").glob("*.py")):
        yield Subject("main.py", path.read_bytes())
    for path in sorted((_FIXTURES / "pages").iterdir()):
        if path.suffix in (".md", ".rst", ".txt"):
            yield Subject(path.name, path.read_bytes())
