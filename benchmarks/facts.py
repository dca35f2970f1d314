"""What the facts of a file cost, as a ratio to `libcst.parse_module` of the same text, in one run.

    python benchmarks/facts.py [--profile] [FOLDER_OF_KERAS_FILES]

Without a folder, a hundred files are made from the programs in fixtures/, as in speed.py. CPU time of this process, the best of three;
no garbage is collected in between, as a file is looked at once and dropped. The rules ask for what they need, so to run them is to
work out every fact that is asked for. Spans are made only for files in which something is reported.
"""

from __future__ import annotations

import cProfile
import gc
import pstats
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import libcst as cst
from speed import ROOT, collected, hundred

sys.path.insert(0, str(ROOT))

from seqlint import registry
from seqlint.facts import Facts
from seqlint.facts.keras import KerasInUse
from seqlint.model import UnreadableSource
from seqlint.sources import Source

RUNS, TARGET, WORST = 3, 1.6, 5


@dataclass
class Cost:
    """CPU seconds of one file."""

    path: str = ""
    parse: float = 0.0
    names: float = 0.0
    spans: float = 0.0
    rules: dict[str, float] = field(default_factory=dict)

    @property
    def facts(self) -> float:
        """All that is worked out, the spans of what is reported left out."""
        return self.names + sum(self.rules.values())


def measured(source: Source, profile: cProfile.Profile | None = None) -> Cost:
    """One file, once."""
    cost = Cost(source.path)
    start = process_time()
    module = cst.parse_module(source.text)
    cost.parse = process_time() - start
    start = process_time()
    if profile is not None:
        profile.enable()
    facts = Facts(source, module, KerasInUse())
    _spans_timed(facts, cost)
    assert facts.names
    cost.names = process_time() - start
    for loaded in registry.load():
        start, spans = process_time(), cost.spans
        for _ in loaded.check(facts):
            pass
        cost.rules[loaded.rule.code] = process_time() - start - (cost.spans - spans)
    if profile is not None:
        profile.disable()
    return cost


def _spans_timed(facts: Facts, cost: Cost) -> None:
    """Keep the time that spans take apart from all else."""
    near = facts.tree._near

    def timed(node: cst.CSTNode) -> dict[cst.CSTNode, tuple[int, int]]:
        start = process_time()
        found = near(node)
        cost.spans += process_time() - start
        return found

    facts.tree._near = timed  # type: ignore[method-assign]


def sources(folder: Path) -> list[Source]:
    """The files that can be parsed."""
    found = []
    for path in sorted(folder.glob("*.py")):
        try:
            source = Source.from_bytes(path.read_bytes(), path.name)
            cst.parse_module(source.text)
        except (UnreadableSource, cst.ParserSyntaxError):
            continue
        found.append(source)
    return found


def best(source: Source) -> Cost:
    """One file, the cheapest of three runs."""
    return min((measured(source) for _ in range(RUNS)), key=lambda cost: cost.parse + cost.facts)


def report(costs: list[Cost], size: int) -> float:
    """Print the table; gives the ratio of all facts to parsing."""
    parse = sum(cost.parse for cost in costs)
    rows = [("names: nodes, scopes, what is bound where", sum(cost.names for cost in costs))]
    for code in costs[0].rules:
        rows.append((f"what {code} asks besides", sum(cost.rules[code] for cost in costs)))
    total = sum(cost.facts for cost in costs)
    rows += [("all facts", total), ("spans, where something is reported", sum(cost.spans for cost in costs))]
    print(f"{len(costs)} files, {size / 1e6:.2f} MB; CPU seconds, and the ratio to parsing\n")
    print(f"{'libcst.parse_module':<44}{parse:>8.3f}{1:>8.2f}")
    for title, seconds in rows:
        print(f"{title:<44}{seconds:>8.3f}{seconds / parse:>8.2f}")
    print(f"\nthe {WORST} dearest files, by ratio:")
    for cost in sorted(costs, key=lambda cost: -cost.facts / cost.parse)[:WORST]:
        print(f"  {cost.path:<42}{cost.facts:>8.3f}{cost.facts / cost.parse:>8.2f}")
    return total / parse


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--profile"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = collected(folder, Path(arguments[0])) if arguments else hundred(folder)
        found = sources(folder)
        registry.load()
        gc.disable()
        ratio = report([best(source) for source in found], size)
        if "--profile" in sys.argv:
            profile = cProfile.Profile()
            for source in found:
                measured(source, profile)
            pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    print(f"\nall facts cost {ratio:.2f} times the parse; the target is {TARGET}")


if __name__ == "__main__":
    main()
