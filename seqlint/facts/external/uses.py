"""What other files of the project do with a class: validate with it, evaluate it, predict from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.prefilter import Words
from seqlint.facts.code.statements import is_idle, statements
from seqlint.facts.external.files import decoded
from seqlint.facts.project.neighbours import neighbours
from seqlint.facts.project.project import BIGGEST
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.external.file import ExternalFile
    from seqlint.facts.training.training import Role

_TRAINS = (b".fit", b".evaluate", b".predict")
MAX_READ = 6


class ExternalUses:
    """What the other files around one file do with it."""

    def __init__(self, facts: ExternalFile) -> None:
        self._facts = facts
        self._found: dict[tuple[ClassFacts, str], frozenset[Role]] = {}
        self._replicated: dict[ClassFacts, bool] = {}
        self._feeds: dict[cst.FunctionDef, bool] = {}

    def roles(self, owner: ClassFacts, size: str = "") -> frozenset[Role]:
        """The roles in which instances of a class are surely given to Keras models by scripts that import it.

        Args:
            size: an attribute: instances for which it is 1 are left out.
        """
        if (owner, size) not in self._found:
            readers = self._readers(owner, _TRAINS)
            self._found[owner, size] = frozenset(role for other in readers for role in self._roles(other, owner, size))
        return self._found[owner, size]

    def given(self, owner: ClassFacts, attribute: str) -> tuple[ClassFacts, ...]:
        """The Sequences that other files give to instances of a class, to be kept in an attribute.

        Files that call a hook by hand, or give one Sequence to several instances, are left out.
        """
        kept = self._facts.fit_bindings.parameter(owner, attribute)
        found: list[ClassFacts] = []
        for other in self._readers(owner, (owner.name.encode(),)) if kept is not None else ():
            if kept is None or other.tree.attributes("on_epoch_end"):
                continue
            wanted = f"{self._facts.module_name}.{owner.name}"
            makers = [call for call in other.tree.all(cst.Call) if self._made(other, call, wanted) is call]
            given = [other.values.passed(call, kept[0], kept[1].name.value) for call in makers]
            texts = [other.tree.text(value) for value in given if value is not None]
            once = [value for value in given if value is not None and texts.count(other.tree.text(value)) == 1]
            made = (value for each in once for value in other.values.of(each) if isinstance(value, cst.Call))
            found += [sequence for call in made if (sequence := self._sequence(other, call)) is not None]
        return tuple(dict.fromkeys(found))

    def hooked(self, owner: ClassFacts, attribute: str) -> tuple[str, ...]:
        """The names of those of them that have an epoch hook which does something."""
        made = [(each, each.method("on_epoch_end")) for each in self.given(owner, attribute)]
        works = (
            each.name
            for each, hook in made
            if hook is not None and any(not is_idle(hook[1], line) for line in statements(hook[1]))
        )
        return tuple(dict.fromkeys(works))

    def _sequence(self, other: ExternalFile, call: cst.Call) -> ClassFacts | None:
        definition = other.names.definition(call.func)
        if isinstance(definition, cst.ClassDef):
            return next((each for each in other.sequences if each.node is definition), None)
        name = other.names.qualified(call.func)
        return other.files.sequence(name) if name is not None else None

    def feeds(self, function: cst.FunctionDef) -> bool:
        """Whether a script that imports a function surely gives what a call of it makes to a Keras model."""
        if function not in self._feeds:
            wanted = f"{self._facts.module_name}.{function.name.value}"
            readers = self._naming(function.name.value, function, _TRAINS)
            self._feeds[function] = any(self._is_fed(other, wanted) for other in readers)
        return self._feeds[function]

    def _is_fed(self, other: ExternalFile, wanted: str) -> bool:
        given = (
            call for call in other.training.calls if any(self._made(other, data, wanted) for _, data in call.feeds)
        )
        return any(other.evidence.model(call) == "yes" for call in given)

    def replicates(self, owner: ClassFacts) -> bool:
        """Whether a script that makes instances of a class makes a strategy, too, that can have several replicas."""
        if owner not in self._replicated:
            readers = self._readers(owner, (b"trategy",))
            self._replicated[owner] = any(
                other.strategies.may_replicate and self._makes(other, owner) for other in readers
            )
        return self._replicated[owner]

    def _makes(self, other: ExternalFile, owner: ClassFacts) -> bool:
        wanted = f"{self._facts.module_name}.{owner.name}"
        return any(self._made(other, call, wanted) for call in other.tree.all(cst.Call))

    def _roles(self, other: ExternalFile, owner: ClassFacts, size: str) -> Iterator[Role]:
        wanted = f"{self._facts.module_name}.{owner.name}"
        for call in other.training.calls:
            made = [(role, self._made(other, data, wanted)) for role, data in call.feeds]
            given = [role for role, maker in made if maker is not None and not self._is_one(other, maker, owner, size)]
            if given and other.evidence.model(call) == "yes":
                yield from given

    def _made(self, other: ExternalFile, data: cst.BaseExpression, wanted: str) -> cst.Call | None:
        for value in other.values.of(data):
            name = other.names.qualified(value.func) if isinstance(value, cst.Call) else None
            if name is not None and other.project is not None and wanted in other.project.origins(name):
                return value if isinstance(value, cst.Call) else None
        return None

    def _is_one(self, other: ExternalFile, maker: cst.Call, owner: ClassFacts, size: str) -> bool:
        """Whether an instance is made with 1 for an attribute."""
        kept = self._facts.fit_bindings.parameter(owner, size) if size else None
        if kept is None or any(argument.star for argument in maker.args):
            return False
        given = other.values.passed(maker, kept[0], kept[1].name.value)
        if given is not None:
            return other.numbers.value(given) == 1
        return kept[1].default is not None and self._facts.numbers.value(kept[1].default) == 1

    # -- files ------------------------------------------------------------------------------------------------------

    def _readers(self, owner: ClassFacts, words: tuple[bytes, ...]) -> Iterator[ExternalFile]:
        """The files near this one that name a class, and hold one of some words."""
        return self._naming(owner.name, owner.node, words)

    def _naming(
        self, word: str, node: cst.ClassDef | cst.FunctionDef, words: tuple[bytes, ...]
    ) -> Iterator[ExternalFile]:
        read = 0
        if self._facts.project is None or self._facts.tree.enclosing(node, cst.ClassDef) is not None:
            return
        for path in neighbours(self._facts.source.path, ".py"):
            data = surroundings.mentioning(path, word.encode(), BIGGEST)
            source = decoded(path, data) if data is not None and any(one in data for one in words) else None
            if source is None or not self._may_import(Words(source.text), word):
                continue
            read += 1
            if read > MAX_READ:
                return
            other = self._facts.files.of(source)
            if other is not None:
                yield other

    def _may_import(self, words: Words, name: str) -> bool:
        """Whether a file may have the class from this one, and not one of its own that is called the same."""
        module = self._facts.module_name.rpartition(".")[2]
        return re.search(rf"\b(?:{name}|{module})\b|\*", words.imports) is not None
