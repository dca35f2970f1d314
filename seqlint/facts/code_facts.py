"""What is known of the code of a file before anything is trained: names, values, classes, numbers."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.classes.classes import Classes, ClassFacts
from seqlint.facts.classes.subclasses import Subclasses
from seqlint.facts.code.expected import expected_errors
from seqlint.facts.code.mentions import Mentions
from seqlint.facts.code.names import Names
from seqlint.facts.code.scopes import Scopes
from seqlint.facts.code.tree import Tree
from seqlint.facts.external.files import Files
from seqlint.facts.flow.backward_slice import BackwardSlice
from seqlint.facts.flow.call_graph import CallGraph
from seqlint.facts.flow.handlers import Handlers
from seqlint.facts.flow.lists import Lists
from seqlint.facts.flow.main import Main
from seqlint.facts.flow.mutations import Mutations
from seqlint.facts.hooks.hook_counters import HookCounters
from seqlint.facts.hooks.hook_flags import HookFlags
from seqlint.facts.hooks.length_changes import LengthChanges
from seqlint.facts.instances.attributes import Attributes
from seqlint.facts.instances.called import Called
from seqlint.facts.instances.cuts import Cuts
from seqlint.facts.instances.external_bases import ExternalBases
from seqlint.facts.instances.handles import Handles
from seqlint.facts.instances.members import Members
from seqlint.facts.instances.named_attributes import NamedAttributes
from seqlint.facts.instances.setups import Setups
from seqlint.facts.instances.writes import Writes
from seqlint.facts.keras import KerasInUse, backends
from seqlint.facts.keras.lost_names import LostNames
from seqlint.facts.keras.own_copy import OwnCopy
from seqlint.facts.metrics.step_results import StepResults
from seqlint.facts.numbers.counts import Counts
from seqlint.facts.numbers.floats import Floats
from seqlint.facts.numbers.numbers import Numbers
from seqlint.facts.numbers.shapes import Shapes
from seqlint.facts.orders.shuffles import Shuffles
from seqlint.facts.values.same import Same
from seqlint.facts.values.values import Values

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from seqlint.facts.external.file import ExternalFile
    from seqlint.facts.project import Project
    from seqlint.run import Class, Run
    from seqlint.sources import Source
    from seqlint.trees import Grown


_GIVEN = frozenset({"source", "project", "keras", "grown", "_grown", "_keras", "_run"})
"""What facts have got from others, who may need it longer: the tree of a text that somebody types serves the next one, too."""


class CodeFacts:
    """What the code of one file says by itself. Each part is worked out when it is first asked for."""

    def __init__(
        self,
        source: Source,
        grown: Grown | Callable[[], Grown],
        keras: KerasInUse | Callable[[], KerasInUse],
        project: Project | None = None,
        run: Callable[[], Run] | None = None,
    ) -> None:
        self.source = source
        self.project = project
        self._grown = grown
        self._keras = keras
        self._run = run

    @cached_property
    def run(self) -> Run:
        """What the program does, run abstractly once for all rules."""
        assert self._run is not None, "only files that are checked are run"
        return self._run()

    def end(self) -> None:
        """Let go of all that was worked out, after the last rule: its parts hold each other, and would wait for the garbage collector."""
        if "run" in vars(self):
            self.run.end()
        if "files" in vars(self):
            self.files.end()
        if "names" in vars(self):
            self.names.scopes.end()
        if "_classes" in vars(self):
            self._classes.end()
        worked_out = [part for name, part in vars(self).items() if name not in _GIVEN]
        vars(self).clear()
        for part in worked_out:
            getattr(part, "__dict__", {}).clear()

    @cached_property
    def grown(self) -> Grown:
        """The nodes of the file with their places."""
        return self._grown() if callable(self._grown) else self._grown

    @cached_property
    def keras(self) -> KerasInUse:
        """The Keras that the file runs on."""
        return self._keras() if callable(self._keras) else self._keras

    @cached_property
    def expected_errors(self) -> tuple[tuple[int, int], ...]:
        """Where code is that a test wants to fail: start and end of each block, as offsets."""
        return expected_errors(self.tree, self.source.text)

    @cached_property
    def tree(self) -> Tree:
        """Nodes, parents, spans."""
        return Tree(self.source, self.grown)

    @property
    def module(self) -> cst.Module:
        """The root of the tree."""
        return self.tree.module

    @cached_property
    def names(self) -> Names:
        """What names mean."""
        return Names(self.tree, Scopes(self.tree, self.module_name), self.project)

    @cached_property
    def mentions(self) -> Mentions:
        """Names of libraries as this file spells them."""
        return Mentions(self.tree, self.names)

    @cached_property
    def lost_names(self) -> LostNames:
        """What the file names of Keras that Keras 3 lost."""
        return LostNames(self.mentions, self.tree)

    @cached_property
    def own_copy(self) -> OwnCopy:
        """What the file takes from TensorFlow's own copy of Keras 2."""
        return OwnCopy(self.mentions)

    @cached_property
    def values(self) -> Values:
        """Where values come from."""
        return Values(self.tree, self.names)

    @cached_property
    def _classes(self) -> Classes:
        return Classes(self.names, self.values, self.project)

    @cached_property
    def call_graph(self) -> CallGraph:
        """Which function of this file a call runs, and what it hands over."""
        return CallGraph(self.tree, self.names, self.values, self._classes)

    @cached_property
    def files(self) -> Files:
        """Other files of the project, where a name leads there."""
        return Files(self.source.path, self.project, self._read_external)

    def _read_external(self, source: Source, tree: Grown, project: Project | None) -> ExternalFile:
        """The facts of another file, which runs on the same Keras."""
        from seqlint.facts.facts import Facts

        return Facts(source, tree, self.keras, project)

    @cached_property
    def main(self) -> Main:
        """What runs when the file is imported."""
        return Main(self.tree, self.call_graph)

    @cached_property
    def _mutations(self) -> Mutations:
        return Mutations(self.tree, self.names, self.values, self._classes, self.call_graph)

    @cached_property
    def lists(self) -> Lists:
        """What a list holds, in order, however it was built."""
        return Lists(self.tree, self.names, self.values, self.call_graph, self._mutations)

    @cached_property
    def backward_slice(self) -> BackwardSlice:
        """What a value depends on."""
        return BackwardSlice(self.tree, self.names, self.values, self.call_graph, self._mutations)

    @cached_property
    def same(self) -> Same:
        """Whether an expression has the same value at another place."""
        return Same(self.tree, self.names, self.values)

    @cached_property
    def numbers(self) -> Numbers:
        """Numbers that expressions surely are, and lengths of what is written out."""
        return Numbers(self.tree, self.names, self.values, lambda node: self.shapes.length(node))

    @cached_property
    def shapes(self) -> Shapes:
        """Shapes and types of arrays, as far as literals carry."""
        return Shapes(self.names, self.values, self.numbers, self.call_graph, self.keras.lines)

    @cached_property
    def counts(self) -> Counts:
        """Quotients such as the number of batches, with their rounding."""
        return Counts(self.tree, self.names, self.values, self.numbers, self.call_graph)

    @cached_property
    def floats(self) -> Floats:
        """Numbers that surely are floats."""
        return Floats(self.names, self.numbers, self.counts)

    @cached_property
    def handlers(self) -> Handlers:
        """What each `except` catches, and what it does with it."""
        return Handlers(self.tree, self.names, self.call_graph)

    @cached_property
    def attributes(self) -> Attributes:
        """What methods do to the attributes of `self`."""
        return Attributes(self.tree, self.names, self.values, self._classes, self.call_graph)

    @cached_property
    def named_attributes(self) -> NamedAttributes:
        """Strings that may be names of attributes."""
        return NamedAttributes(self.tree, self.names)

    @cached_property
    def members(self) -> Members:
        """The attributes of `self` that code uses."""
        return Members(self.tree, self.values, self.writes)

    @cached_property
    def writes(self) -> Writes:
        """What functions write outside their own instance."""
        return Writes(self.tree, self.names, self.values, self._classes)

    @cached_property
    def called(self) -> Called:
        """Whether anything but Keras calls a method."""
        return Called(self.tree, self.names, self.values, self._classes, self.project)

    @cached_property
    def setups(self) -> Setups:
        """Which attributes of an instance are set when."""
        return Setups(self.tree, self.names, self.values, self.attributes)

    @cached_property
    def subclasses(self) -> Subclasses:
        """The subclasses of each class."""
        return Subclasses(self.source.path, self.names, self._classes, self.project)

    @cached_property
    def external_bases(self) -> ExternalBases:
        """Sequences whose base classes are in other files."""
        return ExternalBases(self.names, self.values, self.setups, self.called, self.project)

    @cached_property
    def hook_counters(self) -> HookCounters:
        """Numbers of the instance that hooks step."""
        return HookCounters(self.tree, self.names, self.values, self._classes, self.attributes, self.call_graph)

    @cached_property
    def hook_flags(self) -> HookFlags:
        """Flags of the instance that hooks turn."""
        return HookFlags(self.tree, self.values, self._classes, self.attributes, self.hook_counters)

    @cached_property
    def length_changes(self) -> LengthChanges:
        """What hooks do to attributes that `__len__` depends on."""
        return LengthChanges(self.tree, self.names, self.values, self._classes, self.attributes, self.hook_counters)

    @cached_property
    def cuts(self) -> Cuts:
        """Which statements of a method can leave it together."""
        return Cuts(self.tree, self.names, self.values, self._classes, self.members)

    @cached_property
    def handles(self) -> Handles:
        """Files that Sequences keep open."""
        return Handles(self.tree, self.names, self.values, self.attributes)

    @cached_property
    def shuffles(self) -> Shuffles:
        """Calls that bring rows into a random order."""
        return Shuffles(self.tree, self.names, self.values)

    @cached_property
    def step_results(self) -> StepResults:
        """What custom steps of models return."""
        return StepResults(self.tree, self.names, self.values, self.call_graph, self._classes)

    @cached_property
    def runs_tensorflow(self) -> bool:
        """Whether Keras can be on TensorFlow here: the file sets no other backend."""
        chosen = backends(self.source.text)
        return not chosen or "tensorflow" in chosen

    @cached_property
    def module_name(self) -> str:
        """The import name of the file; empty outside a project."""
        return self.project.module_name(Path(self.source.path)) if self.project is not None else ""

    @property
    def classes(self) -> tuple[ClassFacts, ...]:
        """Every class of the file, in reading order."""
        return self._classes.all

    def class_facts(self, node: cst.ClassDef) -> ClassFacts:
        """The facts of one class."""
        return self._classes.of(node)

    def class_of(self, cls: Class) -> ClassFacts | None:
        """The facts of a class of the run; None where it is in another file."""
        start = self.run.span(cls.node)[1] if cls.frame.module is self.run.machine.main else None
        return next((each for each in self.classes if self.tree.span(each.node)[1] == start), None)

    @cached_property
    def sequences(self) -> tuple[ClassFacts, ...]:
        """The classes that surely are a Sequence or PyDataset."""
        return tuple(found for found in self.classes if found.is_a("sequence") == "yes")

    @cached_property
    def callbacks(self) -> tuple[ClassFacts, ...]:
        """The classes that surely are a Callback."""
        return tuple(found for found in self.classes if found.is_a("callback") == "yes")

    def call_node(self, call: ast.AST) -> cst.Call | None:
        """The node that edits are made with, for a call of the run in this file."""
        span = self.run.span(call)
        return next((each for each in self.tree.all(cst.Call) if self.tree.span(each) == span), None)
