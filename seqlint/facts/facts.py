"""All that is known about one file, each part worked out when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.pipelines.ends import is_expected_to_fail
from seqlint.facts.batch_facts import BatchFacts
from seqlint.facts.classes.inits import is_made_by_dataclass, reaches_base
from seqlint.facts.code.tree import is_keyword
from seqlint.facts.external.made import ExternallyMade
from seqlint.facts.external.uses import ExternalUses
from seqlint.model import Finding, Note

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.run import Call


class Facts(BatchFacts):
    """All that is known about one file: of its code, of what it trains, of its batches; and the questions that rules ask most."""

    @cached_property
    def external_uses(self) -> ExternalUses:
        """What other files of the project do with classes of this one."""
        return ExternalUses(self)

    @cached_property
    def externally_made(self) -> ExternallyMade:
        """Sequences that other files of the project make."""
        return ExternallyMade(self)

    def qualified(self, node: cst.CSTNode) -> str | None:
        """The canonical name of an expression, such as "keras.callbacks.EarlyStopping"; None if unsure."""
        return self.names.qualified(node)

    def reaches_base_init(self, owner: ClassFacts) -> bool:
        """Whether making an instance of a Sequence surely or possibly runs the `__init__` of its base."""
        return reaches_base(self.tree, owner)

    def dataclass_misses_base(self, owner: ClassFacts) -> bool:
        """Whether a Sequence has the `__init__` of a dataclass, and no `__post_init__` that runs that of its base."""
        if "__init__" in owner.methods or not is_made_by_dataclass(self.names, owner):
            return False
        return owner.lineage_is_known and not reaches_base(self.tree, owner, "__post_init__")

    def may_be_base(self, owner: ClassFacts) -> bool:
        """Whether a class may serve as a base alone: it is not made in this file, and other files make classes from it."""
        return not self.training.instances(owner) and self.subclasses.external(owner)

    def given(self, keyword: str) -> frozenset[str]:
        """The constants, as text, that the file gives for a keyword argument anywhere, such as `name="accuracy"`."""
        values = (argument.value for argument in self.tree.all(cst.Arg) if is_keyword(argument, keyword))
        found = (self.values.constant(value) for value in values)
        return frozenset(str(constant.value) for constant in found if constant is not None)

    def calls(self, *names: str) -> tuple[cst.Call, ...]:
        """The calls of a canonical name, in reading order."""
        return tuple(node for node in self.tree.all(cst.Call) if self.names.qualified(node.func) in names)

    def for_one_keras(self, call: Call) -> bool:
        """Whether a call of the run is kept for some lines of Keras alone, or a test wants it to fail."""
        where = self.run.place(call)
        if where is None or is_expected_to_fail(call):
            return where is not None
        node = next((each for each in self.tree.all(cst.Call) if self.span(each) == self.run.span(where)), None)
        return node is not None and self.evidence.for_one_keras(node)

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, in bytes."""
        return self.tree.span(node)

    def text(self, node: cst.CSTNode) -> str:
        """The source text of a node."""
        return self.tree.text(node)

    def finding(self, node: cst.CSTNode, message: str, note: Note | str = "", help: str = "") -> Finding:  # noqa: A002
        """A finding that points at a node. For a definition or a compound statement it points at the first line.

        Args:
            message: what is wrong, in 15 words at most.
            note: what happens; plain text where every line of Keras does the same.
            help: what to do by hand, where there is no fix.
        """
        return self.finding_at(self.pointer(node), message, note, help)

    def finding_at(self, span: tuple[int, int], message: str, note: Note | str = "", help: str = "") -> Finding:  # noqa: A002
        """A finding that points at a span, in bytes, such as `facts.run.step_span(node)`; texts as in `finding`."""
        measured = note if isinstance(note, Note) else Note(note)
        return Finding(*span, message, note=measured, help=help)

    def pointer(self, node: cst.CSTNode) -> tuple[int, int]:
        """The span that a reader should look at: the node, or the head of a definition or compound statement."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            start = self.span(node.name)[0] - len("def " if isinstance(node, cst.FunctionDef) else "class ")
            return start, self.span(node.name)[1]
        start, end = self.span(node)
        if isinstance(node, (cst.BaseCompoundStatement, cst.ExceptHandler)):
            end = min(end, self.span(node.body)[0]) if isinstance(node, cst.ExceptHandler) else end
            head = self.source.utf8[start:end].split(b"\n", 1)[0]
            return start, start + len(head.rstrip())
        return start, end
