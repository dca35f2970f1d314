"""One finding and its fix, as a card of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.report.diff import diff_table
from seqlint.proof.report.evidence import difference
from seqlint.proof.report.tags import Html, badge, element, joined, prose
from seqlint.proof.report.words import declared, item_label, located

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof.answers import Item


def finding(item: Item, id_: str, inside: Sequence[Html], shared: Sequence[tuple[str, str]]) -> Html:
    """What is wrong, the fix, what it declares, its diff and its answer.

    Args:
        inside: the evidence of this fix alone.
        shared: id and name of the evidence that stands elsewhere.
    """
    answer = element("p", element("b", "Not run"), f": {item.unproved}.", class_="callout") if item.unproved else ""
    title = element(
        "h3",
        element("code", item.code),
        f" {item.name} ",
        badge(item.outcome, item_label(item)),
    )
    where = element(
        "p", element("b", located(item).capitalize()), *((": ", prose(item.message)) if item.message else ())
    )
    fix = element("p", element("b", "Fix"), ": ", prose(item.title), ". ", _contract(item))
    diff = diff_table(item.diff, f"Diff of {item.code}, {located(item)}")
    below = [*([_declared_changes(item)] if shared else []), *map(_pointer, shared), *inside]
    return element("article", title, where, fix, diff, answer, *below, id=id_, class_="finding")


def _contract(item: Item) -> Html:
    kind = "safe" if item.contract.safe else "unsafe"
    chip = element("span", kind, class_=f"chip {kind}")
    return joined([chip, f" It declares that it {declared(item.contract)}; all else must stay equal."])


def _pointer(shared: tuple[str, str]) -> Html:
    link = element("a", shared[1], href=f"#{shared[0]}")
    return element("p", "Proved by ", link, ": curves, batches and speed stand there.", class_="quiet")


def _declared_changes(item: Item) -> Html:
    """What this fix declares and the runs have shown, one line for each observable."""
    names = item.contract.changes | item.contract.repairs
    rows = [
        element("li", element("b", verdict.observable), ", ", difference(verdict.difference, proof))
        for proof in item.proofs[:1]
        for verdict in proof.verdicts
        if verdict.observable in names and verdict.difference
    ]
    return element("ul", *rows, class_="seen") if rows else Html("")
