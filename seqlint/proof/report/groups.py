"""Which fixes of a file share their proofs: what was run once is shown once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.proof.files import FileProof, Item
    from seqlint.proof.run import Proof


@dataclass(frozen=True, slots=True)
class Group:
    """Fixes that the same runs decide about; no items: the proof of all fixes together, which decided nothing."""

    items: tuple[Item, ...]
    proofs: tuple[Proof, ...]


def groups(file: FileProof) -> tuple[Group, ...]:
    """The fixes of a file by their proofs, in the order of the fixes."""
    found: dict[tuple[int, ...], list[Item]] = {}
    for item in file.items:
        found.setdefault(_key(item.proofs), []).append(item)
    made = [Group(tuple(items), items[0].proofs) for items in found.values()]
    together = [Group((), file.proofs)] if file.proofs and _key(file.proofs) not in found else []
    return (*made, *together)


def distinct(file: FileProof) -> tuple[Proof, ...]:
    """Every proof of a file once, without those with a corrupt file."""
    return tuple({id(proof): proof for group in groups(file) for proof in group.proofs}.values())


def _key(proofs: tuple[Proof, ...]) -> tuple[int, ...]:
    # By identity: two proofs are two runs, even where they have seen the same.
    return tuple(map(id, proofs))
