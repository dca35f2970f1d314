"""How the batches of a Sequence are loaded: by one thread, by several, or in processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.fit_bindings import FitBindings
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

External = Callable[[str], frozenset[str]]
SettingName = Literal["workers", "use_multiprocessing"]
_COUNTS = ("os.cpu_count", "multiprocessing.cpu_count", "psutil.cpu_count", "os.process_cpu_count")


@dataclass(frozen=True, eq=False)
class Setting:
    """A place that gives the instances of a class workers or processes.

    Attributes:
        node: the argument, of a constructor or a trainer call, or the attribute that is set.
        value: what is given.
        on: whether that can be more than one worker, or True.
    """

    name: SettingName
    node: cst.CSTNode
    value: cst.BaseExpression
    on: Answer


class Loading:
    """The worker settings of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes,
        training: Training, fit_bindings: FitBindings, input_kinds: InputKinds, *, has_setters: bool, external: External,
    ) -> None:  # fmt: skip
        """Args:
        has_setters: whether `feed.workers = 4` has an effect: on Keras 3 alone.
        external: the settings that other files turn on for a class of this file, by its name.
        """
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._fit_bindings = fit_bindings
        self._input_kinds = input_kinds
        self._has_setters = has_setters
        self._external = external
        self._others: dict[ClassFacts, frozenset[str]] = {}
        self._known: dict[tuple[ClassFacts, SettingName], tuple[Setting, ...]] = {}

    def processes(self, owner: ClassFacts) -> Answer:
        """Whether instances of a class make their batches in processes: "no" where nothing in sight makes them do so."""
        here = _any(setting.on for setting in self.settings(owner, "use_multiprocessing"))
        return here if here == "yes" or "use_multiprocessing" not in self._from_external(owner) else "yes"

    def several(self, owner: ClassFacts) -> Answer:
        """Whether several workers, threads or processes, make batches of one instance."""
        found = (self.processes(owner), *(setting.on for setting in self.settings(owner, "workers")))
        return "yes" if "yes" in found or "workers" in self._from_external(owner) else _any(found)

    def external(self, owner: ClassFacts) -> bool:
        """Whether another file of the project gives instances of a class workers or processes."""
        return bool(self._from_external(owner))

    def _from_external(self, owner: ClassFacts) -> frozenset[str]:
        if owner not in self._others:
            made = (found for found in self._classes.all if owner in found.lineage)
            of_module = [found for found in made if isinstance(self._tree.parents[found.node], cst.Module)]
            self._others[owner] = frozenset().union(*(self._external(found.name) for found in of_module))
        return self._others[owner]

    def of_call(self, call: TrainerCall) -> Answer:
        """Whether a trainer call reads a Sequence in processes, be its class of this file or of another."""
        found: list[Answer] = []
        given = self._given(call, "use_multiprocessing")
        parts = [part for _, data in call.feeds for part in self._fit_bindings.parts(data)]
        for part in (part for part in parts if self._input_kinds.kind(part) == "sequence"):
            found += [self._on("use_multiprocessing", given[1])] if given is not None else []
            for maker in self._input_kinds.makers(part):
                made = self._names.definition(maker.func)
                if isinstance(made, cst.ClassDef):
                    found.append(self.processes(self._classes.of(made)))
                named = self._named(maker, "use_multiprocessing") if made is None else ()
                found += [self._on("use_multiprocessing", value) for _, value in named]
        return _any(tuple(found))

    def threads(self, owner: ClassFacts) -> Answer:
        """Whether several threads make batches of one instance, and share what it holds; with processes each has its own."""
        processes = self.processes(owner)
        return self.several(owner) if processes == "no" else "no" if processes == "yes" else "unknown"

    def settings(self, owner: ClassFacts, name: SettingName) -> tuple[Setting, ...]:
        """Every place of the file that gives instances of a class, or of one made from it, a worker setting."""
        if (owner, name) not in self._known:
            made = [found for found in self._classes.all if owner in found.lineage]
            found = [*self._constructed(made, name), *self._stored(made, name), *self._trained_with(made, name)]
            self._known[owner, name] = self._tree.order.sorted(found, lambda setting: setting.node)
        return self._known[owner, name]

    def made_for_processes(self, owner: ClassFacts) -> tuple[cst.Call, ...] | None:
        """The calls whose instances are given processes, or may be; None where that can be any instance."""
        if "use_multiprocessing" in self._from_external(owner):
            return None
        found: list[cst.Call] = []
        for setting in self.settings(owner, "use_multiprocessing"):
            made = self._made_with(setting, owner) if setting.on != "no" else ()
            if made is None:
                return None
            found += made
        return tuple(dict.fromkeys(found))

    def _made_with(self, setting: Setting, owner: ClassFacts) -> tuple[cst.Call, ...] | None:
        """The calls that make the instances that a setting is for."""
        makers = {
            call for made in self._classes.all if owner in made.lineage for call in self._training.instances(made)
        }
        place = self._tree.parents[setting.node]
        if place in makers and isinstance(place, cst.Call):
            return (place,)
        held = self._values.of(setting.node.value) if isinstance(setting.node, cst.Attribute) else ()
        made = tuple(value for value in held if isinstance(value, cst.Call) and value in makers)
        return made if made and len(made) == len(held) else None

    # -- constructors -----------------------------------------------------------------------------------------------

    def _constructed(self, made: list[ClassFacts], name: SettingName) -> Iterator[Setting]:
        found: dict[cst.CSTNode, cst.BaseExpression] = {}
        for owner in made:
            for reached in owner.reachable("__init__"):
                calls = self._tree.inside(reached.node.body, cst.Call)
                found.update(given for call in calls if _is_init(call) for given in self._named(call, name))
            if not self._takes_by_name(owner, name):
                makers = self._training.instances(owner)
                found.update(given for call in makers for given in self._named(call, name))
        yield from (Setting(name, node, value, self._on(name, value)) for node, value in found.items())

    def _takes_by_name(self, owner: ClassFacts, name: SettingName) -> bool:
        """Whether the `__init__` has a parameter of its own for it: then what it hands on is what counts."""
        init = owner.method("__init__")
        return init is not None and any(param.name.value == name for param in parameters(init[1].params))

    def _named(self, call: cst.Call, name: SettingName) -> tuple[tuple[cst.CSTNode, cst.BaseExpression], ...]:
        """What a call gives by that name, itself or in a dict that it unpacks."""
        named = next((a for a in call.args if a.keyword is not None and a.keyword.value == name), None)
        given = (named, named.value) if named is not None else self._unpacked(call, name)
        return (given,) if given is not None else ()

    # -- attributes -------------------------------------------------------------------------------------------------

    def _stored(self, made: list[ClassFacts], name: SettingName) -> Iterator[Setting]:
        """`self.workers = 4` in the class, and `feed.workers = 4` outside."""
        if not self._has_setters:
            return
        for node in self._tree.all(cst.Attribute):
            stored = self._values.stored(node) if node.attr.value == name else None
            if stored is None or stored[0] is None:
                continue
            own = self._values.self_class(node.value)
            owner = self._classes.of(own) if own is not None else self._training.class_of(node.value)
            if owner is not None and any(owner in found.lineage for found in made):
                yield Setting(name, node, stored[0], self._on(name, stored[0]))

    # -- trainer calls ----------------------------------------------------------------------------------------------

    def _trained_with(self, made: list[ClassFacts], name: SettingName) -> Iterator[Setting]:
        """`fit(feed, use_multiprocessing=True)`, as Keras 2 has it."""
        for call in self._training.calls:
            given = self._given(call, name)
            if given is None:
                continue
            node, value = given
            fed = {
                found
                for _, data in call.feeds
                for part in self._fit_bindings.parts(data)
                for found in self._reads(part)
            }
            if fed & set(made):
                yield Setting(name, node, value, self._on(name, value))
            elif None in fed and self._on(name, value) != "no":
                yield Setting(name, node, value, "unknown")

    def _reads(self, part: cst.BaseExpression) -> tuple[ClassFacts | None, ...]:
        if self._input_kinds.kind(part) in ("arrays", "dataset", "generator"):
            return ()
        if not any(value is None or isinstance(value, cst.Call) for value in self._values.of(part)):
            return ()  # a number, a string
        makers = (self._names.definition(maker.func) for maker in self._input_kinds.makers(part))
        classes = tuple(self._classes.of(made) for made in makers if isinstance(made, cst.ClassDef))
        return classes or self._training.classes_of(part)

    def _given(self, call: TrainerCall, name: SettingName) -> tuple[cst.CSTNode, cst.BaseExpression] | None:
        argument = call.arguments.get(name)
        return (argument, argument.value) if argument is not None else self._unpacked(call.node, name)

    def _unpacked(self, call: cst.Call, name: SettingName) -> tuple[cst.CSTNode, cst.BaseExpression] | None:
        for spread in (argument for argument in call.args if argument.star == "**"):
            place = (self._input_kinds.options(spread.value) or {}).get(name)
            holder = self._tree.parents[place] if isinstance(place, cst.BaseExpression) else place
            if isinstance(holder, (cst.DictElement, cst.Arg)):
                return holder, holder.value
        return None

    # -- values -----------------------------------------------------------------------------------------------------

    def _on(self, name: SettingName, node: cst.BaseExpression) -> Answer:
        """Whether a value can be on. A parameter that nobody in sight sets is what its default says."""
        values = self._values.of(node)
        found = {self._one(name, value) for value in values if value is not None}
        if "yes" in found:
            return "yes"
        return "no" if found == {"no"} else "unknown"

    def _one(self, name: SettingName, value: cst.BaseExpression) -> Answer:
        constant = self._values.constant(value)
        if constant is not None:
            number = constant.value
            on = isinstance(number, (int, float)) and number > (name == "workers")
            return "yes" if on else "no"
        counts = isinstance(value, cst.Call) and self._names.qualified(value.func) in _COUNTS
        return "yes" if name == "workers" and counts else "unknown"


def _is_init(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__"


def _any(answers: Iterator[Answer] | tuple[Answer, ...]) -> Answer:
    found = set(answers)
    return "yes" if "yes" in found else "unknown" if "unknown" in found else "no"
