"""Contracts and levels in words; the terminal, JSON, the rule pages and the tables all say it the same way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from seqlint.model import OBSERVABLES, Contract

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from seqlint.model import Fix, KerasLine, Level, Levels, Observable, Rule

LINES: Mapping[KerasLine, str] = {
    "2": "Keras 2 (tf-keras)",
    "3.0-3.9": "Keras 3.0 to 3.9",
    "3.10+": "Keras 3.10 and later",
}

FAMILIES: Mapping[str, str] = {
    "SEQ0": "seqlint itself",
    "SEQ1": "Epoch hooks of a Sequence or PyDataset",
    "SEQ2": "Batches: `__init__`, `__len__`, `__getitem__`",
    "SEQ3": "Distribution",
    "SEQ4": "tf.data",
    "SEQ5": "Callbacks and optimizers",
    "SEQ6": "Calls of fit, evaluate and predict",
    "SEQ7": "From Keras 2 to Keras 3",
    "SEQ8": "Outputs, losses, metrics and own training loops",
    "SEQ9": "Saving and loading",
}


def family(code: str) -> str:
    """What the rules with the first digit of a code are about."""
    return FAMILIES.get(code[:4], "Others")


def safety(contract: Contract) -> str:
    """Whether a fix is safe, and if not, what it changes: "safe" or "unsafe, changes hooks and history"."""
    return "safe" if contract.safe else f"unsafe, changes {listed(in_order(contract.changes))}"


def contract_of(fix: Fix) -> Contract:
    """The contract of a fix in a diagnostic, where the engine has filled in that of the rule."""
    return fix.contract or Contract()


def contract_sentence(contract: Contract, sometimes: Collection[Observable] = ()) -> str:
    """The whole contract of a fix, in the order in which the proof reports.

    Args:
        contract: what each of the fixes may change.
        sometimes: what only the fixes of some programs change in addition.
    """
    named = {*contract.changes, *contract.repairs, *sometimes}
    kept = [name for name in OBSERVABLES if name not in named]
    parts = [f"Fix safety: {'safe' if contract.safe else 'unsafe'}."]
    if contract.changes:
        parts.append(f"It changes {listed(in_order(contract.changes))}.")
    if contract.repairs:
        parts.append(f"In a program that failed or warned it repairs {listed(in_order(contract.repairs))}.")
    if sometimes:
        parts.append(f"In some programs it also changes {listed(in_order(sometimes))}, and says so.")
    parts.append(f"It keeps {listed(kept)}.")
    return " ".join(parts)


def in_order(names: Collection[Observable]) -> tuple[Observable, ...]:
    """Observables in the order of the model."""
    return tuple(name for name in OBSERVABLES if name in names)


def levels_by_line(levels: Levels) -> Mapping[KerasLine, Level | None]:
    """The level of a rule on each line of Keras."""
    return {"2": levels.keras2, "3.0-3.9": levels.early, "3.10+": levels.keras3}


def others_by_line(rule: Rule) -> Mapping[KerasLine, tuple[Level, ...]]:
    """The levels that some findings of a rule have instead, on each line of Keras."""
    return {"2": rule.sometimes.keras2, "3.0-3.9": rule.sometimes.early, "3.10+": rule.sometimes.keras3}


def said_by_line(rule: Rule, silent: str) -> Mapping[KerasLine, str]:
    """How bad it is on each line of Keras, in words: "warning", "error, sometimes", "error, sometimes advice".

    Args:
        silent: the word for a line on which nothing is reported.
    """
    others = others_by_line(rule)
    return {line: said(level, others[line], silent) for line, level in levels_by_line(rule.levels).items()}


def said(level: Level | None, others: tuple[Level, ...], silent: str) -> str:
    """A level, and those that some findings have instead."""
    if not others:
        return level or silent
    listed_others = " or ".join(others)
    return f"{level}, sometimes {listed_others}" if level else f"{listed_others}, sometimes"


def changed_sometimes(rule: Rule) -> frozenset[Observable]:
    """What the fixes of some examples change beyond the contract of the rule."""
    wider = (example.contract for example in rule.examples if example.contract is not None)
    return frozenset(name for contract in wider for name in contract.changes) - rule.contract.changes


def fixability(rule: Rule) -> str:
    """Whether the rule has a fix, as its examples show, and how safe it is."""
    reported = [example for example in rule.examples if not example.silent and not example.unsure]
    fixed = sum(example.after is not None for example in reported)
    if not fixed:
        return "none"
    kind = "safe" if rule.contract.safe else "unsafe"
    return kind if fixed == len(reported) else f"{kind}, sometimes"


def short(path: str) -> str:
    """An absolute path as a reader would write it here."""
    here = os.path.relpath(path)
    return path if here.startswith(os.pardir) else here


def too(paths: Collection[str]) -> str:
    """What is said after the title of a fix of the other files that it changes; empty where there are none."""
    names = [f"`{short(path)}`" for path in paths]
    return f"; changes {listed(names)}, too" if names else ""


def listed(words: Collection[str]) -> str:
    """Words as in a sentence: "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
