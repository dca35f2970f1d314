"""The words of a text: by them a rule is left out where it can have nothing to say, before the text is parsed.

A rule states what it needs (`Rule.needs`): all of it must be there. Needs look at words alone, so they may hold where the rule
finds nothing; they must never fail where it would find something.
"""

from __future__ import annotations

import itertools
import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from seqlint.facts.code import lexed
from seqlint.facts.code.row_movers import moves_rows
from seqlint.knowledge.canonical_names import ITERATORS, SEQUENCE
from seqlint.knowledge.signatures import SIGNATURES
from seqlint.knowledge.tf_data import DISTRIBUTE, LOADERS, TELLTALE_KEYWORDS, TELLTALE_METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seqlint.model import Need

_CLASS = re.compile(r"class(?<!\wclass)\s+(\w+)\s*(?:\[[^\]]*\]\s*)?\(([^)]*)")
# The last name of each, and whatever is no plain name, such as `Sequence if new else object`.
_BASE = re.compile(r"[^\W\d]\w*(?=\s*(?:[,=]|$))|[\[(\"'*#]|\w\s+\w")

# Bases by their last names that no Sequence has. A class of the file by one of these names is looked at itself.
_NO_SEQUENCES = frozenset({
    "ABC", "BaseModel", "Callback", "Constraint", "Enum", "Exception", "Generic", "Initializer", "IntEnum", "KeyError", "Layer", "Loss", "Metric",
    "Model", "Module", "NamedTuple", "NotImplementedError", "Optimizer", "Protocol", "RNN", "Regularizer", "RuntimeError", "Sequential",
    "TestCase", "Thread", "TypeError", "ValueError", "Wrapper", "dict", "float", "int", "list", "object", "set", "str", "tuple",
})  # fmt: skip

# Keras's own bases of Sequences, by their last names; one of the project by such a name only hands these on.
_OF_KERAS = frozenset(name.rpartition(".")[2] for name in SEQUENCE)

# What Sequences of Keras, generators and datasets are made with, by whatever name their module is known.
_SOURCES = frozenset({
    "yield", "flow", "flow_from_directory", "flow_from_dataframe", "tensorflow_datasets", "Dataset", "DataLoader", "AUTOTUNE",
    DISTRIBUTE,
    *(name.rpartition(".")[2] for name in ITERATORS), *LOADERS, *TELLTALE_KEYWORDS, *TELLTALE_METHODS,
})  # fmt: skip
_OF_DATASETS = frozenset({"batch", "prefetch"})
_OF_TENSORFLOW = r"\btensorflow\b"
_FOR = re.compile(r"for(?<!\wfor)\s(?!.*:[^\S\n]*(?:#.*)?$)[^:=\"'#]*?\sin\b", re.MULTILINE)
# Whoever takes all of a generator gives something else.
_TAKEN_APART = re.compile(
    r"\b(?:sum|any|all|max|min|tuple|list|set|dict|sorted|frozenset|join|next|OrderedDict|print)\s*$"
)
_FARTHEST = 1_000  # characters; a generator in brackets is shorter


class Words:
    """The words of one text, comments and strings included."""

    def __init__(
        self,
        text: str,
        imports_source: Callable[[Words], bool] = lambda words: True,
        imported: Callable[[Words], Iterable[str]] = lambda words: (),
    ) -> None:
        """The words.

        Args:
            imports_source: whether an import may bring a Sequence or dataset of another file; asked where nothing else decides.
            imported: the texts of the project's files that the imports lead to.
        """
        self.text = text
        self._imports_source = imports_source
        self._imported = imported
        self._answers: dict[Need, bool] = {}
        self._members_of: dict[str, frozenset[str]] = {}

    @cached_property
    def _runs(self) -> list[list[str]]:
        return lexed.runs(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every word that could be a name."""
        return frozenset(itertools.chain.from_iterable(self._runs))

    @cached_property
    def import_statements(self) -> list[str]:
        """The texts of the imports, with the colon or semicolon before them."""
        return lexed.imports(self.text)

    @cached_property
    def imports(self) -> str:
        """The text of the imports, a line for each."""
        return "\n".join(self.import_statements)

    @cached_property
    def members(self) -> frozenset[str]:
        """The names behind a dot, and all words of the imports: what can be the last part of a dotted name."""
        behind = itertools.chain.from_iterable(run[1:] for run in self._runs if len(run) > 1)
        return frozenset((*behind, *lexed.WORD.findall(self.imports)))

    def members_of(self, libraries: str) -> frozenset[str]:
        """The words of the imports that name a library, and the names behind the dots of what these bring.

        Args:
            libraries: a regular expression for the library's name.
        """
        if libraries not in self._members_of:
            wanted = re.compile(libraries)
            roots = {
                word for each in self.import_statements if wanted.search(each) for word in lexed.WORD.findall(each)
            }
            named = self._aliases(roots) if roots else roots
            behind = (rest for root, *rest in self._chains if root in named) if roots else ()
            self._members_of[libraries] = frozenset(roots.union(*behind))
        return self._members_of[libraries]

    def _aliases(self, roots: set[str]) -> set[str]:
        """The same names with others that they are given: `L = keras.layers`."""
        pairs = [
            (lexed.WORD.findall(left), set(lexed.WORD.findall(right))) for left, right in lexed.renamings(self.text)
        ]
        found = set(roots)
        while more := {name for left, right in pairs if not right.isdisjoint(found) for name in left} - found:
            found |= more
        return found

    @cached_property
    def _chains(self) -> list[list[str]]:
        return lexed.chains(self.text, self._runs)

    def have(self, need: Need) -> bool:
        """Whether a need is met; each is asked once."""
        if need not in self._answers:
            self._answers[need] = need(self)
        return self._answers[need]

    @cached_property
    def _classes(self) -> list[tuple[str, str]]:
        """The name of each class, and the text of what it is made from."""
        return _CLASS.findall(self.text)

    @cached_property
    def may_have_sequence(self) -> bool:
        """Whether a class may be a Sequence: one that is made from anything but what surely is none."""
        bases: dict[str, set[str]] = {}
        for name, inside in self._classes:
            bases.setdefault(name, set()).update(_BASE.findall(inside))
        settled: set[str] = set()
        while True:
            known = (_NO_SEQUENCES - bases.keys()) | settled
            more = {name for name, of in bases.items() if of <= known} - settled
            if not more:
                return len(settled) < len(bases)
            settled |= more

    @cached_property
    def may_inherit_batches(self) -> bool:
        """Whether a class may be made from a Sequence of another file, whose `__getitem__` calls its methods."""
        bases = {name for _, inside in self._classes for name in _BASE.findall(inside)}
        own = {name for name, _ in self._classes}
        return not bases <= (own | _NO_SEQUENCES | _OF_KERAS) and self.may_have_sequence and self.imports_source

    @cached_property
    def imports_source(self) -> bool:
        """Whether an import may bring a Sequence or dataset of another file."""
        return self._imports_source(self)

    @cached_property
    def imported(self) -> tuple[Words, ...]:
        """The words of the project's files that the imports lead to."""
        return tuple(Words(text) for text in self._imported(self))

    @cached_property
    def may_have_source(self) -> bool:
        """Whether there may be a Sequence, a generator or a dataset: what gives a model its own batches."""
        return (
            self.may_have_sequence
            or not _SOURCES.isdisjoint(self.names)
            or not _OF_DATASETS.isdisjoint(self.members)
            or self._names_tf_data
            or any(_makes_generator(self.text, found.start()) for found in _FOR.finditer(self.text))
            or self.imports_source
        )

    @property
    def _names_tf_data(self) -> bool:
        """Whether `tf.data` is named, by whatever name its library is known: `iris.data` is an array."""
        if "data" not in self.members:
            return False
        spelled = any(
            ("tf", "data") in itertools.pairwise(run) or ("tensorflow", "data") in itertools.pairwise(run)
            for run in self._runs
        )
        return spelled or "data" in self.members_of(_OF_TENSORFLOW)


def _makes_generator(text: str, at: int) -> bool:
    """Whether a `for` may make a generator: it stands in parentheses, and in no other brackets inside these."""
    closed, here = 0, at
    while here > max(at - _FARTHEST, 0):
        here -= 1
        character = text[here]
        if character in ")]}":
            closed += 1
        elif character in "([{":
            if not closed:
                return character == "(" and _TAKEN_APART.search(text, max(here - 20, 0), here) is None
            closed -= 1
        elif character in "\"'":  # a string may hold anything
            start = max(text.rfind(character, 0, here), 0)
            if "\n" in text[start:here]:
                return True
            here = start
    return False


def a_sequence(words: Words) -> bool:
    """A class that may be a Sequence or PyDataset."""
    return words.may_have_sequence


def a_source(words: Words) -> bool:
    """A Sequence, a generator or a dataset, also one that an import brings."""
    return words.may_have_source


def a_shuffled_source(words: Words) -> bool:
    """A source that may give its rows in a random order: a dataset or flow that can shuffle, or a Sequence."""
    if words.may_have_sequence or words.have(_can_shuffle):
        return True
    return any(other.have(_can_shuffle) for other in words.imported) or words.imports_source


def any_of(*names: str) -> Need:
    """One of these names."""
    wanted = frozenset(names)
    return lambda words: not wanted.isdisjoint(words.names)


def a_member(*names: str, like: str = "") -> Need:
    """One of these names behind a dot or in an import, or one that is wholly like a regular expression."""
    any_is = _named(names, like)
    return lambda words: any_is(words.members)


def a_member_of(libraries: str, *names: str, like: str = "") -> Need:
    """One of these names, or one that is wholly like a regular expression, taken from a library.

    Args:
        libraries: a regular expression for the library's name.
    """
    any_is = _named(names, like)
    return lambda words: any_is(words.members) and any_is(words.members_of(libraries))


def _named(names: Iterable[str], like: str) -> Callable[[frozenset[str]], bool]:
    """Whether any of some words is one of the names, or like the regular expression."""
    wanted = frozenset(names)
    if not like:
        return lambda words: not wanted.isdisjoint(words)
    # Files of one project have most words in common.
    is_like = lru_cache(maxsize=50_000)(re.compile(like).fullmatch)
    return lambda words: not wanted.isdisjoint(words) or any(map(is_like, words))


_can_shuffle: Need = a_member(
    "shuffle", "flow", "flow_from_directory", "flow_from_dataframe", "list_files", "make_csv_dataset", "make_batched_features_dataset",
    *LOADERS,
)  # fmt: skip


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


OF_KERAS = r"\b(?:tf_?)?keras\b|\btensorflow\b"
OF_NUMPY = r"\bnumpy\b"
OF_PANDAS = r"\bpandas\b"
a_call_of_model: Need = any_of(*SIGNATURES)
"""A name that a call of a model has, such as `fit`."""


def inherits_batches(words: Words) -> bool:
    """A class that may be made from a Sequence of another file."""
    return words.may_inherit_batches


a_getitem: Need = either(any_of("__getitem__"), inherits_batches)
"""A `__getitem__` of this file, or what one of another file may call."""
an_epoch_hook: Need = any_of("on_epoch_end", "on_epoch_begin")
epoch_code: Need = either(an_epoch_hook, inherits_batches)
"""An epoch hook of this file, or what one of another file may call."""


def a_batch_method(words: Words) -> bool:
    """What makes batches: the method of a Sequence, one that a base in another file calls, or a generator next to a call of a model."""
    return (
        (words.may_have_sequence and "__getitem__" in words.names)
        or ("yield" in words.names and words.have(a_call_of_model))
        or words.may_inherit_batches
    )


_NAMES_OF_SHUFFLES = ("shuffle", "permut", "sample")
_a_star: Need = importing(r"\*")
_a_bare_shuffle: Need = matching(r"(?:stateless_|(?<![\w.\"']))(?:shuffle|permutation|sample)\s*[(,)]")
_an_import_of_shuffle: Need = importing(r"\b(?:(?:stateless_)?shuffle|permutation|sample)\b")


def _a_shuffle_here(words: Words) -> bool:
    """What brings rows into a random order: behind a dot, by an import of its name, or of all names."""
    if not any(name in words.text for name in _NAMES_OF_SHUFFLES):  # most texts: none of their words is looked for
        return False
    by_star = words.have(_a_star) and words.have(_a_bare_shuffle)
    return by_star or words.have(_an_import_of_shuffle) or moves_rows(words.text)


def a_shuffle(words: Words) -> bool:
    """What brings rows into a random order, here or in a file that is imported next to a model or a Sequence; `shuffle=True` does not."""
    if words.have(_a_shuffle_here):
        return True
    feeds = words.have(a_call_of_model) or words.may_have_sequence
    return feeds and any(other.have(_a_shuffle_here) for other in words.imported)


def here_or_imported(*needs: Need) -> Need:
    """All of these needs, met by this file, or by one that it imports next to a Keras or TensorFlow."""
    of_keras: Callable[[str], object] = re.compile(OF_KERAS).search

    def met(words: Words) -> bool:
        if all(words.have(need) for need in needs):
            return True
        return of_keras(words.imports) is not None and any(
            all(other.have(need) for need in needs) for other in words.imported
        )

    return met
