"""Where a file names something of Keras that Keras 3 lost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.keras.private import private_module
from seqlint.knowledge.keras_names import GONE
from seqlint.knowledge.keras_replacements import READERS, UNLISTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.mentions import Mention, Mentions
    from seqlint.facts.code.tree import Tree

_ROOTS = (
    ("tensorflow.compat.v1.keras", "tf.keras"), ("tensorflow.compat.v2.keras", "tf.keras"), ("tensorflow.keras", "tf.keras"), ("keras", "keras"),
)  # fmt: skip
_BY_IMPORT = ("saving",)
"""Modules that `tf.keras` does not have, and that an import finds."""
_OTHER_ROOMS = ("preprocessing", "wrappers")
"""What has rules of its own."""
_ESTIMATORS = ("tensorflow.estimator", "tensorflow.compat.v1.estimator", "tensorflow.compat.v2.estimator")
_PREPROCESSING = ("preprocessing.image", "preprocessing.sequence", "preprocessing.text")
LOST_PREPROCESSING: dict[str, frozenset[str]] = {
    f"keras.{module}": frozenset(
        name.rpartition(".")[2] for name, row in GONE.items() if name.startswith(f"{module}.") and row[1]
    )
    | UNLISTED.get(module, frozenset())
    for module in _PREPROCESSING
}
"""What the modules of `keras.preprocessing` lost, by module."""
NOT_IN_TENSORFLOW = frozenset().union(*UNLISTED.values()) | {
    name.rpartition(".")[2] for name, row in GONE.items() if name.startswith(_PREPROCESSING) and (row[0] or row[2])
}
"""Which of these names `tf.keras` does not have."""
LOST_READERS = {f"keras.{name}": told for name, told in READERS.items()}
"""What read data and is gone, with what to do in its place."""
LAST_NAMES = frozenset(name.rpartition(".")[2] for name in GONE)
"""What the words of a file must hold."""


@dataclass(frozen=True, eq=False)
class LostName:
    """One place that names what some Keras lacks.

    Attributes:
        mention: the place, with the name as written.
        package: as written: "keras", "tensorflow.keras" or "tensorflow.compat.v1.keras".
        part: the rest of the name, such as "backend.sum".
        on_2: whether Keras 2 lost it, too, before tf-keras.
        since: the release of Keras 3 from which on it is gone.
        back: the release that has it again; "" where none has.
    """

    mention: Mention
    package: str
    part: str
    on_2: bool
    since: str
    back: str

    @property
    def root(self) -> str:
        """ "keras" or "tf.keras"."""
        return "keras" if self.package == "keras" else "tf.keras"


class LostNames:
    """The names of one file that Keras 3 lost, but for those with rules of their own: `keras.preprocessing`, readers of data, private modules."""

    def __init__(self, mentions: Mentions, tree: Tree) -> None:
        self._mentions = mentions
        self._tree = tree

    @cached_property
    def imported(self) -> tuple[LostName, ...]:
        """What imports ask for."""
        found = (lost(mention) for mention in self._mentions.imported)
        return tuple(one for one in found if one is not None and not one.part.startswith(_BY_IMPORT))

    @cached_property
    def reached(self) -> tuple[LostName, ...]:
        """What is reached through a module that is there: the longest name at each place."""
        through = {use for one in self.imported for use in self._mentions.uses(one.mention)}
        found = {mention.node: one for mention in self._mentions.reached if (one := lost(mention)) is not None}
        return tuple(
            one for node, one in found.items() if not self._is_part(node, found) and _first(node) not in through
        )

    def asked_of(self, one: LostName) -> tuple[cst.Attribute, ...] | None:
        """Where the module that an import brings is asked for a name; None where it is used in another way, too."""
        parents = [self._tree.parents[use] for use in self._mentions.uses(one.mention)]
        asked = tuple(parent for parent in parents if isinstance(parent, cst.Attribute))
        return asked if len(asked) == len(parents) else None

    def _is_part(self, node: cst.CSTNode, found: dict[cst.CSTNode, LostName]) -> bool:
        """Whether a longer name around it is lost as well, or belongs to a private module."""
        return any(above in found or self._is_private(above) for above in self._around(node))

    def _around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        parent = self._tree.parents.get(node)
        while isinstance(parent, cst.Attribute) and parent.value is node:
            yield parent
            node, parent = parent, self._tree.parents.get(parent)

    def _is_private(self, node: cst.CSTNode) -> bool:
        return any(mention.node is node and private_module(mention.name) for mention in self._mentions.reached)


def lost(mention: Mention) -> LostName | None:
    """What a mention names, if some Keras 3 lacks it."""
    if mention.name in _ESTIMATORS or mention.name.startswith(tuple(f"{each}." for each in _ESTIMATORS)):
        return LostName(mention, "tensorflow", "estimator", False, "3.0", "")
    package, place = next((pair for pair in _ROOTS if mention.name.startswith(f"{pair[0]}.")), ("", ""))
    part = mention.name[len(package) + 1 :]
    if not package or part not in GONE or part in READERS or part.startswith(_OTHER_ROOMS):
        return None
    on_2, *spans = GONE[part]
    since, _, back = spans[0 if place == "keras" else 1].partition("-")
    return LostName(mention, package, part, bool(on_2) and "compat.v1" not in package, since, back) if since else None


def _first(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node
