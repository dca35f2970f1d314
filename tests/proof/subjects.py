"""What is proved of seqlint itself: every example of every rule that has a fix, and every program of `fixtures/programs`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import fix
from seqlint.facts.keras import parse_range
from seqlint.proof import Pair, union
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import Contract, Example, LoadedRule
    from seqlint.proof import KerasChoice

RULES = registry.load()
PROGRAMS = sorted((Path(__file__).parents[2] / "fixtures/programs").glob("*/program.py"))
LINES: tuple[KerasChoice, ...] = ("3", "legacy")


@dataclass(frozen=True)
class Subject:
    """One program with its fixes, and the Keras that it runs on; `of` is a rule's code or a folder's name."""

    of: str
    pair: Pair
    line: KerasChoice

    @property
    def name(self) -> str:
        """What tests and reports call it."""
        return self.pair.name


def of_rule(loaded: LoadedRule) -> Iterator[Subject]:
    """The examples of a rule that have a fix, on each line of Keras that their range admits."""
    for number, example in enumerate(loaded.rule.examples):
        if example.after is None:
            continue
        contract = example.contract or loaded.rule.contract
        for line in _lines(example):
            name = f"{loaded.rule.code} example {number} on Keras {line}"
            yield Subject(loaded.rule.code, _pair(name, example.before, example.after, contract, line), line)


def _pair(name: str, before: str, after: str, contract: Contract, line: KerasChoice) -> Pair:
    return Pair(name, _spelled(before, line), _spelled(after, line), contract)


def _spelled(text: str, line: KerasChoice) -> str:
    """Beside tf-keras, `import keras` is Keras 3; where it was Keras 2, `tf.keras` was the same."""
    if line == "3":
        return text
    text = re.sub(r"^import keras$", "from tensorflow import keras", text, flags=re.MULTILINE)
    return re.sub(r"^from keras\b", "from tensorflow.keras", text, flags=re.MULTILINE)


def _lines(example: Example) -> list[KerasChoice]:
    """An example whose range says nothing runs on Keras 3; one that admits Keras 2 on that too."""
    lines = parse_range(example.keras).lines
    wanted = {"3": bool(lines - {"2"}), "legacy": "2" in lines and example.keras != ""}
    return [line for line in LINES if wanted[line]]


def of_program(path: Path) -> Subject | None:
    """A program with all fixes of all rules; None where no rule has one."""
    source = Source.from_bytes(path.read_bytes(), str(path))
    fixed = fix(source, RULES, replace(Config.default(), root=path.parent), unsafe=True)
    if not fixed.applied:
        return None
    contract = union(applied.contract for applied in fixed.applied)
    return Subject(path.parent.name, Pair(path.parent.name, source.text, fixed.source.text, contract, path.parent), "3")


def everything() -> Iterator[Subject]:
    """All that is proved."""
    for loaded in RULES:
        yield from of_rule(loaded)
    yield from (subject for subject in map(of_program, PROGRAMS) if subject is not None)
