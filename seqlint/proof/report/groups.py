"""Which runs decide about which fixes: what was run once is shown once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.proof.answers import FileProof, Item
    from seqlint.proof.run import Proof


def distinct(file: FileProof) -> tuple[Proof, ...]:
    """Every proof of a file once, those with a corrupt file last."""
    whole = (*file.proofs, *(proof for item in file.items for proof in item.proofs))
    return _once((*_but(whole, file.corrupt), *file.corrupt))


def own(item: Item, file: FileProof) -> tuple[Proof, ...]:
    """The proofs that decide about this fix and no other."""
    return _but(item.proofs, (*together(file), *file.corrupt))


def together(file: FileProof) -> tuple[Proof, ...]:
    """The proofs that several fixes share, and those that decide about none."""
    found = _but(distinct(file), file.corrupt)
    return tuple(proof for proof in found if not _decides_one(proof, file))


def _decides_one(proof: Proof, file: FileProof) -> bool:
    users = sum(_has(item.proofs, proof) for item in file.items)
    return users == 1 and (len(file.items) == 1 or not _has(file.proofs, proof))


def _once(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    # By identity: two proofs are two runs, even where they have seen the same.
    return tuple({id(proof): proof for proof in proofs}.values())


def _but(proofs: Iterable[Proof], others: Iterable[Proof]) -> tuple[Proof, ...]:
    kept = tuple(others)
    return tuple(proof for proof in proofs if not _has(kept, proof))


def _has(proofs: Iterable[Proof], wanted: Proof) -> bool:
    return any(proof is wanted for proof in proofs)
