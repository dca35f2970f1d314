"""What chance can hide from a proof: the one seed that its runs share, and the order that deterministic operations keep."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.proof.contracts import judge
from seqlint.proof.listings import listing
from seqlint.proof.regions import numbers, regions
from seqlint.proof.running import worker

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqlint.proof.run import Pair, Proof, Run
    from seqlint.proof.running import Worker

MORE_SEEDS = (1, 2)
"""What is added to the seed of a proof for the runs of a change that draws numbers."""
_DRAWS = re.compile(r"seed|random|\brng\b|shuffl|permut|choice|\bsample\(", re.IGNORECASE)
_HASHES = frozenset({"set", "frozenset", "hash"})
"""What depends on the process: the order of a set of texts, and the hash of a text."""
_NO_KERNEL = frozenset({"UnimplementedError", "RuntimeError"})
LOOSE = (
    "an operation of the program has no deterministic form here, so that all runs were without: "
    "the noise is that of three runs of the unchanged program"
)


def lack_kernel(*runs: Run) -> bool:
    """Whether a run ended only because it may use deterministic operations alone."""
    errors = [run.recording["error"] for run in runs if run.recording]
    return any(error and error["type"] in _NO_KERNEL and "eterminis" in error["text"] for error in errors)


def under_others(pair: Pair, child: Worker, proof: Proof) -> Proof:
    """A proof that held, unless the change draws numbers and differs under another seed, or hashes and differs in another process."""
    if not proof.held or proof.before.failed or proof.after.failed:
        return proof
    sides = _changed(pair)
    if any(_DRAWS.search(text.splitlines()[line - 1]) for text, lines in sides for line in lines):
        for more in MORE_SEEDS:
            found = _again(replace(pair, program=replace(pair.program, seed=more)), child, proof)
            if not found.held:
                return _said(found, f"with the seed {child.settings.seed + more}")
    if any(_hashes(*side) for side in sides):
        with worker(replace(child.settings, hashes=1)) as other:
            found = _again(pair, other, proof)
        if not found.held:
            return _said(found, "where Python hashes texts in another way (PYTHONHASHSEED)")
    return proof


def _changed(pair: Pair) -> tuple[tuple[str, list[int]], ...]:
    """Both programs, each with the numbers of the lines that are not in the other."""
    kind = pair.program.kind
    before, after = (listing(text, kind) for text in (pair.before, pair.after))
    touched = regions(before, after)
    return (before, numbers(r.before for r in touched)), (after, numbers(r.after for r in touched))


def _hashes(text: str, lines: Collection[int]) -> bool:
    """Whether some of the lines make sets or hashes."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    found = (node for node in ast.walk(tree) if isinstance(node, (ast.Set, ast.SetComp, ast.Name)))
    return any(node.lineno in lines and (not isinstance(node, ast.Name) or node.id in _HASHES) for node in found)


def _again(pair: Pair, child: Worker, proof: Proof) -> Proof:
    """Both programs once more; before something is called different, the unchanged one a second time."""

    def run(text: str | bytes) -> Run:
        return child.run(text, pair.script, pair.folder, pair.program)

    before, after = run(pair.before), run(pair.after)
    verdicts, again = judge(pair.contract, before, after), proof.again
    if any(verdict.outcome == "DIFFERENT" for verdict in verdicts):
        again = (run(pair.before), run(pair.before))
        verdicts = judge(pair.contract, before, after, *again)
    return replace(proof, before=before, after=after, again=again, verdicts=verdicts)


def _said(proof: Proof, where: str) -> Proof:
    return replace(proof, notes=(*proof.notes, f"the programs differ {where}: under the first one they do not"))
