"""What the facts of a file cost, as a ratio to `libcst.parse_module` of the same text, in one run.

    python benchmarks/facts.py [--profile] [FOLDER_OF_KERAS_FILES]

Without a folder, a hundred files are made from the programs in fixtures/, as in speed.py. CPU time of this process, the best of three;
no garbage is collected in between, as a file is looked at once and dropped. The rules ask for what they need, so to run them is to
work out every fact that is asked for; all are asked here, whatever words a file has.
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
from seqlint.sources.syntax import syntax
from seqlint.trees import grow

RUNS, TARGET, WORST = 3, 1.6, 5


@dataclass
class Cost:
    """CPU seconds of one file."""

    path: str = ""
    parse: float = 0.0
    tree: float = 0.0
    names: float = 0.0
    rules: dict[str, float] = field(default_factory=dict)

    @property
    def facts(self) -> float:
        """All that is worked out from the tree."""
        return self.names + sum(self.rules.values())


def measured(source: Source, profile: cProfile.Profile | None = None) -> Cost:
    """One file, once."""
    cost = Cost(source.path)
    start = process_time()
    cst.parse_module(source.text)
    cost.parse = process_time() - start
    syntax.cache_clear()
    start = process_time()
    grown = grow(source)
    cost.tree = process_time() - start
    if profile is not None:
        profile.enable()
    start = process_time()
    facts = Facts(source, grown, KerasInUse())
    assert facts.names
    cost.names = process_time() - start
    for loaded in registry.load():
        start = process_time()
        for _ in loaded.check(facts):
            pass
        cost.rules[loaded.rule.code] = process_time() - start
    if profile is not None:
        profile.disable()
    return cost


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
    return min((measured(source) for _ in range(RUNS)), key=lambda cost: cost.parse + cost.tree + cost.facts)


def report(costs: list[Cost], size: int) -> float:
    """Print the table; gives the ratio of all facts to parsing."""
    parse = sum(cost.parse for cost in costs)
    rows = [
        ("the tree, with `ast.parse`", sum(cost.tree for cost in costs)),
        ("names: nodes, scopes, what is bound where", sum(cost.names for cost in costs)),
    ]
    for code in costs[0].rules:
        rows.append((f"what {code} asks besides", sum(cost.rules[code] for cost in costs)))
    total = sum(cost.facts for cost in costs)
    rows += [("all facts", total)]
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
