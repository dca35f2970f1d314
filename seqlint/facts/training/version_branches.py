"""Which conditions ask for the version of Keras: `keras.__version__ >= "3"`, `hasattr(model, "fit_generator")`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.knowledge.signatures import SIGNATURES, WORKER_ARGUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.classes.kinds import Kind
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Value, Values

# "conversion" and "use_signature" hold these words by chance, so a word begins there, and a signature is asked for.
_WORDS = re.compile(
    r"(?<![A-Za-z])[vV]ersion|Version|VERSION|\b(?:signature|getfullargspec|getargspec|dir)\("
    r"|(?i:(?:keras|tf)version|keras_?[23]|legacy|is_?tf_?[12])"
)
_VERSION = re.compile(r"__version__|\bVERSION\b|\b(?:signature|getfullargspec|getargspec|dir)\(")
_PROBES = ("hasattr", "getattr")
_FEATURES = frozenset({*SIGNATURES, *WORKER_ARGUMENTS, "PyDataset"})
"""What one Keras has and another lacks, whoever is asked for it; `fit` and its like are asked for beside them."""
_KERAS_KINDS: tuple[Kind, ...] = ("model", "sequence", "callback")
_DUCKS = re.compile(r"__(?!version__|keras)\w+__|shape|ndim")
"""What data are asked for, to tell an array from a list."""


class VersionBranches:
    """Tells the conditions that ask for a version from those that ask how an object was set up."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._asking: dict[cst.BaseExpression, bool] = {}

    def asks(self, test: cst.BaseExpression) -> bool:
        """Whether a condition asks for a version or a feature of one Keras, itself or by a name or function that says so."""
        if test not in self._asking:  # many calls may be in one branch
            self._asking[test] = self._is_asked(test)
        return self._asking[test]

    def _is_asked(self, test: cst.BaseExpression) -> bool:
        probes = list(self._probes(test))
        if _WORDS.search(self._without(test, probes)) or any(map(self._is_of_version, probes)):
            return True
        return any(self._tells(value) for value in self._said(test) if value is not None)

    def _said(self, test: cst.BaseExpression) -> Iterator[Value]:
        """What the names in a condition were given, and what its functions return."""
        for name in self._tree.inside(test, cst.Name):
            yield from (binding.value for binding in self._names.bindings(name))
        for call in self._tree.inside(test, cst.Call):
            function = self._names.definition(call.func)
            if isinstance(function, cst.FunctionDef):
                returned = (each.value for each in self._values.own(function, cst.Return))
                yield from (value for each in returned if each is not None for value in self._values.of(each))

    def _tells(self, value: cst.BaseExpression) -> bool:
        probes = list(self._probes(value))
        return _VERSION.search(self._without(value, probes)) is not None or any(map(self._is_of_version, probes))

    def _probes(self, node: cst.BaseExpression) -> Iterator[cst.Call]:
        """The calls of `hasattr` and `getattr` in an expression."""
        for call in self._tree.inside(node, cst.Call):
            if isinstance(call.func, cst.Name) and call.func.value in _PROBES and len(call.args) > 1:
                yield call

    def _without(self, node: cst.BaseExpression, probes: list[cst.Call]) -> str:
        text = self._tree.text(node)
        for probe in probes:
            text = text.replace(self._tree.text(probe), "")
        return text

    def _is_of_version(self, probe: cst.Call) -> bool:
        """Whether a probe asks for a feature of Keras; of an object of the program's own it asks how that was set up."""
        asked, name = probe.args[0].value, _text(probe.args[1].value)
        if name in _FEATURES:
            return True
        if isinstance(probe.func, cst.Name) and probe.func.value == "getattr":
            return False
        return not isinstance(name, str) or not (_DUCKS.fullmatch(name) or self._is_own(asked, name))

    def _is_own(self, asked: cst.BaseExpression, name: str) -> bool:
        """Whether the program itself decides if an object has an attribute: one of its own classes, or parsed arguments."""
        own = self._values.self_class(asked)
        made = [value for value in self._values.of(asked) if isinstance(value, cst.Call)]
        defined = [self._names.definition(call.func) for call in made]
        owners = [own] if own is not None else [one for one in defined if isinstance(one, cst.ClassDef)]
        if owners:
            return all(not self._is_of_keras(one) or self._values.attribute_values(one, name) for one in owners)
        return any(isinstance(call.func, cst.Attribute) and call.func.attr.value == "parse_args" for call in made)

    def _is_of_keras(self, owner: cst.ClassDef) -> bool:
        found = self._classes.of(owner)
        return any(found.is_a(kind) == "yes" for kind in _KERAS_KINDS)


def _text(node: cst.BaseExpression) -> object:
    return node.evaluated_value if isinstance(node, cst.SimpleString) else None
