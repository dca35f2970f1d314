"""The proof of one file: what each of its fixes does, and whether its contract held."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.proof.answers import Asked, Change, FileProof, Item
from seqlint.proof.corrupt import prove_corrupt
from seqlint.proof.listings import listing, names
from seqlint.proof.pairs import UNREACHED, prove_pair
from seqlint.proof.plans import planned
from seqlint.proof.reference import with_reference
from seqlint.proof.regions import Lines, numbers, places, reach, regions, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from seqlint.proof.run import Pair, Proof
    from seqlint.proof.running import Worker


def prove_file(asked: Asked, children: Sequence[Worker]) -> FileProof:
    """Prove the fixes of a file: all together, and each alone where they differ from what they declare.

    Args:
        children: one for each Keras line that is asked for.
    """
    whole = asked.pair(asked.after, asked.changes)
    if asked.program.kind == "classes" and children:  # one plan serves all pairs of the file
        whole, _ = planned(whole, children[0])
        asked = replace(asked, program=whole.program)
    proofs = tuple(with_reference(whole, prove_pair(whole, child)) for child in children)
    spoilt = [prove_corrupt(whole, child, proof) for child, proof in zip(children, proofs, strict=True)]
    corrupt = tuple(proof for proof in spoilt if proof is not None)
    items = tuple(_item(asked, change, children, proofs, corrupt) for change in asked.changes)
    return FileProof(asked.path, items, asked.left, asked.diff, proofs, corrupt)


def with_notes(file: FileProof, note: Callable[[Proof], Iterable[str]]) -> FileProof:
    """The same with more notes on each proof; proofs that several fixes share stay shared."""
    made: dict[int, Proof] = {}

    def noted(proof: Proof) -> Proof:
        if id(proof) not in made:
            made[id(proof)] = replace(proof, notes=(*proof.notes, *note(proof)))
        return made[id(proof)]

    items = tuple(replace(item, proofs=tuple(map(noted, item.proofs))) for item in file.items)
    return replace(file, items=items, proofs=tuple(map(noted, file.proofs)), corrupt=tuple(map(noted, file.corrupt)))


def keep_what_held(
    asked: Asked, proved: FileProof, children: Sequence[Worker], join: Callable[[Sequence[Change]], bytes]
) -> FileProof:
    """The same with the text to write: that of all fixes that held, proved together.

    Args:
        join: the text with some of the fixes and no other.
    """
    if proved.held:
        return replace(proved, written=asked.after, kept=proved.items)
    pairs = zip(asked.changes, proved.items, strict=True)
    held = [(change, item) for change, item in pairs if item.held and change.after is not None]
    kept: list[tuple[Change, Item]] = []
    for more in (held, *([one] for one in held)):  # all at once, or else one after the other
        wanted = [*kept, *more]
        if wanted and _hold(asked, [change for change, _ in wanted], children, join):
            kept = wanted
        if len(kept) == len(held):
            break
    text = join([change for change, _ in kept]) if kept else None
    return replace(proved, written=text, kept=tuple(item for _, item in kept))


def _hold(
    asked: Asked, changes: Sequence[Change], children: Sequence[Worker], join: Callable[[Sequence[Change]], bytes]
) -> bool:
    pair = asked.pair(join(changes), changes)
    return all(_telling(pair, child).held for child in children)


def _telling(pair: Pair, child: Worker) -> Proof:
    """Of the proofs of a pair, on its own and on bad input, the one that decides."""
    clean = prove_pair(pair, child)
    spoilt = prove_corrupt(pair, child, clean)
    if spoilt is not None and (spoilt.outcome == "DIFFERENT" or (_unreached(clean) and _tells(spoilt))):
        return spoilt
    return clean


def _item(
    asked: Asked, change: Change, children: Sequence[Worker], proofs: tuple[Proof, ...], corrupt: tuple[Proof, ...]
) -> Item:
    deciding, reasons = [], []
    for child, whole in zip(children, proofs, strict=True):
        spoilt = next((one for one in corrupt if one.settings == whole.settings), None)
        proof, reason = _deciding(asked, change, child, whole, spoilt)
        deciding.append(proof)
        reasons += [reason] if reason else []
    return Item(
        change.code, change.name, change.line, change.message, change.title, change.contract, change.diff,
        tuple(deciding), next(iter(reasons), ""), change.cell,
    )  # fmt: skip


def _deciding(asked: Asked, change: Change, child: Worker, whole: Proof, spoilt: Proof | None) -> tuple[Proof, str]:
    """The proof that decides about one fix, and why it says nothing about it, if so.

    Args:
        whole: that of all fixes, on the program's own input.
        spoilt: the same with bad input.
    """
    parts = change.after is not None and change.after != asked.after
    worst = spoilt if spoilt is not None and spoilt.outcome == "DIFFERENT" else whole
    if worst.outcome == "DIFFERENT":
        return (_telling(_alone(asked, change), child) if parts else worst), ""
    missed = _missed(asked, change, whole) if whole.held else ""
    if not missed and not _unreached(whole):
        return whole, ""
    if spoilt is not None and _tells(spoilt) and not _missed(asked, change, spoilt):
        return spoilt, ""
    return whole, f"its code did not run: {missed}" if missed else whole.obstacle


def _alone(asked: Asked, change: Change) -> Pair:
    """The file with one fix, under a name that tells it from the file with all of them."""
    pair = asked.pair(change.after or b"", [change])
    cell = "" if change.cell is None else f"cell {change.cell} "
    return replace(pair, name=f"{pair.name} with {change.code} of {cell}line {change.line} alone")


def _unreached(proof: Proof) -> bool:
    return proof.obstacle.startswith(UNREACHED)


def _tells(spoilt: Proof) -> bool:
    """Whether bad input has shown what a fix declares; that nothing differs on it proves nothing."""
    return spoilt.outcome == "CHANGED AS DECLARED"


def _missed(asked: Asked, change: Change, proof: Proof) -> str:
    """The lines of a fix where none of them ran in a proof of all fixes; empty where some did, or none holds code."""
    if change.after is None:
        return ""
    kind = asked.program.kind
    before, after, alone = (listing(text, kind) for text in (asked.before, asked.after, change.after))
    touched = regions(before, after)
    found = reach(touched, proof.before, proof.after)
    own = regions(before, alone)
    added = _lines(alone, [region.after for region in own])
    seen = [found.before.get(line) for line in numbers(region.before for region in own)]
    # In the text with all fixes the lines of this one stand elsewhere: there they are known by what they say.
    near = [region.after for region in touched if any(region.touches(one) for one in own)]
    seen += [found.after.get(line) for line, text in _lines(after, near).items() if text in added.values()]
    return places(own, names(asked.before, kind)) if told(seen) is False else ""


def _lines(text: str, ranges: Iterable[Lines]) -> dict[int, str]:
    """Lines of a text by their numbers."""
    lines = text.splitlines()
    return {number: lines[number - 1] for number in numbers(ranges)}
