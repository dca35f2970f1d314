"""The words of a text: by them a rule is left out where it can have nothing to say, before the text is parsed.

A rule states what it needs (`Rule.needs`): all of it must be there. Needs look at words alone, so they may hold where the rule
finds nothing; they must never fail where it would find something.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.facts.training.signatures import SIGNATURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.model import Need

_WORD = re.compile(r"[^\W\d]\w*")
_MEMBER = re.compile(r"\.\s*([^\W\d]\w*)")
_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from|import)\b(?:[^\n(;\\]|\\\r?\n)*(?:\((?:[^)#]|#[^\n]*)*\))?", re.MULTILINE
)
_CLASS = re.compile(r"\bclass\s+(\w+)\s*(?:\[[^\]]*\]\s*)?\(([^)]*)")
# The last name of each, and whatever is no plain name, such as `Sequence if new else object`.
_BASE = re.compile(r"[^\W\d]\w*(?=\s*(?:[,=]|$))|[\[(\"'*#]|\w\s+\w")

# Bases by their last names that no Sequence has. A class of the file by one of these names is looked at itself.
_NO_SEQUENCES = frozenset({
    "ABC", "BaseModel", "Callback", "Constraint", "Enum", "Exception", "Generic", "Initializer", "IntEnum", "KeyError", "Layer", "Loss", "Metric",
    "Model", "Module", "NamedTuple", "NotImplementedError", "Optimizer", "Protocol", "RNN", "Regularizer", "RuntimeError", "Sequential",
    "TestCase", "Thread", "TypeError", "ValueError", "Wrapper", "dict", "float", "int", "list", "object", "set", "str", "tuple",
})  # fmt: skip


class Words:
    """The words of one text, comments and strings included."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._answers: dict[Need, bool] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """Every word that could be a name."""
        return frozenset(_WORD.findall(self.text))

    @cached_property
    def imports(self) -> str:
        """The text of the imports, a line for each."""
        return "\n".join(_IMPORT.findall(self.text))

    @cached_property
    def members(self) -> frozenset[str]:
        """The names behind a dot, and all words of the imports: what can be the last part of a dotted name."""
        return frozenset((*_MEMBER.findall(self.text), *_WORD.findall(self.imports)))

    def have(self, need: Need) -> bool:
        """Whether a need is met; each is asked once."""
        if need not in self._answers:
            self._answers[need] = need(self)
        return self._answers[need]

    @cached_property
    def may_have_sequence(self) -> bool:
        """Whether a class may be a Sequence: one that is made from anything but what surely is none."""
        bases: dict[str, set[str]] = {}
        for name, inside in _CLASS.findall(self.text):
            bases.setdefault(name, set()).update(_BASE.findall(inside))
        settled: set[str] = set()
        while True:
            known = (_NO_SEQUENCES - bases.keys()) | settled
            more = {name for name, of in bases.items() if of <= known} - settled
            if not more:
                return len(settled) < len(bases)
            settled |= more


def a_sequence(words: Words) -> bool:
    """A class that may be a Sequence or PyDataset."""
    return words.may_have_sequence


def any_of(*names: str) -> Need:
    """One of these names."""
    wanted = frozenset(names)
    return lambda words: not wanted.isdisjoint(words.names)


def a_member(*names: str, like: str = "") -> Need:
    """One of these names behind a dot or in an import, or one that is wholly like a regular expression."""
    wanted, pattern = frozenset(names), re.compile(like)
    return lambda words: not wanted.isdisjoint(words.members) or any(map(pattern.fullmatch, words.members))


def importing(pattern: str) -> Need:
    """Imports that a regular expression finds something in; each begins a line."""
    found: Callable[[str], object] = re.compile(pattern, re.MULTILINE).search
    return lambda words: found(words.imports) is not None


def either(*needs: Need) -> Need:
    """One of these needs is met."""
    return lambda words: any(words.have(need) for need in needs)


def matching(pattern: str) -> Need:
    """Text that a regular expression finds."""
    found: Callable[[str], object] = re.compile(pattern, re.MULTILINE).search
    return lambda words: found(words.text) is not None


a_call_of_model: Need = any_of(*SIGNATURES)
"""A name that a call of a model has, such as `fit`."""
an_epoch_hook: Need = any_of("on_epoch_end", "on_epoch_begin")
a_batch_method: Need = any_of("__getitem__", "yield")
"""What makes batches, in a class or as a generator."""
a_shuffle: Need = matching(r"\b(?:shuffle|permutation|sample)\b(?!\s*=[^=])")
"""What brings rows into a random order; `shuffle=True` does not."""
