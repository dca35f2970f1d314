"""Proves every example that has a fix and every program in fixtures/, and writes down what came of it and what it cost.

    python benchmarks/proofs.py [--device cpu|gpu] [--jobs N] [--out docs/proof/NAME.md]

With `--script FILE` it measures `seqlint verify FILE` against one plain run of the file and one import of TensorFlow.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # tests/ is no part of the package

from seqlint.proof import Settings, missing, prove_all  # noqa: E402
from seqlint.proof.contracts import noise_of  # noqa: E402
from seqlint.proof.report.costs import costs  # noqa: E402
from tests.proof.subjects import LINES, everything  # noqa: E402
from tests.proof.subjects import proved as prove  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.model import Observable
    from seqlint.proof import Device, Proof
    from tests.proof.subjects import Subject

RUNS = 3
RESULTS: tuple[Observable, ...] = ("history", "weights")


def proved(device: Device, jobs: int) -> tuple[list[tuple[Subject, Proof]], float]:
    """Every proof, and the wall seconds of all."""
    found: list[tuple[Subject, Proof]] = []
    start = time.perf_counter()
    for line, replicas in product(LINES, (1, 2)):
        # One card is one replica, whatever the program asks for.
        settings = Settings(keras=line, device=device, replicas=1 if device == "gpu" else replicas, limit_s=180)
        subjects = [one for one in everything() if (one.line, one.replicas) == (line, replicas)]
        if subjects and not missing(settings):
            proofs = prove_all([subject.pair for subject in subjects], settings, jobs=jobs, how=prove)
            found += zip(subjects, proofs, strict=True)
    return found, time.perf_counter() - start


def machine(device: str) -> str:
    """The card, or the number of processors."""
    tool = shutil.which("nvidia-smi")
    if device != "gpu" or tool is None:
        return f"{len(os.sched_getaffinity(0))} processor cores"
    asked = [tool, "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(", ")
    return f"{name}, driver {driver}"


def page(found: Sequence[tuple[Subject, Proof]], seconds: float, device: str) -> str:
    """The report in Markdown."""
    versions = sorted({proof.before.recording["versions"] for _, proof in found if proof.before.recording})
    outcomes = [proof.outcome for _, proof in found]
    lines = [
        f"# Every fix, run before and after: {machine(device)}",
        "",
        f"{' and '.join(versions)}. {len(found)} programs, each run three times, in {seconds:.0f} s: "
        + ", ".join(f"{outcomes.count(name)} {name}" for name in dict.fromkeys(sorted(outcomes)))
        + ".",
        "",
        "*Noise* is the largest relative difference in history and weights between two runs of the unchanged program; what",
        "is left of a fix's effect after four times that counts as a difference. Samples a second are those of short runs of",
        "tiny programs: they show that a fix costs nothing, no more.",
        "",
        "| program | verdict | changed as declared | noise | samples/s before | after |",
        "| --- | --- | --- | --- | --- | --- |",
        *(row(subject, proof) for subject, proof in found),
    ]
    return "\n".join(lines) + "\n"


def row(subject: Subject, proof: Proof) -> str:
    changed = ", ".join(sorted(proof.changed)) or "-"
    verdict = f"NOT RUN: {' '.join(proof.obstacle.split())[:80]}" if proof.obstacle else proof.outcome
    speeds = [costs(run).samples_per_second for run in (proof.before, proof.after)]
    shown = [f"{speed:.0f}" if speed else "-" for speed in speeds]
    return f"| {subject.name} | {verdict} | {changed} | {noise(proof)} | {' | '.join(shown)} |"


def noise(proof: Proof) -> str:
    """The largest relative difference between two equal runs."""
    if not proof.again:
        return "-"
    found = [noise_of(name, proof.before, proof.again) for name in RESULTS]
    loudest = max(one.tolerance for one in found)
    return "not repeatable" if any(one.unstable for one in found) else f"{loudest / 4:.1g}" if loudest else "0"


def timed(command: Sequence[str]) -> float:
    """Wall seconds of a command: the median of a few runs, after one that warms the file cache."""
    return statistics.median(list(_seconds(command))[1:])


def _seconds(command: Sequence[str]) -> Iterator[float]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run(command, env=environment, capture_output=True, check=False)
        yield time.perf_counter() - start


def against_a_plain_run(script: str) -> str:
    plain, start = timed([sys.executable, script]), timed([sys.executable, "-c", "import tensorflow, keras"])
    whole = timed([sys.executable, "-m", "seqlint", "verify", script])
    return (
        f"plain run {plain:.1f} s, import of TensorFlow {start:.1f} s, verify {whole:.1f} s: "
        f"{(whole - start) / plain:.2f} plain runs and one import\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "gpu"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--script")
    asked = parser.parse_args()
    text = against_a_plain_run(asked.script) if asked.script else page(*proved(asked.device, asked.jobs), asked.device)
    if asked.out is None:
        sys.stdout.write(text)
        return
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
