"""What a module says about its names and classes, as plain values that can be kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

UNKNOWN = "?"
"""The name of everything that can't be known."""

Names = tuple[str, ...]
"""The absolute dotted names that an expression can have, each possibility once, in reading order.

`pkg.mod.make()` is what a call of `pkg.mod.make` gives; UNKNOWN stands for anything; no name at all for None alone.
"""

GENERATOR = "types.GeneratorType"
"""What a call of a generator function gives is an object of."""

ParameterKind = Literal["positional-only", "positional", "*", "keyword-only", "**"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function; `default` is the text of its default, None if it has none."""

    name: str
    kind: ParameterKind
    default: str | None = None


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """A class definition.

    Attributes:
        name: the absolute dotted name; a class inside a function or class has theirs in it ("pkg.mod.make.Inner").
        bases: for each base expression the names that it can have, as they were bound where the class stands.
        methods: the names that `def` binds in the body, also under `if`.
        init: the parameters of its own `__init__`, the first one included; None if it has no own.
        line: from 1.
    """

    name: str
    bases: tuple[Names, ...]
    methods: tuple[str, ...]
    init: tuple[Parameter, ...] | None
    line: int


@dataclass(frozen=True, slots=True)
class ModuleSummary:
    """A module.

    Attributes:
        name: its import name.
        package: whether it is an `__init__.py`.
        bindings: what each name of the module can be when the module has run.
        stars: the modules of `from … import *`, in reading order.
        exports: `__all__`; None without one, or with one that can't be read.
        classes: by dotted path inside the module ("Outer.Inner"); more than one where it can't be known which holds.
        returns: what a call of each function can give, by dotted path; decorated functions, and those that return None
            alone, are left out.
    """

    name: str
    package: bool
    bindings: Mapping[str, Names]
    stars: tuple[str, ...]
    exports: tuple[str, ...] | None
    classes: Mapping[str, tuple[ClassSummary, ...]]
    returns: Mapping[str, Names]
