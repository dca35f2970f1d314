"""The first differing batch as a small table, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.report.tags import Html, element, row, table
from seqlint.proof.report.words import counted, listed, previews, short

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.proof.report.batches import Batch, Row
    from seqlint.proof.run import Proof

MOST = 16
"""Rows that are shown, from a little above the first one that differs."""
_ABOVE = 3
_LONGEST = 160


def batch_table(batch: Batch, proof: Proof) -> Html:
    """The rows of both runs; those that differ are marked."""
    known = previews(proof)
    start = _start(batch)
    shown = batch.rows[start : start + MOST]
    rows = [_row(number, pair, known) for number, pair in enumerate(shown, start + 1)]
    left_out = len(batch.rows) - len(shown)
    more = element("p", f"{counted(left_out, 'more row')} not shown", class_="quiet") if left_out else ""
    body = table(("Row", "Before", "After", ""), rows, "batch", f"{batch.place}: {_said(batch)}")
    return Html(body + more)


def _start(batch: Batch) -> int:
    first = next(number for number, pair in enumerate(batch.rows) if not pair.equal)
    return max(0, min(first - _ABOVE, len(batch.rows) - MOST))


def _said(batch: Batch) -> str:
    if batch.reordered:
        return "the same samples in another order"
    differing = [pair for pair in batch.rows if not pair.equal]
    gone, come = sum(bool(pair.before) for pair in differing), sum(bool(pair.after) for pair in differing)
    parts = [f"{counted(n, 'row')} only {side}" for n, side in ((gone, "before"), (come, "after")) if n]
    return f"{listed(parts)}, {len(batch.rows) - len(differing)} in both"


def _row(number: int, pair: Row, known: Mapping[str, str]) -> Html:
    cells = [_sample(digest, known) for digest in (pair.before, pair.after)]
    mark = "" if pair.equal else element("span", "≠", aria_label="differs")
    return row(str(number), *cells, mark, class_="" if pair.equal else "differs")


def _sample(digest: str, known: Mapping[str, str]) -> Html:
    if not digest:
        return element("span", "no such row", class_="quiet")
    return element("code", short(known.get(digest, digest), _LONGEST))
