"""What was proved, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.contracts import union
from seqlint.proof.report.words import counted, differing, unchanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof.answers import FileProof, Item
    from seqlint.proof.run import Outcome


def headline(files: Sequence[FileProof]) -> str:
    """The sentence at the top of the page, or of a file."""
    where = files[0].path if len(files) == 1 else counted(len(files), "file")
    items = [item for file in files for item in file.items]
    if not items:
        return f"Nothing was proved in {where}: no fix was applied"
    broken = _of(items, "DIFFERENT")
    if broken:
        return f"{_broken(len(broken), len(items), where)}: {_differing(broken)}, and no fix declares that"
    held = [item for item in items if item.held]
    if not held:
        return f"Nothing was proved in {where}: {counted(len(items), 'fix', 'fixes')} could not be run"
    corrupt = [proof for file in files for proof in file.corrupt if proof.outcome == "DIFFERENT"]
    if corrupt:
        return (
            f"The fixes in {where} do not hold with one corrupt file: {differing(*corrupt)}, and no fix declares that"
        )
    return f"{_held(len(held), len(items), where)}: {_unchanged(held)}{_unproved(len(items) - len(held))}"


def _of(items: Sequence[Item], outcome: Outcome) -> list[Item]:
    return [item for item in items if item.outcome == outcome]


def _differing(items: Sequence[Item]) -> str:
    return differing(*(proof for item in items for proof in item.proofs))


def _broken(broken: int, every: int, where: str) -> str:
    if every == 1:
        return f"The fix in {where} does not hold"
    if broken == every:
        return f"The {every} fixes in {where} do not hold"
    return f"{broken} of {every} fixes in {where} {'does' if broken == 1 else 'do'} not hold"


def _held(held: int, every: int, where: str) -> str:
    if every == 1:
        return f"The fix in {where} holds"
    return f"{f'{held} of ' if held < every else ''}{every} fixes in {where} {'holds' if held == 1 else 'hold'}"


def _unchanged(held: Sequence[Item]) -> str:
    proofs = [proof for item in held for proof in item.proofs]
    said = unchanged(union(item.contract for item in held), proofs, many=len(held) > 1)
    return said.replace("the fixes", "they")


def _unproved(number: int) -> str:
    return f"; {counted(number, 'fix', 'fixes')} could not be run" if number else ""
