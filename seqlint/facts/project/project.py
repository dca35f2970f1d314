"""Names followed through the modules of a project: re-exports, aliases, star imports, bases in other files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from seqlint.facts.project.expressions import members, union
from seqlint.facts.project.met import Met
from seqlint.facts.project.modules import Modules
from seqlint.facts.project.summary import UNKNOWN, ClassSummary, ModuleSummary, Names
from seqlint.knowledge.canonical_names import STAR_EXPORTS, canonical

Judge = Callable[[str], bool | None]
"""What is known of a name outside the project: whether it is what is asked for; None for unknown."""

_ANYTHING: Names = (UNKNOWN,)
_Seen = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Home:
    """Where something of the project is defined: its file, and its path inside the module."""

    path: str
    inside: str

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)


BIGGEST = 200_000  # bytes; a bigger file is not read for what it says of another


class Project:
    """The modules of a project, seen from its root or, through `at`, from one of its files.

    Names are absolute and dotted. What is outside the project keeps the name under which it was imported, such as
    "tensorflow.keras.utils.Sequence"; UNKNOWN stands for anything. A class inside a function or a class has their names
    in its own: "pkg.mod.make.Inner". Only modules that a name leads to are read, each once.
    """

    def __init__(self, root: Path | None = None, modules: Modules | None = None, path: Path | None = None) -> None:
        """A view.

        Args:
            root: the folder of the project.
            modules: the files; shared by the views that `at` gives.
            path: the file that names are seen from; None for the root.
        """
        self.root = root
        self.modules = modules if modules is not None else Modules(root)
        self._met = Met(self.modules)
        self.path = path.absolute() if path is not None else None
        self._known: dict[str, Names] = {}
        self._homes: dict[str, _Home] = {}

    def at(self, path: Path) -> Project:
        """The same project, seen from a file: its neighbours and its package come first."""
        return Project(self.root, self.modules, path)

    def module_name(self, path: Path) -> str:
        """The import name of a file: "pkg.data.gen", "scripts.train"; a package's for its `__init__.py`."""
        return self._met.name_of(os.path.abspath(path))

    def has(self, name: str) -> bool:
        """Whether a name starts with a module of the project."""
        return self._module(name, self._folder) is not None

    def ships(self, module: str) -> bool:
        """Whether a module is part of the project, also where it is one of a library that `has` never looks for."""
        return self.modules.ships(module, self._folder)

    # -- what a name leads to ---------------------------------------------------------------------------------------

    def origins(self, name: str) -> Names:
        """All that a name can lead to, through re-exports, aliases, star imports and functions that return a class.

        A class or function of the project comes under the name of its definition, a new object as its class with "()",
        what is outside as it was imported, and UNKNOWN where it can be anything.
        """
        if name not in self._known:
            self._known[name] = self._followed((name,), self._folder)
        return self._known[name]

    def resolve(self, name: str) -> str:
        """The one thing that a name leads to; the name itself if that is not known to be one thing."""
        return _only(self.origins(name)) or name

    def star(self, module: str, name: str) -> str | None:
        """What `from module import *` binds a name to, if `module` is of the project and exports it."""
        found = self._module(module, self._folder)
        if found is None or found.inside or not self._exports(found, name, frozenset()):
            return None
        return _only(self.origins(f"{module}.{name}"))

    # -- classes ----------------------------------------------------------------------------------------------------

    def classes(self, name: str) -> tuple[ClassSummary, ...]:
        """Every class definition of the project that a name can lead to."""
        return tuple(summary for summary, _ in self._classes(name))

    def class_summary(self, name: str) -> ClassSummary | None:
        """The class definition that a name leads to; None if it is outside the project, or not known to be one."""
        found = self._classes(name)
        return found[0][0] if len(found) == len(self.origins(name)) == 1 else None

    def place(self, name: str) -> tuple[Path, int] | None:
        """The file and line of the class definition that a name leads to, if it is one."""
        if self.class_summary(name) is None:
            return None
        summary, home = self._classes(name)[0]
        return Path(home.path), summary.line

    def file(self, name: str) -> Path | None:
        """The file in which the class or function stands that a name leads to; None where that is outside, or not one thing."""
        home = self._homes.get(self.resolve(name))
        return Path(home.path) if home is not None and home.inside else None

    def module_file(self, name: str) -> Path | None:
        """The file of the module of the project that a name starts with, whatever it leads to from there."""
        return Path(found.path) if (found := self._module(name, self._folder)) is not None else None

    def bases(self, name: str) -> tuple[str, ...] | None:
        """The bases of a class of the project, followed to where they lead; None for any other name.

        A base that can be several things, and all bases of a class whose definitions disagree, are UNKNOWN.
        """
        found = {tuple(_only(names) or UNKNOWN for names in self._bases(*each)) for each in self._classes(name)}
        if not found:
            return None
        return found.pop() if len(found) == len(self.origins(name)) == 1 else _ANYTHING

    def ancestors(self, name: str) -> tuple[str, ...]:
        """All that a class of the project can inherit from, the nearest first, what is outside included."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            for each in self._classes(waiting.pop(0)):
                new = [base for names in self._bases(*each) for base in names if base not in found and base != name]
                found.update(dict.fromkeys(new))
                waiting += new
        return tuple(found)

    def descends(self, name: str, judge: Judge) -> bool | None:
        """Whether a name leads to something that is, or inherits from, what `judge` says yes to; None if that is open.

        One base that does is enough for a class. Where a name can lead to several things, all must agree.
        """
        verdicts: dict[str, bool | None] = {}
        try:
            return _agreed(self._verdict(origin, judge, verdicts) for origin in self.origins(name))
        except RecursionError:
            return None

    def _verdict(self, origin: str, judge: Judge, verdicts: dict[str, bool | None]) -> bool | None:
        if origin == UNKNOWN or origin.endswith(")"):
            return None
        if origin not in verdicts:
            verdicts[origin] = False  # a class that leads back to itself adds nothing
            verdicts[origin] = self._verdict_of(origin, judge, verdicts)
        return verdicts[origin]

    def _verdict_of(self, origin: str, judge: Judge, verdicts: dict[str, bool | None]) -> bool | None:
        home = self._homes.get(origin)
        if home is None:
            return judge(origin)
        found: set[bool | None] = set()
        for each in self._definitions(home):
            bases = self._bases(*each)
            found.add(_any(_agreed(self._verdict(base, judge, verdicts) for base in names) for names in bases))
        return found.pop() if len(found) == 1 else None

    def _classes(self, name: str) -> list[tuple[ClassSummary, _Home]]:
        homes = [self._homes[origin] for origin in self.origins(name) if origin in self._homes]
        return [each for home in homes for each in self._definitions(home)]

    def _definitions(self, home: _Home) -> list[tuple[ClassSummary, _Home]]:
        module = self._met.summary(home.path)
        return [(summary, home) for summary in module.classes.get(home.inside, ())] if module is not None else []

    def _bases(self, summary: ClassSummary, home: _Home) -> list[Names]:
        """For each base expression all that it can lead to."""
        found = (self._followed(names, home.folder) for names in summary.bases)
        return [tuple(UNKNOWN if name.endswith(")") else name for name in names) for names in found]

    # -- the way through the modules --------------------------------------------------------------------------------

    @property
    def _folder(self) -> str:
        if self.path is not None:
            return os.path.dirname(self.path)
        return str(self.root.absolute()) if self.root is not None else os.getcwd()

    def _module(self, name: str, folder: str) -> _Home | None:
        """The module that a name starts with, and the rest of the name."""
        if self.path is not None and self.path.name != "__init__.py":
            own = self._met.name_of(str(self.path))
            if name == own or name.startswith(own + "."):
                return _Home(str(self.path), name[len(own) + 1 :])
        found = self._met.find(name, folder)
        return _Home(*found) if found is not None else None

    def _followed(self, names: Names, folder: str) -> Names:
        try:
            return self._all(names, folder, frozenset()) or _ANYTHING
        except RecursionError:
            return _ANYTHING

    def _all(self, names: Names, folder: str, seen: _Seen) -> Names:
        return union(self._origins(name, folder, seen) for name in names)

    def _origins(self, name: str, folder: str, seen: _Seen) -> Names:
        """What a name leads to for code in a folder; nothing if it leads back to where it came from."""
        if name == UNKNOWN or (name, folder) in seen:
            return _ANYTHING if name == UNKNOWN else ()
        seen |= {(name, folder)}
        if name.endswith("()"):
            return union(self._called(each, seen) for each in self._origins(name[:-2], folder, seen))
        home = self._module(name, folder)
        return self._inside(home, seen) if home is not None else (name,)

    def _called(self, name: str, seen: _Seen) -> Names:
        """What a call of something gives: an object of a class, or what a function of the project returns."""
        if name == UNKNOWN or name.endswith(")"):
            return _ANYTHING
        home = self._homes.get(name)
        if home is None:
            return (f"{name}()",)
        module = self._met.summary(home.path)
        if module is None or not home.inside:
            return _ANYTHING
        if home.inside in module.classes:
            return (f"{name}()",)
        return self._all(module.returns.get(home.inside, _ANYTHING), home.folder, seen)

    def _inside(self, home: _Home, seen: _Seen) -> Names:
        module = self._met.summary(home.path)
        if module is None:
            return _ANYTHING
        if not home.inside:
            return self._final(module.name, home)
        head, _, tail = home.inside.partition(".")
        if head not in module.bindings:
            return self._unbound(module, home, seen)
        own = f"{module.name}.{head}"
        parts = [
            self._defined(module, home, seen) if name == own else self._all(members((name,), tail), home.folder, seen)
            for name in module.bindings[head]
        ]
        return union(parts)

    def _defined(self, module: ModuleSummary, home: _Home, seen: _Seen) -> Names:
        """A class or function of the module itself, or what is inside it."""
        head, _, tail = home.inside.partition(".")
        inner = self.modules.child(home.path, head) if module.package and head not in module.classes else None
        if inner is not None:  # `from . import gen` in an `__init__.py` names a module as a function would be named
            return self._inside(_Home(inner, tail), seen)
        owner, _, last = home.inside.rpartition(".")
        known = home.inside in module.classes or not owner
        if known or any(last in summary.methods for summary in module.classes.get(owner, ())):
            return self._final(f"{module.name}.{home.inside}", home)
        return _ANYTHING

    def _final(self, name: str, home: _Home) -> Names:
        self._homes[name] = home
        return (name,)

    def _unbound(self, module: ModuleSummary, home: _Home, seen: _Seen) -> Names:
        """A name that a module does not bind: a module inside the package, or from a star import."""
        head, _, tail = home.inside.partition(".")
        inner = self.modules.child(home.path, head) if module.package else None
        if inner is not None:
            return self._inside(_Home(inner, tail), seen)
        names = tuple(self._starred(module, home, head))
        return self._all(members(names, tail), home.folder, seen) or _ANYTHING

    def _starred(self, module: ModuleSummary, home: _Home, name: str) -> Iterator[str]:
        """Where a star import can have brought a name from: the last that is known to export it, else any library."""
        outside = []
        for star in reversed(module.stars):
            if self._exported(star, name, home.folder, frozenset()):
                yield f"{star}.{name}"
                return
            found = self._module(star, home.folder)
            outside += [] if found is not None and not found.inside else [star]
        yield from (f"{star}.{name}" for star in outside)

    def _exported(self, star: str, name: str, folder: str, seen: frozenset[str]) -> bool:
        """Whether `from star import *` is known to bind a name."""
        found = self._module(star, folder)
        if found is None:
            return name in STAR_EXPORTS.get(canonical(star), ())
        return not found.inside and self._exports(found, name, seen)

    def _exports(self, home: _Home, name: str, seen: frozenset[str]) -> bool:
        module = self._met.summary(home.path)
        if module is None or home.path in seen:
            return False
        if module.exports is not None:
            return name in module.exports
        if name.startswith("_"):
            return False
        below = seen | {home.path}
        return name in module.bindings or any(self._exported(star, name, home.folder, below) for star in module.stars)


def _only(names: Names) -> str | None:
    return names[0] if len(names) == 1 and names[0] != UNKNOWN else None


def _agreed(verdicts: Iterator[bool | None]) -> bool | None:
    found = set(verdicts)
    return found.pop() if len(found) == 1 else None


def _any(verdicts: Iterator[bool | None]) -> bool | None:
    found = set(verdicts)
    return True if True in found else None if None in found else False
