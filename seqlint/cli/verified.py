"""What `verify` says: the findings of the script, and the proof of its fixes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.engine import Applied, Fixed
    from seqlint.proof import Proof

NO_FIX = "no fix is offered"


def as_text(path: str, fixed: Fixed | None, proof: Proof | None, colour: bool) -> str:
    """The fixes that were proved, the findings that were not, and the table of observables."""
    if fixed is None or not (fixed.applied or fixed.refused or fixed.checked.diagnostics):
        return f"{path}: no findings, so there is nothing to prove\n"
    lines = [*(_applied(fix) for fix in fixed.applied), *_left(fixed)]
    text = "".join(f"{line}\n" for line in lines)
    if proof is None:
        return f"{text}\n{path}: no fix was applied, so there is nothing to prove\n"
    from seqlint.proof import render

    return f"{text}\n{render(proof, colour)}"


def as_json(path: str, fixed: Fixed | None, proof: Proof | None, colour: bool) -> str:
    """The same for programs; `proof` is null where nothing was to be proved."""
    from seqlint.proof import as_dict

    document = {
        "format": 1,
        "path": path,
        "fixes": [_fix(fix) for fix in fixed.applied] if fixed else [],
        "not_run": [dict(zip(("code", "line", "reason"), item, strict=True)) for item in _not_run(fixed)],
        "proof": as_dict(proof) if proof else None,
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _applied(fix: Applied) -> str:
    from seqlint.output.words import safety

    return f"{fix.code} line {fix.start.line}: {fix.title} ({safety(fix.contract)})"


def _left(fixed: Fixed) -> Iterator[str]:
    for code, line, reason in _not_run(fixed):
        yield f"{code} line {line}: NOT RUN: {reason}"


def _not_run(fixed: Fixed | None) -> Iterator[tuple[str, int, str]]:
    """What no run can prove: findings without a fix, and fixes that the engine refused."""
    if fixed is None:
        return
    refused = {(item.code, item.start.line) for item in fixed.refused}
    for item in fixed.refused:
        yield item.code, item.start.line, f"the fix was refused: {item.reason}"
    for found in fixed.checked.diagnostics:
        if (found.code, found.start.line) not in refused:
            yield found.code, found.start.line, found.message if fixed.checked.broken else NO_FIX


def _fix(fix: Applied) -> dict[str, object]:
    return {
        "code": fix.code,
        "name": fix.name,
        "title": fix.title,
        "line": fix.start.line,
        "safe": fix.safe,
        "changes": sorted(fix.contract.changes),
        "repairs": sorted(fix.contract.repairs),
    }
