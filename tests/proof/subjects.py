"""What is proved of seqlint itself: every example of every rule that has a fix, and every program of `fixtures/programs`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import facts_of, fix
from seqlint.facts.keras import parse_range
from seqlint.proof import UNREACHED, Pair, Settings, missing, prove_corrupt, prove_pair, union
from seqlint.sources import Source
from tests.configs import undeclared
from tests.fixtures.programs import Program, Run, programs
from tests.proof.harder import harder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import Contract, KerasLine, LoadedRule
    from seqlint.proof import KerasChoice, Proof, Worker

RULES = registry.load()
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

    @property
    def replicas(self) -> int:
        """How many logical processors the program is split over: one replica would hide what goes wrong between two."""
        return 2 if "MirroredStrategy" in str(self.pair.before) else 1


def proved(pair: Pair, child: Worker, *, twice: bool = True) -> Proof:
    """The proof of a pair; where only bad input reaches what the fix changes, that on bad input."""
    proof = prove_pair(pair, child, twice=twice)
    spoilt = prove_corrupt(pair, child, proof) if proof.obstacle.startswith(UNREACHED) else None
    return spoilt if spoilt is not None and spoilt.changed else proof


def everything() -> Iterator[Subject]:
    """All that is proved."""
    for loaded in RULES:
        yield from of_rule(loaded)
    for program in programs():
        yield from of_program(program)


def of_rule(loaded: LoadedRule) -> Iterator[Subject]:
    """The examples of a rule that have a fix, on each line of Keras that their range admits; one that says nothing admits all."""
    for number, example in enumerate(loaded.rule.examples):
        if example.after is None:
            continue
        contract = example.contract or loaded.rule.contract
        for line in _lines(_range(example.before, example.keras)):
            name = f"{loaded.rule.code} example {number} on Keras {line}"
            yield Subject(loaded.rule.code, _pair(name, example.before, example.after, contract, line), line)


def harder_of(loaded: LoadedRule) -> Iterator[Subject]:
    """Examples of a rule as their user might have them, one for each contract that its fixes state, on the newest line of Keras."""
    seen: set[Contract] = set()
    for number, example in enumerate(loaded.rule.examples):
        if example.after is None:
            continue
        line = _lines(_range(example.before, example.keras))[0]
        before = _spelled(harder(example.before), line)
        fixed = fix(Source("example.py", before), [loaded], replace(Config.default(), keras=example.keras), unsafe=True)
        contract = union(applied.contract for applied in fixed.applied)
        if fixed.applied and contract not in seen:
            seen.add(contract)
            name = f"{loaded.rule.code} example {number}, printed and scaled, on Keras {line}"
            yield Subject(loaded.rule.code, Pair(name, before, fixed.source.text, contract), line)


def anywhere(loaded: LoadedRule) -> Iterator[Subject]:
    """What a rule makes of its examples where nothing says which Keras runs them, unless `of_rule` proves that already.

    The fix must then do on each line, also in an example that is judged under one: who wrote it may have had no other in mind.
    A PyDataset says Keras 3, so it is a Sequence here.
    """
    proved = {(one.pair.before, one.pair.after, one.line) for one in of_rule(loaded)}
    for number, example in enumerate(loaded.rule.examples):
        before = example.before.replace("PyDataset", "Sequence")
        fixed = fix(Source("example.py", before), [loaded], undeclared(), unsafe=True)
        if example.after is None or not fixed.applied:
            continue
        contract = union(applied.contract for applied in fixed.applied)
        differs = fixed.source.text != example.after.replace("PyDataset", "Sequence")
        for line in _lines(_range(before, "")):
            pair = _pair(
                f"{loaded.rule.code} example {number} anywhere, on Keras {line}",
                before,
                fixed.source.text,
                contract,
                line,
            )
            # On Keras 3 another name of the same class is no other program.
            if (differs or line == "legacy") and (pair.before, pair.after, line) not in proved:
                yield Subject(loaded.rule.code, pair, line)


def _pair(name: str, before: str, after: str, contract: Contract, line: KerasChoice) -> Pair:
    return Pair(name, _spelled(before, line), _spelled(after, line), contract)


def _spelled(text: str, line: KerasChoice) -> str:
    """Beside tf-keras, `import keras` is Keras 3; where it was Keras 2, `tf.keras` was the same."""
    if line == "3":
        return text
    text = re.sub(r"^import keras$", "from tensorflow import keras", text, flags=re.MULTILINE)
    return re.sub(r"^from keras\b", "from tensorflow.keras", text, flags=re.MULTILINE)


def _range(text: str, keras: str) -> frozenset[KerasLine]:
    """The lines of Keras that a program may run on, as seqlint judges it."""
    return facts_of(Source("example.py", text), undeclared(keras)).keras.lines


def _lines(admitted: frozenset[KerasLine]) -> list[KerasChoice]:
    """Those that are installed."""
    return [choice for choice, line in INSTALLED.items() if line in admitted]


def _installed() -> Iterator[tuple[KerasChoice, KerasLine]]:
    for choice in LINES:
        if not missing(Settings(keras=choice)):
            (line,) = parse_range("tf-keras" if choice == "legacy" else f"=={version('keras')}").lines
            yield choice, line


INSTALLED = dict(_installed())
"""The lines of Keras that programs run on here."""


def of_program(program: Program) -> Iterator[Subject]:
    """A program with all fixes of all rules, on each kind of data that reaches what they change."""
    runs = [run for run in program.runs if run.reached]
    for number, run in enumerate(runs, 1):
        before, after = (_changed(text, run) for text in (program.text, program.fixed))
        if before == after:
            continue
        source = Source(str(program.path), before)
        fixed = fix(source, RULES, replace(Config.default(), root=program.folder), unsafe=True)
        contract = union(applied.contract for applied in fixed.applied)
        name = f"{program.name}, run {number} on Keras {run.keras}"
        yield Subject(program.name, Pair(name, before, after, contract), run.keras)


def _changed(text: str, run: Run) -> str:
    return text.replace(*run.change) if run.change is not None else text
