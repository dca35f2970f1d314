"""The lines of Keras that are at hand, and the sentences of a rule's page about what was measured on them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from seqlint import registry

if TYPE_CHECKING:
    from types import ModuleType

# What takes minutes: it is run by hand when a page changes.
on_demand = pytest.mark.skipif("SEQLINT_ON_DEMAND" not in os.environ, reason="takes minutes: SEQLINT_ON_DEMAND=1")
_TO_ALL = ("Every Keras", "Any Keras")
_KERAS_3 = re.compile(r"Keras 3(?!\.\d)")
_A_LINE = re.compile(r"Keras \d")


@dataclass(frozen=True)
class Line:
    """One Keras that a measurement runs on.

    Attributes:
        name: what pages call it: "Keras 2", "Keras 3.0 to 3.9" or "Keras 3.10 and later".
        keras: its module, on TensorFlow.
        said: what `says` has held so far: the rule, a space, and the sentence.
    """

    name: str
    keras: ModuleType
    said: list[str] = field(default_factory=list, compare=False)

    @property
    def is_2(self) -> bool:
        """Whether it is tf-keras, or Keras below 3."""
        return self.name == "Keras 2"

    @property
    def is_early(self) -> bool:
        """Whether it is Keras 3.0 to 3.9."""
        return self.name == "Keras 3.0 to 3.9"

    @property
    def version(self) -> tuple[int, int]:
        """The first two numbers of its version: where a line changed half way, as at 3.5 and 3.7."""
        major, minor = (int(part) for part in self.keras.__version__.split(".")[:2])
        return major, minor

    @property
    def batches(self) -> type:
        """The class that Sequences of this line inherit from."""
        found: type = self.keras.utils.Sequence if self.is_2 else self.keras.utils.PyDataset
        return found

    def says(self, code: str, sentence: str) -> None:
        """Assert that the page of a rule states a measurement for this line, word for word."""
        items = measured(code)
        spoken = [item for item in items if speaks_of(item, self.name)]
        assert any(sentence in item for item in spoken), (
            f"{code} does not say of {self.name}: {sentence!r}\n" + "\n".join(f"- {item}" for item in items)
        )
        self.said.append(f"{code} {sentence}")


def speaks_of(item: str, line: str) -> bool:
    """Whether an item of a page speaks of a line: it names it first, or "Keras 3" as a whole, or every Keras, or none."""
    head = item.split(":", 1)[0]
    if line in head or head.startswith(_TO_ALL) or _A_LINE.search(head) is None:
        return True
    return line != "Keras 2" and _KERAS_3.search(head) is not None


def measured(code: str) -> list[str]:
    """The items under "Measured" on the page of a rule, each on one line."""
    doc = next(loaded.doc for loaded in registry.load() if loaded.rule.code == code)
    section = doc.split("## Measured")[1].split("\n## ")[0]
    return [" ".join(item.split()) for item in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]
