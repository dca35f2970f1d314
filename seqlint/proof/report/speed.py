"""Throughput and memory of both runs, with plain bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.report.costs import costs
from seqlint.proof.report.tags import Html, element, row, table

if TYPE_CHECKING:
    from seqlint.proof.run import Proof


def speed_table(proof: Proof) -> Html:
    """Seconds, samples a second, bytes a batch and peak memory, before and after."""
    one, other = costs(proof.before), costs(proof.after)
    rows = [
        _row("Samples a second", one.samples_per_second, other.samples_per_second, ""),
        _row("Seconds", one.seconds, other.seconds, " s"),
        _row("Bytes a batch", one.bytes_per_batch, other.bytes_per_batch, ""),
        _row("Peak memory", one.peak_memory_mib, other.peak_memory_mib, " MiB"),
    ]
    return table(("", "Before", "After"), rows, "speed", "Never compared, always reported: the numbers of short runs.")


def _row(name: str, one: float | None, other: float | None, unit: str) -> Html:
    largest = max(one or 0, other or 0)
    return row(name, *(_cell(value, largest, unit, side) for value, side in ((one, "before"), (other, "after"))))


def _cell(value: float | None, largest: float, unit: str, side: str) -> Html:
    if value is None:
        return element("span", "nothing was trained", class_="quiet")
    width = f"{100 * value / largest if largest else 0:.0f}%"
    bar = element("span", element("span", style=f"width:{width}", class_=side), class_="bar", aria_hidden="true")
    return Html(element("span", f"{_text(value)}{unit}", class_="value") + bar)


def _text(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value < 100 else f"{value:.0f}"
