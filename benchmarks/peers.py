"""What seqlint costs beside its peers on the same files in the same run, as a table in Markdown.

    python benchmarks/peers.py FOLDER... [--bin FOLDER]... [--runs N] [--files N] [--only ROW]... [--hundred FOLDER]

The folders hold public code; with a fixed seed a hundred files with Keras data code, a tree of which a sixth has some, and ten
files without Keras are drawn from them. The peers (ruff, flake8, torchfix) are looked for in the folders of --bin, then on the PATH; rows
whose peer is missing are left out. TorchFix is a plugin of flake8, so it must be in an environment of its own.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import growth, index, inputs
from benchmarks.timed import ROOT, SEQLINT, Command, Cost, cost_and_peak, medians, output
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODULES = 1_000
CHECK = (*SEQLINT, "check")


@dataclass(frozen=True)
class Row:
    """One line of the table: what was run, both costs, and the goal as a text."""

    what: str
    own: Cost
    peer: str
    other: Cost
    goal: str

    def __str__(self) -> str:
        return (
            f"| {self.what} | {self.own.wall:.2f} s, {self.own.cpu:.2f} s | {self.peer} | {self.other.wall:.2f} s, {self.other.cpu:.2f} s "
            f"| {_ratio(self.own.wall, self.other.wall)} | {_ratio(self.own.cpu, self.other.cpu)} | {self.goal} |"
        )


@dataclass(frozen=True)
class Bench:
    """Where the inputs come from, where the peers are, and what is measured."""

    sources: list[Path]
    place: Path
    bins: str
    runs: int
    files: int
    hundred: Path | None

    def peer(self, name: str, *arguments: str) -> tuple[str, ...] | None:
        """The command of a peer; None, and a word about it, where it is not installed."""
        found = shutil.which(name, path=self.bins)
        if found is None:
            print(f"{name} is not installed, so its rows are left out", file=sys.stderr)
            return None
        if name == "flake8" and "torchfix" in _said(found, "--version").lower():
            raise SystemExit("flake8 would run TorchFix, too: install them in two environments")
        return (found, *arguments)


def hundred(bench: Bench) -> Iterator[object]:
    """A hundred Keras files against the linters that are written in Python, as TorchFix is on libcst."""
    place = bench.place / "hundred"
    drawn = inputs.taken(place, bench.hundred) if bench.hundred else inputs.hundred(place, bench.sources)
    yield f"A hundred: {drawn}."
    own = Command((*CHECK, "--no-cache", "."), drawn.folder)
    peers = (
        ("torchfix", ("--select", "ALL", "."), "TorchFix", "1/20"),
        ("flake8", ("--isolated", "."), "flake8", "1/5"),
    )
    for name, arguments, title, goal in peers:
        words = bench.peer(name, *arguments)
        if words is not None:
            costs = medians(bench.runs, own, Command(words, drawn.folder))
            yield Row("a hundred Keras files, cold", costs[0], title, costs[1], f"1.2 s, {goal}")
    if find_spec("distributed"):
        dask = Command((*CHECK, "--no-cache", "--executor", "distributed:Client", "."), drawn.folder)
        costs = medians(bench.runs, dask, own)
        yield Row("the same by Dask, its cluster on this machine", costs[0], "seqlint's pool", costs[1], "-")


def tree(bench: Bench) -> Iterator[object]:
    """A big tree against ruff, cold and warm."""
    drawn = inputs.tree(bench.place / "tree", bench.sources, bench.files)
    yield f"A tree: {drawn}."
    folder = drawn.folder
    ruff = bench.peer("ruff", "check", "--isolated", ".")
    if ruff is not None:
        own, other = medians(
            bench.runs, Command((*CHECK, "--no-cache", "."), folder), Command((*ruff, "--no-cache"), folder)
        )
        yield Row("the tree, cold", own, "ruff --no-cache", other, "1; stretch 0.5")
        own, other = medians(
            bench.runs,
            Command((*CHECK, "."), folder, lambda: _without(_kept_of(folder))),
            Command(ruff, folder, lambda: _without(folder / ".ruff_cache")),
        )
        yield Row("the tree, cold, filling the cache", own, "ruff", other, "-")
        own, other = medians(bench.runs, Command((*CHECK, "."), folder), Command(ruff, folder))
        yield Row("the tree, warm, nothing changed", own, "ruff", other, "0.5")
    yield f"Peak memory of the main process on the tree: {cost_and_peak(('check', '--no-cache', '.'), folder)[1]:.0f} MB cold, {_warm_peak(folder):.0f} MB warm (goal 250)."
    yield equality(folder)


def _warm_peak(folder: Path) -> float:
    cost_and_peak(("check", "."), folder)
    return cost_and_peak(("check", "."), folder)[1]


def equality(folder: Path) -> str:
    """Whether every way to run gives the same bytes.

    Raises:
        SystemExit: it doesn't.
    """
    _without(_kept_of(folder))
    check, as_json = (*CHECK, "."), ("--output-format", "json")
    said = {
        "the first run": output((*check, *as_json), folder),
        "a warm run": output((*check, *as_json), folder),
        "--jobs 1, warm": output((*check, *as_json, "--jobs", "1"), folder),
        "--no-cache": output((*check, *as_json, "--no-cache"), folder),
        "--no-cache --jobs 1": output((*check, *as_json, "--no-cache", "--jobs", "1"), folder),
        "two shards merged": _merged(folder, (*check, *as_json)),
    }
    different = [title for title, text in said.items() if text != said["the first run"]]
    if output(check, folder) != output((*check, "--no-cache"), folder):
        different.append("a warm run as text")
    if different:
        raise SystemExit(f"not the same findings: {', '.join(different)}")
    return f"The same bytes from {', '.join(said)}."


def _merged(folder: Path, check: tuple[str, ...]) -> bytes:
    """What the reports of two shards are together."""
    with tempfile.TemporaryDirectory() as name:
        reports = [Path(name, f"{number}.json") for number in (1, 2)]
        for number, report in enumerate(reports, 1):
            report.write_bytes(output((*check, "--shard", f"{number}/2"), folder))
        return output((*SEQLINT, "merge", *map(str, reports), "--output-format", "json"), folder)


def project(bench: Bench) -> Iterator[object]:
    """One changed file in a made project whose classes derive from each other across modules."""
    folder = bench.place / "project"
    paths = index.generate(folder, MODULES)
    (folder / ".git").mkdir()
    bare = Command((sys.executable, "-c", "pass"), folder)
    for what, changed in (("one changed file", paths[-1]), ("a base of nine other files changed", paths[10])):
        for where in (".", str(changed.relative_to(folder))):
            own, other = medians(bench.runs, Command((*CHECK, where), folder, lambda path=changed: _change(path)), bare)
            title = f"{what} of {MODULES:,}, warm, {'the project' if where == '.' else 'that file'} checked"
            yield Row(title, own, "bare Python", other, "0.35 s CPU over it" if changed == paths[-1] else "-")
    own, other = medians(bench.runs, Command((*CHECK, "."), folder), bare)
    yield Row(f"nothing changed of {MODULES:,}, warm", own, "bare Python", other, "-")


def commit(bench: Bench) -> Iterator[object]:
    """Ten files without Keras, as pre-commit hands them over."""
    drawn = inputs.ten(bench.place / "ten", bench.sources)
    yield f"Ten: {drawn}."
    names = sorted(str(path.relative_to(drawn.folder)) for path in drawn.folder.rglob("*.py"))
    own, other, bare = medians(
        max(bench.runs, 10),
        Command((*CHECK, "--force-exclude", *names), drawn.folder),
        Command((sys.executable, "-c", "import typer"), drawn.folder),
        Command((sys.executable, "-c", "pass"), drawn.folder),
    )
    yield Row("ten files without Keras, as from pre-commit", own, "`import typer`", other, "1.3")
    yield Row("the same", own, "bare Python", bare, "-")


def grown(bench: Bench) -> Iterator[object]:
    """How time and memory grow, as a table of its own."""
    yield "\n".join(growth.table(bench.place / "growth", bench.runs))


ROWS: dict[str, Callable[[Bench], Iterator[object]]] = {
    "hundred": hundred, "tree": tree, "project": project, "commit": commit, "growth": grown,
}  # fmt: skip


def main() -> None:
    asked = _asked()
    with tempfile.TemporaryDirectory() as name:
        bins = os.pathsep.join([*asked.bin, os.environ.get("PATH", "")])
        bench = Bench(asked.folders, Path(name), bins, asked.runs, asked.files, asked.hundred)
        print(f"{_versions(bench)}\n")
        notes = []
        print("| what | seqlint: wall, CPU | peer | peer: wall, CPU | wall ratio | CPU ratio | goal |")
        print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
        for title in asked.only or ROWS:
            for said in ROWS[title](bench):
                if isinstance(said, Row):
                    print(said, flush=True)
                else:
                    notes.append(said)
        print("", *notes, sep="\n\n")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=lambda text: Path(text).resolve(strict=True))
    parser.add_argument("--bin", action="append", default=[], help="where peers are installed")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--files", type=int, default=6_000, help="files of the tree")
    parser.add_argument("--only", action="append", choices=list(ROWS))
    parser.add_argument("--hundred", type=lambda text: Path(text).resolve(strict=True), help="take these files instead")
    return parser.parse_args()


def _versions(bench: Bench) -> str:
    words = ("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    commit = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    own = [f"seqlint {__version__}{f' at {commit}' if commit else ''}", f"Python {platform.python_version()}"]
    own += [f"{name} {version(name)}" for name in ("libcst", "typer")]
    peers = [
        f"{title} {_said(found, '--version').split()[-1 if name == 'ruff' else 0]}"
        for name, title in (("ruff", "ruff"), ("flake8", "flake8"))
        if (found := shutil.which(name, path=bench.bins))
    ]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{', '.join([*own, *peers, *_torchfix(bench)])}; {cores} cores; medians of {bench.runs} runs in turns."


def _torchfix(bench: Bench) -> list[str]:
    # It has no --version; flake8 beside it lists its plugins with theirs.
    found = shutil.which("torchfix", path=bench.bins)
    if found is None:
        return []
    asked = (
        str(Path(found).with_name("python")),
        "-c",
        "from importlib.metadata import version as v; print(v('torchfix'))",
    )
    return [f"TorchFix {_said(*asked)}"]


def _said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def _ratio(own: float, other: float) -> str:
    ratio = own / other
    return f"1/{1 / ratio:.1f}" if ratio < 0.4 else f"{ratio:.2f}"


def _kept_of(folder: Path) -> Path:
    """Where seqlint keeps what it found in a project."""
    from seqlint.config import load_config
    from seqlint.runner.plan import kept_at

    return kept_at(load_config(folder)) or folder / "nowhere"


def _without(cache: Path) -> None:
    shutil.rmtree(cache, ignore_errors=True)


def _change(path: Path) -> None:
    """A comment more at the end: the text is another one, and what it says to others is the same."""
    with open(path, "a", encoding="utf-8") as file:
        file.write("# changed\n")


if __name__ == "__main__":
    main()
